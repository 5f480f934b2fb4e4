"""The page of a room without a server: what was on the screen, from a file, offline."""

import csv
import io
import itertools
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from model_core.values.recipe import Recipe
from tests.browser.checks import assert_nothing_sticks_out, without_places
from tests.browser.conftest import CHECKPOINTS, PHONE, Stage
from tests.browser.files.test_export import enter, save
from tests.browser.files.test_picture import assert_draws_itself
from viz_app.files.making import name_of, prepared
from viz_app.files.picture import Picture, picture, picture_of
from viz_app.files.wish import Wish
from viz_app.rooms import pictures

SENTENCE = "My brother bought a new red car."
HOSTILE = "<img src=x onerror=alert(1)></script>"
# What is chosen in the page of the server before it is kept: what to click, what to pick.
SCREENS = {
    "masks": (
        "masks",
        [
            "[data-sentence='1']",
            "[data-masks-causal='causal-mask:ahead']",
            "[data-masks-pads='no-pad-mask']",
        ],
        {},
    ),
    "passes": ("masks", ["[data-masks=passes]"], {}),
    "table": ("positions", ["[data-kind=learned]"], {}),
    "order": ("positions", ["[data-study=order]", "[data-act=reverse]"], {"at": "3"}),
    "cell": ("inside", [".inside-tokens[data-tokens=query] [data-index='4']"], {}),
    "way": ("inside", ["[data-inside=way]"], {}),
}


@pytest.fixture(scope="module")
def library(bundled):
    return bundled.library


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("en-fr", SENTENCE), None)[0]


def the_page(library, recipe, view: Picture) -> str:
    return prepared(library, Wish(recipe, view, "html"))().decode()


def assert_what_asks_is_switched_off_and_says_so(stage: Stage, name: str) -> None:
    before = stage.in_room()
    room = stage.page.locator(f"[data-room={name}]")
    asking = room.locator("[data-asks] :is(button, select, input), [data-asks]:is(button, select)")
    assert asking.count() > 0
    told = asking.evaluate_all("(all) => all.map(({ disabled, title }) => [disabled, title])")
    assert all(disabled and "This needs the model" in title for disabled, title in told)
    assert "Greyed-out controls need the running app." in stage.page.locator(".made").inner_text()
    assert not stage.page.locator(".look-inside").locator("visible=true").count()
    room.evaluate(  # none of the others asks
        """(room) => [...room.querySelectorAll("button:enabled")].forEach((one) => {
            if (one.isConnected && one.checkVisibility()) one.click() })"""
    )
    stage.in_room()  # the translations of an order are asked for a moment later
    after = stage.drawn()
    assert after["message"] is None and after["in_room"] is not None
    assert after["in_room"].keys() == before.keys()
    # No key of a word that was left without its text; matrices and heads of formulas have one.
    assert "_" not in re.sub(
        r"\b(W_[QKVO]|c_H|d_k|d_model|d_ff)\b", "", stage.page.locator(".stage").inner_text()
    )


@pytest.mark.parametrize("screen", SCREENS)
def test_the_page_shows_what_was_on_the_screen_and_what_asks_is_off(visit, open_file, screen):
    room, clicks, picks = SCREENS[screen]
    stage = visit()
    stage.enter(room, *clicks)
    for name, value in picks.items():
        stage.page.locator(f"[data-pick={name}]").locator("visible=true").select_option(value)
        stage.in_room()
    stage.page.mouse.move(1, 1)
    shown = stage.in_room()
    enter(stage)
    name, content = save(stage, format="html")
    assert name.endswith(".html")
    alone = open_file(content.decode())
    assert alone.drawn()["room"] == room
    kept = alone.in_room()
    for one in (shown, kept):
        one.pop("look", None)  # the button that is not there
    assert without_places(kept) == without_places(shown)
    assert alone.drawn()["message"] is None
    assert_what_asks_is_switched_off_and_says_so(alone, room)


