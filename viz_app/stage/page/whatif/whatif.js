// "What if": the menu of edits, and the row of those that are in force, each with a button that takes
// it out again.

import { closeBehind, closeByKey, icon, press, shut } from "../elements.js";
import { html, makePart, noChange, nothing } from "../html.js";
import { canCompare, editsOf } from "../../run/able.js";
import { editLabel, withoutEdits } from "../../run/edits.js";

const LEAST_ROOM = 260; // px of the panel below its button
const MARGIN = 12; // px around it

/**
 * The edits that are in force.
 * @param {Words} t
 * @param {Session} session
 * @param {function(): Label[]} tokens labels of the source
 */
function editsInForce(t, { state, actions }, tokens) {
  const edits = state.run?.recipe.edits ?? [];
  const groups = state.more?.editGroups(edits, state.run?.source ?? null) ?? edits.map((/** @type {string} */ edit) => [edit]);
  return html`
    <div class="edits" role="group" aria-label=${t("edits")} ?hidden=${edits.length === 0}>
      <span class="gutter">${t("edits")}</span>
      ${groups.map((/** @type {string[]} */ group) => {
    const label = state.more?.groupLabel(t, group, tokens()) ?? editLabel(t, group[0], tokens());
    return html`
          <button type="button" class="edit-chip" data-edit=${group.join(" ")} ?disabled=${!state.canAsk} title=${t("edit_remove")}
            aria-label="${label}: ${t("edit_remove")}" @click=${press(() => actions.edit(editsOf(state).filter((one) => !group.includes(one))))}>
            ${label}${icon("close")}</button>`;
  })}
      <button type="button" class="quiet edits-clear" ?disabled=${!state.canAsk} ?hidden=${groups.length < 2} data-act="untouched"
        @click=${press(() => actions.edit([]))}>${t("edits_clear")}</button>
      ${canCompare(state) ? html`
        <button type="button" class="quiet" data-act="compare-untouched"
          @click=${press(() => actions.compareWith(withoutEdits(state.run.recipe)))}>${t("compare_untouched")}</button>` : nothing}
    </div>`;
}

/**
 * @param {Words} t
 * @param {Session} session
 * @param {function(): Label[]} tokens labels of the source
 */
export function makeWhatIf(t, session, tokens) {
  const { state } = session;
  let before = ""; // the translation as it was when the panel was opened, which the panel may hide
  let isOpen = false; // what is closed is not kept up to date

  /** @type {{element: HTMLDetailsElement, update: function(): void}} */
  const menu = makePart(() => {
    const edits = state.run?.recipe.edits ?? [];
    const isPossible = state.canAsk && ((state.run?.anatomy.edits ?? []).length > 0 || canCompare(state));
    return html`
      <details class="whatif" data-edits=${edits.length || nothing} ?hidden=${!isPossible}
        @keydown=${closeByKey} @focusout=${closeBehind} @toggle=${toggle}>
        <summary title=${t("whatif_hint")}>${t("whatif")}</summary>
        <div class="whatif-panel" tabindex="-1">${isOpen && state.more
    ? state.more.whatIfPanel(t, session, tokens(), before, () => shut(menu.element)) : noChange}</div>
      </details>`;
  });
  const row = makePart(() => editsInForce(t, session, tokens));

  function toggle() {
    isOpen = menu.element.open;
    if (isOpen) {
      before = state.run.text;
      const [at, panel] = [menu.element, /** @type {Element} */ (menu.element.lastElementChild)].map((one) => one.getBoundingClientRect());
      menu.element.style.setProperty("--whatif-room", `${Math.max(LEAST_ROOM, window.innerHeight - at.bottom - MARGIN)}px`);
      menu.element.classList.toggle("rightwards", at.right < panel.width + MARGIN); // away from the edge that it is near
    }
    menu.update();
  }
  return {
    menu: menu.element,
    row: row.element,
    update() {
      menu.update();
      row.update();
      row.element.parentElement?.classList.toggle("edited", !row.element.hidden);
    },
  };
}
