"""From a cell of any room to that very cell in the room Inside a head, in a real Chromium."""

import numpy as np
import pytest

from model_core.studies.head import study_head
from tests.browser.conftest import PHONE

SENTENCE = "Tom loves Mary."


def click_mask(stage, nth, query, key):
    """Click a cell of one of the six maps of the room Masks."""
    drawn = stage.in_room()
    left, top, pitch_x, pitch_y = drawn["maps"][nth]["first_cell"]
    canvas = stage.page.locator(".masks-map canvas").nth(nth)
    canvas.click(position={"x": left + (key + 0.5) * pitch_x, "y": top + (query + 0.5) * pitch_y})
    return stage.in_room()


def click_order(stage, part, row, column):
    """Click a cell of one of the three maps of the view on order."""
    boxes = stage.in_room()["boxes"][("before", "after", "difference").index(part)]
    x = boxes["left"] + (column + 0.5) * boxes["pitchX"]
    y = boxes["top"] + (row + 0.5) * boxes["pitchY"]
    stage.page.locator(f'[data-grid="{part}"] canvas').click(position={"x": x, "y": y})
    return stage.in_room()


def look(stage, where):
    stage.page.locator(f"{where} [data-act=look]").click()
    stage.drawn("drawn.room === 'inside'")
    found = stage.in_room()
    assert found["view"] == "cell"
    return found["cell"]


def assert_cell(stage, cell, site, layer, head, query, key):
    """Inside shows that cell, and its weights are the model's."""
    where = [cell[name] for name in ("site", "layer", "head", "query", "key")]
    assert where == [site, layer, head, query, key]
    drawn = stage.drawn()
    model = stage.service.library.tracer(drawn["recipe"]["model"]).model
    study = study_head(model, stage.decoding(drawn), site, layer, head, query)
    assert np.array_equal(np.float32(cell["weights_K"]), np.float32(study.weights_K))


def test_a_cell_of_a_mask_or_of_the_order_and_the_row_of_a_step_lead_to_themselves_inside(visit):
    stage = visit()
    for site, query, key in (("encoder", 3, 6), ("cross", 2, 5)):
        drawn = stage.enter("masks", f"[data-masks-site={site}]")
        lock = drawn["lock"]
        drawn = click_mask(stage, 5, query, key)
        assert drawn["chosen"] == {"query": query, "key": key}
        weight = drawn["maps"][5]["values"][query][key]
        cell = look(stage, ".masks-room")
        assert_cell(stage, cell, site, lock["layer"], lock["head"], query, key)
        assert cell["weights_K"][key] == pytest.approx(weight, abs=1e-6)
        stage.resize(**PHONE)
    stage.resize(1280, 720)

    # By keyboard, and of a row of pads, which has nothing inside and says so.
    drawn = stage.enter("masks", "[data-masks-site=decoder]")
    canvas = stage.page.locator(".masks-map canvas").nth(5)
    for name in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        canvas.press(name)
    assert stage.in_room()["chosen"] == {"query": 2, "key": 1}
    lock = drawn["lock"]
    cell = look(stage, ".masks-room")
    assert_cell(stage, cell, "decoder", lock["layer"], lock["head"], 2, 1)
    drawn = stage.enter("masks")
    click_mask(stage, 2, drawn["maps"][0]["row_kinds"].index("pad"), 0)
    stage.page.mouse.move(0, 0)
    drawn = stage.in_room()
    assert drawn["look"].startswith("Nothing to look into")
    assert drawn["look"] in drawn["reading"]
    stage.page.locator(".masks-room [data-act=look]").click(force=True)
    assert stage.drawn()["room"] == "masks"

    # A cell of another sentence of the batch brings its sentence and its pads.
    drawn = stage.enter("masks", "[data-act=masks-lesson]", "[data-masks-site=cross]")
    source = drawn["sentences"][drawn["shown"]]
    pad = drawn["maps"][5]["column_kinds"].index("pad")
    click_mask(stage, 5, 1, pad)
    cell = look(stage, ".masks-room")
    assert_cell(stage, cell, "cross", cell["layer"], cell["head"], 1, pad)
    recipe = stage.drawn()["recipe"]
    assert (recipe["source"], recipe["pads"]) == (source, 1)
    assert cell["allowed_K"][pad] is False and cell["weights_K"][pad] == 0
    again = stage.enter("masks")
    assert again["sentences"][0] == source and set(again["sentences"]) == set(drawn["sentences"])

    # A cell of the order, and the row of a step.
    stage.anew("")
    stage.type_source(SENTENCE)
    for step in (3, 1):  # without a cell the row of the step opens on its strongest key
        stage.page.locator("[data-open=translate]").click()
        stage.key("Home")
        for _ in range(step):
            drawn = stage.key("ArrowRight")
        row = drawn["weights"][step]
        cell = look(stage, ".pair-acts")
        assert (cell["query"], cell["key"]) == (step, int(np.argmax(row)))

    for part, site in (("before", "encoder"), ("difference", "cross")):
        drawn = stage.enter("positions", "[data-study=order]", f"[data-order-site={site}]")
        where = drawn["layer"], drawn["head"]
        click_order(stage, part, 2, 3)
        assert_cell(stage, look(stage, ".positions-order"), site, *where, 2, 3)
    # Without positions there is nothing inside, and the room says so.
    stage.enter("positions", "[data-study=order]", "[data-mode=off]")
    assert click_order(stage, "before", 1, 1)["look"].startswith("Nothing to look into")
    # A cell of the new order leads to the changed sentence.
    drawn = stage.enter("positions", "[data-mode=on]", "[data-order-site=encoder]")
    after = np.array(drawn["after"]).reshape(len(drawn["order"]), -1)
    click_order(stage, "after", 0, 2)
    cell = look(stage, ".positions-order")
    assert stage.drawn()["recipe"]["source"] == "Mary loves Tom."
    assert_cell(stage, cell, "encoder", drawn["layer"], drawn["head"], 0, 2)
    np.testing.assert_allclose(cell["weights_K"], after[0], atol=1e-6)
