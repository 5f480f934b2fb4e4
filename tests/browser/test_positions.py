"""The room Positions in a real Chromium: what is drawn is what model_core computes."""

import numpy as np
import pytest

from model_core.studies.order import effect, translation
from model_core.studies.positions import position_sum, position_table, rotation
from model_core.values.recipe import Recipe
from tests.browser.conftest import PHONE, WIDE

SENTENCE = "Tom loves Mary."


class Room:
    """The open room; `drawn` waits until nothing is outstanding."""

    def __init__(self, stage, view="table"):
        self.stage, self.page = stage, stage.page
        self.page.locator("[data-open=positions]").click()
        self.open(view)

    def open(self, view):
        return self.press(f"[data-study={view}]")

    def press(self, selector, **how):
        self.page.locator(f".positions {selector}").first.click(**how)
        return self.drawn()

    def drawn(self):
        self.page.wait_for_function(
            "() => { const room = document.querySelector('.stage-host').stage.drawn().in_room;"
            " return room && !room.busy && (room.shape || room.before) }"
        )
        return self.stage.drawn()["in_room"]

    def click_cell(self, grid, row, column, boxes):
        """Click a cell of one of the heat maps of the open view."""
        canvas = self.page.locator(f'[data-grid="{grid}"] canvas')
        x = boxes["left"] + (column + 0.5) * boxes["pitchX"]
        y = boxes["top"] + (row + 0.5) * boxes["pitchY"]
        canvas.click(position={"x": x, "y": y})
        return self.drawn()

    @property
    def checkpoint(self):
        recipe = self.stage.drawn()["recipe"]
        return self.stage.service.library.tracer(recipe["model"]).checkpoint

    def sentence(self):
        """The source and the target ids that are fed in."""
        recipe = Recipe.from_json(self.stage.drawn()["recipe"])
        source = self.checkpoint.source_tokenizer.encode(recipe.source, recipe.pads)
        config = self.checkpoint.config
        ids = [i for i in recipe.target_ids if i != config.end_id]
        return source, [config.start_id, *ids]


def same(drawn, array):
    """The numbers on the page against the model's: both float32, so equal to the last bit."""
    assert np.array_equal(np.array(drawn, np.float32), array.astype(np.float32).ravel())


def digits(number):
    return f"{number:.3f}".replace("-", "−")


def test_the_room_opens_with_the_models_own_table(visit):
    room = Room(visit())
    drawn = room.drawn()
    table = position_table(room.checkpoint, "sinusoidal")
    assert drawn["own"] and drawn["shape"] == list(table.table_PD.shape)
    same(drawn["numbers"], table.table_PD)
    same(drawn["similarity"], table.similarity_PP)
    np.testing.assert_allclose(drawn["wavelengths"], table.wavelengths_D)
    assert drawn["lead"] and len(drawn["curves"]) >= 3


def test_a_click_and_the_keys_select_a_number_and_its_curve(visit):
    room = Room(visit())
    table_PD = position_table(room.checkpoint, "sinusoidal").table_PD
    before = room.drawn()
    columns = before["columns"]
    drawn = room.click_cell("table", 9, 20, before["boxes"])
    assert (drawn["row"], drawn["column"]) == (9, columns[20]) and columns[20] in drawn["curves"]
    canvas = room.page.locator('[data-grid="table"] canvas')
    room.page.mouse.move(0, 0)
    for key, place in (("ArrowDown", (10, 20)), ("ArrowRight", (10, 21)), ("ArrowUp", (9, 21))):
        canvas.press(key)
        drawn = room.drawn()
        place = place[0], columns[place[1]]
        assert drawn["pointed"] == {"row": place[0], "column": place[1]}
        assert digits(table_PD[place]) in drawn["reading"]
    canvas.press("Enter")
    drawn = room.drawn()
    assert (drawn["row"], drawn["column"]) == (9, columns[21])
    kept = len(drawn["curves"])
    room.press("[data-act=keep]")
    drawn = room.click_cell("table", 9, 40, drawn["boxes"])
    assert len(drawn["curves"]) == kept + 1 and {columns[21], columns[40]} <= set(drawn["curves"])


