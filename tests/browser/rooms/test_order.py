"""Order in the room Positions, in a real Chromium: words swapped, positions off."""

import itertools

import numpy as np
import pytest

from model_core.studies.order import effect, translation
from model_core.studies.positions import position_table
from tests.browser.rooms.test_positions import SENTENCE, Room, digits, same


def test_order_has_no_hole_and_cells_to_read(visit):
    room = Room(visit(), "order")
    boxes = room.drawn()["boxes"]
    assert all(min(box["pitchX"], box["pitchY"]) >= 14 for box in boxes)
    for window in ((1280, 720), (1440, 900)):
        room.stage.resize(*window)
        lines = [
            room.page.locator(part).first.bounding_box()
            for part in (".positions-translations", ".positions-words", "[data-grid=before]")
        ]
        for above, below in itertools.pairwise(lines):  # what is written comes first
            assert above["y"] + above["height"] <= below["y"] + 1
        report = room.page.locator(".positions-report").bounding_box()
        maps = room.page.locator(".positions-three").bounding_box()
        assert (
            maps["x"] + maps["width"] <= report["x"]
            or maps["y"] + maps["height"] <= report["y"] + 1
        )
        boxes = room.drawn()["boxes"]
        assert all(min(box["pitchX"], box["pitchY"]) >= 14 for box in boxes)


def assert_order_is_the_models(room, drawn):
    source, target_ids = room.sentence()
    positions = drawn["mode"] == "on"
    study = effect(
        room.model, source, target_ids, drawn["order"], drawn["rows"], positions=positions
    )
    place = drawn["layer"], drawn["head"]
    same(drawn["before"], study.before.weights_LHQK(drawn["site"])[place])
    same(drawn["after"], study.after.weights_LHQK(drawn["site"])[place])
    changes = drawn["changes"][drawn["mode"]]
    assert [one["largest"] for one in changes] == [one.largest for one in study.comparison.weights]
    probabilities_V = np.exp(study.after.log_probabilities_TV[drawn["at"]])
    for candidate in drawn["candidates"][1]:
        expected = probabilities_V[candidate["token"]]
        assert candidate["probability"] == pytest.approx(expected, rel=1e-6)
    return study


def test_swapped_words_change_attention_only_where_there_are_positions(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    room = Room(stage, "order")
    drawn = room.drawn()
    assert [word["text"] for word in drawn["labels"]][:3] == ["Mary", "loves", "Tom"]
    study = assert_order_is_the_models(room, drawn)
    largest = max(one.largest for one in study.comparison.weights if one.site == "encoder")
    assert largest > 0.01 and digits(largest) in drawn["verdict"]

    drawn = room.press("[data-mode=off]")
    study = assert_order_is_the_models(room, drawn)
    assert max(one.largest for one in study.comparison.weights) < 1e-4
    assert np.abs(drawn["difference"]).max() < 1e-4
    assert all(one["verdict"] == "proven" for one in drawn["changes"]["off"])
    assert drawn["double"] < 1e-12
    assert drawn["translations"]["off"][0] == drawn["translations"]["off"][1]
    source, _ = room.sentence()
    expected = translation(room.model, source, drawn["order"]).text
    assert drawn["translations"]["on"][1] == expected
    assert expected in drawn["translations_shown"]
    assert "changes; without them it is the very same" in drawn["headline"]


def test_equal_letters_under_hard_attention_are_not_called_the_same(visit):
    stage = visit()
    stage.page.locator("select.model").select_option("reverse-hard")
    stage.drawn()
    stage.type_source("attention")
    room = Room(stage, "order")
    drawn = room.press("[data-mode=off]")
    assert_order_is_the_models(room, drawn)
    assert "equal tokens get equal scores" in drawn["verdict"] and "1.000" in drawn["verdict"]
    for one in drawn["changes"]["off"]:
        assert (one["verdict"] == "proven") == (one["site"] == "decoder")
    assert "≡ 1" not in stage.page.locator(".positions-changes").first.inner_text()


def test_words_swap_by_pressing_two_and_a_word_keeps_its_place_while_its_position_moves(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    room = Room(stage, "order")
    drawn = room.press("[data-act=restore]")
    places = list(range(len(drawn["order"])))
    assert drawn["order"] == places
    assert max(one["largest"] for one in drawn["changes"]["on"]) == 0
    room.press('[data-place="1"]')
    drawn = room.press('[data-place="2"]')
    assert drawn["order"] == [0, 2, 1, *places[3:]]
    assert_order_is_the_models(room, drawn)
    room.press("[data-act=restore]")
    room.press('[data-place="0"]')
    drawn = room.press(".positions-stepper button:last-child")
    assert drawn["order"] == places and drawn["rows"] == [1, *places[1:]]
    assert_order_is_the_models(room, drawn)


def test_any_head_of_any_attention_can_be_looked_at(visit):
    room = Room(visit(), "order")
    for head, site in enumerate(("encoder", "cross", "decoder"), 3):
        room.press(f"[data-order-site={site}]")
        room.page.locator(".positions-order [data-pick=layer]").select_option(index=0)
        room.page.locator(".positions-order [data-pick=head]").select_option(index=head)
        drawn = room.drawn()
        assert (drawn["site"], drawn["layer"], drawn["head"]) == (site, 0, head)
        assert_order_is_the_models(room, drawn)


def test_the_reversing_model_has_the_room_too(visit):
    stage = visit()
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.drawn()
    room = Room(stage)
    same(room.drawn()["numbers"], position_table(room.model, "sinusoidal").table_PD)
    drawn = room.open("order")
    assert_order_is_the_models(room, drawn)


def test_the_keys_go_on_from_the_cell_that_was_clicked_in_every_map_of_order(visit):
    stage = visit()
    stage.type_source(SENTENCE)
    room = Room(stage, "order")
    for at, part in enumerate(("before", "after", "difference")):
        go_on_by_keys(room, at, part)


def go_on_by_keys(room, at, part):
    drawn = room.drawn()
    columns = round(len(drawn[part]) ** 0.5)  # the encoder's maps are square
    drawn = room.click_cell(part, 1, 2, drawn["boxes"][at])
    room.page.mouse.move(0, 0)
    canvas = room.page.locator(f'[data-grid="{part}"] canvas')
    steps = (
        ("ArrowDown", (2, 2)),
        ("ArrowRight", (2, 3)),
        ("ArrowDown", (3, 3)),
        ("ArrowUp", (2, 3)),
    )
    for key, (row, column) in steps:
        canvas.press(key)
        drawn = room.drawn()
        assert drawn["pointed"] == {"part": part, "row": row, "column": column}
        number = drawn[part][row * columns + column]
        if number == 0 or abs(number) >= 0.0005:
            assert digits(number) in drawn["reading"]
    canvas.press("Enter")
    assert room.drawn()["picked"] == {"part": part, "row": row, "column": column}
