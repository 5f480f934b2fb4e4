"""The room Masks in a real Chromium: every number drawn is the model's."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.decoding.tracer import Tracer
from model_core.studies.batch import SPARE_PADS, translate_batch
from model_core.studies.masks import study_masks
from model_core.studies.steps import study_passes
from model_core.values.edits import read_edits
from tests.browser.checks import assert_nothing_sticks_out
from tests.browser.conftest import PHONE

HOSTILE = ["</s> <pad> <img src=x onerror=alert(1)>", "猫在屋顶上睡觉。"]
MASKS = ["pad", "causal", "combined"]


def settled(stage):
    """What the room draws, once no answer is outstanding."""
    return stage.drawn("drawn.in_room && !drawn.in_room.busy")


def enter(stage):
    stage.page.locator("[data-open=masks]").click()
    return settled(stage)


def press(stage, selector):
    stage.page.locator(selector).click()
    return settled(stage)


def lock(stage, layer, head):
    stage.page.locator(".masks-room [data-pick=layer]").select_option(index=layer)
    stage.page.locator(".masks-room [data-pick=head]").select_option(index=head)
    return settled(stage)


def batch_of(stage, drawn):
    tracer = stage.service.library.tracer(drawn["recipe"]["model"])
    sentences = tuple(drawn["in_room"]["sentences"])
    return tracer.model, translate_batch(tracer, sentences, spare=SPARE_PADS)


def numbers(rows):
    """The values of a map; a score after the mask may be minus infinity."""
    return np.array([[-np.inf if cell == "−∞" else cell for cell in row] for row in rows], float)


def assert_masks_are_the_models(stage, drawn):
    """Six maps, cell by cell, labels and marks too, against model_core."""
    room = drawn["in_room"]
    model, batch = batch_of(stage, drawn)
    site, head = room["site"], (room["lock"]["layer"], room["lock"]["head"])
    study = study_masks(model, batch, room["shown"], site, read_edits(room["breaks"]))
    found = study.broken
    maps = {one["name"]: one for one in room["maps"]}
    assert set(maps) == {*MASKS, "scores", "masked", "weights"}
    wanted = {
        "pad": found.pad_QK,
        "causal": found.causal_QK,
        "combined": found.allowed_QK,
        "scores": np.stack(found.scores)[head],
        "masked": np.where(found.allowed_QK, np.stack(found.scores)[head], found.hidden_score),
        "weights": np.stack(found.weights)[head],
    }
    own = {
        "pad": study.intact.pad_QK,
        "causal": study.intact.causal_QK,
        "combined": study.intact.allowed_QK,
    }
    for name, drawn_map in maps.items():
        if wanted[name] is None:
            assert drawn_map["none"]
            continue
        np.testing.assert_allclose(numbers(drawn_map["values"]), wanted[name], rtol=1e-6)
        assert drawn_map["row_kinds"] == list(found.queries.kinds)
        assert drawn_map["column_kinds"] == list(found.keys.kinds)
        if name in MASKS:
            marks = np.where(
                wanted[name] == own[name], None, np.where(own[name], "closed", "opened")
            )
            assert drawn_map["marks"] == marks.tolist()
        elif name != "scores":
            np.testing.assert_array_equal(drawn_map["hidden"], ~found.allowed_QK)
    return study


def test_the_room_opens_with_nothing_leaking_and_every_head_and_cell_within_reach(visit):
    stage = visit()
    drawn = enter(stage)
    room = drawn["in_room"]
    assert len(room["sentences"]) == 3 and room["sentences"][0] == drawn["recipe"]["source"]
    assert "pad" in room["maps"][0]["column_kinds"]
    assert room["see"] and room["check"]["findings"][0].startswith("Nothing leaks")
    assert_masks_are_the_models(stage, drawn)

    calls = stage.server_calls
    for layer, head in ((0, 0), (2, 7)):
        drawn = lock(stage, layer, head)
        assert drawn["in_room"]["lock"] == {"layer": layer, "head": head}
        assert_masks_are_the_models(stage, drawn)
    assert stage.server_calls == calls

    weights = stage.page.locator(".masks-map canvas").nth(5)
    left, top, width, height = drawn["in_room"]["maps"][5]["first_cell"]
    weights.hover(position={"x": left + 0.5 * width, "y": top + 2.5 * height})
    room = settled(stage)["in_room"]
    assert room["pointed"] == {"query": 2, "key": 0}
    value = room["maps"][5]["values"][2][0]
    assert f"weight {value:.3f}" in room["reading"]
    assert [one["pointed"] for one in room["maps"]] == 6 * [{"row": 2, "column": 0}]
    weights.focus()
    stage.page.keyboard.press("ArrowRight")
    assert settled(stage)["in_room"]["pointed"] == {"query": 2, "key": 1}
    stage.page.keyboard.press("Escape")
    assert settled(stage)["in_room"]["pointed"] is None


def test_every_break_at_every_site_is_the_models(visit):
    stage = visit(PHONE, "dark")
    enter(stage)
    every = (
        ("causal", "causal-mask:none"),
        ("pads", "no-pad-mask"),
        ("causal", "causal-mask:ahead"),
        ("pads", "pads-rows"),
        ("causal", "causal-mask:behind"),
        ("fill", "finite-mask"),
    )
    some = (every[0], every[3], every[5])
    for site, presses in (("encoder", some), ("decoder", every), ("cross", some)):
        press(stage, f"[data-masks-site={site}]")
        for name, edit in presses:
            drawn = press(stage, f"[data-masks-{name}='{edit}']")
            assert edit in drawn["in_room"]["breaks"]
            assert_masks_are_the_models(stage, drawn)
        drawn = press(stage, "[data-act=masks-restore]")
        assert drawn["in_room"]["breaks"] == []
    assert_nothing_sticks_out(stage)


def test_the_checker_says_the_models_numbers_and_leads_to_the_head_that_leaks_most(visit):
    stage = visit()
    enter(stage)
    drawn = press(stage, "[data-masks-causal='causal-mask:none']")
    study = assert_masks_are_the_models(stage, drawn)
    room = drawn["in_room"]
    said = " ".join(room["check"]["findings"])
    real = np.array([kind != "pad" for kind in study.broken.queries.kinds])
    future_LH = study.broken.on_future_LHQ[..., real].mean(axis=-1)
    assert f"{future_LH.mean():.3f} of all attention goes to the future" in said
    assert f"{future_LH[room['lock']['layer'], room['lock']['head']]:.3f} in this one" in said
    change = study.changes[room["shown"]]
    assert f"up to {change.distance_T.max():.3f}" in said
    assert f"{change.distance_T.mean():.3f} on average" in said
    assert f"{change.changed} of {len(change.distance_T)} tokens change" in said
    rest = [other for i, other in enumerate(study.changes) if i != room["shown"]]
    changed, most = sum(one.changed for one in rest), max(one.distance_T.max() for one in rest)
    positions = sum(len(one.distance_T) for one in rest)
    assert f"other sentences: {changed} of {positions}, up to {most:.3f}" in said
    rows = room["check"]["table"][1:]
    distances = [float(row[-1].lstrip("<")) for row in rows]
    np.testing.assert_allclose(distances, change.distance_T, atol=1e-3)
    drawn = press(stage, ".masks-findings .as-link")
    lock = drawn["in_room"]["lock"]
    assert future_LH[lock["layer"], lock["head"]] == pytest.approx(future_LH.max())


def test_the_token_that_is_hurt_most_is_pressed_and_shows_what_it_reads(visit):
    stage = visit()
    enter(stage)
    press(stage, "[data-act=masks-try]")
    drawn = press(stage, "[data-act=masks-where]")
    room = drawn["in_room"]
    study = assert_masks_are_the_models(stage, drawn)
    distance_T = study.changes[0].distance_T
    assert room["shown"] == 0 and room["chosen"]["query"] == distance_T.argmax()
    row_LHK = np.stack(study.broken.weights)[:, :, room["chosen"]["query"]]
    hidden_K = ~study.intact.allowed_QK[room["chosen"]["query"]]
    at = room["lock"]["layer"], room["lock"]["head"], room["chosen"]["key"]
    assert hidden_K[room["chosen"]["key"]]
    assert row_LHK[at] == row_LHK[..., hidden_K].max()
    assert "though it should not" in room["reading"]

    press(stage, "[data-act=masks-restore]")
    press(stage, "[data-masks-pads='no-pad-mask']")  # of the target: the causal mask hides them
    drawn = press(stage, "[data-act=masks-where]")
    room = drawn["in_room"]
    assert (
        room["site"] == "cross" and room["maps"][0]["column_kinds"][room["chosen"]["key"]] == "pad"
    )
    assert not any(said.startswith("✓") for said in room["check"]["findings"])
    assert press(stage, "[data-elsewhere=encoder]")["in_room"]["site"] == "encoder"


def test_a_small_map_opens_large_in_its_place(visit):
    stage = visit()
    room = enter(stage)["in_room"]
    assert room["large"] == ["combined", "weights"]
    for small, large in (
        ("pad", ["pad", "weights"]),
        ("masked", ["pad", "masked"]),
        ("combined", ["combined", "masked"]),
    ):
        drawn = press(stage, f"[data-small={small}]")
        assert drawn["in_room"]["large"] == large
        assert_masks_are_the_models(stage, drawn)
    press(stage, "[data-masks-site=cross]")
    press(stage, "[data-small=causal]")
    expect(stage.page.locator(".masks-none:visible")).to_contain_text("No causal mask here")


def test_empty_and_uniform_rows_are_said_to_be_in_both_languages(visit):
    stage = visit()
    enter(stage)
    before = press(stage, "[data-masks-causal='causal-mask:behind']")["in_room"]
    said = before["check"]["findings"]
    assert any(text.startswith("Empty: row “start”") for text in said)
    room = press(stage, "[data-tool=language]")["in_room"]
    assert room["breaks"] == before["breaks"] and room["sentences"] == before["sentences"]
    assert any(text.startswith("空行：") for text in room["check"]["findings"])
    assert [one["values"] for one in room["maps"]] == [one["values"] for one in before["maps"]]
    press(stage, "[data-tool=language]")
    drawn = press(stage, "[data-masks-fill='finite-mask']")
    said = drawn["in_room"]["check"]["findings"]
    K = len(drawn["in_room"]["maps"][0]["column_labels"])
    assert any(
        text.startswith("Uniform: ") and f"{1 / K:.3f} on each of {K}" in text for text in said
    )
    said = press(stage, "[data-masks-causal='']")["in_room"]["check"]["findings"]
    assert any("very same weights" in text for text in said)


def test_sentences_are_added_edited_shown_and_removed_and_one_too_long_is_named(visit):
    stage = visit(PHONE)
    enter(stage)
    for text in HOSTILE:
        press(stage, "[data-act=masks-add]")
        stage.page.locator(".masks-edit").fill(text)
        stage.page.locator(".masks-edit").press("Enter")
        stage.page.wait_for_function(
            "(text) => document.querySelector('.stage-host').stage.drawn()"
            ".in_room.sentences.includes(text)",
            arg=text,
        )
        drawn = settled(stage)
        assert drawn["in_room"]["sentences"][-1] == text
        assert_masks_are_the_models(stage, drawn)
        typed = drawn["in_room"]["batch"][2 * drawn["in_room"]["shown"]]
        assert typed[-1] == "pad" or typed[-1] == "end"
    assert stage.page.evaluate("() => document.querySelectorAll('.stage img').length") == 0
    drawn = press(stage, "[data-sentence='2']")
    assert drawn["in_room"]["shown"] == 2
    before = drawn["in_room"]["sentences"]
    drawn = press(stage, "[data-act=masks-remove]")
    assert drawn["in_room"]["sentences"] == before[:2] + before[3:]
    assert_masks_are_the_models(stage, drawn)
    press(stage, "[data-act=masks-add]")
    drawn = press(stage, "[data-act=masks-add]")
    assert len(drawn["in_room"]["sentences"]) == 6
    expect(stage.page.locator("[data-act=masks-add]")).to_be_disabled()
    stage.page.locator(".masks-edit").fill("cat " * 80)
    stage.page.locator(".masks-edit").press("Enter")
    words = stage.page.get_by_role("alert")
    words.wait_for()
    assert "Sentence 6" in words.inner_text() and "64" in words.inner_text()
    assert settled(stage)["in_room"]["maps"] == drawn["in_room"]["maps"]


def test_the_first_sentence_is_the_one_on_the_screen_of_any_model(visit):
    stage = visit()
    enter(stage)
    stage.type_source("Where is my old hat?")
    drawn = settled(stage)
    assert drawn["in_room"]["sentences"][0] == "Where is my old hat?"
    assert len(drawn["in_room"]["sentences"]) == 3
    stage.type_source("My brother and my sister bought a new red car and an old blue boat today.")
    drawn = settled(stage)
    assert drawn["in_room"]["shown"] == 0 and "pad" in drawn["in_room"]["maps"][0]["column_kinds"]
    assert_masks_are_the_models(stage, drawn)
    stage.page.locator("select.model").select_option("reverse-tiny")
    drawn = stage.drawn("drawn.recipe.model === 'reverse-tiny' && !drawn.in_room?.busy")
    assert drawn["in_room"]["sentences"][0] == drawn["recipe"]["source"]
    assert_masks_are_the_models(stage, drawn)


def test_one_pass_and_many_steps_are_the_models(visit):
    stage = visit()
    enter(stage)
    for site in ("decoder", "cross"):
        press(stage, "[data-masks=passes]")
        drawn = press(stage, f"[data-masks-site={site}]")
        room = drawn["in_room"]
        model, batch = batch_of(stage, drawn)
        decoding = Tracer(model).evaluate(batch.recipes[room["shown"]])
        passes = study_passes(model, decoding, site)
        head = (room["lock"]["layer"], room["lock"]["head"])
        T = len(passes.fed)
        stage.page.locator(".masks-passes .slider").fill(str(T - 2))
        room = settled(stage)["in_room"]
        assert room["step"] == T - 2
        once, stepped, difference = (one["values"] for one in room["maps"])
        np.testing.assert_allclose(numbers(once), np.stack(passes.once)[head], rtol=1e-6)
        assert stepped[T - 2 :] == [[None] * len(stepped[0])] * 2
        done = numbers(stepped[: T - 2])
        np.testing.assert_allclose(done, np.stack(passes.stepped)[head][: T - 2], rtol=1e-6)
        apart = np.stack(passes.once)[head] - np.stack(passes.stepped)[head]
        np.testing.assert_allclose(numbers(difference[: T - 2]), apart[: T - 2], atol=1e-12)
        table = {row[0]: row[1:] for row in room["passes"]["table"]}
        assert table["predicted"][: T - 1] == table["fed in"][1:]
        told = [float(p) for p in table["p, one pass"]]
        np.testing.assert_allclose(told, passes.once_probability_T, atol=6e-4)
        size = f"{passes.weights_apart:.1e}".replace("e-0", "e−").replace("e-", "e−")
        assert f"weights {size}" in room["passes"]["apart"]
    expect(stage.page.locator("[data-masks-site=encoder]")).to_be_hidden()


def test_a_long_sentence_scrolls_under_its_labels_and_its_run_of_pads_is_counted(visit):
    stage = visit()
    stage.type_source("Stop.")
    enter(stage)
    press(stage, "[data-act=masks-add]")
    stage.page.locator(".masks-edit").fill(" ".join(["cat"] * 44))
    stage.page.locator(".masks-edit").press("Enter")
    stage.page.wait_for_function(
        "() => document.querySelector('.stage-host').stage.drawn().in_room.sentences.at(-1)"
        ".length > 150"
    )
    settled(stage)
    press(stage, "[data-masks-site=encoder]")
    press(stage, "[data-small=pad]")
    box = stage.page.locator(".masks-box").first
    box.evaluate("(box) => box.scrollTo(0, 90)")
    stage.page.wait_for_function(  # the others follow
        "() => document.querySelector('.stage-host').stage.drawn().in_room.maps.every((map) =>"
        " !map.first_cell || map.scrolled.join() === '0,90')"
    )
    drawn = settled(stage)
    left, top, pitch_x, pitch_y = drawn["in_room"]["maps"][0]["first_cell"]
    stage.page.wait_for_function(  # ink in the corner strips of both axes, after the frame
        """([left, top]) => [document.querySelector('.masks-map canvas')].every((canvas) => {
            const ratio = canvas.width / canvas.getBoundingClientRect().width;
            const inked = (x, y, w, h) => canvas.getContext('2d').getImageData(x, y, w, h).data
              .some((part, i) => i % 4 === 3 && part > 0);
            const [x, y] = [left * ratio - 8, top * ratio - 8];
            return inked(0, y + 8, x, 40) && inked(x + 8, 0, 40, y);
        })""",
        arg=[left, top],
    )
    canvas = stage.page.locator(".masks-map canvas").first
    canvas.click(position={"x": left + 2.5 * pitch_x, "y": top + 3.5 * pitch_y})
    place = settled(stage)["in_room"]["chosen"]
    assert place == {
        "query": int((90 + 3.5 * pitch_y) // pitch_y),
        "key": 2,
    }
    drawn = press(stage, "[data-sentence='0']")
    pads = drawn["in_room"]["maps"][0]["column_kinds"].count("pad")
    assert pads > 40
    places = drawn["in_room"]["maps"][0]["places"][1]
    assert places[-1]["at"] is None
    assert len(places) - 1 + places[-1]["hidden"] == len(
        drawn["in_room"]["maps"][0]["column_kinds"]
    )
    assert_masks_are_the_models(stage, drawn)
    drawn = press(stage, "[data-act=masks-fold]")
    assert all(place["at"] is not None for place in drawn["in_room"]["maps"][0]["places"][1])
    assert_masks_are_the_models(stage, drawn)


def test_the_tokens_the_visitor_chose_are_those_of_the_batch(visit):
    stage = visit()
    stage.act("reset")
    other = stage.drawn()["candidates"][2]
    stage.page.locator(".candidate").nth(2).click()
    drawn = stage.drawn()
    assert drawn["recipe"]["target"][0] == {"token": other["token"], "how": "forced"}
    drawn = enter(stage)
    press(stage, "[data-sentence='0']")
    drawn = press(stage, "[data-masks-site=decoder]")
    labels = drawn["in_room"]["maps"][0]["row_labels"]
    assert labels[1] == drawn["target_labels"][1]
