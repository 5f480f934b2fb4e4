"""The address holds the recipe and the view."""

import json
import re

import pytest
from playwright.sync_api import expect

from model_core.values.recipe import Recipe
from tests.browser import walks
from tests.browser.conftest import NAMED
from tests.browser.walks import SENTENCE, drawn, fragment, room
from tests.browser.windows import THERE
from tests.serving import serve
from tests.tiny import tiny_checkpoint
from viz_app.files.linked import open_link
from viz_app.files.picture import picture_of
from viz_app.links import link as links
from viz_app.links.link import read_link, write_link
from viz_app.text import WORDS

STAGE = "document.querySelector('.stage-host').stage.drawn()"


def entries(stage):
    return stage.page.evaluate("() => history.length")


def under_a_message(seen):
    """What is drawn, where a message in the flow above the map takes some of its room."""
    boxes = seen["cell_boxes"]
    assert all(width > 0 and height > 0 for row in boxes for _, _, width, height in row)
    return seen | {"message": None, "cell_boxes": [len(row) for row in boxes]}


def assert_opens_the_same(stage, there, name):
    """What a page shows after a walk, opened elsewhere by its address."""
    stage.page.mouse.move(0, 0)  # what is pointed at is in no link
    shown = drawn(stage)
    typed = stage.page.locator(".source-text").input_value()
    link = fragment(stage)
    there.anew(link)
    there.lay_out()
    seen = drawn(there)
    assert there.page.locator(".source-text").input_value() == typed, name
    if "recipe" in shown and shown["recipe"]["strategy"] != seen["recipe"]["strategy"]:
        # The strategy of the run before; the one that counts is the one on the page.
        seen["recipe"]["strategy"] = shown["recipe"]["strategy"]
    for one in (seen, shown):  # how high a cell is depends on what stands above it
        if one["room"] != "translate":
            # What is played and written is counted and drawn in Translate; it is in the recipe too.
            del one["steps"], one["source_labels"], one["target_labels"]
        in_room = one.get("in_room") or {}
        for trait in ("boxes", "large"):
            in_room.pop(trait, None)
        for each in in_room.get("maps") or []:
            if isinstance(each, dict):
                each.pop("first_cell", None)
    assert seen == shown, name
    assert fragment(there) == link, name
    recipe, view = read_link(link, stage.service.models)
    assert recipe.to_json() | {"strategy": None} == shown["recipe"] | {"strategy": None}, name
    assert (view["site"], view["layer"], view["head"]) == (
        shown["site"],
        shown["locked"]["layer"],
        shown["locked"]["head"],
    ), name
    assert read_link(write_link(recipe, view)) == (recipe, view), name
    stage.key("e")
    stage.page.locator("[data-export=format]").select_option("csv")
    with stage.page.expect_request(lambda one: '"export"' in (one.post_data or "")) as asked:
        stage.page.locator("[data-act=save]").click()
    wanted = json.loads(asked.value.post_data)["export"]
    wished = picture_of(wanted["picture"], wanted["view"])
    assert open_link(stage.service.library, link).picture == wished, name


# One of every part of a room, each the one that chooses most; test_every_link.py has every field.
TAKEN = (
    walks.walk_translate,
    walks.walk_sampling,
    walks.walk_masks_cell,
    walks.walk_passes_step,
    walks.walk_order,
    walks.walk_stages,
    walks.walk_norms,
)


@pytest.mark.parametrize("turn", range(2))
def test_the_address_opened_elsewhere_shows_the_same(visit, pytestconfig, turn):
    stage, there = visit(), visit()
    for walk in (walks.WALKS if pytestconfig.getoption("--whole") else TAKEN)[turn::2]:
        stage.anew("")
        walk(stage)
        assert_opens_the_same(stage, there, walk.__name__)


