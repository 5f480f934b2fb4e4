// The interpreter with our modules in it. It needs no page, and fetches nothing: bytes are given.

import { filesOf } from "./archive.js";

const MODELS = "/models";
const OWN = "/yours"; // what visitors bring

/** @typedef {{ numpy: Uint8Array, app: Uint8Array, kernel: Uint8Array, known: Uint8Array }} Packages */

export class Interpreter {
  /** @param {any} python what loadPyodide made @param {any} inside see inside.py */
  constructor(python, inside) {
    this.python = python;
    this.inside = inside;
    this.makesPages = false; // whether what pages are made of is here
  }

  /** Put our modules into an interpreter.
   * @param {any} python @param {Packages} packages @param {string} limits see inside.py */
  static async in(python, packages, limits = "local") {
    const home = homeOf(python);
    unpack(python, packages.numpy, home);
    unpack(python, packages.app, home);
    unpack(python, packages.known, MODELS);
    python.runPython("import sys; sys.path_importer_cache.clear()"); // it has looked there before
    const linear = await linked(python, packages.kernel);
    return new Interpreter(python, python.pyimport("viz_app.live.inside").Inside(MODELS, linear, limits));
  }

  /** What computes the answers, as files name it. @returns {string} */
  computes() {
    return this.inside.computes();
  }

  /** Put the files of a model beside what is known of it.
   * @param {string} name @param {Record<string, Uint8Array>} files */
  add(name, files) {
    for (const [file, content] of Object.entries(files)) {
      this.python.FS.writeFile(`${MODELS}/${name}/${file}`, content, { canOwn: true });
    }
  }

  /** Put what pages are made of beside the modules. @param {Uint8Array} archive */
  addPage(archive) {
    unpack(this.python, archive, homeOf(this.python));
    this.makesPages = true;
  }

  /** Open a checkpoint of the visitor's own; the answer to a request of the stage that brings it.
   * @param {{ name: string, files: Record<string, Uint8Array> }} brought */
  bring({ name, files }) {
    const { FS } = this.python;
    const folder = `${OWN}/${name}`;
    FS.mkdirTree(folder);
    // Of one that was tried before nothing stays.
    for (const file of FS.readdir(folder)) if (!file.startsWith(".")) FS.unlink(`${folder}/${file}`);
    for (const [file, content] of Object.entries(files)) FS.writeFile(`${folder}/${file}`, content);
    // To whom it belongs, a file's place in here says nothing; its name does.
    return JSON.parse(this.inside.bring(folder).replaceAll(`${OWN}/`, ""));
  }

  /** The answer to a request of the stage; { absent } names a model whose files have to be put there before.
   * @param {any} request */
  answer(request) {
    return JSON.parse(this.inside.answer(JSON.stringify(request)));
  }
}

/** Where modules lie. @param {any} python @returns {string} */
const homeOf = (python) =>
  python.runPython("import sys; next(path for path in sys.path if path.endswith('site-packages'))");

/** Put the files of an archive into a folder; they stay where they lie in memory.
 * @param {any} python @param {Uint8Array} archive @param {string} folder */
function unpack(python, archive, folder) {
  const made = new Set();
  for (const [name, content] of filesOf(archive)) {
    const path = `${folder}/${name}`;
    const within = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(within)) python.FS.mkdirTree(within);
    made.add(within);
    python.FS.writeFile(path, content, { canOwn: true });
  }
}

/** The product of the kernel, which works in the interpreter's own memory; nothing where a browser lacks its instructions.
 * @param {any} python @param {Uint8Array} kernel */
async function linked(python, kernel) {
  if (!WebAssembly.validate(/** @type {BufferSource} */ (kernel))) return undefined;
  const made = await python._module.loadWebAssemblyModule(kernel, { loadAsync: true, nodelete: true }, "kernel", {});
  return made.linear;
}
