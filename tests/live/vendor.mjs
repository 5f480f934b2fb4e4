// Runs inside.py in the interpreter itself, which alone can compile for itself: see vendor.py.

import { readFileSync, writeFileSync } from "node:fs";

const [pack, wheel, script, folder, names] = process.argv.slice(2);
const { loadPyodide } = await import(`${pack}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pack}/`, env: { PYTHONHASHSEED: "0", IMPORTED: names } });
const given = { "stdlib.zip": `${pack}/python_stdlib.zip`, "numpy.whl": wheel };
for (const [name, path] of Object.entries(given)) {
  python.FS.writeFile(`/tmp/${name}`, new Uint8Array(readFileSync(path)));
}
python.runPython(readFileSync(script, "utf8"));
for (const name of ["python_stdlib.zip", "numpy.zip"]) {
  writeFileSync(`${folder}/${name}`, python.FS.readFile(`/tmp/${name}`));
}
