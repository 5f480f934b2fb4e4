// Opening a model by its path, where the page and the files are on one computer: a small dialog
// beside the menu. What it opens is in the menu from then on.

import { make, makeSheet, makeTool, setText, setTrait } from "../elements.js";
import { wordsOfError } from "../words.js";

/**
 * What is asked for, as the server reads it; empty fields are left out.
 * @param {{path: string, layout: string, tokenizers: string, heads: string, settings: string}} typed
 */
export function wishOf({ path, layout, tokenizers, heads, settings }) {
  const lines = tokenizers.split("\n").map((line) => line.trim()).filter(Boolean);
  const said = settings.split(/[\s,;]+/).filter(Boolean);
  return { path: path.trim(), ...(layout ? { layout } : {}),
    ...(lines.length > 0 ? { tokenizers: lines } : {}),
    ...(heads.trim() ? { heads: Number(heads) } : {}),
    ...(said.length > 0 ? { settings: said } : {}) };
}

/**
 * The tool that opens the dialog, and the dialog; null where the server opens no paths.
 * @param {Words} t
 * @param {Session} decoding
 * @param {?function(Object): Promise<any>} transport
 * @param {function(any): void} brought is given the entry of a model that was opened
 */
export function makeBring(t, { state }, transport, brought) {
  const { layouts } = state.options;
  if (!layouts || !transport) return null;
  const send = transport;
  const path = make("input", { type: "text", name: "path", required: true, spellcheck: "false" });
  const layout = make("select", { name: "layout" }, [
    make("option", { value: "", text: t("bring_layout_guess") }),
    ...layouts.map((name) => make("option", { value: name, text: name }))]);
  const tokenizers = make("textarea", { name: "tokenizers", rows: "2", spellcheck: "false",
    placeholder: t("bring_tokenizers_hint") });
  const heads = make("input", { type: "number", name: "heads", min: "1", max: "128",
    placeholder: "8" });
  const settings = make("input", { type: "text", name: "settings", spellcheck: "false",
    placeholder: "norm_place=pre" });
  const status = make("p", { class: "bring-status", role: "status" });
  const open = make("button", { class: "primary", type: "submit", text: t("bring_open"),
    data: { act: "bring" } });
  const field = (/** @type {string} */ name, /** @type {HTMLElement} */ input) =>
    make("label", {}, [make("span", { text: t(name) }), input]);

  /** @param {Event} event */
  async function ask(event) {
    event.preventDefault();
    open.disabled = true;
    setTrait(element, "aria-busy", "true");
    setText(status, t("bring_busy"));
    status.classList.remove("alarm");
    const answer = await send({ bring: wishOf({ path: path.value, layout: layout.value,
      tokenizers: tokenizers.value, heads: heads.value, settings: settings.value }) })
      .catch(() => ({ error: { code: "network", message: t("error_network") } }));
    open.disabled = false;
    setTrait(element, "aria-busy", null);
    setText(status, answer.error ? wordsOfError(answer.error, t) : "");
    status.classList.toggle("alarm", Boolean(answer.error));
    if (answer.error) return;
    element.close();
    brought(answer.model);
  }

  const element = makeSheet(t, "bring", t("bring"), [
    make("p", { text: t("bring_about") }),
    make("form", { method: "dialog", on: { submit: ask } }, [
      field("bring_path", path), field("bring_layout", layout),
      field("bring_tokenizers", tokenizers), field("bring_heads", heads),
      field("bring_settings", settings),
      make("div", { class: "bring-end" }, [status, open]),
    ]),
  ]);
  const button = makeTool("bring", t("bring"), () => {
    element.showModal();
    path.focus();
  });
  return { button, element };
}
