"""A walk through the page in a real Chromium: what is drawn is what the model computed."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.values.words import words_of
from tests.browser.checks import assert_drawn_is_the_models, assert_every_head_is_the_models
from viz_app.rooms.translate.highlight import highlight_step
from viz_app.text import WORDS

SENTENCE = "The black cat sleeps on the warm roof."
EVERYDAY = (
    "Do you want to drink a cup of coffee with me?",
    "I am learning French because I love this country.",
    "We will eat at seven o'clock.",
    "What is your name?",
    "He has never been to Japan.",
    "My dog likes to run in the park with the children.",
    "Where is the train station?",
    "She gave her brother a book for his birthday.",
    "It is raining today.",
    "The weather was bad, so we stayed at home.",
)
# Rows at the foot of a small map in which nothing is painted, over all of them.
BLANK = """() => {
    const rows = document.querySelector(".stage-host").stage.drawn().steps;
    return [...document.querySelectorAll(".head canvas")].reduce((all, canvas) => {
        const { width, height } = canvas;
        const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
        let blank = 0;
        for (let row = 0; row < rows; row += 1) {
            const y = Math.floor(((row + 0.5) * height) / rows);
            // Beyond the mark of the current row.
            const from = 4 * (y * width + Math.ceil(width * 0.1));
            const line = pixels.subarray(from, 4 * (y + 1) * width);
            if (!line.some((part, i) => i % 4 === 3 && part > 0)) blank += 1;
        }
        return all + blank;
    }, 0);
}"""
COUNT_PAINTED = """() => {
    window.painted = 0;
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        if (this.canvas.closest(".head")) window.painted += 1;
        return clearRect.apply(this, box);
    };
}"""
# The step at which the playback begins, read before it goes on.
PLAYED = """() => {
    document.activeElement.blur();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }));
    return document.querySelector(".stage-host").stage.drawn().at;
}"""
CELLS = """() => [...document.querySelectorAll(".table-box td[data-query]")].map((cell) =>
    [Number(cell.dataset.query), Number(cell.dataset.key), cell.textContent])"""


def blank_rows(stage):
    return stage.page.evaluate(BLANK)


def checked(stage, drawn):
    """What is drawn, once it is seen to be the model's."""
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))
    return drawn