def test_a_reload_keeps_what_is_shown_and_typed_and_what_is_translated_leaves_the_history(visit):
    stage = visit()
    assert fragment(stage) == ""  # an untouched page has a plain address
    source = stage.drawn()["recipe"]["source"]
    stage.choose("view", "table")
    stage.key("Home")
    shown = drawn(stage)
    assert "view=table" in fragment(stage)
    box = stage.page.locator(".source-text")
    box.fill(SENTENCE)
    link = fragment(stage)
    assert link.startswith("#v=3&") and "&draft=The+black+cat" in link
    stage.page.reload()
    stage.page.wait_for_function(THERE)
    seen = drawn(stage)
    assert box.input_value() == SENTENCE
    for name in ("recipe", "at", "view", "weights", "site", "layer", "head", "row_labels"):
        assert seen[name] == shown[name], name
    room(stage, "masks")
    assert "&draft=The+black+cat" in fragment(stage)
    calls = stage.server_calls
    stage.page.go_back()
    stage.page.locator(".stage-main").wait_for()
    assert stage.drawn()["room"] == "translate"
    assert box.input_value() == SENTENCE
    assert stage.server_calls == calls  # no token changed
    stage.act("translate")
    assert stage.drawn()["recipe"]["source"] == SENTENCE and "draft" not in fragment(stage)
    stage.page.go_back()
    stage.page.wait_for_function(
        "(source) => document.querySelector('.source-text').value === source", arg=source
    )
    assert "draft" not in fragment(stage)

    # Half a character in the box leaves the address as it is.
    stage.page.evaluate(
        """() => {
            const box = document.querySelector(".source-text");
            box.value = "half \\ud83d";
            box.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
    )
    stage.choose("view", "lines")
    assert "&view=lines" in fragment(stage)
    stage.page.locator("[data-tool=link]").click()
    assert "&view=lines" in stage.page.locator("dialog.cite[open] textarea").first.input_value()


def test_sentences_and_rooms_make_history_and_back_brings_again_what_was_left(visit):
    stage = visit(own=True)  # for its history
    first = entries(stage)
    for key in ("ArrowLeft", "ArrowLeft", "ArrowDown", "Home"):
        stage.key(key)
    stage.choose("view", "lines")
    fragment(stage)
    assert entries(stage) == first
    example = drawn(stage)
    stage.type_source(SENTENCE)
    stage.key("ArrowLeft")
    sentence = drawn(stage)
    room(stage, "masks")
    stage.page.locator("[data-masks-causal='causal-mask:none']").click()
    fragment(stage)
    assert entries(stage) == first + 2
    stage.page.mouse.move(0, 0)  # or it would lie over a small map, and preview its head
    stage.page.go_back()
    assert drawn(stage) == sentence
    stage.page.go_back()
    stage.page.wait_for_function(
        "(source) => document.querySelector('.source-text').value === source",
        arg=example["recipe"]["source"],
    )
    assert drawn(stage) == example
    stage.page.go_forward()
    stage.page.go_forward()
    stage.page.wait_for_function(
        "() => document.querySelector('.stage-host').stage.drawn().in_room?.breaks?.[0]"
        " === 'causal-mask:none'"
    )
    assert drawn(stage)["room"] == "masks"

    # Back brings again what was left.
    stage.anew("")
    fragment(stage)  # by then all is there that comes after the first picture
    opened = drawn(stage)
    whole = opened["recipe"]["target"]
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.page.wait_for_function(f"() => {STAGE}.recipe.model === 'reverse-tiny'")
    fragment(stage)
    stage.page.go_back()
    stage.page.wait_for_function(f"() => {STAGE}.recipe.model === 'en-fr'")
    assert drawn(stage) == opened  # the plain address is the page as it opened

    stage.key("Home")
    stage.key("2")
    assert len(stage.drawn()["recipe"]["target"]) == 1
    stage.page.go_back()  # one brings again the tokens that a candidate dropped
    stage.drawn(f"drawn.recipe.target.length === {len(whole)}")
    assert stage.drawn()["recipe"]["target"] == whole

    stage.type_source(SENTENCE)
    fragment(stage)
    stage.page.evaluate(
        """() => {
            const { stage } = history.state;
            stage.view.weights = "00000000";
            history.replaceState({ stage }, "");
        }"""
    )
    room(stage, "masks")
    fragment(stage)
    calls = stage.server_calls
    stage.page.go_back()  # an entry that holds tokens of other weights is read by the server
    stage.page.locator(".stage-main").wait_for()
    assert drawn(stage)["recipe"]["source"] == SENTENCE
    assert stage.server_calls == calls + 1


# Every code and every value that is refused: tests/viz_app/links/test_link.py.
BROKEN = (
    ("#v=3&model=en-fr&text=A&<img>=1", "link_broken", {"name": "<img>"}),
    ("#v=3&model=en-fr&text=A&cross=8.0", "link_layer", {"n": 9, "limit": 3}),
)


def test_a_link_by_hand_needs_only_a_model_and_a_broken_or_hostile_one_gives_a_message(visit):
    stage = visit()
    stage.drawn()
    assert stage.server_calls == 1
    stage.anew("#v=3&model=en-fr&text=The+old+cat.&cross=0.1")
    stage.drawn()
    assert stage.server_calls == 2
    stage.anew("#v=3&model=reverse-sinusoidal")
    seen = stage.drawn()
    model = next(one for one in stage.service.models if one["name"] == "reverse-sinusoidal")
    assert (seen["recipe"]["model"], seen["recipe"]["source"]) == (
        model["name"],
        model["examples"][0],
    )
    assert seen["message"] is None and seen["recipe"]["target"]
    assert "&model=reverse-sinusoidal&" in fragment(stage)

    # One of another version of the model is translated anew, and says so.
    stage.anew("")
    stage.type_source(SENTENCE)
    stage.choose("site", "encoder")
    drawn(stage)
    shown = stage.drawn(NAMED)
    link = fragment(stage)
    ours = re.search(r"weights=(\w+)", link)[1]
    stage.anew(link.replace(ours, "00000000").replace("target=", "target=9999."))
    drawn(stage)
    seen = stage.drawn(NAMED)
    assert seen["message"] == WORDS["en"]["error_link_weights"].format(theirs="0" * 8, ours=ours)
    assert under_a_message(seen) == under_a_message(shown)

    # A broken one gives a message, and the usual page.
    stage.anew("")
    usual, words = under_a_message(stage.drawn(NAMED)), WORDS["en"]
    alert = stage.page.get_by_role("alert")
    for link, code, values in BROKEN:
        stage.anew(link)
        seen = stage.drawn(NAMED)
        assert seen["message"] == words[f"error_{code}"].format(**values)
        assert alert.inner_text().strip() == seen["message"]
        assert under_a_message(seen) == usual
    stage.page.locator("[data-tool=language]").click()
    chinese = WORDS["zh"]["error_link_layer"].format(n=9, limit=3)
    assert stage.drawn("drawn.language === 'zh'")["message"] == chinese

    # What the server refuses is told as the link's.
    around = words["error_link_refused"].split("{message}")
    source = " ".join(["cat"] * 80)
    for link, parts in (
        (write_link(Recipe("en-fr", source)), ("81", "64")),
        ("#v=3&model=en-fr&text=A&target=1", ()),
    ):
        stage.anew(link)
        told = stage.drawn()["message"]
        assert told.startswith(around[0]) and told.endswith(around[1]), link
        assert all(part in told for part in parts), told
        assert stage.drawn()["recipe"]["source"] != source

    # Hostile models and sentences are only text.
    model = "<img src=x onerror=alert(1)>"
    stage.anew(write_link(Recipe(model, "A.")))
    told = stage.drawn()["message"]
    assert model in told and "en-fr" in told
    assert stage.page.locator(".stage img").count() == 0
    source = "<img src=x onerror=alert(1)></script>"
    stage.anew(write_link(Recipe("en-fr", source), {"to_end": True}))
    shown = drawn(stage)
    assert shown["recipe"]["source"] == source
    stage.page.locator("[data-tool=link]").click()
    stage.page.locator("dialog.cite[open]").wait_for()
    assert stage.page.locator(".stage img").count() == 0
    stage.page.keyboard.press("Escape")

    # A link that is typed into an open page leaves what is there.
    stage.page.evaluate("() => { location.hash = '#v=3&nonsense'; }")
    alert.wait_for()
    assert under_a_message(drawn(stage)) == under_a_message(shown)
    stage.key("Home")
    assert fragment(stage).startswith(f"#v=3&model={shown['recipe']['model']}")


def test_in_a_frame_the_page_around_keeps_its_address_and_what_is_too_long_is_in_none(
    visit, look, tmp_path, monkeypatch
):
    stage = visit()
    address = stage.page.url
    page = stage.page.context.new_page()
    page.goto(f"{address}config")  # a page of the same host
    page.evaluate(
        """(address) => {
            const frame = document.createElement('iframe');
            frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
            Object.assign(frame, { src: address, width: 1200, height: 700 });
            document.body.replaceChildren(frame);
        }""",
        address,
    )
    frame = page.frame_locator("iframe")
    frame.locator("[data-site=encoder]").click()
    frame.locator("[data-tool=link]").click()
    link = frame.get_by_label("Link", exact=True).input_value()
    assert link.startswith(f"{address}#v=3&") and "site=encoder" in link
    assert page.url == f"{address}config"

    # A link that would be too long is not written, and the tool says why.
    monkeypatch.setattr(links, "MAX_LINK", 100)
    tiny_checkpoint(tmp_path / "tiny")
    with serve(tmp_path) as served:
        stage = look(served, link="#v=3&model=tiny&text=A", own=True)
        stage.type_source("The old cat sleeps.", "Shift+Enter")
        assert fragment(stage) == ""
        stage.page.locator("[data-tool=link]").click()
        dialog = stage.page.get_by_role("dialog", name="Link and citation")
        expect(dialog).to_contain_text("at most 100 are written")
        expect(dialog.get_by_label("Link", exact=True)).to_be_hidden()
