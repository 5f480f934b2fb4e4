// Which of the chosen files are a checkpoint, and what is said where none is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { filesOf } from "../../../viz_app/stage/page/about/dropped.js";
import { checkpointIn } from "../../../viz_app/stage/page/about/own.js";

const chosen = (...paths) => paths.map((path) => ({ path, file: { size: 10 } }));

test("a folder gives its name and the files that are read", () => {
  const { name, files } = checkpointIn(chosen("mine/config.json", "mine/model.safetensors", "mine/tokenizer.json",
    "mine/card.md", "mine/notes.txt", "mine/old.pt"));
  assert.equal(name, "mine");
  assert.deepEqual(Object.keys(files), ["config.json", "model.safetensors", "tokenizer.json", "card.md"]);
  assert.equal(checkpointIn(chosen("config.json", "model.safetensors")).name, "model");
});

test("what is no checkpoint is named", () => {
  const codeOf = (...paths) => checkpointIn(chosen(...paths)).error.code;
  assert.equal(codeOf("mine/weights.PT"), "own_pickled");
  assert.equal(codeOf("config.json", "pytorch_model.bin"), "own_pickled");
  assert.equal(codeOf("mine/model.safetensors"), "own_config");
  assert.equal(codeOf("photo.jpg"), "own_config");
  assert.equal(codeOf(), "own_config"); // of an empty folder
  const large = [...chosen("config.json"), { path: "model.safetensors", file: { size: 3e8 } }];
  assert.deepEqual(checkpointIn(large).error, { code: "own_large", values: { n: 301, limit: 250 } });
});

test("a dropped folder gives the files in it, however few at a time, and not those of folders in it", async () => {
  const file = (fullPath) => ({ isFile: true, fullPath, file: (done) => done(fullPath) });
  const folder = (parts) => ({ isDirectory: true,
    createReader: () => ({ readEntries: (done) => done(parts.shift() ?? []) }) });
  const found = await filesOf([folder([[file("/m/a")], [file("/m/b"), folder([[file("/m/in/c")]])]]), file("/d")]);
  assert.deepEqual(found, ["m/a", "m/b", "d"].map((path) => ({ path, file: `/${path}` })));
});
