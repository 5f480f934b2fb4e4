"""What the page shows before anybody does anything: how much, how large, and how far up."""

import os
import re

import numpy as np
from PIL import Image
from playwright.sync_api import expect

from model_core.values.words import text_of, words_of
from tests.browser.checks import (
    assert_drawn_is_the_models,
    assert_nothing_sticks_out,
    assert_scheme,
)
from tests.browser.conftest import PHONE, TOUCH, WIDE
from tests.conftest import CHECKPOINTS
from viz_app.rooms.translate.highlight import highlight_step
from viz_app.text import WORDS
from viz_app.values.colours import COLOURS

PICTURE = CHECKPOINTS.parent / "viz_app" / "translate.png"
# All that the Tab key stops at; only the way to the map is left out, which is not seen until it has
# the focus. Of what is alike and stands together, as the rooms, the words of a sentence, the terms
# of a text, the small maps or the bars do, it stops at one, and arrow keys lead to the rest.
STOPS = """() => [...document.querySelectorAll(
    ".stage :is(button, select, input, textarea, summary, a, [tabindex])")]
    .filter((one) => one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true })
        && !one.matches(".skip")).length"""
# What can be pressed and cannot be reached so: not one of its group is a stop.
UNREACHED = """() => [...document.querySelectorAll(
    ".stage :is(button, select, input, textarea, summary, a, [role=button])")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex < 0
        && ![...(one.closest("[role=tablist], .tokens, .heads, .places") ?? one.parentElement)
            .querySelectorAll("*")].some((other) => other.tabIndex >= 0))
    .map((one) => one.className)"""
SMALL = """() => [...document.querySelectorAll(".stage *")].filter((one) => one.checkVisibility()
    && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
    && parseFloat(getComputedStyle(one).fontSize) < 13).map((one) => one.className)"""
# Keys of words that nobody had fetched when they were wanted.
RAW = """() => [...document.querySelectorAll(".stage *")].filter((one) => one.children.length === 0)
    .map((one) => one.textContent).filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text))"""
# The pixels of the canvases in view that have exactly one colour.
PIXELS = """(colour) => {
    const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    let found = 0;
    for (const canvas of document.querySelectorAll(".room:not([hidden]) canvas")) {
        if (!canvas.getClientRects().length || !canvas.width || !canvas.height) continue;
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4) {
            found += wanted.every((part, i) => data[at + i] === part) ? 1 : 0;
        }
    }
    return found;
}"""
# How much colour the arcs have where the word at hand stands below them: 255 is all.
MET = """() => {
    const canvas = document.querySelector(".arcs-canvas");
    const [box, word] = [canvas, document.querySelector(".strip-target .now")]
        .map((one) => one.getBoundingClientRect());
    const x = (word.left + word.width / 2 - box.left) * canvas.width / box.width;
    return canvas.getContext("2d").getImageData(x, canvas.height - 2, 1, 1).data[3];
}"""
RESTS = """() => {
    const [before, now] = [window.framesBefore, window.framesAsked];
    window.framesBefore = now;
    return now > 0 && now === before;
}"""
# Targets that a thumb misses: what is pressed there, and how large it is.
SLIPPERY = """() => [...document.querySelectorAll(
    '.stage button, .stage select, .stage summary, .stage .token')]
    .filter((node) => node.getClientRects().length && !node.matches('.term, .skip, .dart'))
    // Words stand in a sentence.
    .map((node) => [node.className, node.offsetWidth, node.offsetHeight,
        node.matches('.token, .as-link') ? 20 : 43.5])
    .filter(([, width, height, least]) => Math.min(width, height) < least)"""
# What a canvas writes while it is painted anew, and how large.
WRITTEN = """async (press) => {
    const texts = [];
    const write = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
        texts.push([text, parseFloat(/[0-9.]+(?=px)/.exec(this.font)[0])]);
        return write.call(this, text, ...more);
    };
    document.querySelector(press).click();
    await new Promise(requestAnimationFrame);
    document.querySelector(".stage-host").stage.drawn();
    CanvasRenderingContext2D.prototype.fillText = write;
    return texts;
}"""