def test_the_heads_of_the_masks_are_in_the_page(open_file, library, recipe):
    stage = open_file(the_page(library, recipe, picture("scores", site="cross", layer=1, head=1)))
    decoding = library.extend(recipe, 0)[1]
    picks = stage.page.locator("[data-room=masks] .head-picker")
    for layer, head in ((1, 1), (2, 6)):
        picks.locator("[data-pick=layer]").select_option(index=layer - 1)
        picks.locator("[data-pick=head]").select_option(index=head - 1)
        weights = next(m for m in stage.in_room()["maps"] if m["name"] == "weights")
        expected_QK = decoding.trace("cross", layer - 1).weights_HQK[head - 1]
        queries, keys = expected_QK.shape  # in the room the sentence has pads after it
        drawn_QK = np.array(weights["values"], dtype=float)[:queries]
        np.testing.assert_allclose(drawn_QK[:, :keys], expected_QK, atol=1e-5)
        assert not drawn_QK[:, keys:].any()


def test_the_translation_is_in_the_page_too_and_the_room_comes_back_as_it_was(
    open_file, library, recipe
):
    view = picture("head", site="decoder", layer=2, head=3, query=4, key=2)
    stage = open_file(the_page(library, recipe, view))
    shown = stage.in_room()
    assert (shown["cell"]["layer"], shown["cell"]["head"]) == (1, 2)
    assert shown["chosen"] == {"query": 3, "key": 1}
    stage.page.locator("[data-open=translate]").click()
    stage.lock(0, 0)
    stage.page.locator("[data-open=inside]").click()
    assert stage.in_room() == shown
    stage.page.locator(".inside-tokens[data-tokens=key] [data-index='0']").click()
    assert stage.in_room()["chosen"] == {"query": 3, "key": 0}


def numbers(values) -> np.ndarray:
    return np.array(values, dtype=float)


# The pages, each by the view that it opens on, with the views that it draws and whose numbers it
# saves here.
SAVED = {
    "cross": ("cross", "lines", "heads", "candidates"),
    "scores": ("scores", "masks", "broken"),
    "positions": ("positions", "curves", "similarity"),
    "head": ("head", "output"),
    "measures": ("measures", "scatter", "distances"),
}
ALONE = (
    "encoder",
    "decoder",
    "passes",
    "sum",
    "order",
    "rotary",
    "way",
    "spread",
    "norms",
    "here",
    "beam",
    "compare",
)
SAVED |= {view: (view,) for view in ALONE}
# What this model does not bring: its history.
ELSEWHERE = ("training",)


def test_of_every_view_the_numbers_are_saved():
    assert sorted((*itertools.chain(*SAVED.values()), *ELSEWHERE)) == sorted(pictures())


def test_a_page_draws_and_saves_the_history_of_a_training(open_file, library):
    recipe = library.extend(Recipe("reverse-leak", "abc123"), None)[0]
    stage = open_file(the_page(library, recipe, picture("training", "cross", note=4)))
    stage.in_room()
    assert_draws_itself(stage.page, "training", "reverse-leak")
    enter(stage)
    stored = json.loads(save(stage, format="json")[1])
    theirs = json.loads(
        prepared(library, Wish(recipe, picture("training", "cross", note=4), "json"))()
    )
    assert_same_tables(stored, theirs, False)


@pytest.mark.parametrize("opened", SAVED)
def test_the_page_draws_itself_and_saves_the_numbers_that_the_server_saves(
    open_file, library, recipe, opened
):
    view, is_room = picture(opened), pictures()[opened].name != "translate"
    if is_room:
        site = "decoder" if opened in ("scores", "passes") else "cross"
        view = picture(opened, site=site, sentences=(SENTENCE, "=1+1"))
    stage = open_file(the_page(library, recipe, view))
    if is_room:
        stage.in_room()
    for view in SAVED[opened]:
        assert_draws_itself(stage.page, view, "en-fr")
    enter(stage)
    options = stage.page.locator("[data-export=format] option")
    offered = options.evaluate_all("(all) => all.map(({ value }) => value)")
    assert offered == ["png", "svg", "json", "csv"]
    is_one_of = stage.page.locator("[data-export=what] option").count() > 1
    for view in SAVED[opened]:
        choices = {"what": view} if is_one_of else {}
        name, content = save(stage, **choices, format="json")
        stored = json.loads(content)
        shown = picture_of(stored["picture"], stored["view"])
        assert shown.name == view and name == name_of(Wish(recipe, shown, "json"))
        theirs = json.loads(prepared(library, Wish(recipe, shown, "json"))())
        assert_same_tables(stored, theirs, pictures()[view].name == "translate")
        rows = save(stage, **choices, format="csv")[1]
        assert_same_rows(rows, prepared(library, Wish(recipe, shown, "csv"))(), stored)


