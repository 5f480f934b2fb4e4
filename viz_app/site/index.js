// The index in the reader's scheme and language: as chosen on another page, else as the browser's. An
// address that names a lesson leads to the page that plays it.
const remembered = (name) => {
  try {
    return localStorage.getItem(`attention-visualiser-${name}`);
  } catch {
    return null; // private windows refuse storage
  }
};
const [said] = /^(en|zh)(?=&|$)/.exec(window.location.hash.slice(1)) ?? [];
const [browsers] = navigator.language.toLowerCase().split("-");
const inChinese = document.documentElement.lang === "zh";
const wanted = inChinese ? "zh" : said || remembered("language") || browsers;
const lessons = JSON.parse(document.getElementById("lessons").textContent);
const [, lesson = "", step = ".1"] =
  /[#?&]lesson=([a-z0-9-]+)(\.[1-9]\d?)?(?=[#&]|$)/.exec(window.location.href) ?? [];
if (Object.hasOwn(lessons, lesson)) {
  const page = lessons[lesson].split("/").map(encodeURIComponent).join("/");
  window.location.replace(`${page}#${wanted === "zh" ? "zh" : "en"}&lesson=${lesson}${step}`);
} else if (!inChinese && wanted === "zh") window.location.replace("index.zh.html#zh");
const scheme = remembered("scheme");
if (scheme === "dark" || scheme === "light") {
  document.body.classList.add(scheme);
  window.addEventListener("DOMContentLoaded", () => {
    for (const one of document.querySelectorAll(".auto-scheme")) one.classList.remove("auto-scheme");
  });
}
