"""What an answer says of its numbers is made again from the numbers of the same answer.

In every room, for every edit, every layout of imports and every kind of family.

A new room, a new kind of edit, a new layout or a new kind of family without an entry fails.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from model_core.checkpoints.imports.importing import LAYOUTS
from model_core.decoding.tracer import Tracer
from model_core.errors import RecipeError, VisualiserError
from model_core.models.hub.families import FAMILIES
from model_core.models.own import OwnModel, open_own
from model_core.values.edits import KINDS, read_edits
from model_core.values.recipe import Recipe
from model_core.values.verdict import ROUNDING
from tests.every_model import EDITS
from tests.tiny import measured_checkpoint, tiny_checkpoint
from viz_app.rooms import ROOMS, room_named
from viz_app.rooms.translate.payload import payload

SOURCE, SENTENCES = "The old cat.", ("The old cat.", "the roof", "a cat")
OF_LAYOUTS = {name: dict(layout.settings) for name, layout in LAYOUTS.items()}
# Of families that are described alike the first; of all there are models in test_every_model.py.
KINDS_OF_FAMILIES = [
    name for at, name in enumerate(FAMILIES) if FAMILIES[name] not in list(FAMILIES.values())[:at]
]
SMALL = {"max_positions": 14, "encoder_layers": 2, "decoder_layers": 2}
FINITE = ["finite-mask"]
# The model's own masks, and one break for each site.
BREAKS = ([], ["no-pad-mask"], ["pads-rows", "causal-mask:ahead"], ["causal-mask:behind", *FINITE])


NUMBERS = ("total", "penalty", "score")


def near(one, other):
    """Whether two numbers or arrays of them are the same but for rounding."""
    one, other = np.asarray(one), np.asarray(other)
    size = max(1.0, float(np.abs(one).max(initial=0)))
    return float(np.abs(one - other).max(initial=0)) <= ROUNDING * size


def of_translate(ask, tracer, recipe):
    decoding = tracer.evaluate(recipe)
    assert payload(recipe, decoding, tracer.model)["reads_whole"] == tracer.anatomy.reads_whole
    if not tracer.anatomy.has("decoder"):
        return
    fed = decoding.fed
    passed = tracer.model.full_pass([decoding.source.ids], [fed.ids])
    once_TV = passed.logits_BTV[0].log_softmax(-1).numpy()
    steps_TV = np.stack([step.log_probabilities_V for step in decoding.steps])
    assert near(once_TV, steps_TV) or tracer.anatomy.reads_whole


def of_masks(ask, tracer, recipe):
    for number, one in enumerate(tracer.anatomy.sites, start=1):
        for breaks in (BREAKS[0], BREAKS[number]):
            able = tracer.anatomy.edits
            breaks = [edit for edit in breaks if edit.split(":")[0] in able]
            of_masked_batch(
                ask(site=one.site, sentences=SENTENCES, shown=1, breaks=breaks), one, breaks
            )
        if one.rows == "target":
            of_passes(ask(view="passes", site=one.site, sentences=SENTENCES, shown=1), tracer)


def of_masked_batch(answer, one, breaks):
    weights, entry = answer["weights"], answer["batch"][1]
    for masks in (answer["masks"], answer["own"]):
        causal = masks["causal"]
        both = masks["pad"] if causal is None else masks["pad"] & causal
        np.testing.assert_array_equal(both, masks["combined"])
    kinds = {"source": entry["source"]["kinds"], "target": entry["fed"]["kinds"]}
    real_Q, real_K = (
        np.array([kind != "pad" for kind in kinds[side]]) for side in (one.rows, one.columns)
    )
    on_pads = weights[..., real_Q, :][..., ~real_K].sum(-1)
    later = np.triu(np.ones((len(real_Q), len(real_K)), bool), 1) & real_K
    on_future = (weights * later)[..., real_Q, :].sum(-1)
    said = answer["verdicts"]
    assert said["pads"] == (None if real_K.all() else "differs" if on_pads.any() else "exact")
    if answer["masks"]["causal"] is None or real_K.sum() < 2:
        assert said["future"] is None
    else:
        assert said["future"] == ("differs" if on_future.any() else "exact")
    assert np.allclose(answer["leaks"]["on_pads"], on_pads.mean(-1), atol=1e-6)
    on_hidden = weights[..., ~answer["masks"]["combined"]]
    assert said["fill"] == "differs" or not on_hidden.any()
    assert not on_hidden.any() or answer["hidden_score"] is not None
    hidden = -math.inf if answer["hidden_score"] is None else answer["hidden_score"]
    assert "finite-mask" not in breaks or hidden == -1e9
    assert answer["empty"] == np.flatnonzero(~answer["masks"]["combined"].any(-1)).tolist()


def of_passes(answer, tracer):
    apart, said = np.abs(answer["once"] - answer["stepped"]).max(), answer["verdict"]
    assert apart <= answer["apart"]["weights"]
    assert (answer["once"][..., ~answer["once_allowed"]] == 0).all() or answer["reads_whole"]
    if said == "proven":
        assert answer["apart"]["weights"] <= ROUNDING and not answer["reads_whole"]
    else:
        assert said == ("exact" if not any(answer["apart"].values()) else "differs")
        assert answer["reads_whole"]  # nothing else lets the two be different computations
    assert answer["reads_whole"] == tracer.anatomy.reads_whole


def of_positions(ask, tracer, recipe):
    order = ask(study="order")
    for mode in ("on", "off"):
        found = order[mode]
        changes = {(one["site"], one["layer"]): one for one in found["changes"]}
        of_site = changes[order["site"], order["layer"]]
        assert np.abs(found["difference"]).max() <= of_site["largest"]
        for one in found["changes"]:
            if one["verdict"] == "proven":
                assert one["largest"] <= ROUNDING
            else:
                assert one["verdict"] == ("exact" if one["largest"] == 0 else "differs")
        if found["predictions"] and found["predictions_verdict"] == "proven":
            assert max(found["predictions"]) <= ROUNDING
        says, moved = found["says"], [one["largest"] for one in found["changes"]]
        assert found["largest"] in moved
        assert says not in ("same", "off") or max(moved) <= ROUNDING
        assert (says == "exact") == (found["largest"] == 0 and says not in ("same", "off"))
        assert says != "apart"  # a proof that the numbers refute
    outcome = ask(study="outcome")
    if order["off"]["says"] == "off":  # what is called rounding all but vanishes in float64
        assert outcome["double_off"] < 1e-6
    for side in ("source", "target"):
        if any(one.rows == side for one in tracer.anatomy.sites):
            summed = ask(study="sum", side=side)
            added = near(summed["embedding"] + summed["position"], summed["sum"])
            assert added == (summed["adds_up"] == "proven")
    try:
        rotary = ask(study="rotary", query=0, key=1)
    except VisualiserError as error:
        assert error.code == "odd_heads"
        return
    scores = rotary["placed_scores"]
    spread = max(np.ptp(np.diagonal(scores, k)) for k in range(1 - len(scores), len(scores)))
    assert near(rotary["spread"], spread)
    assert rotary["verdict"] != "proven" or spread <= ROUNDING * max(1, np.abs(scores).max())


def of_inside(ask, tracer, recipe):
    decoding = tracer.evaluate(recipe)
    for one in tracer.anatomy.sites:
        rows = len(decoding.source if one.rows == "source" else decoding.fed)
        for layer, head, query in ((0, 0, rows - 1), (one.layers - 1, one.heads - 1, 0), (1, 2, 1)):
            if head < one.heads and query < rows:
                of_cell(
                    ask(site=one.site, layer=layer, head=head, query=query), decoding, one, query
                )
        way = ask(view="way", side=one.rows, position=rows - 1)
        parts = [way[name] for name in ("embedding_D", "segment_D", "position_D")]
        summed_D = sum(part for part in parts if part is not None)
        assert near(summed_D, way["sum_D"]) == (way["adds_up"] == "proven")
        for sublayer in way["sublayers"]:
            assert near(sublayer.entered_D + sublayer.made_D, sublayer.sum_D)


def of_cell(answer, decoding, one, query):
    said, head = answer["verdicts"], answer["head"]
    trace = decoding.trace(one.site, answer["layer"])
    # The same number as everywhere else on the page.
    keys = trace.weights_HQK.shape[-1]
    assert near(answer["weights_K"][:keys], trace.weights_HQK[head, query])
    assert not answer["weights_K"][keys:].any()
    np.testing.assert_array_equal(answer["allowed_K"][:keys], trace.mask_QK[query])
    assert near(answer["weighted_KE"].sum(0), answer["summed_E"])
    assert near(answer["dropped_K"][:, None] * answer["v_KE"], answer["weighted_KE"])
    assert near(answer["summed_E"], answer["context_E"]) == (not answer["replaced_H"][head])
    shares_D = answer["shares_HD"].sum(0) + answer["output_bias_D"]
    assert near(shares_D, answer["output_D"])
    made_D = answer["sublayer"].made_D
    assert near(answer["output_D"], made_D) == (said["output"] != "differs")
    assert (answer["dropped_K"] == answer["weights_K"]).all() == (said["dropped"] == "exact")
    hidden_K = answer["weights_K"][~answer["allowed_K"]]
    assert hidden_K.any() == (said["hidden"] == "differs")
    assert not hidden_K.any() or answer["hidden_score"] is not None
    scores_K = answer["sums_K"] / answer["divisor"]
    assert near(answer["scores_K"], scores_K) == (said["scores"] == "proven")
    total = answer["exponentials_K"].sum()
    quotients_K = answer["exponentials_K"] / (total or 1)
    assert answer["attention"] == "hard" or near(answer["weights_K"], quotients_K)


def of_beam(ask, tracer, recipe):
    answer = ask(width=3)
    scores = answer["found"]["score"]
    assert scores == sorted(scores, reverse=True)
    for total, penalty, score in zip(*(answer["found"][n] for n in NUMBERS), strict=True):
        assert math.isclose(total / penalty, score, rel_tol=1e-5)


def of_heads(ask, tracer, recipe):
    if not tracer.anatomy.has("cross"):
        return
    effect = ask(site="cross", layer=1, head=2).values.get("effect")
    if effect is None:
        return
    place = [
        edit for edit in recipe.edits if str(edit).endswith("cross.2.3") and not edit.token >= 0
    ]
    kept = replace(recipe, edits=tuple(edit for edit in recipe.edits if edit not in place))
    chosen = tracer.evaluate(recipe).chosen
    with_it = tracer.edited(kept.edits).evaluate(replace(kept, target=chosen))
    assert near(effect.with_T, with_it.log_probabilities)
    off = replace(kept, edits=read_edits([*map(str, kept.edits), "head-off:cross.2.3"]))
    without = tracer.edited(off.edits).evaluate(replace(off, target=chosen))
    assert near(effect.zero_T, without.log_probabilities)


def of_compare(ask, tracer, recipe):
    untouched = replace(recipe, edits=())
    answer = ask(b=untouched)
    difference = answer["a"] - answer["b"]
    np.testing.assert_array_equal(difference, answer["difference"])


def of_training(ask, tracer, recipe):
    """What was noted is what it was, whatever is changed now, and that is said."""
    history = tracer.model.history
    for site in tracer.anatomy.sites:
        answer = ask(site=site.site, layer=0, head=1)
        levels_NQK = history.weights[site.site][0][:, 0, 1]
        np.testing.assert_allclose(255 * answer["weights_NQK"], levels_NQK, atol=1e-4)
        assert answer["edits"] == list(map(str, recipe.edits))
        (about,) = room_named("training").sheets("training", answer).about
        assert about.key == ("training_on_edited" if recipe.edits else "training_on")


CHECKS = {
    "translate": of_translate,
    "masks": of_masks,
    "positions": of_positions,
    "inside": of_inside,
    "beam": of_beam,
    "heads": of_heads,
    "compare": of_compare,
    "training": of_training,
}


def walk(tracer, recipe, rooms=ROOMS):
    """Rooms of one recipe; a room that a model or an edit does not allow names the reason."""
    tracer = tracer.beside(recipe)
    for room in rooms:
        if room.lacks(tracer.anatomy) is not None:
            continue
        assert room.name != "inside" or not tracer.anatomy.reads_whole  # it follows rows that stay

        def ask(room=room, **chosen):
            return room.answer(tracer, recipe, room.view(**chosen))

        CHECKS[room.name](ask, tracer, recipe)


def walk_edited(tracer, recipe, number, whole):
    """Half of the edits of one model, each in one room; both go round with the `number`.

    So every model meets every room and half of the edits, and among models like it every edit
    meets every room, as in `measured`; all three at once with --whole.
    """
    every, met = [edit for kind in EDITS for edit in EDITS[kind]], 0
    for at, edits in enumerate(every):
        if not whole and at % 2 != number % 2:
            continue
        changed = replace(recipe, edits=read_edits(edits.split()))
        try:
            changed = tracer.edited(changed.edits).extend(changed, 4)[0]
        except RecipeError:  # a place or a kind that it does not have
            continue
        walk(tracer, changed, ROOMS if whole else [ROOMS[(number // 2 + at) % len(ROOMS)]])
        met += 1
    assert met > 2


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    folder = tmp_path_factory.mktemp("measured") / "tiny"
    changes = {"dropout_attention": 0.2, "dropout_residual": 0.2}
    measured_checkpoint(folder, 3, **SMALL, **changes)
    return Tracer(open_own(folder))


def test_every_room_and_every_kind_of_edit_has_its_check():
    assert set(CHECKS) == {room.name for room in ROOMS}
    assert set(EDITS) == set(KINDS)


@pytest.mark.parametrize("edits", ["", *(edit for kind in EDITS for edit in EDITS[kind])])
def test_what_rooms_say_of_an_edited_model_is_so(measured, edits):
    recipe = Recipe(measured.model.name, SOURCE, edits=read_edits(edits.split()))
    recipe, _ = measured.edited(recipe.edits).extend(recipe, 4)
    walk(measured, recipe)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_rooms_say_of_an_imported_model_is_so(tmp_path, layout, pytestconfig):
    tracer = Tracer(OwnModel(tiny_checkpoint(tmp_path / "tiny", 3, **SMALL, **OF_LAYOUTS[layout])))
    recipe, _ = tracer.extend(Recipe("tiny", SOURCE), 4)
    walk(tracer, recipe)
    walk_edited(tracer, recipe, list(LAYOUTS).index(layout), pytestconfig.getoption("--whole"))


@pytest.mark.parametrize("name", KINDS_OF_FAMILIES)
def test_what_rooms_say_of_a_model_of_transformers_is_so(name, pytestconfig):
    from tests.model_core.models.hub.test_model import model_of  # which loads transformers

    _, model = model_of(name)
    tracer = Tracer(model, most_steps=5)
    recipe, _ = tracer.extend(Recipe(name, "the old cat"), 4)
    walk(tracer, recipe)
    walk_edited(tracer, recipe, KINDS_OF_FAMILIES.index(name), pytestconfig.getoption("--whole"))
