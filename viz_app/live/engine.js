// The interpreter with our modules in it. It needs no page, and is told where nothing comes from: bytes are given.

const MODELS = "/models";

/** @typedef {{ numpy: Uint8Array, app: Uint8Array, kernel: Uint8Array, known: Uint8Array }} Packages */

export class Engine {
  /** @param {any} python what loadPyodide made @param {any} inside see inside.py */
  constructor(python, inside) {
    this.python = python;
    this.inside = inside;
  }

  /** Put our modules into an interpreter.
   * @param {any} python @param {Packages} packages @param {string} limits see inside.py */
  static async in(python, packages, limits = "local") {
    const home = python.runPython("import sys; next(path for path in sys.path if path.endswith('site-packages'))");
    python.unpackArchive(packages.numpy, "zip", { extractDir: home });
    python.unpackArchive(packages.app, "zip", { extractDir: home });
    python.FS.mkdirTree(MODELS);
    python.unpackArchive(packages.known, "zip", { extractDir: MODELS });
    const linear = await linked(python, packages.kernel);
    return new Engine(python, python.pyimport("viz_app.live.inside").Inside(MODELS, linear, limits));
  }

  /** Put the files of a model beside what is known of it.
   * @param {string} name @param {Record<string, Uint8Array>} files */
  add(name, files) {
    for (const [file, content] of Object.entries(files)) this.python.FS.writeFile(`${MODELS}/${name}/${file}`, content);
  }

  /** The answer to a request of the stage; { absent } names a model whose files have to be put there before.
   * @param {any} request */
  answer(request) {
    return JSON.parse(this.inside.answer(JSON.stringify(request)));
  }
}

/** The product of the kernel, which works in the interpreter's own memory; nothing where a browser lacks its instructions.
 * @param {any} python @param {Uint8Array} kernel */
async function linked(python, kernel) {
  if (!WebAssembly.validate(/** @type {BufferSource} */ (kernel))) return undefined;
  const made = await python._module.loadWebAssemblyModule(kernel, { loadAsync: true, nodelete: true }, "kernel", {});
  return made.linear;
}
