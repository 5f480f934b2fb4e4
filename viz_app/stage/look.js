// Look inside: from a cell anywhere to that cell in the room Inside a head.

/** The cell of a head with the most weight among words, for a reader who chose none. */
function bestCell(run, site, layer, head) {
  let best = { query: 0, key: 0, weight: -1 };
  const queries = site === "encoder" ? run.source : run.target;
  const keys = site === "decoder" ? run.target : run.source;
  for (const wordsOnly of [true, false]) {
    for (let query = 0; query < queryCount(run, site); query += 1) {
      if (wordsOnly && queries.kinds[query] !== "text") continue;
      rowOfWeights(run, site, layer, head, query).forEach((weight, key) => {
        const isWord = keys.kinds[key] === "text" && (site === "cross" || key !== query);
        if (wordsOnly && !isWord) return;
        if (weight > best.weight) best = { query, key, weight };
      });
    }
    if (best.weight >= 0) break;
  }
  return { query: best.query, key: best.key };
}

/** What the row of the current step reads most; the encoder has no such row. */
function cellOfStep({ run, at }, site, { layer, head }) {
  if (site === "encoder") return bestCell(run, site, layer, head);
  const query = Math.min(at, queryCount(run, site) - 1);
  const row = rowOfWeights(run, site, layer, head, query);
  return { query, key: row.indexOf(Math.max(...row)) };
}

/** Whether the run has such a cell. */
function hasCell(run, site, cell) {
  return cell.query < queryCount(run, site) && cell.key < keyCount(run, site);
}

/** Whether what the run computed of a cell is what the recipe computes of it. */
function runShows(run, recipe, site, cell) {
  const { model, source, pads } = run.recipe;
  if (model !== recipe.model || source !== recipe.source || pads < recipe.pads) return false;
  return stepsHeld(run, { ...recipe, pads }) > (site === "encoder" ? -1 : cell.query)
    && hasCell(run, site, cell);
}

/**
 * Opens the room Inside a head, on the run on the screen or on another recipe.
 * @param {{site, layer, head, cell: ?{query, key}, recipe: ?Object}} wanted without a cell: the one
 *     the reader keeps, else that of the current step
 * @returns {Promise<boolean>} whether it is open
 */
async function lookInside({ state, actions }, { site, layer, head, cell = null, recipe = null }) {
  if (recipe && !runShows(state.run, recipe, site, cell)) {
    const strategy = recipe.strategy ?? state.run.recipe.strategy;
    if (!await actions.open({ recipe: { ...recipe, strategy }, view: {} })) return false;
    if (!hasCell(state.run, site, cell)) return false;
  }
  const kept = state.cells[site];
  state.locks[site] = { layer, head };
  if (cell) state.cells[site] = cell;
  else if (!kept?.chosen || !hasCell(state.run, site, kept)) {
    state.cells[site] = cellOfStep(state, site, { layer, head });
  }
  actions.set({ site, preview: null, insideOpens: "cell", room: "inside" });
  return true;
}

/** The button that looks inside; `update` says what a press would open, or why there is nothing. */
function makeLookButton(t, act) {
  const button = makeButton({ class: "look-inside", text: t("look_inside"),
    title: t("look_inside_hint"), data: { act: "look" } }, () => {
    if (button.getAttribute("aria-disabled") !== "true") act();
  });
  return {
    element: button,
    update(why = null, hint = t("look_inside_hint")) {
      setTrait(button, "aria-disabled", why === null ? null : "true");
      setTrait(button, "title", why ?? hint);
    },
  };
}
