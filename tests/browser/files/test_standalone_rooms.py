"""The page of a room without a server: what was on the screen, from a file, offline."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from model_core.values.recipe import Recipe
from tests.browser.checks import assert_nothing_sticks_out, without_places
from tests.browser.conftest import PHONE, Stage
from tests.browser.files.test_export import enter, save
from tests.browser.files.test_picture import assert_draws_itself
from tests.conftest import CHECKPOINTS
from viz_app.commands.export import run
from viz_app.files.file_request import FileRequest
from viz_app.files.making import name_of, prepared
from viz_app.files.picture import Picture, picture, picture_of

SENTENCE = "My brother bought a new red car."
HOSTILE = "<img src=x onerror=alert(1)></script>"
# What is chosen in a room of the app, one after the other, before it is kept: what to press, what
# to pick, and the pictures of the page then.
SCREENS = {
    "masks": [
        (
            [
                "[data-sentence='1']",
                "[data-masks-causal='causal-mask:ahead']",
                "[data-masks-pads='no-pad-mask']",
            ],
            {},
            ("scores", "masks", "broken"),
        ),
        (["[data-masks=passes]"], {}, ("passes",)),
    ],
    "positions": [
        (["[data-kind=learned]"], {}, ("positions", "curves", "similarity")),
        (["[data-study=order]", "[data-act=reverse]"], {"at": "3"}, ("order",)),
    ],
    "inside": [
        ([".inside-tokens[data-tokens=query] [data-index='4']"], {}, ("head", "output")),
        (["[data-inside=way]"], {}, ("way",)),
    ],
    "heads": [(["[data-heads=grid]"], {}, ("measures", "scatter", "distances"))],
    "beam": [([], {}, ("beam",))],
    "compare": [([], {}, ("compare",))],
}


@pytest.fixture(scope="module")
def library(bundled):
    return bundled.library


@pytest.fixture(scope="module")
def recipe(library):
    return library.extend(Recipe("en-fr", SENTENCE), None)[0]


def the_page(library, recipe, view: Picture) -> str:
    return prepared(library, FileRequest(recipe, view, "html"))().decode()


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


@pytest.mark.parametrize("room", SCREENS)
def test_what_is_on_the_screen_is_kept_as_a_page_that_draws_saves_and_asks_nobody(
    visit, open_file, room
):
    stage = visit()
    for clicks, picks, drawn in SCREENS[room]:
        stage.enter(room, *clicks)
        for name, value in picks.items():
            stage.page.locator(f"[data-pick={name}]").locator("visible=true").select_option(value)
            stage.in_room()
        stage.page.mouse.move(1, 1)
        shown = stage.in_room()
        enter(stage)
        name, content = save(stage, format="html")
        assert name.endswith(".html")
        stage.page.keyboard.press("Escape")
        alone = open_file(content.decode())
        assert alone.drawn()["room"] == room
        kept = alone.in_room()
        for one in (shown, kept):
            one.pop("look", None)  # the button that is not there
        if room == "compare":  # whose page has no name for the model of B
            shown, kept = shown["maps"], kept["maps"]
        assert without_places(kept) == without_places(shown)
        assert alone.drawn()["message"] is None
        for view in drawn:
            assert_draws_itself(alone.page, view, "en-fr")
        enter(alone)
        assert_saves_itself(alone, drawn[-1])
        alone.page.keyboard.press("Escape")
        if room in ("masks", "positions", "inside"):  # the buttons of others lead elsewhere
            assert_what_asks_is_switched_off_and_says_so(alone, room)


def assert_saves_itself(stage: Stage, view: str) -> dict:
    """The open dialog of a page offers what needs no server, and saves it under the usual name."""
    options = stage.page.locator("[data-export=format] option")
    offered = options.evaluate_all("(all) => all.map(({ value }) => value)")
    assert offered == ["png", "svg", "json", "csv"]
    choices = stage.page.locator("[data-export=what] option").count() > 1
    name, content = save(stage, **({"what": view} if choices else {}), format="json")
    stored = json.loads(content)
    shown = picture_of(stored["picture"], stored["view"])
    assert shown.name == view
    assert name == name_of(FileRequest(Recipe.from_json(stored["recipe"]), shown, "json"))
    return stored


OTHERS = ("cross", "sum", "rotary", "spread", "norms", "here", "training")


@pytest.mark.parametrize("opened", OTHERS)
def test_the_page_of_every_other_view_draws_and_saves_itself(open_file, library, recipe, opened):
    model = "en-fr"
    view = picture(opened)
    if opened == "training":
        model, view = "reverse-leak", picture(opened, "cross", note=4)
        recipe = library.extend(Recipe(model, "abc123"), None)[0]
    stage = open_file(the_page(library, recipe, view))
    if opened == "cross":
        for site in ("encoder", "decoder", "cross"):
            stage.choose("site", site)
            assert_draws_itself(stage.page, site, model)
        for name in ("lines", "pair", "heads", "candidates"):
            assert_draws_itself(stage.page, name, model)
    else:
        stage.in_room()
        assert_draws_itself(stage.page, opened, model)
    enter(stage)
    stored = assert_saves_itself(stage, opened)
    assert stored["model"] == model and stored["recipe"] == recipe.to_json()


def assert_fits_a_phone_in_chinese(stage: Stage) -> None:
    stage.page.locator("[data-tool=language]").click()
    stage.resize(**PHONE)
    stage.in_room()
    assert stage.drawn()["language"] == "zh"
    assert_nothing_sticks_out(stage)


def test_a_page_has_all_heads_of_the_masks_the_translation_and_the_room_as_it_was(
    open_file, library, recipe, tmp_path
):
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
    assert_fits_a_phone_in_chinese(stage)

    recipe = library.extend(Recipe("en-fr", HOSTILE), None)[0]
    batch = picture("scores", sentences=(HOSTILE, "=1+1 +cmd"), shown=2, site="encoder")
    stage = open_file(the_page(library, recipe, batch))
    assert stage.in_room()["sentences"] == [HOSTILE, "=1+1 +cmd"]
    assert stage.page.locator("img").count() == 0

    # The translation is in the page too, and the room comes back as it was.
    recipe = library.extend(Recipe("en-fr", SENTENCE), None)[0]
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
    assert_fits_a_phone_in_chinese(stage)

    # A file of the command line is the page of its view.
    out = tmp_path / "order.html"
    order = ["--order", "2", "1", "3", "4", "5", "6", "7", "8", "9", "--positions-off"]
    arguments = ["--model", "en-fr", "--text", SENTENCE, "--view", "order", *order]
    assert run([*arguments, "--site", "encoder", "-o", str(out)], CHECKPOINTS) == 0
    stage = open_file(Path(out).read_text(encoding="utf-8"))
    shown = stage.in_room()
    assert shown["order"][:3] == [1, 0, 2] and shown["mode"] == "off" and shown["site"] == "encoder"
    assert_fits_a_phone_in_chinese(stage)
