// What is said of trainings that the page begins: their names, how far they are, what was chosen. Pure.

import { threeDigits } from "../../../stage/draw/numbers.js";
import { countText } from "../says.js";

const SLOW_SECONDS = 3600;

/** The number of a training. @param {TrainingRun} run */
const numberOf = ({ name }) => name.replace("run-", "");

/** The first choice of everything. @param {Trains} trains @returns {TrainingSettings} */
export const usualSettings = ({ choices }) => /** @type {any} */ ({
  ...Object.fromEntries(Object.entries(choices).map(([name, [first]]) => [name, first])), seed: 1 });

/**
 * A training by its number and what sets it apart from the usual one.
 * @param {Words} t
 * @param {Trains} trains
 * @param {TrainingRun} run
 */
export function runTitle(t, trains, run) {
  const usual = usualSettings(trains);
  const apart = Object.entries(run.settings).filter(([name, value]) => usual[name] !== value)
    .map(([name, value]) => (name === "seed" ? t("trains_apart_seed", { n: value }) : t(`trains_apart_${name}_${value}`)));
  const name = t("trains_run", { n: numberOf(run) });
  return apart.length > 0 ? t("trains_run_apart", { name, apart: apart.join(t("list_between")) }) : name;
}

/** How long something takes. @param {Words} t @param {number} seconds */
export const leftText = (t, seconds) => (seconds < 100 ? t("trains_left_seconds", { n: seconds })
  : t("trains_left_minutes", { n: countText(Math.round(seconds / 60)) }));

/** How far a training is. @param {Words} t @param {TrainingRun} run */
export function stateText(t, run) {
  const { state, update, updates, loss, why } = run;
  const [paceNow, left] = [run.per_second, run.seconds_left];
  const said = { update: countText(update), updates: countText(updates), loss: loss === null ? "–" : threeDigits(loss), why: why ?? "" };
  if (state !== "running") return t(`trains_state_${state}`, said);
  if (update >= updates) return t("trains_state_measuring");
  if (update === 0) return t("trains_state_starting");
  const parts = [t("trains_state_running", said)];
  if (paceNow !== null && left !== null) parts.push(t("trains_state_pace", { pace: paceText(paceNow), left: leftText(t, left) }));
  if (left !== null && left > SLOW_SECONDS) parts.push(t("trains_state_slow"));
  return parts.join(t("sentences_between"));
}

/** Updates per second. @param {number} pace */
const paceText = (pace) => (pace < 10 ? pace.toFixed(1) : countText(Math.round(pace)));

/**
 * The note of another training that stands beside an update: the last that is not later.
 * @param {number[]} updates of the other
 * @param {number} update
 */
export const noteBeside = (updates, update) => Math.max(0, updates.filter((one) => one <= update).length - 1);
