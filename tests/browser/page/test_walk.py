"""A walk through the page in a real Chromium: what is drawn is what the model computed."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.values.words import words_of
from tests.browser.checks import (
    assert_drawn_is_the_models,
    assert_every_head_is_the_models,
    assert_scheme,
)
from tests.browser.conftest import PHONE, WIDE
from tests.browser.walks import READY
from viz_app.rooms.translate.telling import telling_step
from viz_app.text import WORDS

SENTENCE = "The black cat sleeps on the warm roof."


@pytest.mark.parametrize(
    ("window", "scheme", "locale"),
    [(WIDE, "dark", "en-US"), (PHONE, "light", "zh-CN")],
)
def test_a_first_visit_opens_on_a_finished_translation(visit, window, scheme, locale):
    stage = visit(window, scheme, locale=locale)
    drawn = stage.drawn()
    assert drawn["finished"] == "end"
    assert drawn["site"] == "cross"
    assert drawn["language"] == locale[:2]
    assert_scheme(stage, scheme)
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))
    assert stage.page.locator("output.translation").inner_text() == drawn["text"]
    assert stage.page.get_by_text(WORDS[locale[:2]]["tagline"]).count() == 1  # the first words went


def test_another_sentence_opens_on_a_word_and_a_room_leaves_the_step_alone(visit):
    stage = visit()
    stage.drawn()
    locked = stage.lock(0, 5)["locked"]
    drawn = stage.type_source("She gave her brother a book.")
    assert drawn["locked"] == locked and drawn["finished"] == "end"
    assert drawn["target_labels"][drawn["at"] + 1].strip().isalpha()
    stage.page.locator("[data-open=compare]").click()
    assert stage.drawn("drawn.in_room?.ready && !drawn.in_room.busy")["at"] == drawn["at"]


EVERYDAY = (
    "Do you want to drink a cup of coffee with me?",
    "What is your name?",
    "He has never been to Japan.",
    "My dog likes to run in the park with the children.",
    "Where is the train station?",
    "I am learning French because I love this country.",
    "She gave her brother a book for his birthday.",
    "It is raining today.",
    "We will eat at seven o'clock.",
    "The weather was bad, so we stayed at home.",
)


def test_ten_everyday_sentences_are_shown_whole(visit):
    stage = visit()
    for sentence in EVERYDAY:
        drawn = stage.type_source(sentence)
        assert drawn["finished"] == "end" and not drawn["stepping"]
        words = [word for word in words_of(stage.decoding(drawn).target) if word != (0,)]
        assert len(drawn["row_labels"]) == len(words)
        decoding = stage.decoding(drawn)
        # A picture made without the page outlines the same row.
        assert drawn["at"] == telling_step(decoding, drawn["layer"], drawn["head"])
        assert drawn["at"] + 1 in words[drawn["outlined_row"]]
        assert stage.page.locator(".strip-target .later").count() == 0
        assert_drawn_is_the_models(drawn, decoding)
        assert blank_rows(stage) == 0


def test_a_projector_shows_everyday_sentences_whole(visit):
    stage = visit()
    stage.page.locator("[data-tool=large]").click()
    for sentence in EVERYDAY:
        drawn = stage.type_source(sentence)
        assert len(drawn["cell_boxes"]) == len(drawn["row_labels"])
        # The line under the map may take another row from it, after which it is drawn once more.
        stage.drawn(
            "(([, y, , height]) => height >= 14"
            " && y + height <= document.querySelector('.map-box').clientHeight)"
            "(drawn.cell_boxes.at(-1)[0])"
        )
    stage.page.locator("[data-tool=large]").click()


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


def blank_rows(stage):
    return stage.page.evaluate(BLANK)


def test_rows_are_blank_only_for_who_steps(visit):
    stage = visit()
    steps = stage.drawn()["steps"]
    assert blank_rows(stage) == 0
    for count, key in enumerate(("Home", "ArrowRight", "ArrowRight"), start=1):
        assert len(stage.key(key)["row_labels"]) == count
        assert blank_rows(stage) == 24 * (steps - count)
    assert len(stage.key("End")["row_labels"]) == steps and blank_rows(stage) == 0
    drawn = stage.key("ArrowLeft")
    assert drawn["outlined_row"] == steps - 2 and len(drawn["row_labels"]) == steps


def test_play_begins_at_the_beginning_and_goes_on_from_where_somebody_steps(visit):
    stage = visit()
    last = stage.drawn()["steps"] - 1
    at = "() => document.querySelector('.stage-host').stage.drawn().at"
    stage.page.keyboard.press(" ")
    assert stage.page.evaluate(at) < last // 2
    stage.page.keyboard.press(" ")
    stage.page.keyboard.press("Home")
    for _ in range(last - 1):
        stage.page.keyboard.press("ArrowRight")
    stage.page.keyboard.press(" ")
    assert stage.page.evaluate(at) >= last - 1


def test_pointing_paints_no_small_map_anew(visit):
    stage = visit()
    x, y, width, height = stage.drawn()["cell_boxes"][0][0]
    stage.page.evaluate(
        """() => {
            window.painted = 0;
            const { clearRect } = CanvasRenderingContext2D.prototype;
            CanvasRenderingContext2D.prototype.clearRect = function (...box) {
                if (this.canvas.closest(".head")) window.painted += 1;
                return clearRect.apply(this, box);
            };
        }"""
    )
    box = stage.page.locator(".map-box").bounding_box()
    for shift in (0, 1, 2):
        left = box["x"] + x + (shift + 0.5) * width
        stage.page.mouse.move(left, box["y"] + y + height / 2)
        stage.drawn()
    assert stage.page.evaluate("() => window.painted") == 0
    stage.key("ArrowLeft")
    assert stage.page.evaluate("() => window.painted") == 24


@pytest.mark.parametrize("name", ["translate", "masks", "heads"])
def test_what_is_not_pressed_says_so(visit, name):
    stage = visit()
    stage.page.locator(f"[data-open={name}]").click()
    stage.drawn(READY)
    said = stage.page.evaluate(
        """() => [...document.querySelectorAll("[aria-pressed], [aria-selected]")]
            .map((one) => one.getAttribute("aria-pressed") ?? one.getAttribute("aria-selected"))"""
    )
    assert set(said) == {"true", "false"}


def test_a_page_at_rest_asks_for_no_frame(visit):
    stage = visit()
    stage.drawn()
    rests = """() => {
        const [before, now] = [window.framesBefore, window.framesAsked];
        window.framesBefore = now;
        return now > 0 && now === before;
    }"""
    stage.page.wait_for_function(rests, polling=300)


def test_every_head_of_every_attention_is_the_models(visit):
    stage = visit()
    drawn = stage.type_source("She gave her brother a book.")
    assert_every_head_is_the_models(stage, stage.decoding(drawn))


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

    for count in range(1, 4):
        drawn = stage.act("step")
        assert len(drawn["recipe"]["target"]) == count and drawn["at"] == count
        assert_drawn_is_the_models(drawn, stage.decoding(drawn))
    greedy = drawn["recipe"]["target"]

    # force the second candidate
    second = drawn["candidates"][1]
    stage.page.locator('.candidate[data-place="1"]').click()
    drawn = stage.drawn()
    assert drawn["recipe"]["target"] == [*greedy, {"token": second["token"], "how": "forced"}]
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))

    # clicking a token goes to the step that writes it: nothing is lost, no server needed
    calls = stage.server_calls
    tokens = stage.page.locator(".strip-target .token")
    for index, at in ((5, 4), (0, 0), (2, 1)):  # what is not chosen yet, the start, the second word
        tokens.nth(index).click()
        drawn = stage.drawn()
        assert drawn["at"] == at and len(drawn["recipe"]["target"]) == 4
        now = stage.page.locator(".strip-target .token.now")
        assert (
            now.get_attribute("data-index")
            == str(at + 1)
            == tokens.nth(at + 1).get_attribute("data-index")
        )
        assert now.get_attribute("aria-current") == "step"
    assert stage.server_calls == calls
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))

    # take another token in its place: what followed is dropped
    third = drawn["candidates"][2]
    stage.page.locator('.candidate[data-place="2"]').click()
    drawn = stage.drawn()
    assert drawn["recipe"]["target"] == [greedy[0], {"token": third["token"], "how": "forced"}]
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))

    drawn = stage.act("end")
    assert drawn["finished"] in ("end", "limit")
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))
    drawn = stage.act("reset")
    assert drawn["recipe"]["target"] == []


def test_scrubbing_needs_no_server_and_every_row_of_the_target_is_a_step(visit):
    stage = visit()
    last = stage.drawn()["at"]
    calls = stage.server_calls
    stage.act("walk")
    slider = stage.page.locator(".playback .slider")
    for at in (0, last // 2, last):
        slider.fill(str(at + 1))
        drawn = stage.drawn()
        assert drawn["at"] == at and drawn["outlined_row"] == at
        assert_drawn_is_the_models(drawn, stage.decoding(drawn))
    assert stage.server_calls == calls
    stage.act("end")
    for site in ("cross", "decoder"):
        drawn = stage.choose("site", site)
        read, written = drawn["target_labels"][:-1], drawn["target_labels"][1:]
        assert drawn["row_labels"] == [f"{a} → {b}" for a, b in zip(read, written, strict=True)]
        assert f"reads “{read[-1]}” and writes “{written[-1]}”" in drawn["reading"]
    assert stage.choose("site", "encoder")["row_labels"] == drawn["source_labels"]


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_page_opens_where_a_head_finds_a_word_that_was_one_of_several(visit, locale):
    stage = visit(locale=locale)
    drawn = stage.drawn()
    decoding, tracer = stage.decoding(drawn), stage.service.library.tracer(drawn["recipe"]["model"])
    head = tracer.model.checkpoint.training.alignment_head
    locked = (drawn["locked"]["layer"], drawn["locked"]["head"])
    assert head.rows == "predicted" and locked == (head.layer - 1, head.head - 1)
    trace, worth = decoding.trace("cross", locked[0]), []
    for step, weights_K in enumerate(trace.weights_HQK[locked[1]]):
        written = decoding.target[step + 1 : step + 2]
        log_p = np.sort(decoding.steps[step].log_probabilities_V.astype(np.float64))[-10:]
        words = [any(map(str.isalpha, text)) for text in trace.keys.texts]
        keys = np.where([kind == "text" for kind in trace.keys.kinds], weights_K, 0) * words
        is_word = written.kinds == ("text",) and any(map(str.isalpha, written.texts[0]))
        worth.append(is_word * keys.max() * -(np.exp(log_p) * log_p).sum())
    assert drawn["at"] == np.argmax(worth) < drawn["steps"] - 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colour_of_a_cell_tells_its_weight(visit, scheme):
    stage = visit(scheme=scheme)
    drawn = stage.drawn()
    boxes = [box for row in drawn["cell_boxes"] for box in row]
    colours = stage.page.evaluate(
        """(points) => {
            const canvas = document.querySelector('.stage canvas.map-canvas');
            const ratio = canvas.width / canvas.getBoundingClientRect().width;
            const pen = canvas.getContext('2d');
            return points.map((at) => [...pen.getImageData(
                ...at.map((one) => Math.round(one * ratio)), 1, 1).data].slice(0, 3));
        }""",
        # a corner of the cell: numbers may be written in its middle
        [[x + 0.15 * width, y + 0.2 * height] for x, y, width, height in boxes],
    )
    lightness = np.array(colours) @ (0.2126, 0.7152, 0.0722)
    rank = np.corrcoef(lightness, np.ravel(drawn["weights"]))[0, 1]
    assert (rank < -0.95) if scheme == "light" else (rank > 0.95)


def test_table_and_lines_show_the_numbers_of_the_map_and_every_digit_is_the_models(visit):
    stage = visit()
    heat = stage.drawn()
    lines = stage.choose("view", "lines")
    assert lines["weights"] == heat["weights"]
    table = stage.choose("view", "table")
    assert table["weights"] == heat["weights"]
    stage.page.locator("td.axes").hover()  # the corner stands for no cell
    assert stage.drawn()["reading"] == table["reading"]
    decoding = stage.decoding(table)
    read = """() => [...document.querySelectorAll(".table-box td[data-query]")].map((cell) =>
        [Number(cell.dataset.query), Number(cell.dataset.key), cell.textContent])"""
    for site in ("encoder", "decoder", "cross"):
        stage.choose("site", site)
        for layer, head in ((0, 3), (1, 7)):
            stage.lock(layer, head)
            trace = decoding.trace(site, layer)
            cells = stage.page.evaluate(read)
            for query, key, text in cells:
                weight = trace.weights_HQK[head, query, key]
                assert text == (f"{weight:.3f}" if trace.mask_QK[query, key] else "\u2013")
            assert len(cells) > 50


def test_pads_get_nothing_and_change_nothing(visit):
    stage = visit()
    before = stage.drawn()
    for _ in range(2):
        stage.page.get_by_label("Add a pad").click()
        drawn = stage.drawn()
    assert drawn["column_labels"][-2:] == ["pad", "pad"]
    K = len(before["column_labels"])
    for was, now in zip(before["weights"], drawn["weights"], strict=True):
        assert now[K:] == [None, None]
        np.testing.assert_allclose(np.array(now[:K]), np.array(was), atol=3e-6)
    assert {reason for row in drawn["masks"] for reason in row[K:]} == {"pad"}


def test_everything_works_from_the_keyboard(visit):
    stage = visit()
    stage.type_source(SENTENCE, "Shift+Enter")
    assert len(stage.key("ArrowRight")["recipe"]["target"]) == 1
    first = stage.drawn()["candidates"][0]["token"]
    assert stage.key("Enter")["recipe"]["target"][-1]["token"] == first
    third = stage.drawn()["candidates"][2]["token"]
    assert stage.key("3")["recipe"]["target"][-1] == {"token": third, "how": "forced"}
    assert stage.key("ArrowLeft")["at"] == 2
    assert stage.key("Home")["at"] == 0
    assert stage.key("End")["at"] == 3
    stage.lock(0, 0)
    stage.page.evaluate("() => document.activeElement.blur()")
    assert stage.key("ArrowDown")["head"] == 1
    assert stage.key("ArrowUp")["head"] == 0
    stage.page.keyboard.press("?")
    expect(stage.page.locator("dialog.help")).to_be_visible()
    stage.page.keyboard.press("Escape")
    expect(stage.page.locator("dialog.help")).to_be_hidden()
    played = stage.key(" ")
    assert played["finished"] in ("end", "limit"), (played["at"], played["message"])


def test_a_sentence_over_the_limit_names_limit_and_remedy_and_loses_nothing(visit):
    stage = visit()
    before = stage.drawn()
    long = "cat " * 80
    after = stage.type_source(long.strip())
    words = stage.page.get_by_role("alert").inner_text()
    assert "has 81 tokens" in words and "64" in words and "Shorten it" in words
    assert after["weights"] == before["weights"]
    assert stage.page.locator(".source-text").input_value() == long.strip()
    stage.type_source(SENTENCE)
    assert stage.drawn()["message"] is None


def test_a_lost_connection_loses_nothing(visit):
    stage = visit(expects="Failed to load|component server|ERR_")
    drawn = stage.type_source(SENTENCE, "Shift+Enter")
    stage.page.context.set_offline(True)
    offline = stage.act("end")  # the next steps may be here already
    assert offline["message"] and offline["recipe"] == drawn["recipe"]
    stage.page.context.set_offline(False)
    assert len(stage.act("step")["recipe"]["target"]) == 1


def test_sampling_with_a_seed_repeats(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    greedy = stage.drawn()["recipe"]["target"]
    drawn = []
    for _ in range(2):
        stage.act("reset")
        if not stage.page.locator("details.strategy[open]").count():
            stage.page.locator("details.strategy summary").click()
        stage.choose("strategy", "sample")
        field = stage.page.locator('input[name="temperature"]')
        field.fill("3")
        stage.page.locator('input[name="seed"]').fill("7")
        stage.page.keyboard.press("Escape")
        drawn.append(stage.act("end")["recipe"])
    assert drawn[0]["target"] == drawn[1]["target"] != greedy
    assert {choice["how"] for choice in drawn[0]["target"]} == {"sampled"}


def test_another_model_is_another_picture(visit):
    stage = visit()
    stage.page.locator("select.model").select_option("reverse-tiny")
    drawn = stage.type_source("abc123")
    assert drawn["recipe"]["model"] == "reverse-tiny"
    assert drawn["text"] == "321cba"
    assert_drawn_is_the_models(drawn, stage.decoding(drawn))


def test_two_windows_see_their_own_sentence(visit):
    one, two = visit(), visit()
    one.type_source("The old dog runs.", "Shift+Enter")
    two.type_source("A small bird sings.", "Shift+Enter")
    for _ in range(2):
        first, second = one.act("step"), two.act("step")
    assert first["recipe"]["source"] == "The old dog runs."
    assert second["recipe"]["source"] == "A small bird sings."
    assert_drawn_is_the_models(first, one.decoding(first))
    assert_drawn_is_the_models(second, two.decoding(second))


def test_models_of_the_same_languages_are_told_apart_in_the_menu(visit):
    stage = visit()
    named = "select.model option:not([value^='beside:'])"
    titles = stage.page.locator(named).all_inner_texts()
    assert len(set(titles)) == len(stage.service.library.names())
    assert "English → French" in titles and "English → French · pre-norm" in titles
    reversals = {
        f"text → reversed{kind}" for kind in ("", " · hard attention", " · rotary positions")
    }
    assert reversals <= set(titles)
    names = stage.service.library.names()
    assert not [title for title in titles for name in names if name in title]