def assert_opens_whole(stage, language):
    """A finished translation, where a head finds a word of it, with every number the model's."""
    drawn = stage.drawn()
    assert (drawn["finished"], drawn["site"], drawn["by"]) == ("end", "cross", "words")
    assert drawn["language"] == language
    decoding = stage.decoding(drawn)
    assert_drawn_is_the_models(drawn, decoding)
    model = stage.service.library.tracer(drawn["recipe"]["model"]).model
    head = model.checkpoint.training.alignment_head
    assert (drawn["layer"], drawn["head"]) == (head.layer - 1, head.head - 1)
    assert drawn["at"] == highlight_step(decoding, drawn["layer"], drawn["head"])
    assert stage.page.locator("output.translation").text_content() == drawn["text"]
    assert stage.page.get_by_text(WORDS[language]["tagline"]).count() == 1  # the first words went
    assert_nothing_sticks_out(stage)
    return drawn


def test_a_first_visit_is_calm_begins_with_its_picture_and_says_what_a_word_needed(visit, tmp_path):
    stage = visit(WIDE)
    drawn = assert_opens_whole(stage, "en")
    assert_scheme(stage, "light")
    box = stage.page.locator(".stage").bounding_box()
    assert box["y"] + box["height"] <= WIDE["height"]
    assert stage.page.evaluate(PIXELS, COLOURS["light"]["accent"]) > 100  # the present step
    assert stage.page.evaluate(MET) > 200
    stage.page.mouse.move(5, 5)
    stage.page.locator(".pair-said button").first.wait_for()  # what comes after the first picture
    picture = PICTURE if os.environ.get("UPDATE_PICTURE") else tmp_path / "translate.png"
    stage.page.screenshot(path=picture)
    apart = np.abs(areas_of(picture) - areas_of(PICTURE))
    assert apart.mean() < 3 and apart.max() < 60, (apart.mean(), apart.max())
    stage.page.wait_for_function(RESTS, polling=300)  # nothing more is drawn
    # What the words under the small maps mean stands below all of them, in a low window too.
    told = stage.page.locator(".habits[data-habits]:visible").bounding_box()
    lowest = stage.page.locator(".heads .head").last.bounding_box()
    assert lowest["y"] + lowest["height"] <= told["y"]
    assert told["y"] + told["height"] <= WIDE["height"]

    stage.resize(1440, 900)
    stage.drawn()
    assert stage.page.evaluate(STOPS) <= 40
    assert stage.page.evaluate(UNREACHED) == []
    first = stage.page.locator(".candidate:visible").first
    first.focus()
    stage.page.keyboard.press("ArrowDown")
    assert stage.page.evaluate("document.activeElement.dataset.place") == "1"
    term = stage.page.locator(".habits .term:visible")
    term.first.focus()
    stage.page.keyboard.press("ArrowRight")
    assert term.nth(1).evaluate("(one) => one === document.activeElement && one.tabIndex === 0")
    stage.page.mouse.click(5, 5)
    assert stage.page.locator(".arcs").bounding_box()["y"] < 200
    assert stage.page.evaluate(SMALL) == []
    assert stage.page.evaluate(RAW) == []
    stage.page.locator("[data-act=hide-needed]").click()  # it came by itself
    after = stage.drawn("drawn.recipe.edits?.length > 0")
    assert all(edit.startswith("hide:") for edit in after["recipe"]["edits"])
    lost = drawn["row_labels"][drawn["outlined_row"]]
    assert lost not in after["text"]
    # What the word lost is said, and stands beside what took its place.
    was = np.exp(stage.decoding(drawn).log_probabilities[drawn["at"]])
    said = stage.page.locator(".pair-said").inner_text()
    assert f"“{lost}” went from {was:.3f} to <0.001" in said
    row = stage.page.locator(".candidate.lost:visible")
    assert row.locator(".candidate-text").inner_text() == lost
    assert row.locator(".bar-plain").is_visible()
    stage.page.locator("[data-act=walk]").dblclick()  # the second click meets nothing else
    assert stage.drawn("drawn.stepping")["room"] == "translate"
    # Wherever the buttons stand: a second click is theirs once one of them had the first.
    for count, stepping in ((2, True), (1, False)):
        click = (
            "(one, detail) => one.dispatchEvent(new MouseEvent('click', {bubbles: true, detail}))"
        )
        stage.page.locator(".playback [data-act=leave]").evaluate(click, count)
        assert stage.drawn()["stepping"] is stepping


