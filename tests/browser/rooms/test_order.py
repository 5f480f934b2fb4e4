"""Order in the room Positions, in a real Chromium: words swapped, positions off."""

import itertools

import numpy as np
import pytest

from model_core.studies.order import effect, translation
from model_core.studies.positions import position_table
from tests.browser.rooms.test_positions import SENTENCE, Room, digits, same


def told(drawn):
    """The largest changes as they are written: {mode: {site: a number and its sign a layer}}."""
    modes = {"on": {}, "off": {}}
    for site, *cells in drawn["changes_shown"][2:]:
        if site in ("encoder", "decoder", "cross"):
            half = len(cells) // 2
            modes["on"][site], modes["off"][site] = cells[:half], cells[half:]
    return modes


def read(text):
    return float(text.replace("≡", "").replace("−", "-"))


def assert_order_is_the_models(room, drawn):
    """The maps bit by bit; the changes and the guesses as they are written."""
    source, target_ids = room.sentence()
    mode, place = drawn["mode"], (drawn["layer"], drawn["head"])
    study = effect(
        room.model, source, target_ids, drawn["order"], drawn["rows"], positions=mode == "on"
    )
    for name, of in (("before", study.before), ("after", study.after)):
        same(drawn[name], of.weights_LHQK(drawn["site"])[place])
    for one in study.comparison.weights:
        said = told(drawn)[mode][one.site][one.layer]
        assert said.startswith("≡") == (study.verdict_of(one) == "proven")
        assert read(said) == pytest.approx(one.largest, abs=5.1e-4)
    probabilities_V = np.exp(study.after.log_probabilities_TV[drawn["at"]])
    best = np.sort(probabilities_V)[::-1]
    for (_, said), probability in zip(drawn["guesses"][1], best, strict=False):
        assert read(said.lstrip("<")) == pytest.approx(probability, abs=1e-3)
    return study


