"""Links of earlier versions: they say what they said, and damaged ones are refused."""

import pytest

from model_core.errors import RecipeError
from model_core.values.recipe import MAX_TARGET, Choice, Recipe, Strategy
from viz_app.links.link import read_link

BROKEN = [
    "V1&model=m&text=A",
    "v1",
    "v1&",
    "v1&text=A",
    "v1&model=&text=A",
    "v1&model=m&text=A&",
    "v1&model=m&text=A&&",
    "v1&model=m&text=A&model=m",
    "v1&model=m&text=A&surprise=1",
    "v1&model=m&text=A&__proto__=1",
    "v1&model=m&text=A&constructor=1",
    "v1&model=m&text=A&=1",
    "v1&model=m&text=A&é=1",
    "v1&model=m&text",
    "v1&model=m&text=%",
    "v1&model=m&text=%4",
    "v1&model=m&text=%zz",
    "v1&model=m&text=%ff",
    "v1&model=m&text=%ed%a0%80",
    "v1&model=m&text=~!",
    "v1&model=m&text=~A",
    "v1&model=m&text=~AA==",
    "v1&model=m&text=~_w",
    "v1&model=" + "m" * 201 + "&text=A",
    "v1&model=m&text=A&weights=xyz",
    "v1&model=m&text=A&weights=ABCDEF01",
    "v1&model=m&text=A&room=__proto__",
    "v1&model=m&text=A&room=toString",
    "v1&model=m&text=A&room=",
    "v1&model=m&text=A&pads=17",
    "v1&model=m&text=A&pads=-1",
    "v1&model=m&text=A&pads=01",
    "v1&model=m&text=A&pads=1e1",
    "v1&model=m&text=A&pads=٣",
    "v1&model=m&text=A&pads=1\n&view=heat",
    "v1&model=m&text=A&pads=99999999999999999999",
    "v1&model=m&text=A&sample=1,0,1",
    "v1&model=m&text=A&sample=1,0,1,0,0",
    "v1&model=m&text=A&sample=0,0,1,0",
    "v1&model=m&text=A&sample=101,0,1,0",
    "v1&model=m&text=A&sample=1,0.5,1,0",
    "v1&model=m&text=A&sample=1,0,0,0",
    "v1&model=m&text=A&sample=1,0,2,0",
    "v1&model=m&text=A&sample=NaN,0,1,0",
    "v1&model=m&text=A&sample=1,0,1,9007199254740992",
    "v1&model=m&text=A&sample=1,0,1,0&beam=3",
    "v1&model=m&text=A&beam=0",
    "v1&model=m&text=A&beam=17",
    "v1&model=m&text=A&target=5k",
    "v1&model=m&text=A&target=.",
    "v1&model=m&text=A&target=.5K",
    "v1&model=m&text=A&target=.5k*c",
    "v1&model=m&text=A&target=.zzzz",
    "v1&model=m&text=A&target=" + ".1" * (MAX_TARGET + 1),
    "v1&model=m&text=A&site=__proto__",
    "v1&model=m&text=A&cross=1",
    "v1&model=m&text=A&cross=1.2.3",
    "v1&model=m&text=A&cross=0.1",
    "v1&model=m&text=A&cross=1.-1",
    "v1&model=m&text=A&step=0",
    "v1&model=m&text=A&target=.5k&step=3000",
    "v1&model=m&text=A&rows=both",
    "v1&model=m&text=A&view=3d",
    "v1&model=m&text=A&spelled=true",
    "v1&model=m&text=A&order=random",
    "v1&model=m&text=A&masks.causal=none",
    "v1&model=m&text=A&room=masks&masks.causal=",
    "v1&model=m&text=A&room=masks&masks.shown=0",
    "v1&model=m&text=A&room=masks&masks.sentences=" + "a" * 1001,
    "v1&model=m&text=A&room=masks&masks.surprise=1",
    "v1&model=m&text=A&room=positions&positions.order=1.x",
    "v1&model=m&text=A&room=inside&inside.position=-1",
    "v2",
    "v2&model=m&text=A&draft=%",
    "v2&model=m&text=A&draft=" + "a" * 1001,
    "v2&model=m&text=A&masks.cell=1.1",
    "v2&model=m&text=A&room=masks&masks.cell=0.1",
    "v2&model=m&text=A&room=masks&masks.cell=1",
    "v2&model=m&text=A&room=masks&masks.step=0",
    "v2&model=m&text=A&room=inside&inside.unfolded=0",
    "v2&model=m&text=A&room=inside&inside.unfolded=" + ".".join(["1"] * 257),
]
OLD_VIEW = {"room": "translate", "view": "heat", "spelled": False, "order": "place"}
OLD_VIEW |= {"locks": {}, "cells": {}, "choices": {}, "to_end": False, "stale": False}


