/* global mountStage, siteAsked, siteModels, sitePages, siteQuestions, siteTable, siteWords */
// Mounts the stage on a page of a site. What its files share is in constants beside this script.
const host = document.getElementById("stage");
const options = JSON.parse(document.getElementById("options").textContent);
// As the page before had it, and the question that led here.
const [language, asked = ""] = window.location.hash.slice(1).split("&");
const opened = new Map();

/** The answers of a line of JSON, whose arrays are the bytes behind it; each gets its base64 again. */
function answersOf(content) {
  const end = content.indexOf(10);
  const arrays = content.subarray(end + 1);
  const asText = ([from, to]) =>
    btoa(Array.from(arrays.subarray(from, to), (byte) => String.fromCharCode(byte)).join(""));
  return JSON.parse(new window.TextDecoder().decode(content.subarray(0, end)),
    (_, value) => (value?.bytes ? asText(value.bytes) : value));
}

/** A list of answers; it is unpacked when a room first asks for one of it. */
function unpacked(text) {
  if (!opened.has(text)) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new window.DecompressionStream("gzip"));
    opened.set(text, new window.Response(plain).arrayBuffer()
      .then((content) => answersOf(new Uint8Array(content))));
  }
  return opened.get(text);
}

/** The answers of the model or of the page, each fetched when its room first asks for it. */
function answersIn({ answers, packed }) {
  return answers.map(([room, asked], place) =>
    ({ room, asked, answer: async () => (await unpacked(packed))[place] }));
}

/** What can be asked, whose script is fetched when somebody asks. */
const questions = () => new Promise((done, fail) => {
  const script = document.createElement("script");
  script.src = options.site.root + siteQuestions;
  script.onload = () => done(siteAsked);
  script.onerror = () => fail(new Error(siteQuestions));
  document.head.append(script);
});

const ofModel = answersIn(siteTable);
const idOf = ({ room, asked }) => JSON.stringify([room, asked]);
const known = new Map(ofModel.map((one) => [idOf(one), one.answer]));
// What the model's table says already is not in the page again.
const ofPage = answersIn(options).map((one) => {
  const rest = known.get(idOf(one));
  return rest ? { ...one, answer: async () => ({ ...await rest(), ...await one.answer() }) } : one;
});
const answers = [...ofModel, ...ofPage];
window.addEventListener("stage:language", (event) => {
  document.documentElement.lang = event.detail;
});
mountStage(host, { ...options, answers, models: siteModels, words: siteWords,
  site: { ...options.site, pages: sitePages, questions, asked },
  choices: Object.hasOwn(siteWords, language) ? { language } : {} }, null);
document.documentElement.lang = host.stage.drawn().language;