def assert_same_tables(stored: dict, theirs: dict, may_lack_scores: bool) -> None:
    for part in ("format", "model", "recipe", "text"):
        assert stored[part] == theirs[part]
    assert stored["tables"].keys() == theirs["tables"].keys()
    for table, ours in stored["tables"].items():
        server = theirs["tables"][table]
        assert ours["axes"] == server["axes"]
        for array, values in ours["values"].items():
            if "best" in array:
                assert values == server["values"][array]
            else:
                np.testing.assert_allclose(
                    numbers(values), numbers(server["values"][array]), atol=1e-9
                )
        missing = server["values"].keys() - ours["values"].keys()
        assert all(name.startswith("scores_") for name in missing)
        assert may_lack_scores or not missing


def assert_same_rows(ours: bytes, theirs: bytes, stored: dict) -> None:
    rows, their_rows = (
        list(csv.DictReader(io.StringIO(text.decode("utf-8-sig")))) for text in (ours, theirs)
    )
    lengths = [[one["length"] for one in table["axes"]] for table in stored["tables"].values()]
    assert len(rows) == len(their_rows) == sum(map(math.prod, lengths))
    for column in rows[0].keys() - {"stage_token", "table"}:
        said, wanted = ([row[column] for row in of] for of in (rows, their_rows))
        try:
            pair = [[float(cell or "nan") for cell in of] for of in (said, wanted)]
        except ValueError:
            assert said == wanted
        else:
            np.testing.assert_allclose(*pair, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("view", ["cross", "scores"])
def test_pieces_on_the_screen_are_pieces_in_the_data(open_file, library, recipe, view):
    stage = open_file(the_page(library, recipe, picture(view, "cross", spelled=True)))
    if view == "scores":
        stage.in_room()
    enter(stage)
    stored = json.loads(save(stage, format="json")[1])
    (table,) = stored["tables"].values()
    assert all(any("▁" in token for token in axis["tokens"]) for axis in table["axes"])


def test_hostile_text_stays_text_in_a_room_and_no_spreadsheet_runs_it(open_file, library):
    recipe = library.extend(Recipe("en-fr", HOSTILE), None)[0]
    batch = picture("scores", sentences=(HOSTILE, "=1+1 +cmd"), shown=2, site="encoder")
    stage = open_file(the_page(library, recipe, batch))
    assert stage.in_room()["sentences"] == [HOSTILE, "=1+1 +cmd"]
    assert stage.page.locator("img").count() == 0
    enter(stage)
    rows = csv.DictReader(io.StringIO(save(stage, format="csv")[1].decode("utf-8-sig")))
    tokens = {row["query_token"] for row in rows}
    assert any(token.startswith("'") for token in tokens)
    assert not any(token.startswith(("=", "+", "-", "@")) for token in tokens)


@pytest.mark.parametrize("view", ["scores", "order", "head"])
def test_the_page_of_a_room_fits_a_phone(open_file, library, recipe, view):
    stage = open_file(the_page(library, recipe, picture(view)), window=PHONE, locale="zh-CN")
    stage.in_room()
    assert stage.drawn()["language"] in ("en", "zh")
    assert_nothing_sticks_out(stage)


def test_a_file_of_the_command_line_is_the_page_of_its_view(tmp_path, library, open_file):
    from viz_app.commands.export import run

    out = tmp_path / "order.html"
    order = ["--order", "2", "1", "3", "4", "5", "6", "7", "8", "9", "--positions-off"]
    arguments = ["--model", "en-fr", "--text", SENTENCE, "--view", "order", *order]
    assert run([*arguments, "--site", "encoder", "-o", str(out)], CHECKPOINTS) == 0
    stage = open_file(Path(out).read_text(encoding="utf-8"))
    shown = stage.in_room()
    assert shown["order"][:3] == [1, 0, 2] and shown["mode"] == "off" and shown["site"] == "encoder"