def areas_of(picture):
    """The mean lightness (0 to 255) of areas of 32 x 32 pixels: fonts differ, places do not."""
    with Image.open(picture) as opened:
        assert opened.size == (WIDE["width"], WIDE["height"])
        return np.array(opened.convert("L").reduce(32), float)


def test_a_first_visit_by_phone_has_the_map_in_its_first_screen_under_a_thumb(visit):
    stage = visit(PHONE, "dark", locale="zh-CN", **TOUCH)
    drawn = assert_opens_whole(stage, "zh")
    assert drawn["recipe"]["model"] == "zh-en"
    assert_scheme(stage, "dark")
    names = (".strip-target .tokens", ".map", ".candidates", ".sites")
    boxes = [stage.page.locator(name).bounding_box() for name in names]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    assert boxes[0]["y"] + boxes[0]["height"] < 0.5 * PHONE["height"]
    assert stage.page.evaluate(SLIPPERY) == []
    assert stage.page.evaluate("document.documentElement.scrollHeight") <= 3 * PHONE["height"]
    last = drawn["cell_boxes"][-1][-1]
    map_top = stage.page.locator(".map-box").bounding_box()["y"]
    assert map_top + last[1] + last[3] <= PHONE["height"]
    written = stage.page.evaluate(WRITTEN, "[data-tool=scheme]")
    assert [text for text, size in written if size < 13] == []
    texts = [text for text, _ in written]
    weights = [weight for row in drawn["weights"] for weight in row if weight and weight >= 0.095]
    digits = [text for text in texts if re.fullmatch(r"(1?\.\d\d)", text)]
    assert sorted(digits) == sorted(f"{weight:.2f}".removeprefix("0") for weight in weights)

    # What is pressed stays where it is; stepping says why tokens are shown, and has a way out.
    stage.page.locator(".strip-target .token >> nth=3").tap()
    assert stage.drawn()["at"] == 2
    note = stage.page.locator(".candidates-note")
    assert note.inner_text() == WORDS["zh"]["candidates_pieces"]  # the sentence is of words
    stage.page.locator("[data-act=walk]").tap()
    stage.drawn("drawn.stepping")
    assert note.count() == 0
    assert stage.page.evaluate("scrollY") == 0
    told = WORDS["zh"]["step_each"].replace("\n", "")
    assert stage.page.locator(".thumb-bar p").inner_text() == told
    stage.page.locator("[data-thumb=leave]").tap()
    assert stage.drawn("!drawn.stepping")["at"] == drawn["at"]
    stage.page.locator(".thumb-bar").wait_for(state="hidden")

    # Words of low probability are marked, and it is said what the mark is.
    decoding = stage.decoding(stage.type_source("我叫小芳。"))
    logs = (0, *decoding.log_probabilities)
    low = [
        text_of(word, decoding.target).strip()
        for word in words_of(decoding.target)[1:]
        if any(decoding.target.texts[at].isalnum() for at in word)
        and np.exp(sum(logs[at] for at in word)) < 1 / 3
    ]
    assert low and stage.page.locator(".strip-target .unsure").all_inner_texts() == low
    right = stage.page.locator(".pair-right")
    assert WORDS["zh"]["unsure_some"] in right.inner_text()
    assert WORDS["zh"]["characters_said"] in right.inner_text()  # no spaces show where words end
    stage.tokens()
    assert WORDS["zh"]["characters_said"] not in right.inner_text()

    # On a low phone the whole map is in the first screen too, and every target as large.
    stage.resize(360, 640)
    stage.anew("")
    low = stage.drawn()["cell_boxes"][-1][-1]
    stage.lay_out()
    map_top = stage.page.locator(".map-box").bounding_box()["y"]
    assert map_top + low[1] + low[3] <= 640
    expect(stage.page.locator(".jumps")).to_be_hidden()
    assert stage.page.evaluate(SLIPPERY) == []