@pytest.mark.parametrize(
    ("link", "recipe", "view"),
    [
        ("v1&model=m&text=A&target=", Recipe("m", "A"), {}),
        (
            "v1&model=en-fr&weights=1a2b3c4d&text=%E2%80%9CA%E2%80%9D+~&pads=3"
            "&target=.5k.c~2_zzz-0&site=decoder&decoder=3.1&cross=1.4&step=5&rows=predicted"
            "&view=lines&spelled=yes&order=entropy&cell.cross=4.1",
            Recipe(
                "en-fr",
                "“A” ~",
                (
                    Choice(200, "greedy"),
                    Choice(12, "greedy"),
                    Choice(2, "sampled"),
                    Choice(46655, "forced"),
                    Choice(0, "beam"),
                ),
                3,
            ),
            {
                "weights": "1a2b3c4d",
                "site": "decoder",
                "layer": 2,
                "head": 0,
                "locks": {"decoder": {"layer": 2, "head": 0}, "cross": {"layer": 0, "head": 3}},
                "cells": {"cross": {"query": 3, "key": 0}},
                "at": 4,
                "rows": "predicted",
                "view": "lines",
                "spelled": True,
                "order": "entropy",
            },
        ),
        (
            "v1&model=m&text=~5aW9&sample=0.05,40,0.9,7",
            Recipe("m", "好", strategy=Strategy("sample", 0.05, 40, 0.9, 7)),
            {"to_end": True},
        ),
        (
            "v2&model=m&text=A&beam=3&target=&draft=~5aW9",
            Recipe("m", "A", strategy=Strategy("beam", width=3)),
            {"draft": "好"},
        ),
        (
            "v2&model=m&text=A&target=&room=masks&masks.view=passes&masks.site=cross"
            "&masks.shown=3&masks.sentences=~,b%2Cc&masks.cell=4.1&masks.step=1&masks.unfolded=yes",
            Recipe("m", "A"),
            {
                "room": "masks",
                "choices": {
                    "view": "passes",
                    "site": "cross",
                    "shown": 2,
                    "sentences": ["A", "", "b,c"],
                    "cell": [3, 0],
                    "step": 0,
                    "unfolded": True,
                },
            },
        ),
        (
            "v1&model=m&text=A&target=&room=positions&positions.kind=learned&positions.row=3"
            "&positions.column=4&positions.kept=0.2",
            Recipe("m", "A"),
            {
                "room": "positions",
                "choices": {"kind": "learned", "row": 3, "column": 4, "dimensions": [0, 2]},
            },
        ),
        (
            "v1&model=m&text=A&target=&room=positions&positions.view=order&positions.order=2.0.1"
            "&positions.shift=0.3.2.-5&positions.mode=off&positions.at=1&positions.row_picked=3"
            "&positions.column_picked=2&positions.part_picked=after",
            Recipe("m", "A"),
            {
                "room": "positions",
                "choices": {
                    "study": "order",
                    "mode": "off",
                    "at": 1,
                    "picked": [3, 2],
                    "part": "after",
                },
                "words": {"order": [2, 0, 1], "shift": [0, 3, 2, -5]},
            },
        ),
        (
            "v2&model=m&text=A&target=&room=inside&site=cross&cell.cross=2.1&inside.view=way"
            "&inside.side=target&inside.position=2&inside.unfolded=1.18",
            Recipe("m", "A"),
            {
                "room": "inside",
                "site": "cross",
                "cells": {"cross": {"query": 1, "key": 0}},
                "choices": {"view": "way", "side": "target", "position": 2, "unfolded": [0, 17]},
            },
        ),
    ],
)
def test_links_of_earlier_versions_say_what_they_said(link, recipe, view):
    assert read_link(link) == (recipe, OLD_VIEW | view)


def test_a_link_by_hand_names_a_model_and_a_text():
    recipe, view = read_link("#v1&model=en-fr&text=The+old%20cat")
    assert recipe == Recipe("en-fr", "The old cat")
    assert view["to_end"] and view["room"] == "translate" and "at" not in view


@pytest.mark.parametrize("link", BROKEN, ids=lambda link: link[:60])
def test_a_broken_link_is_refused_in_words(link):
    with pytest.raises(RecipeError) as refused:
        read_link(link)
    assert refused.value.code == "link_broken"
    assert len(str(refused.value)) < 300
