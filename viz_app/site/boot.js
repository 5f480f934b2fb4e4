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

const answers = [[siteTable, options.of_model], [options.packed, options.answers]]
  .flatMap(([text, asked]) => asked.map(([room, question], place) =>
    ({ room, asked: question, answer: async () => (await unpacked(text))[place] })));
window.addEventListener("stage:language", (event) => {
  document.documentElement.lang = event.detail;
});
mountStage(host, { ...options, answers, models: siteModels, words: siteWords,
  site: { ...options.site, pages: sitePages },
  choices: Object.hasOwn(siteWords, language) ? { language } : {} }, null);
document.documentElement.lang = host.stage.drawn().language;
