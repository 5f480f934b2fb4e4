// Answers requests in the interpreter itself, without a page: `node ask.mjs SCRIPT PIECES ASKED ANSWERED`. PIECES is a
// folder that has what viz_app/live/pieces.py makes, with the interpreter's files beside; ASKED has requests and Python to run.
// A model that is brought has files of text.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync } from "node:zlib";

const [script, folder, asked, answered] = process.argv.slice(2);
const { Interpreter } = await import(script);
const { woven } = await import(`${dirname(script)}/fetching.js`);
const pieces = JSON.parse(readFileSync(`${folder}/pieces.json`, "utf8"));
const content = ({ path, planes }) => woven(new Uint8Array(gunzipSync(readFileSync(`${folder}/${path}`))), planes);
const contents = (named) => Object.fromEntries(Object.entries(named).map(([name, piece]) => [name, content(piece)]));

writeFileSync(`${folder}/pyodide.asm.js`, content(pieces.interpreter.script));
writeFileSync(`${folder}/pyodide.asm.wasm`, content(pieces.interpreter.wasm));
writeFileSync(`${folder}/python_stdlib.zip`, content(pieces.interpreter.library));
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const spent = { at: process.cpuUsage() };
const since = () => {
  const { user, system } = process.cpuUsage(spent.at);
  spent.at = process.cpuUsage();
  return Math.round((user + system) / 1000);
};
const lockFileContents = JSON.stringify({ info: pieces.lock, packages: {} });
const python = await loadPyodide({ indexURL: `${folder}/`, packageBaseUrl: folder, lockFileContents });
const cpu = { interpreter: since() };
const live = await Interpreter.in(python, contents(pieces.packages));
cpu.packages = since();
const { requests, code } = JSON.parse(readFileSync(asked, "utf8"));
const absent = [];
const answers = requests.map((request) => {
  if (request.bring) {
    const texts = Object.entries(request.bring.files).map(([name, text]) => [name, new TextEncoder().encode(text)]);
    return live.bring({ ...request.bring, files: Object.fromEntries(texts) });
  }
  if (request.export?.format === "html" && !live.makesPages) live.addPage(content(pieces.page));
  let answer = live.answer(request);
  if (answer.absent) {
    absent.push(answer.absent);
    live.add(answer.absent, contents(pieces.models[answer.absent]));
    since();
    answer = live.answer(request);
  }
  cpu.requests = [...(cpu.requests ?? []), since()];
  return answer;
});
const ran = code.map((one) => python.runPython(one));
writeFileSync(answered, JSON.stringify({ answers, absent, ran, cpu }));
