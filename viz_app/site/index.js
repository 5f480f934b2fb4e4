// The index in the reader's scheme and language: as chosen on another page, else as the browser's.
const remembered = (name) => {
  try {
    return localStorage.getItem(`attention-visualiser-${name}`);
  } catch {
    return null; // private windows refuse storage
  }
};
const said = window.location.hash.slice(1);
const [browsers] = navigator.language.toLowerCase().split("-");
const inChinese = document.documentElement.lang === "zh";
const wanted = said || remembered("language") || browsers;
if (!inChinese && wanted === "zh") window.location.replace("index.zh.html#zh");
const scheme = remembered("scheme");
if (scheme === "dark" || scheme === "light") {
  document.body.classList.add(scheme);
  window.addEventListener("DOMContentLoaded", () => {
    for (const one of document.querySelectorAll(".auto-scheme")) one.classList.remove("auto-scheme");
  });
}