def test_sines_stand_apart_from_cosines_and_every_dimension_is_one_press_away(visit):
    room = Room(visit())
    drawn = room.drawn()
    columns, wavelengths = drawn["columns"], drawn["wavelengths"]
    sines, cosines = np.array_split(columns, 2)
    assert not (sines % 2).any() and np.array_equal(sines + 1, cosines)
    assert np.all(np.diff([wavelengths[d] for d in sines]) > 0)
    assert len(columns) < drawn["shape"][1] / 2 and set(drawn["curves"]) <= set(columns)
    room.page.locator(".positions .positions-number").first.fill("201")
    room.page.keyboard.press("Tab")
    assert {200, 201} <= set(room.drawn()["columns"]) and room.drawn()["column"] == 201
    drawn = room.press("[data-columns=all]")
    assert drawn["columns"] == list(range(drawn["shape"][1]))
    drawn = room.click_cell("table", 5, 100, drawn["boxes"])
    assert (drawn["row"], drawn["column"]) == (5, 100)


@pytest.mark.parametrize("kind", ["sinusoidal", "learned", "rotary"])
def test_two_positions_are_entered_as_numbers_and_compared(visit, kind):
    room = Room(visit())
    room.press(f"[data-kind={kind}]")
    for name, place in (("a", 41), ("b", 2)):
        room.page.locator(f"[data-position={name}]").fill(str(place))
        room.page.keyboard.press("Tab")
    drawn = room.drawn()
    rows_PD = position_table(room.checkpoint, kind).table_PD.astype(float)
    a, b = rows_PD[41], rows_PD[2]
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert (drawn["row"], drawn["other"]) == (41, 2) and drawn["compared"][0] == "39"
    for said, number in zip(
        drawn["compared"][1:], (a @ b, cosine, np.linalg.norm(a - b)), strict=True
    ):
        digits_said = len(said.partition(".")[2])
        assert said.replace("−", "-") == f"{np.float32(number):.{digits_said}f}"
    shown = room.page.locator(".positions-compared dd").all_inner_texts()
    assert shown == drawn["compared"]
    if kind == "sinusoidal":  # a shift is a rotation
        column = drawn["column"] // 2 * 2
        angle = -39 * 10000 ** (-column / drawn["shape"][1])
        assert f"{angle:.3f} rad".replace("-", "−") in drawn["turn"]
        assert f"{np.degrees(angle):.1f}°".replace("-", "−") in drawn["turn"]
    assert room.page.locator(".positions-circle").is_visible() == (kind != "learned")


def test_order_has_no_hole_and_cells_to_read(visit):
    room = Room(visit(), "order")
    boxes = room.drawn()["boxes"]
    assert all(min(box["pitchX"], box["pitchY"]) >= 14 for box in boxes)
    gap = room.page.evaluate(
        "() => document.querySelector('.positions-translations').getBoundingClientRect().top"
        " - document.querySelector('[data-grid=before]').getBoundingClientRect().bottom"
    )
    last = boxes[0]["top"] + boxes[0]["pitchY"] * len(room.drawn()["order"])
    height = room.page.locator("[data-grid=before]").bounding_box()["height"]
    assert gap + height - last < 24


@pytest.mark.parametrize("kind", ["learned", "rotary", "none"])
def test_another_kind_is_shown_as_a_comparison_and_never_as_the_models(visit, kind):
    room = Room(visit())
    room.press(f"[data-kind={kind}]")
    drawn = room.drawn()
    assert drawn["kind"] == kind and not drawn["own"]
    assert "comparison" in drawn["badge"] and "sinusoidal" in drawn["badge"]
    same(drawn["numbers"], position_table(room.checkpoint, kind).table_PD)
    assert room.page.locator(".positions-nothing").is_visible() == (kind == "none")
    assert drawn["beside"]["kind"] == "sinusoidal"
    same(drawn["beside"]["numbers"], position_table(room.checkpoint, "sinusoidal").table_PD)
    assert room.page.locator('[data-grid="own"] canvas').is_visible()


