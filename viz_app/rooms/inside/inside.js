// The room Inside a head: the cell the reader chose, link by link, and the way of one token
// through the whole model.

import { labelsOf, quoted } from "../../stage/draw/labels.js";
import { threeDigits } from "../../stage/draw/numbers.js";
import {
  make, makeButton, makeSwitch, scrollToItem, setText, setTrait,
} from "../../stage/page/elements.js";
import { placeOf } from "../../stage/keep/tables.js";
import { makeTermed } from "../../stage/page/glossary.js";
import { SLOW_MS } from "../../stage/page/opening.js";
import { makeHeadPicker } from "../../stage/page/pick.js";
import { isTold, markAsking } from "../../stage/page/rooms.js";
import { hasCell } from "../../stage/run/cells.js";
import { columnsOf, isStepped, rowsOf, siteOf, SITES, sitesOf } from "../../stage/anatomy.js";
import { insideStudy, makeInsideChain } from "./chain/chain.js";
import { makeInsideWay } from "./way.js";

const INSIDE_KEPT = 24; // answers kept, so that going back asks nobody

/** A row of tokens to choose one from. */
function makeInsideTokens(t, name, choose) {
  const word = makeTermed(t, `inside_tokens_${name}`, { class: "tokens-word" });
  const list = make("div", { class: "tokens-list", role: "group",
    "aria-label": t(`inside_tokens_${name}`) });
  const element = make("div", { class: "inside-tokens", data: { tokens: name } },
    [word.element, list]);
  let built = "";
  let brought = null; // the token last brought into view
  return {
    element,
    update(labels, chosen) {
      const wanted = JSON.stringify(labels);
      if (wanted !== built) {
        built = wanted;
        brought = null;
        list.replaceChildren(...labels.map(({ label, kind }, i) => makeButton({ class: "kind token",
          text: label, title: label, dir: "auto", data: { kind, index: i } }, () => {
          brought = i; // what is pressed is in view
          choose(i);
        })));
      }
      Array.from(list.children).forEach((node, i) => setTrait(node, "aria-pressed", i === chosen));
      if (chosen === null || chosen === brought) return;
      brought = chosen;
      scrollToItem(list, list.children[chosen]);
    },
  };
}

