"""Links: what was written is read again, and nothing else is."""

import re

import pytest

from model_core.errors import RecipeError, VisualiserError
from model_core.values.recipe import Choice, Recipe, Strategy
from tests.tiny import tiny_checkpoint
from viz_app.link import MAX_LINK, read_link, write_link
from viz_app.link_fields import FIELDS, MAX_TOKENS
from viz_app.rooms import ROOMS
from viz_app.server.catalogue import stage_options
from viz_app.stage.stage import FOLDER

TEXTS = (
    "The old cat sleeps.",
    "",
    "我弟弟买了一辆新的红色汽车。",
    "# & = + % ~ ~x % 20 'quoted' (a) [b] {c} * ! / ? \\ \" < > | ^ `",
    "👩‍👩‍👧 ä\u0308 \u202e \n\t\x00 \ufeff end",
    "<img src=x onerror=alert(1)></script>",
)
HOWS = ("greedy", "sampled", "forced", "beam")
CHOSEN = tuple(Choice(35 + 700 * i, how) for i, how in enumerate(HOWS))
GOOD: list[tuple[Recipe, dict]] = [
    *((Recipe("en-fr", text), {}) for text in TEXTS),
    (Recipe("en-fr", "A.", (*CHOSEN, Choice(999_999, "greedy"), Choice(0)), 16), {"at": 6}),
    (Recipe("ä model/../&#", "A."), {"to_end": True, "weights": "1a2b3c4d"}),
    (Recipe("m", "A.", strategy=Strategy("sample", 0.05, 40, 0.9, 2**53 - 1)), {"at": 0}),
    (Recipe("m", "A.", strategy=Strategy("sample", 100, 0, 1e-7, 0)), {"room": "inside"}),
    (Recipe("m", "A.", strategy=Strategy("beam", width=16)), {"rows": "predicted"}),
    (
        Recipe("m", "A.", CHOSEN),
        {
            "site": "decoder",
            "layer": 2,
            "head": 0,
            "locks": {"encoder": {"layer": 1, "head": 7}, "cross": {"layer": 0, "head": 3}},
            "cells": {"cross": {"query": 3, "key": 0}, "encoder": {"query": 0, "key": 11}},
            "view": "lines",
            "spelled": True,
            "order": "entropy",
            "at": 4,
        },
    ),
    (
        Recipe("m", "A."),
        {
            "room": "masks",
            "choices": {"causal": "none", "shown": 2, "sentences": ("", TEXTS[2], "b,c~", "")},
        },
    ),
    (Recipe("m", "A."), {"room": "masks", "choices": {"sentences": ()}}),
    (
        Recipe("m", "A."),
        {
            "room": "positions",
            "choices": {"view": "order", "order": (2, 0, 1), "shift": (0, 3, 2, -5), "mode": "off"},
        },
    ),
    *((Recipe("m", "A."), {"draft": text}) for text in TEXTS),
    (
        Recipe("m", "A."),
        {"room": "masks", "choices": {"view": "passes", "step": 0, "cell": (3, 0)}, "draft": ""},
    ),
    (Recipe("m", "A."), {"room": "masks", "choices": {"unfolded": "yes"}}),
    (Recipe("m", "A."), {"room": "inside", "choices": {"view": "way", "unfolded": (0, 1, 17)}}),
    (Recipe("m", "A."), {"room": "inside", "choices": {"view": "way", "unfolded": ()}}),
]
# name -> links that are refused with the code
BROKEN = {
    "link_broken": [
        "",
        "x",
        "V1&model=m&text=A",
        "v",
        "v1",
        "v1&",
        "v1&model=m",
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
        "v1&model=m&text=A&target=" + ".1" * (MAX_TOKENS + 1),
        "v1&model=m&text=A&site=__proto__",
        "v1&model=m&text=A&cross=1",
        "v1&model=m&text=A&cross=1.2.3",
        "v1&model=m&text=A&cross=0.1",
        "v1&model=m&text=A&cross=1.-1",
        "v1&model=m&text=A&cross=1025.1",
        "v1&model=m&text=A&step=0",
        "v1&model=m&text=A&step=1025",
        "v1&model=m&text=A&target=.5k&step=3",
        "v1&model=m&text=A&rows=both",
        "v1&model=m&text=A&view=3d",
        "v1&model=m&text=A&spelled=true",
        "v1&model=m&text=A&order=random",
        "v1&model=m&text=A&masks.causal=none",
        "v1&model=m&text=A&room=masks&masks.causal=",
        "v1&model=m&text=A&room=masks&masks.shown=0",
        "v1&model=m&text=A&room=masks&masks.shown=7",
        "v1&model=m&text=A&room=masks&masks.sentences=a,b,c,d,e,f",
        "v1&model=m&text=A&room=masks&masks.sentences=" + "a" * 1001,
        "v1&model=m&text=A&room=masks&masks.surprise=1",
        "v1&model=m&text=A&room=positions&positions.order=1.x",
        "v1&model=m&text=A&room=positions&positions.kept=1.2.3.4.5.6.7",
        "v1&model=m&text=A&room=inside&inside.position=-1",
        # What the first version does not know.
        "v1&model=m&text=A&draft=B",
        "v1&model=m&text=A&room=masks&masks.cell=1.1",
        "v1&model=m&text=A&room=inside&inside.unfolded=1",
        "v2",
        "v2&model=m&text=A&draft=%",
        "v2&model=m&text=A&draft=" + "a" * 1001,
        "v2&model=m&text=A&masks.cell=1.1",
        "v2&model=m&text=A&room=masks&masks.cell=0.1",
        "v2&model=m&text=A&room=masks&masks.cell=1",
        "v2&model=m&text=A&room=masks&masks.step=0",
        "v2&model=m&text=A&room=masks&masks.unfolded=no",
        "v2&model=m&text=A&room=inside&inside.unfolded=0",
        "v2&model=m&text=A&room=inside&inside.unfolded=" + ".".join(["1"] * 257),
    ],
    "link_version": ["v3&model=m&text=A", "v0", "v10", "v999999&"],
    "link_long": ["v1&model=m&text=" + "a" * MAX_LINK, "x" * 100_000],
    "characters": ["v1&model=m&text=" + "a" * 1001],
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(("first", "second")):
        tiny_checkpoint(root / name, seed=seed)
    return stage_options(root)["models"]


@pytest.mark.parametrize(("recipe", "view"), GOOD)
def test_what_is_written_is_read_again(recipe, view):
    link = write_link(recipe, view, "https://example.org/app/?x=1#old")
    assert re.match(r"https://example\.org/app/\?x=1#v[12]&model=", link)
    again, seen = read_link(link)
    assert again == recipe
    assert {name: seen[name] for name in view if name not in ("locks", "cells")} == {
        name: value for name, value in view.items() if name not in ("locks", "cells")
    }
    assert view.get("locks", {}).items() <= seen["locks"].items()
    assert seen["cells"] == view.get("cells", {})
    assert write_link(again, seen, "https://example.org/app/?x=1") == link


@pytest.mark.parametrize(("recipe", "view"), GOOD)
def test_a_link_survives_where_links_are_pasted(recipe, view):
    fragment = write_link(recipe, view).removeprefix("#")
    assert re.fullmatch(r"[A-Za-z0-9._~%+,=&-]+", fragment)


@pytest.mark.parametrize("text", TEXTS)
def test_a_chinese_text_costs_no_more_than_base64(text):
    fragment = write_link(Recipe("m", text))
    assert len(fragment) <= len("#v1&model=m&text=~&target=") + 4 * len(text.encode()) / 3 + 1


def test_a_link_by_hand_needs_a_model_and_a_text():
    recipe, view = read_link("#v1&model=en-fr&text=The+old%20cat")
    assert recipe == Recipe("en-fr", "The old cat")
    assert view["to_end"] and view["room"] == "translate" and "at" not in view


def test_a_link_has_the_first_version_that_knows_what_it_says():
    recipe = Recipe("m", "A.", CHOSEN)
    assert write_link(recipe, {"room": "masks", "at": 1}).startswith("#v1&")
    assert write_link(recipe, {"draft": "The"}).startswith("#v2&")
    assert read_link("v2&model=m&text=A") == read_link("v1&model=m&text=A")


def test_places_are_counted_from_one_in_a_link():
    link = write_link(Recipe("m", "A.", CHOSEN), {"site": "cross", "layer": 2, "head": 4, "at": 3})
    assert "site=cross&cross=3.5&step=4" in link


@pytest.mark.parametrize(
    ("code", "link"),
    [(code, link) for code, links in BROKEN.items() for link in links],
    ids=lambda value: value[:60],
)
def test_a_broken_link_is_refused_in_words(code, link):
    with pytest.raises(RecipeError) as refused:
        read_link(link)
    assert refused.value.code == code
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("text", ["\ud83d", "v1&model=m&text=\ud83d", "v1&model=m&\ud83d=1"])
def test_half_a_character_is_refused(text):
    with pytest.raises(RecipeError):
        read_link(text)


def test_every_beginning_of_a_link_is_a_link_or_is_refused():
    link = write_link(GOOD[11][0], GOOD[11][1])
    for end in range(len(link)):
        try:
            read_link(link[:end])
        except VisualiserError as error:
            assert error.code.startswith("link_")


def test_a_link_that_would_be_too_long_is_not_written():
    with pytest.raises(RecipeError) as refused:
        write_link(
            Recipe("m", "好" * 1000), {"room": "masks", "choices": {"sentences": ("好" * 900,)}}
        )
    assert refused.value.code == "link_long"


@pytest.mark.parametrize(
    "view",
    [
        {"room": "cellar"},
        {"at": -1},
        {"site": "cross", "layer": 5000, "head": 0},
        {"weights": "no"},
        {"draft": "a" * 1001},
        {"room": "masks", "choices": {"surprise": 1}},
        {"choices": {"causal": "none"}},
    ],
)
def test_what_no_page_could_read_is_not_written(view):
    with pytest.raises(RecipeError):
        write_link(Recipe("m", "A."), view)


def test_a_seed_that_no_browser_counts_is_not_written():
    with pytest.raises(RecipeError):
        write_link(Recipe("m", "A.", strategy=Strategy("sample", seed=2**53)))


def test_a_link_is_held_against_the_models_there_are(models):
    known = "v1&model=first&text=A"
    assert read_link(known, models)[0] == Recipe("first", "A")
    for link, code in (
        ("v1&model=third&text=A", "link_model"),
        ("v1&model=__proto__&text=A", "link_model"),
        (f"{known}&encoder=3.1", "link_layer"),
        (f"{known}&encoder=2.3", "link_head"),
        (f"{known}&cross=4.1", "link_layer"),
        (f"{known}&target=.zzz", "token"),
    ):
        with pytest.raises(RecipeError) as refused:
            read_link(link, models)
        assert refused.value.code == code


def test_tokens_of_other_weights_are_dropped_and_it_is_said(models):
    recipe = Recipe("first", "A.", (Choice(5, "greedy"),))
    own = next(model["fingerprint"] for model in models if model["name"] == "first")
    kept, view = read_link(write_link(recipe, {"weights": own}), models)
    assert kept == recipe and not view["stale"]
    dropped, view = read_link(write_link(recipe, {"weights": "00000000"}), models)
    assert dropped == Recipe("first", "A.") and view["stale"] and view["to_end"]


def test_two_models_have_two_fingerprints(models):
    assert len({model["fingerprint"] for model in models}) == len(models)


def words_of(name):
    return next(field.words for field in FIELDS if field.name == name)


def test_the_table_of_fields_knows_every_choice_of_the_page():
    assert words_of("room") == tuple(room.name for room in ROOMS)
    masks = (FOLDER / "rooms/masks/breaks.js").read_text(encoding="utf-8")
    for name in ("causal", "pads", "fill"):
        listed = re.search(rf"^  {name}: \[(.*)\],$", masks, re.MULTILINE)[1]
        assert words_of(f"masks.{name}") == tuple(re.findall(r'"(\w+)"', listed))
    for file, constant, name in (
        ("positions", "POSITION_VIEWS", "view"),
        ("table", "POSITION_KINDS", "kind"),
    ):
        script = (FOLDER / f"rooms/positions/{file}.js").read_text(encoding="utf-8")
        listed = re.search(rf"const {constant} = \[(.*)\];", script)[1]
        assert words_of(f"positions.{name}") == tuple(re.findall(r'"(\w+)"', listed))
