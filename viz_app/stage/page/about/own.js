// Opening a checkpoint of the visitor's own where no server is: its files are read by the page and stay on the
// computer. What it opens is in the menu from then on, as on a page that a server answers.

import { workerSays } from "../worker_status.js";
import { filesOf } from "./dropped.js";
import { html, makePart } from "../html.js";
import { dialog } from "../dialog.js";
import { wordsOfError } from "../words.js";
import { answerTo } from "../../run/ask.js";

const READ = [".json", ".md", ".safetensors"]; // of a checkpoint; what else lies there is let be
const PICKLED = [".pt", ".pth", ".bin", ".pkl", ".ckpt"];
const MOST = 250e6; // bytes: what a page may hold beside all else

const endsIn = (/** @type {string} */ path, /** @type {string[]} */ endings) =>
  endings.some((ending) => path.toLowerCase().endsWith(ending));

/**
 * The files of the checkpoint among those that were chosen, by name, and what it is called; or why there is none.
 * @template {{size: number}} F
 * @param {{path: string, file: F}[]} chosen each with its path: "folder/config.json"
 * @returns {{name: string, files: Record<string, F>, error?: undefined} | {error: {code: string, values?: any}}}
 */
export function checkpointIn(chosen) {
  const apart = chosen.map(({ path, file }) => {
    const parts = path.split("/");
    return { name: parts.at(-1) ?? "", folder: parts.at(-2) ?? "", file };
  });
  const read = apart.filter(({ name }) => endsIn(name, READ));
  const pickled = apart.find(({ name }) => endsIn(name, PICKLED));
  if (pickled && !read.some(({ name }) => endsIn(name, [".safetensors"]))) {
    return { error: { code: "own_pickled", values: { name: pickled.name } } };
  }
  if (!read.some(({ name }) => name === "config.json")) return { error: { code: "own_config" } };
  const size = read.reduce((sum, { file }) => sum + file.size, 0);
  if (size > MOST) return { error: { code: "own_large", values: { n: Math.ceil(size / 1e6), limit: MOST / 1e6 } } };
  return { name: read[0].folder || "model", files: Object.fromEntries(read.map(({ name, file }) => [name, file])) };
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {SheetPage} page
 */
export function makeOwn(t, { state }, { transport, brought }) {
  const own = { isBusy: false, fault: /** @type {any} */ (null) };

  /** @param {boolean} isBusy @param {any} fault */
  function say(isBusy, fault) {
    Object.assign(own, { isBusy, fault });
    update();
  }

  /** Opens what was chosen. @param {{path: string, file: File}[]} chosen */
  async function open(chosen) {
    if (own.isBusy) return;
    const found = checkpointIn(chosen);
    if (found.error) {
      say(false, found.error);
      return;
    }
    say(true, null);
    const names = Object.keys(found.files);
    const contents = await Promise.all(Object.values(found.files).map((file) => file.arrayBuffer())).catch(() => null);
    const answer = contents === null ? { error: { code: "own_unread" } }
      : await answerTo(/** @type {Transport} */ (transport), { bring: { name: found.name,
        files: Object.fromEntries(names.map((name, i) => [name, new Uint8Array(contents[i])])) } });
    say(false, answer.error ?? null);
    if (answer.error) return;
    element.close();
    brought(answer.model);
  }

  /** @param {any} event */
  function take({ target }) {
    const chosen = [...target.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
    target.value = ""; // the same may be chosen again
    open(chosen);
  }

  /** What is waited for: what computes has to be here first. */
  const busyWith = () => (state.worker?.phase === "ready" ? t("bring_busy") : workerSays(t, state.worker));

  /** A button that chooses files. @param {string} name @param {boolean} isFolder */
  const chooser = (name, isFolder) => html`<label class="own-choose"><span>${t(`own_${name}`)}</span>
    <input type="file" multiple ?webkitdirectory=${isFolder} data-own=${name} ?disabled=${own.isBusy} @change=${take}></label>`;
  /** @type {{element: HTMLDialogElement, update: function(): void}} */
  const { element, update } = makePart(() => dialog(t, "bring", t("bring"), html`
    <p>${t("own_about")}</p>
    <form method="dialog">${chooser("folder", true)}${chooser("files", false)}</form>
    <p class="bring-status${own.fault ? " alarm" : ""}" role="status">${
      own.isBusy ? busyWith() : own.fault ? wordsOfError(own.fault, t) : ""}</p>`, { isBusy: own.isBusy }));
  return {
    element,
    update,
    show() {
      say(own.isBusy, null);
      if (!element.open) element.showModal();
    },
    /** @param {any[]} entries that were dropped */
    async take(entries) {
      const chosen = await filesOf(entries).catch(() => null);
      if (chosen) open(chosen);
      else say(false, { code: "own_unread" });
    },
  };
}