@pytest.mark.parametrize(("window", "side"), [(WIDE, "source"), (PHONE, "target")])
def test_the_sum_adds_up_on_the_screen(visit, window, side):
    room = Room(visit(window), "sum")
    drawn = room.press(f"[data-side={side}]")
    source, target_ids = room.sentence()
    study = position_sum(room.checkpoint, source, target_ids, side)
    same(drawn["embedding"], study.embedding_TD)
    same(drawn["position"], study.position_TD)
    same(drawn["sum"], study.sum_TD)
    embedding, position = (np.array(drawn[part], np.float32) for part in ("embedding", "position"))
    assert np.array_equal(embedding + position, np.array(drawn["sum"], np.float32))
    drawn = room.click_cell("sum", 1, 7, drawn["boxes"][2])
    for part_TD in (study.embedding_TD, study.position_TD, study.sum_TD):
        assert digits(part_TD[1, 7]) in drawn["reading"]


def assert_order_is_the_models(room, drawn):
    source, target_ids = room.sentence()
    positions = drawn["mode"] == "on"
    study = effect(
        room.checkpoint, source, target_ids, drawn["order"], drawn["rows"], positions=positions
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
    assert all(one["provably_none"] for one in drawn["changes"]["off"])
    assert drawn["double"] < 1e-12
    assert drawn["translations"]["off"][0] == drawn["translations"]["off"][1]
    source, _ = room.sentence()
    expected = translation(room.checkpoint, source, drawn["order"]).text
    assert drawn["translations"]["on"][1] == expected
    assert expected in drawn["translations_shown"]


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
        assert one["provably_none"] == (one["site"] == "decoder")
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


@pytest.mark.parametrize("site", ["encoder", "cross", "decoder"])
def test_any_head_of_any_attention_can_be_looked_at(visit, site):
    room = Room(visit(), "order")
    room.press(f"[data-order-site={site}]")
    room.page.locator(".positions-order [data-pick=layer]").select_option(index=0)
    room.page.locator(".positions-order [data-pick=head]").select_option(index=3)
    drawn = room.drawn()
    assert (drawn["site"], drawn["layer"], drawn["head"]) == (site, 0, 3)
    assert_order_is_the_models(room, drawn)


def test_the_rotation_is_labelled_as_a_comparison_and_is_the_formula(visit):
    room = Room(visit(), "rotary")
    room.page.locator(".positions [data-pick=query]").select_option("5")
    drawn = room.drawn()
    source, target_ids = room.sentence()
    where = drawn["site"], drawn["layer"], drawn["head"], drawn["query"], drawn["key"]
    assert where[0] == "encoder" and where[3] == 5
    study = rotation(room.checkpoint, source, target_ids, *where)
    for name in ("q", "k", "turned_q", "turned_k"):
        same(drawn[name], getattr(study, f"{name}_QE"))
    same(drawn["placed_scores"], study.placed_scores_PP)
    assert not drawn["own"] and "comparison" in drawn["badge"]
    assert drawn["spread"] < 1e-4 and "distance alone" in drawn["verdict"]


@pytest.mark.parametrize(
    "text", ["</s> <img src=x onerror=alert(1)> cat", "你打我", "{row} <script>alert(1)</script>"]
)
@pytest.mark.parametrize("view", ["sum", "order", "rotary"])
def test_hostile_and_foreign_tokens_are_only_text(visit, view, text):
    stage = visit()
    stage.type_source(text)
    room = Room(stage, view)
    assert room.drawn()["view"] == view
    assert room.page.locator(".positions img, .positions script").count() == 0
    if view == "order":
        shown = room.page.locator(".positions-word-text").all_inner_texts()
        assert shown == [word["text"] for word in room.drawn()["labels"]]


@pytest.mark.parametrize(("window", "scheme"), [(WIDE, "light"), (PHONE, "dark")])
def test_nothing_leaves_the_page_and_nothing_is_missing_a_word(visit, window, scheme):
    stage = visit(window, scheme)
    stage.type_source("cat " * 62)
    room = Room(stage)
    for view in ("table", "sum", "order", "rotary"):
        room.open(view)
        assert room.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert "positions_" not in room.page.locator(".positions").inner_text()
    if window == WIDE:
        assert room.page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")


def test_the_reversing_model_has_the_room_too(visit):
    stage = visit()
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.drawn()
    room = Room(stage)
    same(room.drawn()["numbers"], position_table(room.checkpoint, "sinusoidal").table_PD)
    drawn = room.open("order")
    assert_order_is_the_models(room, drawn)


@pytest.mark.parametrize("part", ["before", "after", "difference"])
def test_the_keys_go_on_from_the_cell_that_was_clicked_in_every_map_of_order(visit, part):
    stage = visit()
    stage.type_source(SENTENCE)
    room = Room(stage, "order")
    drawn = room.drawn()
    at = ["before", "after", "difference"].index(part)
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


def test_the_first_key_on_a_map_takes_its_first_cell(visit):
    room = Room(visit(), "order")
    canvas = room.page.locator('[data-grid="after"] canvas')
    for key, column in (("ArrowRight", 0), ("ArrowRight", 1)):
        canvas.press(key)
        assert room.drawn()["pointed"] == {"part": "after", "row": 0, "column": column}
    canvas.press("Escape")
    assert room.drawn()["pointed"] is None


def test_the_keys_go_on_from_the_cell_that_was_clicked_in_the_placed_scores(visit):
    room = Room(visit(), "rotary")
    drawn = room.drawn()
    P = round(len(drawn["placed_scores"]) ** 0.5)
    room.click_cell("placed", 4, 9, drawn["boxes"])
    room.page.mouse.move(0, 0)
    canvas = room.page.locator('[data-grid="placed"] canvas')
    for key, (row, column) in (("ArrowDown", (5, 9)), ("ArrowLeft", (5, 8)), ("PageUp", (0, 8))):
        canvas.press(key)
        drawn = room.drawn()
        assert drawn["pointed"] == {"row": row, "column": column}
        assert digits(drawn["placed_scores"][row * P + column]) in drawn["reading"]
        assert f"distance {row - column}" in drawn["reading"].replace("−", "-")


def test_two_positions_are_compared_with_the_keys_from_where_they_stand(visit):
    room = Room(visit())
    canvas = room.page.locator('[data-grid="alike"] canvas')
    row, other = (room.drawn()[name] for name in ("row", "other"))
    for key, (a, b) in (
        ("ArrowDown", (row + 1, other)),
        ("ArrowRight", (row + 1, other + 1)),
        ("ArrowRight", (row + 1, other + 2)),
    ):
        canvas.press(key)
        assert f"position {a} to position {b}," in room.drawn()["reading"]


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_every_dial_says_its_pair_and_its_angles(visit, locale):
    room = Room(visit(locale=locale), "rotary")
    drawn = room.drawn()
    dials = room.page.locator(".positions-dials-canvas")
    options = dials.locator("[role=option]")
    assert options.count() == len(drawn["frequencies"])
    labels = room.stage.drawn()["source_labels"]
    for pair, frequency in enumerate(drawn["frequencies"]):
        said = options.nth(pair).get_attribute("aria-label")
        for part in ("query", "key"):
            angle = drawn[part] * frequency
            assert f"{angle * 180 / np.pi:.{2 if angle < 0.2 else 0}f}°" in said
            assert labels[drawn[part]] in said
        assert str(2 * pair) in said and str(2 * pair + 1) in said
    for pair in (1, 2):
        dials.press("ArrowRight")
        assert room.drawn()["pair"] == pair
        active = room.page.locator(f"#{dials.get_attribute('aria-activedescendant')}")
        assert active.get_attribute("aria-selected") == "true"
        assert active.get_attribute("aria-label") == options.nth(pair).get_attribute("aria-label")
