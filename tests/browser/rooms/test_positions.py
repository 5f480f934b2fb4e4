"""The room Positions in a real Chromium: what is drawn is what model_core computes."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.studies.positions import position_sum, position_table, rotation
from model_core.values.recipe import Recipe
from tests.browser.conftest import PHONE, WIDE

SENTENCE = "Tom loves Mary."


class Room:
    """The open room; `drawn` waits until nothing is outstanding."""

    def __init__(self, stage, view="table"):
        self.stage, self.page = stage, stage.page
        if stage.drawn()["recipe"]["source"] == "She wants to buy a red car.":
            stage.type_source("The old cat sleeps on the warm roof.")
        self.page.locator("[data-open=positions]").click()
        self.open(view)

    def open(self, view):
        return self.press(f"[data-study={view}]")

    def press(self, selector, **how):
        self.page.locator(f".positions {selector}").first.click(**how)
        return self.drawn()

    def drawn(self):
        ready = "(room => room && !room.busy && (room.shape || room.before))(drawn.in_room)"
        return self.stage.drawn(ready)["in_room"]

    def click_cell(self, grid, row, column, boxes):
        """Click a cell of one of the heat maps of the open view."""
        canvas = self.page.locator(f'[data-grid="{grid}"] canvas')
        x = boxes["left"] + (column + 0.5) * boxes["pitchX"]
        y = boxes["top"] + (row + 0.5) * boxes["pitchY"]
        canvas.click(position={"x": x, "y": y})
        return self.drawn()

    @property
    def model(self):
        recipe = self.stage.drawn()["recipe"]
        return self.stage.service.library.tracer(recipe["model"]).model

    def sentence(self):
        """The source and the target ids that are fed in."""
        recipe = Recipe.from_json(self.stage.drawn()["recipe"])
        source = self.model.source(recipe.source, recipe.pads)
        config = self.model.config
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
    table = position_table(room.model, "sinusoidal")
    assert drawn["own"] and drawn["shape"] == list(table.table_PD.shape)
    same(drawn["numbers"], table.table_PD)
    same(drawn["similarity"], table.similarity_PP)
    np.testing.assert_allclose(drawn["wavelengths"], table.wavelengths_D)
    assert "sines, then cosines" in drawn["lead"] and len(drawn["curves"]) >= 3


def test_a_click_and_the_keys_select_a_number_and_its_curve(visit):
    room = Room(visit())
    table_PD = position_table(room.model, "sinusoidal").table_PD
    before = room.drawn()
    columns = before["columns"]
    tokens = room.stage.drawn()["source_labels"]
    drawn = room.click_cell("table", 9, 20, before["boxes"])
    assert "Row 9 is" in drawn["headline"] and tokens[9] in drawn["headline"]
    for column, hand in zip((0, 20), drawn["hands"], strict=False):
        assert [digits(table_PD[9, column]), digits(table_PD[9, column + 1])] == [
            said.split()[-1] for said in hand
        ]
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


def test_two_positions_are_entered_as_numbers_and_compared_in_every_kind(visit):
    room = Room(visit())
    for name, place in (("a", 41), ("b", 2)):
        room.page.locator(f"[data-position={name}]").fill(str(place))
        room.page.keyboard.press("Tab")
    for kind in ("sinusoidal", "learned", "rotary"):
        room.press(f"[data-kind={kind}]")
        drawn = room.drawn()
        rows_PD = position_table(room.model, kind).table_PD.astype(float)
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
        expect(room.page.locator(".positions-circle")).to_be_visible(visible=kind != "learned")


def test_another_kind_is_shown_as_a_comparison_and_never_as_the_models(visit):
    room = Room(visit())
    for kind in ("learned", "rotary", "none"):
        drawn = room.press(f"[data-kind={kind}]")
        assert drawn["kind"] == kind and not drawn["own"]
        lead = {"learned": "Each row is what one", "rotary": "Nothing is added"}.get(kind)
        expect(room.page.locator(".positions-lead:visible")).to_contain_text([lead] if lead else [])
        assert "comparison" in drawn["badge"] and "sinusoidal" in drawn["badge"]
        same(drawn["numbers"], position_table(room.model, kind).table_PD)
        expect(room.page.locator(".positions-nothing")).to_be_visible(visible=kind == "none")
        assert drawn["beside"]["kind"] == "sinusoidal"
        same(drawn["beside"]["numbers"], position_table(room.model, "sinusoidal").table_PD)
        expect(room.page.locator('[data-grid="own"] canvas')).to_be_visible()


@pytest.mark.parametrize(("window", "side"), [(WIDE, "source"), (PHONE, "target")])
def test_the_sum_adds_up_on_the_screen(visit, window, side):
    room = Room(visit(window), "sum")
    drawn = room.press(f"[data-side={side}]")
    source, target_ids = room.sentence()
    study = position_sum(room.model, source, target_ids, side)
    same(drawn["embedding"], study.embedding_TD)
    same(drawn["position"], study.position_TD)
    same(drawn["sum"], study.sum_TD)
    embedding, position = (np.array(drawn[part], np.float32) for part in ("embedding", "position"))
    assert np.array_equal(embedding + position, np.array(drawn["sum"], np.float32))
    drawn = room.click_cell("sum", 1, 7, drawn["boxes"][2])
    for part_TD in (study.embedding_TD, study.position_TD, study.sum_TD):
        assert digits(part_TD[1, 7]) in drawn["reading"]


def test_the_rotation_is_labelled_as_a_comparison_and_is_the_formula(visit):
    room = Room(visit(), "rotary")
    room.page.locator(".positions [data-pick=query]").select_option("5")
    drawn = room.drawn()
    source, target_ids = room.sentence()
    where = drawn["site"], drawn["layer"], drawn["head"], drawn["query"], drawn["key"]
    assert where[0] == "encoder" and where[3] == 5
    study = rotation(room.model, source, target_ids, *where)
    for name in ("q", "k", "turned_q", "turned_k"):
        same(drawn[name], getattr(study, f"{name}_QE"))
    same(drawn["placed_scores"], study.placed_scores_PP)
    assert not drawn["own"] and "comparison" in drawn["badge"]
    assert drawn["spread"] < 1e-4 and "distance alone" in drawn["verdict"]


def test_hostile_and_foreign_tokens_are_only_text(visit):
    stage = visit()
    room = Room(stage)
    for text in ("</s> <img src=x onerror=alert(1)> {row} cat", "你打我 <script>alert(1)</script>"):
        stage.type_source(text)
        for view in ("sum", "order", "rotary"):
            assert room.open(view)["view"] == view
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


def test_every_dial_says_its_pair_and_its_angles(visit):
    room = Room(visit(), "rotary")
    drawn = room.drawn()
    dials = room.page.locator(".positions-dials-canvas")
    options = dials.locator("[role=option]")
    names = options.evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")
    labels = room.stage.drawn()["source_labels"]
    for pair, (frequency, said) in enumerate(zip(drawn["frequencies"], names, strict=True)):
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
        assert active.get_attribute("aria-label") == names[pair]


def test_the_rows_are_those_of_the_sentence_until_all_are_asked_for_or_one_beyond_is_read(visit):
    room = Room(visit())
    tokens, (positions, _) = room.stage.drawn()["source_labels"], room.drawn()["shape"]
    assert room.drawn()["rows"] == [f"{row} · {token}" for row, token in enumerate(tokens)]
    assert len(room.press("[data-span=all]")["rows"]) == positions
    room.press("[data-span=sentence]")
    room.page.locator("[data-position=a]").fill("41")
    room.page.keyboard.press("Tab")
    drawn = room.drawn()
    assert len(drawn["rows"]) == positions and "No word of this sentence" in drawn["headline"]
