// Compiles an archive of modules in the interpreter that will import them, and hands it back: see compiling.py.

/** @param {string} name */
const fetched = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());

/** @param {string} name @param {BodyInit} body */
const post = (name, body) => fetch(name, { method: "POST", body });

async function compile() {
  const { loadPyodide } = await import(new URL("pyodide.mjs", location.href).href);
  const lockFileContents = JSON.stringify({ info: await (await fetch("lock.json")).json(), packages: {} });
  // The same bytes each time; of a place in a file the line alone.
  const env = { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
  const python = await loadPyodide({ indexURL: "./", packageBaseUrl: "./", lockFileContents, env });
  const { FS } = python;
  FS.writeFile("/home/pyodide/compiler.py", await fetched("compiler.py"));
  for (const name of ["given", "numpy.zip"]) FS.writeFile(`/${name}`, await fetched(name));
  python.runPython(`
from pathlib import Path
import compiler
Path("/made").write_bytes(compiler.begun(compiler.compiled(Path("/given").read_bytes()), "/numpy.zip"))`);
  await post("made", FS.readFile("/made"));
}

compile().catch((error) => post("failed", String(error)));
