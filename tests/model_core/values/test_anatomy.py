from dataclasses import replace

import pytest

from model_core.errors import RecipeError
from model_core.values.anatomy import Anatomy, SiteAnatomy, anatomy_of
from model_core.values.special import Special
from tests.made_up import MadeUp
from tests.tiny import tiny_config


def anatomy(*sites, **changes):
    values = {
        "sites": sites,
        "source_vocabulary": 9,
        "target_vocabulary": 9,
        "special": Special(0, 1, 2),
        "max_positions": 8,
        "positions": "none",
    }
    return Anatomy(**values | changes)


def site(name, layers=2, heads=4, key_heads=4):
    return SiteAnatomy(name, layers, heads, key_heads, "source", "source", False)


def test_our_model_has_three_sites_with_the_depths_and_heads_of_its_stacks():
    ours = anatomy_of(tiny_config())
    assert ours.kind == "encoder-decoder" and ours.first_site.site == "cross"
    shapes = {one.site: (one.layers, one.heads, one.key_heads) for one in ours.sites}
    assert shapes == {"encoder": (2, 2, 2), "decoder": (3, 4, 4), "cross": (3, 4, 4)}
    sides = {one.site: (one.rows, one.columns, one.causal) for one in ours.sites}
    assert sides["cross"] == ("target", "source", False)
    assert sides["decoder"] == ("target", "target", True)
    assert ours.special.never == (0, 1)


def test_what_is_there_decides_the_kind():
    for kind in ("encoder-decoder", "decoder", "encoder"):
        assert MadeUp(kind).anatomy.kind == kind
    only = MadeUp("decoder").anatomy
    assert only.has("decoder") and not only.has("cross")
    with pytest.raises(RecipeError, match="'cross'; there are decoder"):
        only.site("cross")


def test_a_start_that_is_the_end_too_may_be_chosen():
    assert anatomy(site("decoder"), special=Special(None, 5, 5)).special.never == ()
    assert anatomy(site("decoder"), special=Special(5, 5, 2)).special.never == (5,)


@pytest.mark.parametrize(
    "sites",
    [
        (),
        (site("cross"), site("encoder")),
        (site("encoder"), site("encoder")),
        (site("encoder", key_heads=3),),
        (site("encoder", layers=0),),
    ],
)
def test_an_anatomy_that_cannot_be_is_refused(sites):
    with pytest.raises(ValueError):
        anatomy(*sites)


def test_the_page_is_told_all_of_it():
    told = MadeUp("decoder").anatomy.to_json()
    assert told["kind"] == "decoder" and told["never"] == [0, 1]
    assert told["sites"] == [
        {
            "site": "decoder",
            "layers": 2,
            "heads": 4,
            "key_heads": 2,
            "rows": "target",
            "columns": "target",
            "causal": True,
        }
    ]


def test_what_a_model_lacks_is_said_with_the_reason():
    ours = anatomy_of(tiny_config(), noted=False)
    needs = ("encoder", "cross", "runs", "parameters", "one-mask", "single-rows")
    assert [ours.lack(need) for need in needs] == [None] * 6
    assert ours.lack("history") == "history" and anatomy_of(tiny_config()).lack("history") is None
    assert replace(ours, reads_whole=True).lack("single-rows") == "reads_whole"
    assert replace(ours, predicts=False).lack("runs") == "no_model"
    made_up = MadeUp("decoder").anatomy
    assert made_up.lack("cross") == "site_cross" and made_up.lack("parameters") == "own_weights"