def test_sentences_are_whole_with_every_number_of_every_head_and_along_the_steps_nothing_is_asked(
    visit, pytestconfig
):
    stage = visit()
    stage.drawn()
    locked = stage.lock(0, 5)["locked"]
    drawn = stage.type_source("My brother has a new car.")  # which both models write alike
    assert drawn["locked"] == locked and drawn["finished"] == "end"
    assert drawn["target_labels"][drawn["at"] + 1].strip().isalpha()
    stage.page.locator("[data-open=compare]").click()
    assert stage.drawn("drawn.in_room?.ready && !drawn.in_room.busy")["at"] == drawn["at"]
    stage.page.locator("[data-open=translate]").click()
    decoding = stage.decoding(drawn)
    assert_every_head_is_the_models(stage, decoding)

    heat = stage.drawn()
    lines = stage.choose("view", "lines")
    assert lines["weights"] == heat["weights"] and lines["cell_boxes"] is None
    table = stage.choose("view", "table")
    assert table["weights"] == heat["weights"]
    stage.page.locator("td.axes").hover()  # the corner stands for no cell
    assert stage.drawn()["reading"] == table["reading"]
    for site, layer, head in (("encoder", 0, 3), ("decoder", 1, 7), ("cross", 1, 7)):
        stage.choose("site", site)
        stage.lock(layer, head)
        trace = decoding.trace(site, layer)
        cells = stage.page.evaluate(CELLS)
        for query, key, text in cells:
            weight = trace.weights_HQK[head, query, key]
            assert text == (f"{weight:.3f}" if trace.mask_QK[query, key] else "\u2013")
        assert len(cells) > 40
    stage.choose("view", "heat")

    for sentence in EVERYDAY if pytestconfig.getoption("--whole") else EVERYDAY[:3]:
        drawn = stage.type_source(sentence)
        assert drawn["finished"] == "end" and not drawn["stepping"]
        decoding = stage.decoding(drawn)
        words = [word for word in words_of(decoding.target) if word != (0,)]
        assert len(drawn["row_labels"]) == len(words)
        # A picture made without the page outlines the same row.
        assert drawn["at"] == highlight_step(decoding, drawn["layer"], drawn["head"])
        assert drawn["at"] + 1 in words[drawn["outlined_row"]]
        assert stage.page.locator(".strip-target .later").count() == 0
        assert_drawn_is_the_models(drawn, decoding)
        assert blank_rows(stage) == 0

    # Along the steps nothing is asked, and no row is blank but for who steps.
    stage.anew("")
    opened = stage.drawn()
    steps, last = opened["steps"], opened["steps"] - 1
    calls = stage.server_calls
    assert blank_rows(stage) == 0
    for count, key in enumerate(("Home", "ArrowRight", "ArrowRight"), start=1):
        assert len(stage.key(key)["row_labels"]) == count
        assert blank_rows(stage) == 24 * (steps - count)
    assert len(stage.key("End")["row_labels"]) == steps and blank_rows(stage) == 0
    drawn = stage.key("ArrowLeft")
    assert drawn["outlined_row"] == last - 1 and len(drawn["row_labels"]) == steps

    slider = stage.page.locator(".playback .slider")
    for at in (0, last // 2, last):
        slider.fill(str(at + 1))
        drawn = checked(stage, stage.drawn())
        assert drawn["at"] == at and drawn["outlined_row"] == at
    stage.key("End")
    for site in ("cross", "decoder"):
        drawn = stage.choose("site", site)
        read, written = drawn["target_labels"][:-1], drawn["target_labels"][1:]
        assert drawn["row_labels"] == written  # as of words: nothing moves
        assert f"To write “{written[-1]}” after “{read[-1]}”" in drawn["reading"]
    assert stage.choose("site", "encoder")["row_labels"] == drawn["source_labels"]

    # Playback begins at the beginning, and goes on from where somebody steps.
    stage.choose("site", "cross")
    assert stage.page.evaluate(PLAYED) < last // 2
    stage.page.keyboard.press(" ")
    stage.page.keyboard.press("Home")
    for _ in range(last - 1):
        stage.page.keyboard.press("ArrowRight")
    assert stage.page.evaluate(PLAYED) >= last - 1
    assert stage.drawn()["at"] == last

    # Pointing paints no small map anew.
    x, y, width, height = stage.drawn()["cell_boxes"][0][0]
    stage.page.evaluate(COUNT_PAINTED)
    box = stage.page.locator(".map-box").bounding_box()
    for shift in (0, 1, 2):
        left = box["x"] + x + (shift + 0.5) * width
        stage.page.mouse.move(left, box["y"] + y + height / 2)
        stage.drawn()
    assert stage.page.evaluate("() => window.painted") == 0
    stage.key("ArrowLeft")
    assert stage.page.evaluate("() => window.painted") == 24
    assert stage.server_calls == calls


# Of every small map, and the words under it.
NAMES = """[...document.querySelectorAll(".head")].map((head) => [head.ariaLabel,
    ...[...head.querySelectorAll(".head-word, .head-second")].map(({ textContent }) => textContent)
        .filter(Boolean)])"""


def test_type_step_force_go_back_and_branch(visit):
    stage = visit()
    drawn = stage.type_source(SENTENCE, "Shift+Enter")
    assert drawn["recipe"]["target"] == [] and drawn["steps"] == 1
    assert drawn["target_labels"] == ["start"]

    # the candidates are those of the full softmax
    step = stage.decoding(drawn).step
    assert [c["token"] for c in drawn["candidates"]] == step.best(10)
    for candidate in drawn["candidates"]:
        expected = np.exp(step.log_probabilities_V[candidate["token"]])
        assert candidate["probability"] == pytest.approx(expected, rel=1e-5)
    shown = stage.page.locator(".candidate .number").all_inner_texts()
    assert float(shown[0]) == pytest.approx(drawn["candidates"][0]["probability"], abs=6e-4)

    first = drawn["candidates"][0]["token"]
    for count, press in enumerate((stage.act, stage.key, stage.key), start=1):  # all take the best
        drawn = checked(stage, press(("step", "ArrowRight", "Enter")[count - 1]))
        assert len(drawn["recipe"]["target"]) == count and drawn["at"] == count
    greedy = drawn["recipe"]["target"]
    assert greedy[0]["token"] == first

    second = drawn["candidates"][1]
    stage.page.locator('.candidate[data-place="1"]').click()
    drawn = checked(stage, stage.drawn())
    assert drawn["recipe"]["target"] == [*greedy, {"token": second["token"], "how": "forced"}]

    # clicking a token goes to the step that writes it: nothing is lost, no server needed
    calls = stage.server_calls
    tokens = stage.page.locator(".strip-target .token")
    for index, at in ((5, 4), (0, 0), (2, 1)):  # what is not chosen yet, the start, the second word
        tokens.nth(index).click()
        drawn = stage.drawn()
        assert drawn["at"] == at and len(drawn["recipe"]["target"]) == 4
        now = stage.page.locator(".strip-target .token.now")
        assert now.get_attribute("data-index") == str(at + 1)
        assert now.get_attribute("aria-current") == "step"
    assert stage.server_calls == calls
    checked(stage, drawn)

    # take another token in its place: what followed is dropped
    third = {"token": drawn["candidates"][2]["token"], "how": "forced"}
    drawn = checked(stage, stage.key("3"))
    assert drawn["recipe"]["target"] == [greedy[0], third]
    assert stage.key("ArrowLeft")["at"] == 1
    assert stage.key("Home")["at"] == 0
    assert stage.key("End")["at"] == 2
    head = stage.lock(0, 0)
    stage.page.evaluate("() => document.activeElement.blur()")
    assert stage.key("ArrowDown")["head"] == 1
    assert stage.key("ArrowUp")["head"] == head["head"]
    stage.page.keyboard.press("?")
    expect(stage.page.locator("dialog.help")).to_be_visible()
    stage.page.keyboard.press("Escape")
    expect(stage.page.locator("dialog.help")).to_be_hidden()
    drawn = checked(stage, stage.key(" "))
    assert drawn["finished"] in ("end", "limit"), (drawn["at"], drawn["message"])

    # pads get nothing and change nothing
    for _ in range(2):
        stage.page.get_by_label("Add a pad").click()
        padded = stage.drawn()
    assert padded["column_labels"][-2:] == ["pad", "pad"]
    K = len(drawn["column_labels"])
    for was, now in zip(drawn["weights"], padded["weights"], strict=True):
        assert now[K:] == [None, None]
        np.testing.assert_allclose(np.array(now[:K]), np.array(was), atol=3e-6)
    assert {reason for row in padded["masks"] for reason in row[K:]} == {"pad"}

    # sampling with a seed repeats
    sampled = []
    for _ in range(2):
        assert stage.act("reset")["recipe"]["target"] == []
        if not stage.page.locator("details.strategy[open]").count():
            stage.page.locator("details.strategy summary").click()
        stage.choose("strategy", "sample")
        stage.page.locator('input[name="temperature"]').fill("1")
        stage.page.locator('input[name="seed"]').fill("8")
        stage.page.keyboard.press("Escape")
        sampled.append(stage.act("end")["recipe"]["target"])
    assert sampled[0] == sampled[1] and {choice["how"] for choice in sampled[0]} == {"sampled"}
    assert [one["token"] for one in sampled[0]] != [
        one["token"] for one in padded["recipe"]["target"]
    ]

    # A step adds its word, and the others stay the nodes they are.
    stage.anew("")
    stage.type_source(SENTENCE, "Shift+Enter")
    stage.act("step")
    stage.act("step")
    words = "document.querySelectorAll('.strip .token:not(.pending)')"
    stage.page.evaluate(f"() => {{ window.before = [...{words}]; }}")
    labels = stage.act("step")["target_labels"]
    places = stage.page.evaluate(f"() => [...{words}].map((node) => window.before.indexOf(node))")
    assert places == [*range(len(places) - 1), -1]  # the source, the target, and the new word
    shown = stage.page.locator(".strip-target .tokens .token").all_inner_texts()
    assert shown[-2] == labels[-1].strip() and len(shown) == len(labels) + 1

    # each small map is named as it is captioned, and says what its head does with this row too
    before = stage.page.evaluate(f"() => {NAMES}.map(([name]) => name)")
    stage.act("step")
    stage.page.wait_for_function(
        f"""(before) => {NAMES}.every(([name, ...words]) => name.startsWith(words.join(" ")))
            && {NAMES}.some(([name]) => !before.includes(name))""",
        arg=before,
    )
    stage.key("ArrowLeft")

    # another word in the place of the second one
    stage.key("ArrowLeft")
    stage.key("ArrowLeft")
    drawn = stage.key("2")
    assert len(drawn["target_labels"]) == 3
    nodes = stage.page.locator(".strip-target .tokens .token")
    assert nodes.all_inner_texts()[:3] == [label.strip() for label in drawn["target_labels"]]
    assert nodes.nth(2).get_attribute("data-how") == "forced"


def test_what_goes_wrong_is_told_in_both_languages_and_loses_nothing(visit):
    stage = visit(expects="Failed to load|component server|ERR_")
    stage.type_source(SENTENCE, "Shift+Enter")
    before = stage.drawn()
    language, message = stage.page.locator("[data-tool=language]"), stage.page.get_by_role("alert")
    long = ("cat " * 80).strip()
    after = stage.type_source(long)
    words = message.inner_text()
    assert "has 81 tokens" in words and "64" in words and "Shorten it" in words
    assert (after["weights"], after["recipe"]) == (before["weights"], before["recipe"])
    assert stage.page.locator(".source-text").input_value() == long
    language.click()
    expect(message).to_contain_text("现在有 81 个")  # its words may still be on their way
    assert "64" in message.inner_text()
    stage.type_source("a" * 1001)
    assert "最多 1000 个字符，现在有 1001 个" in message.inner_text()
    empty = stage.type_source("   ")
    assert empty["message"] and empty["recipe"] == before["recipe"]
    stage.page.context.set_offline(True)
    offline = stage.act("end")  # the next steps may be here already
    assert offline["message"].startswith(WORDS["zh"]["error_network"])
    assert offline["recipe"] == before["recipe"]
    stage.page.context.set_offline(False)
    assert len(stage.act("step")["recipe"]["target"]) == 1
    language.click()
    assert stage.type_source(SENTENCE)["message"] is None
