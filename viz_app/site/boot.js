/* global mountStage, siteModels, sitePages, siteTable, siteWords */
// Mounts the stage on a page of a site. What its files share is in constants beside this script.
const host = document.getElementById("stage");
const options = JSON.parse(document.getElementById("options").textContent);
const language = window.location.hash.slice(1); // as the page before had it
const opened = new Map();

/** A list of answers; it is unpacked when a room first asks for one of it. */
function unpacked(text) {
  if (!opened.has(text)) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new window.DecompressionStream("gzip"));
    opened.set(text, new window.Response(plain).json());
  }
  return opened.get(text);
}

/** The answers of the model or of the page, each fetched when its room first asks for it. */
function answersIn({ answers, packed }) {
  return answers.map(([room, asked], place) =>
    ({ room, asked, answer: async () => (await unpacked(packed))[place] }));
}

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
  site: { ...options.site, pages: sitePages },
  choices: Object.hasOwn(siteWords, language) ? { language } : {} }, null);
document.documentElement.lang = host.stage.drawn().language;
