"""Each head off in turn, and all together, against the model with these very edits."""

import numpy as np
import pytest

from model_core.decoding.cache import Cache
from model_core.decoding.tracer import Tracer
from model_core.studies.without import without_each
from model_core.values.edits import Edit, ordered, read_edits
from model_core.values.recipe import Choice, Recipe
from tests.model_core.studies.sentences import traced
from tests.variants import VARIANTS, few_variants

RECIPE = Recipe("tiny", "cat on", tuple(Choice(token) for token in range(5, 12)), pads=1)


def loss_of(own, decoding, edits):
    edited = own.edited(ordered(edits))
    fed = decoding.target.ids[: decoding.prompt + len(decoding.chosen) - 1]
    logits_TV = edited.full_pass([decoding.source.ids], [fed]).logits_BTV[0].log_softmax(dim=-1)
    ids = [choice.token for choice in decoding.chosen]
    return -float(logits_TV[np.arange(len(ids)), ids].mean())


def off(site, layer, head):
    return Edit("head-off", site, layer, head)


@few_variants
def test_each_head_costs_what_the_edited_model_loses(variant):
    own, decoding = traced(RECIPE, **VARIANTS[variant])
    found = without_each(own, decoding)
    assert found.loss == pytest.approx(loss_of(own, decoding, ()), abs=1e-10)
    for site, added_LH in found.added.items():
        for layer, head in np.ndindex(*added_LH.shape):
            lost = loss_of(own, decoding, (off(site, layer, head),)) - found.loss
            assert added_LH[layer, head] == pytest.approx(lost, abs=1e-10)


def test_heads_go_off_one_after_the_other_in_the_order_of_what_is_lost():
    own, decoding = traced(RECIPE)
    found = without_each(own, decoding)
    costs = [found.added[site][layer, head] for site, layer, head in found.order]
    assert costs == sorted(costs) and len(set(found.order)) == len(costs)
    assert len(found.losses_N) == len(costs) + 1
    for n in (0, 1, 3, len(costs)):
        gone = [off(*head) for head in found.order[:n]]
        assert found.losses_N[n] == pytest.approx(loss_of(own, decoding, gone), abs=1e-10)


def test_other_edits_stay_and_a_head_that_is_off_already_costs_nothing_more():
    own, decoding = traced(RECIPE)
    edits = read_edits(["head-off:cross.1.2", "zero-value:2"])
    edited = own.edited(edits)
    found = without_each(edited, decoding)
    assert found.added["cross"][0, 1] == 0
    lost = loss_of(own, decoding, (*edits, off("decoder", 0, 0))) - loss_of(own, decoding, edits)
    assert found.added["decoder"][0, 0] == pytest.approx(lost, abs=1e-10)


def test_nothing_is_lost_where_nothing_was_written():
    own, _ = traced(RECIPE)
    begun = Tracer(own, Cache(0)).evaluate(Recipe("tiny", "cat on"))
    assert without_each(own, begun) is None