def test_swapped_words_change_attention_only_where_there_are_positions_in_any_head(
    visit,
):
    stage = visit()
    stage.type_source(SENTENCE)
    room = Room(stage, "order")
    drawn = room.drawn()
    assert [word["text"] for word in drawn["labels"]][:3] == ["Mary", "loves", "Tom"]
    study = assert_order_is_the_models(room, drawn)
    largest = max(one.largest for one in study.comparison.weights if one.site == "encoder")
    assert largest > 0.01 and digits(largest) in drawn["verdict"]
    source, _ = room.sentence()
    before, after = drawn["translations"]["on"]
    assert before != after == translation(room.model, source, drawn["order"]).text
    assert "changes; without them it is the very same" in drawn["headline"]

    # The keys go on from the cell that was clicked, in every map.
    columns = round(len(drawn["before"]) ** 0.5)  # the encoder's maps are square
    canvas = room.page.locator('[data-grid="after"] canvas')
    for key, column in (("ArrowRight", 0), ("ArrowRight", 1)):
        canvas.press(key)
        assert room.drawn()["pointed"] == {"part": "after", "row": 0, "column": column}
    canvas.press("Escape")
    assert room.drawn()["pointed"] is None
    for at, part in enumerate(("before", "after", "difference")):
        drawn = room.drawn()
        room.click_cell(part, 1, 2, drawn["boxes"][at])
        room.page.mouse.move(0, 0)
        canvas = room.page.locator(f'[data-grid="{part}"] canvas')
        for key, (row, column) in (("ArrowDown", (2, 2)), ("ArrowRight", (2, 3))):
            canvas.press(key)
            drawn = room.drawn()
            assert drawn["pointed"] == {"part": part, "row": row, "column": column}
            number = drawn[part][row * columns + column]
            if number == 0 or abs(number) >= 0.0005:
                assert digits(number) in drawn["reading"]
        canvas.press("Enter")
        assert room.drawn()["picked"] == {"part": part, "row": 2, "column": 3}

    drawn = room.press("[data-mode=off]")
    study = assert_order_is_the_models(room, drawn)
    assert max(one.largest for one in study.comparison.weights) < 1e-4
    assert np.abs(drawn["difference"]).max() < 1e-4
    assert drawn["translations"]["off"][0] == drawn["translations"]["off"][1]

    # Two words that are pressed swap; a word keeps its place while its position moves.
    room.press("[data-mode=on]")
    drawn = room.press("[data-act=restore]")
    places = list(range(len(drawn["order"])))
    assert drawn["order"] == places
    assert all(read(one) == 0 for cells in told(drawn)["on"].values() for one in cells)
    room.press('[data-place="1"]')
    drawn = room.press('[data-place="2"]')
    assert drawn["order"] == [0, 2, 1, *places[3:]]
    assert_order_is_the_models(room, drawn)
    room.press("[data-act=restore]")
    room.press('[data-place="0"]')
    drawn = room.press(".positions-stepper button:last-child")
    assert drawn["order"] == places and drawn["rows"] == [1, *places[1:]]
    assert_order_is_the_models(room, drawn)

    # Any head of any attention, in maps side by side.
    stage.anew("")
    room = Room(stage, "order")
    for head, site in enumerate(("encoder", "cross", "decoder"), 3):
        room.press(f"[data-order-site={site}]")
        room.page.locator(".positions-order [data-pick=layer]").select_option(index=0)
        room.page.locator(".positions-order [data-pick=head]").select_option(index=head)
        drawn = room.drawn()
        assert (drawn["site"], drawn["layer"], drawn["head"]) == (site, 0, head)
        assert_order_is_the_models(room, drawn)
    for window in ((1280, 720), (1440, 900)):
        room.stage.resize(*window)
        lines = [
            room.page.locator(part).first.bounding_box()
            for part in (
                ".positions-both",
                ".positions-outcome .positions-answer",
                ".positions-words",
                "[data-grid=before]",
            )
        ]
        for above, below in itertools.pairwise(lines):  # what is written comes first
            assert above["y"] + above["height"] <= below["y"] + 1
        written = room.page.locator(".positions-both > *, .positions-without dd")
        assert written.evaluate_all(  # and none of it is cut
            "all => all.every((one) => one.scrollHeight <= one.clientHeight + 1"
            " && one.scrollWidth <= one.clientWidth + 1)"
        )
        report, maps = (
            room.page.locator(part).bounding_box()
            for part in (".positions-report", ".positions-three")
        )
        assert (
            maps["x"] + maps["width"] <= report["x"]
            or maps["y"] + maps["height"] <= report["y"] + 1
        )
        boxes = room.drawn()["boxes"]
        assert all(min(box["pitchX"], box["pitchY"]) >= 14 for box in boxes)

    stage = room.stage  # on a tablet what changed stands beside the difference
    stage.resize(820, 1180)
    stage.lay_out()
    before, after, apart, report = (
        stage.page.locator(one).bounding_box()
        for one in (
            *(f".positions-three > :nth-child({n})" for n in (1, 2, 3)),
            ".positions-report",
        )
    )
    assert before["y"] == after["y"] and before["x"] + before["width"] <= after["x"]
    assert apart["x"] == before["x"] and apart["y"] >= before["y"] + before["height"]
    assert report["x"] == after["x"] and abs(report["y"] - apart["y"]) < 8

    # The models that reverse have the room too.
    stage.resize(1280, 720)
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.drawn("drawn.recipe.model === 'reverse-tiny'")
    room = Room(stage)
    drawn = room.press("[data-columns=all]")
    table_PD = position_table(room.model, "sinusoidal").table_PD
    same(drawn["values"], table_PD[: len(drawn["values"])])
    assert_order_is_the_models(room, room.open("order"))

    # Equal letters under hard attention are not called the same.
    stage.page.locator("select.model").select_option("reverse-hard")
    stage.drawn("drawn.recipe.model === 'reverse-hard'")
    stage.type_source("attention")
    drawn = room.press("[data-mode=off]")
    assert_order_is_the_models(room, drawn)
    assert "equal tokens get equal scores" in drawn["verdict"] and "1.000" in drawn["verdict"]
    assert not any("≡ 1" in one for cells in told(drawn)["off"].values() for one in cells)
