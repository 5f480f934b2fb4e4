"""Links: what was written is read again, and nothing else is."""

import random
import re

import pytest

from model_core.errors import VisualiserError
from model_core.values.checked import Form, Items, kinds
from model_core.values.edits import KINDS, OF_MASKS, Edit
from model_core.values.recipe import MAX_CHARACTERS, MAX_TARGET, Choice, Recipe, Strategy
from tests.refusals import refusal
from tests.tiny import tiny_checkpoint
from viz_app.links.link import MAX_LINK, read_link, write_link
from viz_app.menu.catalogue import closed_entry, models_of
from viz_app.rooms import ROOMS, room_named
from viz_app.stage.stage import FOLDER
from viz_app.values.view import words_shown

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
    (Recipe("m", "A."), {"by": "pieces"}),
    (Recipe("m", "A.", edits=("head-off:cross.2.5", "hide:3", "no-scale")), {"at": 0}),
    (Recipe("hf:a/b", "A.", settings=(("from", "en_XX"), ("second", "b & c."))), {"at": 0}),
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
            "choices": {
                "breaks": ["no-pad-mask", "causal-mask:none"],
                "shown": 2,
                "sentences": ["A.", "", TEXTS[2], "b,c~", ""],
                "unfolded": True,
                "left": "pad",
                "right": "difference",
            },
        },
    ),
    (
        Recipe("m", "A."),
        {
            "room": "positions",
            "choices": {"study": "order", "order": [2, 0, 1], "rows": [0, 1, 5], "mode": "off"},
        },
    ),
    *((Recipe("m", "A."), {"draft": text}) for text in TEXTS),
    (
        Recipe("m", "A."),
        {"room": "masks", "choices": {"view": "passes", "step": 0, "cell": [3, 0]}, "draft": ""},
    ),
    (Recipe("m", "A."), {"room": "inside", "choices": {"view": "way", "unfolded": [0, 1, 17]}}),
    (Recipe("m", "A."), {"room": "inside", "choices": {"view": "way", "unfolded": []}}),
    (Recipe("m", "A."), {"room": "masks", "lesson": "first-look.3"}),
]
MORE = "v=3&model=m&text=A"
# name -> links that are refused with the code
BROKEN = {
    "link_broken": [
        "",
        *(f"{MORE}&edit={bad}" for bad in ("", "x", "hide", "hide:0", "no-scale&edit=<b>")),
        MORE + "&edit=no-scale" * 17,
        "x",
        "\ud83d",
        "v=3&model=m&text=\ud83d",
        "v",
        "v=",
        "v=3",
        "v=3&",
        "v3&model=m&text=A",
        "v1&model=m&text=A",
        "V=3&model=m&text=A",
        "v=3&model=m&target=5",
        f"{MORE}&room=compare&compare.b=v%3D3%26model%3Dm",
        f"{MORE}&room=positions&positions.study=outcome",
        f"{MORE}&room=beam&beam.part=node",
        f"{MORE}&room=heads&heads.part=head",
        "v=3&text=A",
        "v=3&model=&text=A",
        "model=m&text=A&v=3",
        f"v=3&model={'m' * 201}&text=A",
        *(
            f"{MORE}&{more}"
            for more in (
                "",
                "&",
                "model=m",
                "v=3",
                "surprise=1",
                "__proto__=1",
                "constructor=1",
                "=1",
                "é=1",
                "pads",
                "draft=%",
                "draft=%4",
                "draft=%ff",
                "draft=%ed%a0%80",
                "\ud83d=1",
                "draft=" + "a" * 1001,
                "weights=ABCDEF01",
                "room=__proto__",
                "room=",
                "pads=17",
                "pads=-1",
                "pads=01",
                "pads=٣",
                "pads=1%0a",
                "pads=99999999999999999999",
                "temperature=0",
                "temperature=NaN",
                "temperature=1e999",
                "top_k=0.5",
                "top_p=2",
                "seed=9007199254740992",
                "seed=1&beam=3",
                "beam=0",
                "beam=17",
                "target=x",
                "target=5.",
                "target=1000000",
                "target=5&how=x",
                "target=5&how=gg",
                "how=gg",
                "target=" + ".".join("1" * (MAX_TARGET + 1)),
                "site=__proto__",
                "cross=1",
                "cross=1.2.3",
                "cross=-1.1",
                "cell_cross=1",
                "at=-1",
                "target=5&at=2000",
                "rows=both",
                "by=letters",
                "view=3d",
                "spelled=yes",
                "spelled=",
                "order=random",
                "masks.breaks=causal-mask:none",
                "room=masks&masks.breaks=",
                "room=masks&masks.breaks=hide:1",
                "lesson=",
                "lesson=pads.0",
                "lesson=<b>.1",
                "room=masks&masks.shown=-1",
                "room=masks&masks.sentences=" + "a" * 1001,
                "room=masks" + "&masks.sentences=a" * 17,
                "room=masks&masks.surprise=1",
                "room=masks&masks.cell=1",
                "room=masks&masks.cell=1.1&masks.cell=1.1",
                "room=masks&positions.row=1",
                "room=positions&positions.order=1.x",
                "room=positions&positions.order=" + ".".join("1" * 1025),
                "room=inside&inside.position=-1",
                "room=inside&inside.unfolded=" + ".".join("1" * 257),
            )
        ),
    ],
    "link_version": [
        "v=4&model=m",
        "v=1&model=m&text=A",
        "v=0",
        "v=10",
        "v=999999&",
    ],
    "link_long": [f"{MORE}{'a' * MAX_LINK}", "x" * 100_000],
    "characters": [f"{MORE}{'a' * 1001}"],
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(("first", "second")):
        tiny_checkpoint(root / name, seed=seed)
    return models_of(root).own


@pytest.mark.parametrize(("recipe", "view"), GOOD)
def test_what_is_written_is_read_again(recipe, view):
    link = write_link(recipe, view, "https://example.org/app/?x=1#old")
    assert link.startswith("https://example.org/app/?x=1#v=3&model=")
    again, seen = read_link(link)
    assert again == recipe
    assert {name: seen[name] for name in view if name not in ("locks", "cells")} == {
        name: value for name, value in view.items() if name not in ("locks", "cells")
    }
    assert view.get("locks", {}).items() <= seen["locks"].items()
    assert seen["cells"] == view.get("cells", {})
    assert read_link(write_link(again, seen)) == (again, seen)
    # It survives where links are pasted.
    assert re.fullmatch(r"[A-Za-z0-9._~%+,=&-]+", write_link(recipe, view).removeprefix("#"))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_whatever_a_view_can_hold_is_read_again(room):
    draw = random.Random(room.name)
    for _ in range(5):
        choices = {
            one.name: drawn_value(draw, one)
            for one in kinds(room.view).values()
            if draw.random() < 0.6
        }
        choices = {name: value for name, value in choices.items() if value not in (None, False)}
        view = {"room": room.name, "choices": choices if room.name != "translate" else {}}
        recipe = Recipe("m", draw.choice(TEXTS), draw.choice(((), CHOSEN)), draw.randrange(17))
        again, seen = read_link(write_link(recipe, view))
        assert again == recipe
        assert seen["choices"] == room.view.from_json(view["choices"]).to_json()  # no defaults


def drawn_value(draw, kind):
    if kind.words:
        return draw.choice(words_shown(kind))
    if kind.type is bool:
        return draw.random() < 0.5
    if kind.type is Edit:
        drawn = [one for one in OF_MASKS if draw.random() < 0.5]
        spelled = [":".join((one, *KINDS[one].forms[:1])) for one in drawn]
        return spelled or None
    if kind.type is Recipe:
        chosen = draw.choice(((), CHOSEN))
        strategy = draw.choice((Strategy(), Strategy("sample", 0.5, seed=3), Strategy("beam")))
        return Recipe("ä &", draw.choice(TEXTS), chosen, 2, strategy, edits=("hide:1",)).to_json()
    if kind.note(Form):
        return f"{draw.getrandbits(32):08x}"
    if kind.type is str:
        return draw.choices(TEXTS, k=draw.randint(1, 6))
    bounds, items = kind.bounds, kind.note(Items)
    if kind.is_list:
        many = items.most if items.least else draw.randrange(min(8, items.most))
        return [draw.randint(bounds.least, bounds.most) for _ in range(many)]
    return draw.randint(bounds.least, bounds.most)


def test_the_longest_chinese_sentence_fits():
    recipe = Recipe("m", "好" * MAX_CHARACTERS)
    assert read_link(write_link(recipe))[0] == recipe


def test_what_is_not_said_is_left_out_and_the_rest_can_be_read():
    link = write_link(Recipe("m", "A.", CHOSEN), {"site": "cross", "layer": 2, "head": 4, "at": 3})
    assert link == (
        "#v=3&model=m&text=A.&target=35.735.1435.2135&how=gsfb&site=cross&layer=2&head=4&at=3"
    )


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_link_is_refused_in_words(code):
    for link in BROKEN[code]:
        told = refusal(read_link, link)
        assert told.code == code and len(str(told)) < 300, link[:60]


def test_every_beginning_of_a_link_is_a_link_or_is_refused():
    link = write_link(GOOD[11][0], GOOD[11][1])
    for end in range(len(link)):
        try:
            read_link(link[:end])
        except VisualiserError as error:
            assert error.code.startswith("link_")


def test_what_no_page_could_read_is_not_written():
    for view in (
        {"room": "cellar"},
        {"at": -1},
        {"site": "cross", "layer": -1, "head": 0},
        {"weights": "no"},
        {"draft": "a" * 1001},
        {"room": "masks", "choices": {"surprise": 1}},
        {"choices": {"breaks": ["causal-mask:none"]}},
    ):
        refusal(write_link, Recipe("m", "A."), view)
    # No browser counts so far.
    refusal(write_link, Recipe("m", "A.", strategy=Strategy("sample", seed=2**53)))
    long = {"room": "masks", "choices": {"sentences": ("好" * 900,)}}
    assert refusal(write_link, Recipe("m", "好" * 1000), long).code == "link_long"


def test_a_link_is_held_against_the_models_there_are(models):
    known = "v=3&model=first&text=A"
    assert read_link(known, models)[0] == Recipe("first", "A")
    for link, code in (
        ("v=3&model=third&text=A", "link_model"),
        ("v=3&model=__proto__&text=A", "link_model"),
        (f"{known}&encoder=2.0", "link_layer"),
        (f"{known}&encoder=1.2", "link_head"),
        (f"{known}&cross=3.0", "link_layer"),
        (f"{known}&target=46655", "token"),
    ):
        assert refusal(read_link, link, models).code == code


def test_a_link_without_a_sentence_is_of_the_models_first_example(models):
    example = next(model["examples"][0] for model in models if model["name"] == "second")
    recipe, view = read_link("#v=3&model=second&site=encoder", models)
    assert (recipe, view["to_end"]) == (Recipe("second", example), True)
    assert read_link("#v=3&model=second&text=", models)[0] == Recipe("second", "")


def test_tokens_of_other_weights_are_dropped_and_it_is_said(models):
    recipe = Recipe("first", "A.", (Choice(5, "greedy"),))
    own = next(model["fingerprint"] for model in models if model["name"] == "first")
    kept, view = read_link(write_link(recipe, {"weights": own}), models)
    assert kept == recipe and not view["stale"]
    dropped, view = read_link(write_link(recipe, {"weights": "00000000"}), models)
    assert dropped == Recipe("first", "A.") and view["stale"] and view["to_end"]


def test_a_link_to_a_model_that_nobody_has_opened_is_read_as_it_is():
    link = "v=3&model=far&weights=1a2b3c4d&text=a&target=7&site=cross&cross=9.9"
    assert read_link(link, [closed_entry("far")]) == read_link(link)


def test_two_models_have_two_fingerprints(models):
    assert len({model["fingerprint"] for model in models}) == len(models)


def test_the_views_know_every_choice_of_the_page():
    positions = kinds(room_named("positions").view)
    masks = (FOLDER / "rooms/masks/breaks.js").read_text(encoding="utf-8")
    choices = re.search(r"const CHOICES = \{(.*?)\};", masks, re.DOTALL)[1]
    listed = re.findall(r'"([a-z-]+)"', choices)
    assert set(listed) & set(KINDS) == set(OF_MASKS)
    for file, constant, name in (
        ("positions", "POSITION_VIEWS", "study"),
        ("table", "POSITION_KINDS", "kind"),
    ):
        script = (FOLDER / f"rooms/positions/{file}.js").read_text(encoding="utf-8")
        listed = re.search(rf"const {constant} = \[(.*)\];", script)[1]
        assert set(re.findall(r'"(\w+)"', listed)) <= set(positions[name].words)