function makeInsideRoom(t, session, ask, redraw, before = null) {
  const { state, actions } = session;
  let view = before?.view ?? "cell";
  // {side, position} of the way; null: the chosen query
  let place = before?.side && before.position !== undefined
    ? { side: before.side, position: before.position } : null;
  let study = null;
  let asked = "";
  let missing = false; // whether what was asked last was not answered
  let questions = 0;
  let waiting = 0;
  let look = null;
  let digits = before?.digits ?? "short"; // of every number: "short" or "all"
  let looks = state.looks; // those that were followed
  const kept = new Map(); // request -> study, the oldest first

  const views = makeSwitch("inside", t("inside_views"), ["cell", "way"].map((name) =>
    [name, t(`inside_view_${name}`), t(`inside_view_${name}_hint`)]), show);
  const spelling = makeSwitch("digits", t("inside_digits"), ["short", "all"].map((name) =>
    [name, t(`inside_digits_${name}`), t(`inside_digits_${name}_hint`)]), (value) => {
    digits = value;
    redraw();
  });
  const picker = makeHeadPicker(t, "insideSite", SITES, { site: actions.chooseSite,
    head: (changes) => lock(changes) });
  const tokens = {
    query: makeInsideTokens(t, "query", (query) => choose({ query })),
    key: makeInsideTokens(t, "key", (key) => choose({ key })),
    source: makeInsideTokens(t, "source", (position) => walk("source", position)),
    target: makeInsideTokens(t, "target", (position) => walk("target", position)),
  };
  markAsking(views.element, picker.element,
    ...["query", "source", "target"].map((name) => tokens[name].element));
  const sentence = make("p", { class: "inside-sentence", "aria-live": "polite" });
  const next = make("p", { class: "inside-next" });
  const chain = makeInsideChain(t, { pickKey: (key) => choose({ key }),
    pickHead: state.canAsk ? (value) => lock({ head: value }) : null }, redraw, before?.scale);
  const way = makeInsideWay(t, { look(kind, at) {
    const site = kind === "cross" ? kind : waySide() === "source" ? "encoder" : "decoder";
    const { position } = wayPlace();
    actions.chooseSite(site);
    const { key } = actions.cellOf(site);
    actions.keepCell(position, siteOf(state.model, site).causal ? Math.min(key, position) : key);
    actions.lock(at, Math.min(state.locks[site].head, state.run.heads[site] - 1));
    show("cell");
  } }, redraw, before?.unfolded ?? null, before?.opened);
  const element = make("section", { class: "inside", "aria-label": t("room_inside") }, [
    make("header", { class: "room-top" }, [views.element,
      make("div", { class: "inside-says" }, [sentence, next]), spelling.element]),
    make("div", { class: "inside-choices" }, [picker.element,
      ...Object.values(tokens).map((part) => part.element)]),
    make("div", { class: "inside-body" }, [chain.element, way.element]),
  ]);

  function show(value) {
    view = value;
    element.querySelector(".inside-body").scrollTop = 0;
    redraw();
  }

  function lock(changes) {
    const now = { ...state.locks[state.site], ...changes };
    actions.lock(now.layer, now.head);
    bring(wanted());
  }

  function choose(changes) {
    const { query, key } = { ...actions.cellOf(state.site), ...changes };
    actions.keepCell(query, key);
    bring(wanted());
  }

  function walk(side, position) {
    place = { side, position };
    redraw();
  }

  const waySide = () => wayPlace().side;

  /** The place chosen by the reader, where the run still has it. */
  function chosenPlace() {
    const { run } = state;
    const count = place?.side === "source" ? run.source.ids.length : run.steps.length;
    return place && place.position < count ? place : null;
  }

  function wayPlace() {
    const { site } = state;
    return chosenPlace() ?? { side: rowsOf(state.model, site), position: actions.cellOf(site).query };
  }

  /** @param {{view: string, site?: Site, query?: number, place?: Object}} wish */
  function wanted(wish = { view, site: state.site }) {
    const { recipe } = state.run;
    if (wish.view === "way") return { view: "way", recipe, ...(wish.place ?? wayPlace()) };
    const { layer: l, head: h } = state.locks[wish.site];
    const { query } = actions.cellOf(wish.site);
    return { view: "cell", recipe, site: wish.site, layer: l, head: h, query: wish.query ?? query };
  }

  /** What a button of the room would ask. */
  function asks(button) {
    const { inside, insideSite, index } = button.dataset;
    const { site } = state;
    if (inside) return wanted({ view: inside, site });
    if (insideSite) return wanted({ view: "cell", site: insideSite });
    const row = button.closest("[data-tokens]")?.dataset.tokens;
    const place = Number(index);
    if (row === "query") return wanted({ view: "cell", site, query: place });
    return row === undefined ? null : wanted({ view: "way", place: { side: row, position: place } });
  }

  /** Asks for what is wanted unless it is here; the old picture stays until the answer comes. */
  async function bring(request) {
    const name = JSON.stringify(request);
    if (kept.has(name)) {
      settle();
      asked = name;
      missing = false;
      study = kept.get(name);
      kept.delete(name);
      kept.set(name, study);
      return;
    }
    if (asked === name && (!missing || isTold(state, "inside"))) return;
    asked = name;
    missing = false;
    const mine = ++questions;
    clearTimeout(waiting);
    waiting = setTimeout(() => element.classList.add("waiting"), SLOW_MS);
    const answer = await ask(request);
    if (mine !== questions || asked !== name) return;
    settle();
    missing = !answer;
    if (missing) return;
    study = insideStudy(answer);
    kept.set(name, study);
    if (kept.size > INSIDE_KEPT) kept.delete(kept.keys().next().value);
    redraw.now();
  }

  function settle() {
    clearTimeout(waiting);
    element.classList.remove("waiting");
  }

  function updateChoices(labels) {
    const { run, site } = state;
    const isCell = view === "cell";
    const cell = actions.cellOf(site);
    const at = wayPlace();
    picker.element.hidden = !isCell;
    const sides = sitesOf(state.model).map((one) => rowsOf(state.model, one));
    for (const [name, part] of Object.entries(tokens)) {
      const ofCell = name === "query" || name === "key";
      part.element.hidden = isCell !== ofCell || (!ofCell && sides.every((side) => side !== name));
    }
    views.update(view);
    spelling.update(digits);
    picker.update(site, { layers: run.layers[site], heads: run.heads[site] }, state.locks[site],
      sitesOf(state.model));
    if (isCell) {
      tokens.query.update(labels.queries, cell.query);
      tokens.key.update(labels.keys, cell.key);
    } else {
      tokens.source.update(labels.source, at.side === "source" ? at.position : null);
      tokens.target.update(labels.target, at.side === "target" ? at.position : null);
    }
  }

  function sayCell(labels) {
    const { key, query } = actions.cellOf(state.site);
    const values = { query: quoted(labels.queries[query].label), layer: study.layer + 1,
      key: quoted(labels.keys[key].label), weight: threeDigits(study.weights_K[key]),
      site: t(`site_${study.site}_long`), head: study.head + 1 };
    const written = isStepped(state.model, state.site) ? labels.written[query + 1] : undefined;
    const said = !study.allowed_K[key] ? "inside_says_masked"
      : written ? "inside_says_step" : "inside_says";
    setText(sentence, t(said, { ...values, written: written ? quoted(written.label) : "" }));
    setText(next, t("inside_next"));
    chain.update(study, labels, key, look);
  }

  function sayWay(labels) {
    const side = study.side === "source" ? labels.source : labels.target;
    const token = side[study.position].label;
    setText(sentence, t(`inside_way_says_${study.side}`, { token: quoted(token),
      count: study.sublayers.length, D: study.D }));
    setText(next, t("inside_way_next"));
    way.update(study, token, look);
  }

  return {
    element,
    update({ palette, unit }) {
      const { run, site } = state;
      if (looks !== state.looks) {
        looks = state.looks;
        view = "cell";
        element.querySelector(".inside-body").scrollTop = 0;
      }
      const source = labelsOf(run.source, false, state.spelled, t);
      const written = labelsOf(run.target, true, state.spelled, t);
      const target = written.slice(0, run.steps.length);
      const labels = { source, target, written, queries: rowsOf(state.model, site) === "source" ? source : target,
        keys: columnsOf(state.model, site) === "target" ? target : source };
      element.classList.toggle("digits", digits === "all");
      const low = view === "cell" && element.closest(".stage:not(.tall, .middling, .large)") !== null;
      element.classList.toggle("low", low);
      look = { palette, unit, scheme: state.scheme, digits: digits === "all", low };
      updateChoices(labels);
      const request = wanted();
      bring(request);
      // An older answer is only redrawn while its tokens are those on the screen.
      const fits = study && study.view === view && asked === JSON.stringify(request)
        && kept.get(asked) === study;
      chain.element.hidden = view !== "cell";
      way.element.hidden = view !== "way";
      if (!fits) return;
      if (view === "cell") sayCell(labels);
      else sayWay(labels);
    },
    drawn() {
      const { run } = state;
      if (!run || !study || !look) return null;
      const ready = kept.get(asked) === study && asked === JSON.stringify(wanted());
      return { ready, view, sentence: sentence.textContent, next: next.textContent,
        chosen: { query: actions.cellOf(state.site).query, key: actions.cellOf(state.site).key }, kept: kept.size,
        ...(view === "cell" ? { cell: chain.drawn() } : { way: way.drawn() }) };
    },
    asks,
    /** What is chosen here, see view.py; and what only this page remembers. */
    keep() {
      const { run, site, cells } = state;
      const { query, key } = run && cells[site] && hasCell(run, site, cells[site]) ? cells[site] : {};
      return { view, digits, scale: chain.scale(), ...placeOf(state, site), query, key, ...(run ? chosenPlace() : place),
        unfolded: view === "way" ? way.keep() : null, opened: way.opened() };
    },
    destroy() {
      clearTimeout(waiting);
      chain.destroy();
      way.destroy();
    },
  };
}

/** What can be kept of the room, the picture on the screen first. */
function insidePictures(_, view) {
  const cells = ["head", "output"].map((picture) => ({ picture, view: { ...view, view: "cell" } }));
  const way = { picture: "way", view: { ...view, view: "way" } };
  return view.view === "way" ? [way, ...cells] : [...cells, way];
}

/** What a link and a file say of the room. */
function insideView({ opened: _, ...view }) {
  return view;
}

export const room = { name: "inside", make: makeInsideRoom,
  keep: { pictures: insidePictures, view: insideView } };
