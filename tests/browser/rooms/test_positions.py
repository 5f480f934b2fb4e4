"""The room Positions in a real Chromium: what is drawn is what model_core computes."""

import numpy as np
from playwright.sync_api import expect

from model_core.studies.positions import position_sum, position_table, rotation
from model_core.values.recipe import Recipe
from tests.browser.conftest import FRAMES, PHONE, WIDE

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

    def type(self, selector, text):
        self.page.locator(f".positions {selector}").first.fill(text)
        self.page.keyboard.press("Tab")
        return self.drawn()

    def drawn(self):
        return self.stage.drawn("drawn.in_room?.ready")["in_room"]

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
    assert np.array_equal(np.array(drawn, np.float32).ravel(), array.astype(np.float32).ravel())


def digits(number):
    return f"{number:.3f}".replace("-", "−")


def spoken(number, said):
    """The number as it is said, with as many digits."""
    return f"{np.float32(number):.{len(said.partition('.')[2])}f}".replace("-", "−")


def columns_of(values_RC, table_PD):
    """Which dimensions are drawn."""
    rows_RD = table_PD[: len(values_RC)].astype(np.float32)
    return [int(np.flatnonzero((rows_RD == one[:, None]).all(0))[0]) for one in values_RC.T]


def test_the_table_is_the_models_two_positions_are_compared_and_sum_and_rotation_add_up(visit):
    room = Room(visit())
    drawn = room.drawn()
    table = position_table(room.model, "sinusoidal")
    table_PD, (positions, dimensions) = table.table_PD, table.table_PD.shape
    tokens = room.stage.drawn()["source_labels"]
    assert drawn["own"] and "sines, then cosines" in drawn["lead"] and len(drawn["chips"]) >= 3
    assert drawn["rows"] == [f"{row} · {token}" for row, token in enumerate(tokens)]
    same(drawn["alike"]["values"], table.similarity_PP)

    # Sines stand apart from cosines, and not every dimension is drawn.
    half = len(drawn["values"][0]) // 2
    assert 2 * half < dimensions / 2
    columns = columns_of(np.array(drawn["values"], np.float32), table_PD)
    sines, cosines = columns[:half], columns[half:]
    assert [one + 1 for one in sines] == cosines and not any(one % 2 for one in sines)
    assert np.all(np.diff(table.wavelengths_D[sines]) > 0)
    same(drawn["values"], table_PD[: len(tokens)][:, columns])

    # A click, and the keys from there, read a number and draw its curve.
    at = half // 2 + 1
    drawn = room.click_cell("table", 9, at, drawn["boxes"])
    assert "Row 9 is" in drawn["headline"] and tokens[9] in drawn["headline"]
    said = [[number.split()[-1] for number in hand] for hand in drawn["hands"]]
    for column in (0, columns[at]):
        assert [digits(table_PD[9, column]), digits(table_PD[9, column + 1])] in said
    assert (drawn["row"], drawn["column"]) == (9, columns[at]) and columns[at] in drawn["chips"]
    canvas = room.page.locator('[data-grid="table"] canvas')
    room.page.mouse.move(0, 0)
    for key, (row, column) in (
        ("ArrowUp", (8, at)),
        ("ArrowRight", (8, at + 1)),
        ("ArrowDown", (9, at + 1)),
    ):
        canvas.press(key)
        drawn = room.drawn()
        assert drawn["pointed"] == {"row": row, "column": column}
        assert digits(table_PD[row, columns[column]]) in drawn["reading"]
    canvas.press("Enter")
    drawn = room.drawn()
    assert (drawn["row"], drawn["column"]) == (9, columns[at + 1])
    kept = len(drawn["chips"])
    room.press("[data-act=keep]")
    drawn = room.click_cell("table", 9, at + 3, drawn["boxes"])
    assert len(drawn["chips"]) == kept + 1
    assert {columns[at + 1], columns[at + 3]} <= set(drawn["chips"])
    chip = room.page.locator(f".positions-chip[data-column='{columns[at + 1]}']")
    chip.press("Enter")
    assert room.drawn()["column"] == columns[at + 1]
    expect(chip).to_be_focused()

    # Every dimension and every position is one press away.
    assert room.type(".positions-number", "201")["column"] == 201
    drawn = room.press("[data-columns=all]")
    same(drawn["values"], table_PD[: len(tokens)])
    room.page.evaluate(f"() => {FRAMES}")  # the table has the room that it takes
    drawn = room.click_cell("table", 5, 100, room.drawn()["boxes"])
    assert (drawn["row"], drawn["column"]) == (5, 100)
    same(room.press("[data-span=all]")["values"], table_PD)
    room.press("[data-span=sentence]")
    drawn = room.type("[data-position=a]", "41")
    assert len(drawn["values"]) == positions
    assert "No word of this sentence" in drawn["headline"]

    # Two positions, in every kind, which is never taken for the model's.
    room.stage.anew("")
    room = Room(room.stage)
    own_PD = position_table(room.model, "sinusoidal").table_PD
    for name, place in (("a", 41), ("b", 2)):
        room.type(f"[data-position={name}]", str(place))
    alike = room.page.locator('[data-grid="alike"] canvas')
    for key, (a, b) in (("ArrowDown", (42, 2)), ("ArrowRight", (42, 3))):
        alike.press(key)
        assert f"position {a} to position {b}," in room.drawn()["reading"]
    alike.press("Escape")
    room.press("[data-columns=all]")
    leads = {"learned": ["Each row is what one"], "rotary": ["Nothing is added"], "none": []}
    for kind in ("sinusoidal", "learned", "rotary", "none"):
        drawn = room.press(f"[data-kind={kind}]")
        assert drawn["kind"] == kind and drawn["own"] == (kind == "sinusoidal")
        expect(room.page.locator(".positions-nothing")).to_be_visible(visible=kind == "none")
        if kind != "none":
            assert_both_are_compared(room.model, kind, drawn)
            circle = room.page.locator(".positions-circle")
            expect(circle).to_be_visible(visible=kind != "learned")
        if kind == "sinusoidal":  # a shift is a rotation
            angle = -39 * 10000 ** (-(drawn["column"] // 2 * 2) / own_PD.shape[1])
            assert f"{angle:.3f} rad".replace("-", "−") in drawn["turn"]
            assert f"{np.degrees(angle):.1f}°".replace("-", "−") in drawn["turn"]
            assert drawn["beside"] is None
        else:
            said = room.page.locator(".positions-lead:visible")
            expect(said).to_contain_text(leads[kind])
            assert "comparison" in drawn["badge"] and "sinusoidal" in drawn["badge"]
            same(drawn["beside"]["values"], own_PD[: len(drawn["beside"]["values"])])

    # The sum adds up, the rotation is the formula, and what is read stands under the table.
    room.stage.anew("")
    room = Room(room.stage, "sum")
    for window, side in ((WIDE, "source"), (PHONE, "target")):
        room.stage.resize(**window)
        drawn = room.press(f"[data-side={side}]")
        study = position_sum(room.model, *room.sentence(), side)
        same(drawn["embedding"], study.embedding_TD)
        same(drawn["position"], study.position_TD)
        same(drawn["sum"], study.sum_TD)
        parts = (np.array(drawn[part], np.float32) for part in ("embedding", "position"))
        assert np.array_equal(sum(parts), np.array(drawn["sum"], np.float32))
        boxes = drawn["boxes"]
        assert boxes[0] == boxes[1] == boxes[2] or window == PHONE
        drawn = room.click_cell("sum", 1, 7, boxes[2])
        for part_TD in (study.embedding_TD, study.position_TD, study.sum_TD):
            assert digits(part_TD[1, 7]) in drawn["headline"]

    room.stage.resize(**WIDE)
    room.open("rotary")
    room.page.locator(".positions [data-pick=query]").select_option("5")
    drawn = room.drawn()
    source, target_ids = room.sentence()
    where = drawn["site"], drawn["layer"], drawn["head"], drawn["query"], drawn["key"]
    assert where[0] == "encoder" and where[3] == 5
    study = rotation(room.model, source, target_ids, *where)
    same(drawn["placed"], study.placed_scores_PP)
    for scores_QQ in (study.scores_QQ, study.turned_scores_QQ):
        assert digits(scores_QQ[where[3], where[4]]) in drawn["headline"]
    assert not drawn["own"] and "comparison" in drawn["badge"]
    assert "distance alone" in drawn["verdict"]

    # The keys go on from the cell that was clicked.
    room.click_cell("placed", 4, 9, drawn["boxes"])
    room.page.mouse.move(0, 0)
    canvas = room.page.locator('[data-grid="placed"] canvas')
    for key, (row, column) in (("ArrowDown", (5, 9)), ("ArrowLeft", (5, 8)), ("PageUp", (0, 8))):
        canvas.press(key)
        drawn = room.drawn()
        assert drawn["pointed"] == {"row": row, "column": column}
        assert digits(drawn["placed"][row][column]) in drawn["reading"]
        assert f"distance {row - column}:".replace("-", "−") in drawn["reading"]

    # Every dial says its pair and its angles.
    dials = room.page.locator(".positions-dials-canvas")
    options = dials.locator("[role=option]")
    names = options.evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")
    labels = room.stage.drawn()["source_labels"]
    assert len(names) == len(study.frequencies_N)
    for pair, (frequency, said) in enumerate(zip(study.frequencies_N, names, strict=True)):
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

    # In a large window what is read stands right under the table.
    room.stage.resize(1920, 1080)
    room.stage.anew("")
    room = Room(room.stage)
    room.stage.lay_out()
    drawn = room.drawn()
    boxes = drawn["boxes"]
    map_, reading = (
        room.page.locator(one).first.bounding_box()
        for one in ('[data-grid="table"] canvas', ".positions-view:not([hidden]) .reading")
    )
    under = map_["y"] + boxes["top"] + len(drawn["rows"]) * boxes["pitchY"]
    assert 0 <= reading["y"] - under < 60


def assert_both_are_compared(model, kind, drawn):
    """Rows 41 and 2 of a table, by the numbers beside it."""
    rows_PD = position_table(model, kind).table_PD
    same(drawn["values"], rows_PD[: len(drawn["values"])])
    a, b = rows_PD[41].astype(float), rows_PD[2].astype(float)
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    distance, *said = drawn["compared"]
    assert (drawn["row"], drawn["other"], distance) == (41, 2, "39")
    numbers = (a @ b, cosine, np.linalg.norm(a - b))
    assert said == [spoken(n, one) for n, one in zip(numbers, said, strict=True)]
