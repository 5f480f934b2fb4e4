"""The room Inside a head in a real Chromium: every number drawn is the model's, and adds up."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model_core.studies.head import study_head
from tests.browser.checks import assert_scheme, hover_label
from tests.browser.conftest import PHONE
from tests.browser.walks import unfold
from tests.viz_app.rooms.test_inside_chain import assert_lines_add_up, number


def shown(stage):
    """What the room shows, once the answer it asked for is there."""
    stage.drawn("drawn.in_room?.ready")
    unfold(stage)
    return stage.drawn("drawn.in_room?.ready")["in_room"]


def enter(stage):
    stage.page.locator("[data-open=inside]").click()
    return shown(stage)


def leave(stage):
    stage.page.locator("[data-open=translate]").click()
    return stage.drawn()


def parts(stage):
    drawn = stage.drawn()
    model = stage.service.library.tracer(drawn["recipe"]["model"]).model
    return model, stage.decoding(drawn)


def same(panel, *expected, rows=slice(None)):
    """The vectors of a panel, bit by bit."""
    drawn = np.array(panel["values"][rows], np.float32)
    assert np.array_equal(drawn, np.array(expected, np.float32))


def assert_cell_is_the_models(stage, room):
    """Every vector of the chain, bit by bit, and every number of the row, to its last digit."""
    cell = room["cell"]
    study = study_head(*parts(stage), *(cell[n] for n in ("site", "layer", "head", "query")))
    panels, key = cell["panels"], cell["key"]
    H, sublayer = len(study.shares_HD), study.sublayer
    same(cell["read"], sublayer.read_D, study.read_KD[key])
    same(panels["project"], study.q_E, study.k_KE[key], study.v_KE[key])
    same(panels["product"], study.products_KE[key], rows=slice(-1, None))
    same(cell["raw"], *study.v_KE)
    same(panels["values"], *study.weighted_KE, study.context_E)
    same(panels["output"], *study.shares_HD, rows=slice(H))
    same(panels["output"], sublayer.made_D, rows=slice(-1, None))
    same(panels["residual"], sublayer.entered_D, sublayer.made_D, sublayer.sum_D)
    same(panels["norm"], study.norm.entered_D, study.norm.left_D)
    row = np.array(
        [[number(text or "nan") for text in line[1:]] for line in panels["softmax"]["exact"]],
        np.float32,
    )
    assert len(row) == len(study.keys)
    seen_K = study.allowed_K
    assert np.array_equal(row[:, 0], np.float32(study.scores_K))
    assert np.array_equal(row[seen_K, 1], np.float32(study.scores_K)[seen_K])
    assert np.array_equal(row[seen_K, 2], np.float32(study.exponentials_K)[seen_K])
    assert np.array_equal(row[:, 3], np.float32(study.weights_K))
    masked = [cells[2] == "−∞" for cells in panels["softmax"]["cells"]]
    assert masked == (~seen_K).tolist()
    return study


def assert_printed_numbers_add_up(study, stage):
    stage.choose("digits", "all")
    cell = shown(stage)["cell"]
    assert_lines_add_up(study, cell["panels"], cell["key"])


def test_every_place_is_the_models_and_a_cell_chosen_in_any_view_or_by_the_step_is_found_inside(
    visit,
):
    stage = visit()
    room = enter(stage)
    cell = room["cell"]
    weight = cell["panels"]["softmax"]["cells"][cell["key"]][4]
    assert weight in room["sentence"] and room["next"]
    drawn = stage.drawn()
    locked = (drawn["site"], drawn["locked"]["layer"], drawn["locked"]["head"])
    assert (cell["site"], cell["layer"], cell["head"]) == locked
    assert_printed_numbers_add_up(assert_cell_is_the_models(stage, room), stage)

    calls = stage.server_calls  # another key of the same query needs no server
    for key in (0, 3):
        stage.page.locator(f"tr[data-key='{key}'] td").first.click()
        room = shown(stage)
        assert room["cell"]["key"] == key
        assert room["cell"]["panels"]["values"]["picked"] == key
    assert stage.server_calls == calls

    for site, layer, head, query, key in (
        ("encoder", 0, 2, 4, 0),
        ("decoder", 1, 5, 1, 3),
        ("cross", 2, 7, 0, 5),
    ):
        stage.page.locator(f'[data-inside-site="{site}"]').click()
        stage.page.locator(".inside [data-pick=layer]").select_option(index=layer)
        stage.page.locator(".inside [data-pick=head]").select_option(index=head)
        stage.page.locator(f'[data-tokens=query] [data-index="{query}"]').click()
        stage.page.locator(f'[data-tokens=key] [data-index="{key}"]').click()
        room = shown(stage)
        cell = room["cell"]
        where = [cell[name] for name in ("site", "layer", "head", "query", "key")]
        assert where == [site, layer, head, query, key]
        assert_printed_numbers_add_up(assert_cell_is_the_models(stage, room), stage)
        if site == "decoder":  # a later token
            assert "may not look at" in room["sentence"]
            assert number(cell["panels"]["softmax"]["exact"][key][4]) == 0
            assert "masked" in cell["panels"]["softmax"]["lines"][0]
    for layer, head in ((0, 1), (1, 0), (2, 7)):  # the last of many clicks is shown
        stage.page.locator(".inside [data-pick=layer]").select_option(index=layer)
        stage.page.locator(".inside [data-pick=head]").select_option(index=head)
        for query in (1, 2):
            stage.page.locator(f'[data-tokens=query] [data-index="{query}"]').click()
    room = shown(stage)
    assert [room["cell"][name] for name in ("layer", "head", "query")] == [2, 7, 2]
    assert_cell_is_the_models(stage, room)
    # what was chosen here is what the Translate room shows
    drawn = leave(stage)
    assert (drawn["site"], drawn["layer"], drawn["head"]) == ("cross", 2, 7)

    enter(stage)
    stage.type_source("She gave her brother a book.")
    assert_cell_is_the_models(stage, shown(stage))
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.drawn("drawn.recipe.model === 'reverse-tiny' && drawn.in_room?.ready")
    assert_cell_is_the_models(stage, shown(stage))
    norm, product = (
        stage.page.locator(f'[data-panel="{name}"]').bounding_box()["y"]
        for name in ("norm", "product")
    )
    assert norm <= product  # this model norms before the sub-layer

    # A cell that is chosen in any view is found inside.
    stage.anew("")
    canvas = stage.page.locator(".map-canvas").first
    canvas.focus()
    drawn = stage.drawn()
    for name in ("ArrowRight", "ArrowRight", "ArrowUp", "Enter"):
        stage.page.keyboard.press(name)
    room = enter(stage)
    assert (room["chosen"]["query"], room["chosen"]["key"]) == (drawn["at"] - 1, 1)
    assert leave(stage)["recipe"] == drawn["recipe"]

    for site in ("encoder", "decoder", "cross"):
        drawn = stage.choose("site", site)
        query, key = 2, 1
        x, y, width, height = drawn["cell_boxes"][query][key]
        canvas.click(position={"x": x + width / 2, "y": y + height / 2})
        stage.page.locator(".pair-acts .look-inside").click()
        cell = shown(stage)["cell"]
        assert (cell["site"], cell["query"], cell["key"]) == (site, query, key)
        line = cell["panels"]["softmax"]["exact"][key]
        assert number(line[4]) == pytest.approx(drawn["weights"][query][key], abs=1e-6)
        assert cell["panels"]["softmax"]["cells"][key][0] == drawn["column_labels"][key]
        leave(stage)

    drawn = stage.choose("view", "lines")  # a key among them, with the current row
    hover_label(canvas, drawn["column_labels"][2])
    stage.page.mouse.down()
    stage.page.mouse.up()
    assert enter(stage)["chosen"] == {"query": drawn["at"], "key": 2}
    leave(stage)
    stage.choose("view", "table")
    stage.page.locator('td[data-query="3"][data-key="2"]').click()
    assert enter(stage)["chosen"] == {"query": 3, "key": 2}

    # Until one is chosen it is that of the step.
    stage.anew("")
    for site, at in (("decoder", 2), ("cross", 4)):
        stage.choose("site", site)
        stage.key("Home")
        for _ in range(at):
            stage.key("ArrowRight")
        room = enter(stage)
        assert room["chosen"]["query"] == stage.drawn()["at"] == at
        weights = [number(line[4]) for line in room["cell"]["panels"]["softmax"]["exact"]]
        assert room["chosen"]["key"] == int(np.argmax(weights))
        leave(stage)
    enter(stage)
    stage.page.locator('[data-tokens=query] [data-index="1"]').click()
    shown(stage)
    leave(stage)
    stage.key("Home")
    assert enter(stage)["chosen"]["query"] == 1

    # The sentences are marked where they are seen, and as soon as they are.
    leave(stage)
    stage.type_source("The old cat sleeps on the roof.")
    tints = "[...document.querySelectorAll('.strip .token')].map(({ style }) => style.cssText)"
    before = stage.page.evaluate(f"() => {tints}")
    stage.page.locator("[data-open=inside]").click()
    stage.drawn("drawn.in_room?.ready")
    stage.page.evaluate(
        """() => {
            window.marked = 0;
            const watch = new MutationObserver((all) => { window.marked += all.length; });
            for (const words of document.querySelectorAll(".strip > .tokens")) {
                watch.observe(words, { attributes: true, subtree: true });
            }
        }"""
    )
    stage.page.locator(".inside [data-pick=head]").select_option(index=2)
    stage.drawn("drawn.in_room?.ready")
    assert stage.page.evaluate("() => window.marked") == 0
    leave(stage)
    after = stage.page.evaluate(f"() => {tints}")
    assert after != before and any("background" in style for style in after)
    stage.key("ArrowLeft")
    assert stage.page.evaluate(f"() => {tints}") != after
    stage.key("ArrowRight")
    assert stage.page.evaluate(f"() => {tints}") == after


def assert_colours_tell_the_sign(stage, product):
    pitch, top = product["pitch"], product["tops"][0][0]
    colours = stage.page.evaluate(
        """(points) => {
            const canvas = document.querySelector('[data-vectors="product"] canvas');
            const ratio = canvas.width / canvas.getBoundingClientRect().width;
            const pen = canvas.getContext('2d');
            return points.map((at) => [...pen.getImageData(
                ...at.map((one) => Math.round(one * ratio)), 1, 1).data]);
        }""",
        [[(e + 0.5) * pitch, top + 8] for e in range(len(product["values"][0]))],
    )
    warm = [
        (q, red - blue)
        for e, (q, (red, _, blue, _)) in enumerate(zip(product["values"][0], colours, strict=True))
        if e != product["at"]
    ]
    assert np.corrcoef(np.array(warm).T)[0, 1] < -0.8


def test_formulas_are_folded_until_asked_for_and_a_dimension_is_marked_in_every_vector(visit):
    stage = visit()
    stage.page.locator("[data-open=inside]").click()
    stage.drawn("drawn.in_room?.ready")
    formulas = stage.page.locator(".panel-formula:visible")
    names = stage.page.locator(".panel-name:visible")
    assert (formulas.count(), names.count()) == (0, 7)
    panels = [
        (one.bounding_box(), one.inner_text()) for one in stage.page.locator(".panel-step").all()
    ]
    read = sorted(panels, key=lambda panel: (round(panel[0]["y"]), panel[0]["x"]))
    assert [step for _, step in read] == list("1234567")
    toggle = stage.page.locator("[data-unfold=product]")
    toggle.click()
    expect(formulas).to_have_count(1)
    expect(toggle).to_have_attribute("aria-expanded", "true")
    stage.page.locator("[data-tool=language]").click()
    assert "查询" in stage.drawn("drawn.language === 'zh'")["in_room"]["sentence"]
    expect(formulas).to_have_count(1)  # it stays so
    assert "总和" in stage.page.locator(".product-sum").inner_text()
    stage.page.locator("[data-act=formulas]").click()
    expect(formulas).to_have_count(7)
    stage.page.locator("[data-act=formulas]").click()
    expect(formulas).to_have_count(0)

    # A dimension, in colours that tell its sign.
    enter(stage)
    stage.page.locator("[data-act=dimensions]").click()
    canvas = stage.page.locator('[data-vectors="product"] canvas')
    canvas.scroll_into_view_if_needed()
    pitch = shown(stage)["cell"]["panels"]["product"]["pitch"]
    canvas.hover(position={"x": 5.5 * pitch, "y": 24})
    panels = shown(stage)["cell"]["panels"]
    assert panels["product"]["at"] == panels["values"]["at"] == 5
    values = [row[5] for row in panels["product"]["values"]]
    printed = [number(text) for text in panels["product"]["numbers"]]
    assert printed == pytest.approx(values, rel=5e-3, abs=5.1e-4)
    canvas.focus()
    stage.page.keyboard.press("ArrowRight")
    assert shown(stage)["cell"]["panels"]["values"]["at"] == 6
    stage.page.locator('[data-vectors="norm"] canvas').focus()
    stage.page.keyboard.press("Home")
    panels = shown(stage)["cell"]["panels"]
    assert [panels[name]["at"] for name in ("output", "residual", "norm")] == [0, 0, 0]
    for scheme in ("light", "dark"):
        assert_scheme(stage, scheme)
        assert_colours_tell_the_sign(stage, shown(stage)["cell"]["panels"]["product"])
        stage.page.locator("[data-tool=scheme]").click()

    # On a phone the bars of a row are as high as can be compared.
    stage.resize(**PHONE)
    stage.anew("")
    stage.page.locator("[data-open=inside]").click()
    stage.drawn("drawn.in_room?.ready")
    highest = """(all) => Math.max(...all.map((one) =>
        parseFloat(getComputedStyle(one, "::before").height)))"""
    assert stage.page.locator(".inside-reads .token").evaluate_all(highest) > 44
