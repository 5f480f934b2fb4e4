"""What the page makes of an answer of the room Masks: every cell and every fact is the model's."""

import functools

import numpy as np
import pytest

from model_core.studies.batch import SPARE_PADS, translate_batch
from model_core.studies.masks import study_masks
from model_core.studies.steps import study_passes
from model_core.values.edits import read_edits
from tests.answered import answered
from tests.javascript.running import run_module
from viz_app.text import WORDS

SENTENCES = (
    "The old cat sleeps on the warm roof.",
    "My brother bought a new red car.",
    "Stop.",
    "</s> <pad> <img src=x onerror=alert(1)>",
    "猫在屋顶上睡觉。",
)
HEADS = ({"layer": 0, "head": 0}, {"layer": 2, "head": 7})
BREAKS = {
    "decoder": (
        (),
        ("causal-mask:none",),
        ("no-pad-mask",),
        ("no-pad-mask", "causal-mask:ahead"),
        ("pads-rows", "causal-mask:ahead"),
        ("pads-rows", "causal-mask:behind"),
        ("pads-rows", "causal-mask:behind", "finite-mask"),
    ),
    "encoder": ((), ("pads-rows", "finite-mask")),
    "cross": ((), ("no-pad-mask", "causal-mask:none"), ("pads-rows", "causal-mask:none")),
}
SCRIPT = """
import { readerOf } from "./viz_app/stage/page/words.js";
import { singlesFromBase64 } from "./viz_app/stage/run/wire.js";
import { factsOf, hurtOf, passFacts, whereOf } from "./viz_app/rooms/masks/facts.js";
import { maskAxesOf } from "./viz_app/rooms/masks/maps/axes.js";
import { readingOfMask, sheetsOf } from "./viz_app/rooms/masks/maps/sheets.js";

const { words, answers, locks, language, step } = given;
const t = readerOf(words, language);
const unpacked = (answer) => Object.fromEntries(Object.entries(answer).map(([name, value]) =>
  [name, ["scores", "weights", "once", "stepped"].includes(name) ? singlesFromBase64(value)
    : value]));
console.log(JSON.stringify(answers.map((said) => {
  const answer = { ...unpacked(said), view: "once" in said ? "passes" : "masks" };
  const axes = maskAxesOf(answer, false, true, t);
  const cells = (value) => axes.rows.map((_, q) => axes.columns.map((_, k) => value(q, k)));
  const sheetsIn = (lock) => sheetsOf(answer, axes, lock, step, t);
  const maps = locks.map((lock) => Object.fromEntries(sheetsIn(lock).map((sheet) =>
    [sheet.name, Object.fromEntries(["value", "hidden", "mark"].map((part) =>
      [part, cells(sheet[part])]))])));
  const reading = readingOfMask(answer, axes, sheetsIn(locks[0]), { query: 2, key: 0 }, step, t);
  if (answer.view === "passes") return { maps, reading, facts: passFacts(answer, t) };
  const hurt = hurtOf(answer, false, t);
  return { maps, reading, hurt, facts: factsOf(answer, axes, locks[0], t),
    where: hurt && whereOf(answer, hurt.at, locks[0]) };
})));
"""


@pytest.fixture(scope="module")
def tracer(bundled):
    return bundled.library.tracer("en-fr")


@pytest.fixture(scope="module")
def batch(tracer):
    return translate_batch(tracer, SENTENCES, spare=SPARE_PADS)


@pytest.fixture(scope="module")
def study(tracer, batch):
    @functools.cache
    def studied(shown, site, breaks):
        return study_masks(tracer.model, batch, shown, site, read_edits(breaks))

    return studied


@pytest.fixture(scope="module")
def told(bundled):
    """What the page makes of answers, each asked for as a sentence, a site and breaks of it."""

    def tell(*asked, view="masks", language="en", step=1):
        answers = []
        for shown, site, breaks in asked:
            recipe = {"model": "en-fr", "source": SENTENCES[0]}
            place = {"sentences": SENTENCES, "shown": shown, "site": site, "view": view}
            more = {"breaks": breaks} if view == "masks" else {}
            answers.append(answered(bundled, {"room": "masks", "recipe": recipe} | place | more))
        given = {"answers": answers, "locks": HEADS, "words": WORDS, "language": language}
        return run_module(SCRIPT, given | {"step": step})

    return tell


def facts_of(said):
    """The facts as they are read, each in a line."""
    texts = (
        (one["lead"], one["more"], *(one[at]["text"] for at in ("head", "where") if at in one))
        for one in said["facts"]
    )
    return "\n".join(" ".join(filter(None, parts)) for parts in texts)


