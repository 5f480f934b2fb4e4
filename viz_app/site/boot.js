/* global mountStage, isMetered, makeWorkerClient, recordedWith, siteModels, sitePages, siteTable, siteWords,
   siteWorker, siteAsked, siteQuestions, siteLessons */
// Mounts the stage on a page of a site. What its files share is in constants beside this script.
const RESTS_MS = 2500; // after its first picture a page rests; then what computes is fetched
const host = document.getElementById("stage");
const options = JSON.parse(document.getElementById("options").textContent);
// A language, as the page before had it, and the question or the step of a lesson that led here; or a link.
const [said, question = ""] = window.location.hash.slice(1).split("&");
const [, lesson = null] = /^lesson=([a-z0-9-]+\.[1-9]\d?)$/.exec(question) ?? [];
const opened = new Map();
const computed = Object.keys(siteWorker?.sizes.models ?? {}); // models; snapshots come with theirs

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

/** Why the page shows only what was recorded; null where it can compute. */
function whyAlone() {
  if (!computed.includes(options.model)) return "hub";
  if (window.location.protocol === "file:") return "file";
  return typeof window.WebAssembly === "object" && window.Worker ? null : "browser";
}

/** What computes in the page. */
function workerClientOf(answers) {
  const base = new URL(`${options.site.root}${siteWorker.base}`, window.location.href).href;
  const { shared, models } = siteWorker.sizes;
  return makeWorkerClient({ open: () => new window.Worker(`${base}worker.js`, { type: "module" }),
    start: { base, model: options.model }, sizes: { ...shared, [options.model]: models[options.model] },
    recorded: recordedWith(options.payload, answers, siteLessons) });
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
const why = siteWorker && whyAlone();
const worker = siteWorker && !why ? workerClientOf(answers) : null;
const isLanguage = Object.hasOwn(siteWords, said);
window.addEventListener("stage:language", (event) => {
  document.documentElement.lang = event.detail;
});
// The address is for links then.
if (worker && isLanguage) window.history.replaceState(null, "", window.location.href.split("#")[0]);
// No model of another page is offered to those who compare, or write in another language, if it computes nowhere.
const models = siteModels.map((one) => (!worker || computed.includes(one.of ?? one.name) ? one : { ...one, languages: [] }));
mountStage(host, { ...options, answers, models, words: siteWords, address: worker !== null,
  lessons: siteLessons, view: { ...options.view, ...(isLanguage && lesson ? { lesson } : {}) },
  site: { ...options.site, pages: sitePages, worker, computed: worker ? computed : [], why, questions,
    asked: isLanguage && !lesson ? question : "" },
  choices: isLanguage ? { language: said } : {} }, worker?.transport ?? null);
document.documentElement.lang = host.stage.language();
if (worker && !isMetered()) setTimeout(worker.begin, RESTS_MS);