def test_every_cell_is_the_models_under_every_break(told, study):
    asked = [
        (shown, site, breaks)
        for site, every in BREAKS.items()
        for shown, breaks in enumerate(every, 1)
    ]
    asked = [(shown % len(SENTENCES), site, breaks) for shown, site, breaks in asked]
    for place, said in zip(asked, told(*asked), strict=True):
        found, own = study(*place).broken, study(*place).intact
        for at, maps in zip(HEADS, said["maps"], strict=True):
            head = (at["layer"], at["head"])
            scores_QK, weights_QK = (np.stack(one)[head] for one in (found.scores, found.weights))
            fill = found.hidden_score if np.isfinite(found.hidden_score) else np.nan
            expected = {
                "pad": found.pad_QK,
                "causal": found.causal_QK,
                "combined": found.allowed_QK,
                "scores": scores_QK,
                "masked": np.where(found.allowed_QK, scores_QK, fill),
                "weights": weights_QK,
            }
            assert [*maps] == [*expected]
            for name, one in maps.items():
                if expected[name] is None:
                    assert name == "causal" and place[1] != "decoder"
                    continue
                value_QK = np.array(one["value"], float)
                np.testing.assert_allclose(value_QK, expected[name], rtol=1e-6, err_msg=name)
                if name in ("masked", "weights"):
                    np.testing.assert_array_equal(one["hidden"], ~found.allowed_QK)
            for name, intact_QK in (
                ("pad", own.pad_QK),
                ("causal", own.causal_QK),
                ("combined", own.allowed_QK),
            ):
                if intact_QK is None:
                    continue
                changed = np.where(intact_QK, "closed", "opened")
                marks = np.where(expected[name] == intact_QK, None, changed)
                assert maps[name]["mark"] == marks.tolist(), (place, name)
        assert f"weight {said['maps'][0]['weights']['value'][2][0]:.3f}" in said["reading"]


def test_one_pass_and_many_steps_are_the_models(told, tracer, batch):
    step = 3
    for site in ("decoder", "cross"):
        passes = study_passes(tracer.model, tracer.evaluate(batch.recipes[1]), site)
        (said,) = told((1, site, ()), view="passes", step=step)
        for at, maps in zip(HEADS, said["maps"], strict=True):
            head = (at["layer"], at["head"])
            once_QK, steps_QK = np.stack(passes.once)[head], np.stack(passes.stepped)[head]
            np.testing.assert_allclose(maps["once"]["value"], once_QK, rtol=1e-6)
            np.testing.assert_allclose(maps["stepped"]["value"], steps_QK, rtol=1e-6)
            apart_QK = once_QK - steps_QK
            np.testing.assert_allclose(maps["difference"]["value"], apart_QK, atol=1e-12)
        assert said["facts"][0]["kind"] == "fine"


def test_what_a_break_does_is_told_with_the_models_numbers(told, study):
    place = (2, "decoder", ("causal-mask:none",))
    said, found = facts_of(told(place)[0]), study(*place)
    real_Q = np.array([kind != "pad" for kind in found.broken.queries.kinds])
    future_LH = found.broken.on_future_LHQ[..., real_Q].mean(axis=-1)
    assert f"{future_LH.mean():.3f} of all attention goes to the future" in said
    assert f"{future_LH[0, 0]:.3f} in this one" in said
    (most,) = (one["head"] for one in told(place)[0]["facts"] if "head" in one)
    assert future_LH[most["layer"], most["head"]] == pytest.approx(future_LH.max())
    change = found.changes[2]
    assert f"up to {change.distance_T.max():.3f}" in said
    assert f"{change.distance_T.mean():.3f} on average" in said
    assert f"{change.changed} of {len(change.distance_T)} tokens change" in said
    rest = [other for i, other in enumerate(found.changes) if i != 2]
    changed, most_T = sum(one.changed for one in rest), max(one.distance_T.max() for one in rest)
    positions = sum(len(one.distance_T) for one in rest)
    assert f"other sentences: {changed} of {positions}, up to {most_T:.3f}" in said


def test_the_token_that_is_hurt_most_shows_where_it_reads_what_it_must_not(told, study):
    place = (0, "decoder", ("causal-mask:none",))
    (said,), found = told(place), study(*place)
    query, key = said["hurt"]["at"], said["where"]["key"]
    assert query == said["where"]["query"] == found.changes[0].distance_T.argmax()
    row_LHK = np.stack(found.broken.weights)[:, :, query]
    hidden_K = ~found.intact.allowed_QK[query]
    assert hidden_K[key]
    assert (
        row_LHK[said["where"]["layer"], said["where"]["head"], key] == row_LHK[..., hidden_K].max()
    )

    # Where the causal mask hides pads, what lets them in shows at another attention.
    here, there = told((2, "decoder", ("no-pad-mask",)), (2, "cross", ("no-pad-mask",)))
    assert here["where"] == {"site": "cross"}
    kinds = study(2, "cross", ("no-pad-mask",)).broken.keys.kinds
    assert kinds[there["where"]["key"]] == "pad"
    assert all(one["kind"] != "fine" for said in (here, there) for one in said["facts"])
    assert {one["where"]["site"] for one in there["facts"] if "where" in one} == {"encoder"}


def test_rows_without_a_key_and_a_fill_that_is_finite_are_said_in_both_languages(told, study):
    behind, finite = ("causal-mask:behind",), ("causal-mask:behind", "finite-mask")
    asked = [(1, "decoder", breaks) for breaks in ((), behind, finite, ("finite-mask",))]
    whole, empty, uniform, same = map(facts_of, told(*asked))
    assert whole.startswith("Nothing leaks")
    assert "Empty: row “start”" in empty
    K = len(study(*asked[2]).broken.keys)
    assert f"{1 / K:.3f} on each of {K}" in uniform and "Uniform: " in uniform
    assert "very same weights" in same
    assert "空行：" in facts_of(told(asked[1], language="zh")[0])
