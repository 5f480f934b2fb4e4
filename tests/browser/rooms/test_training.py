"""The room Training in a browser: one slider moves the map and what is said of it."""

import numpy as np

from model_core.models.own import open_own
from tests.browser.conftest import PHONE, TABLET
from tests.conftest import CHECKPOINTS

ROOM = "drawn.in_room?.ready"
# CSS pixels from the last row of each map to what stands under it.
UNDER = """() => {
    const drawn = document.querySelector('.stage-host').stage;
    const maps = [...document.querySelectorAll('.training-map')];
    const next = document.querySelector('.training-reading').getBoundingClientRect().top;
    const isBeside = maps[0].getBoundingClientRect().top === maps[1].getBoundingClientRect().top;
    return maps.map((map, i) => {
        const grid = drawn.mapOn(map.querySelector('canvas'));
        const [, top, , high] = grid.box(grid.frame().rows.count - 1, 0);
        const under = isBeside || i === 1 ? next : maps[1].getBoundingClientRect().top;
        return under - map.querySelector('canvas').getBoundingClientRect().top - top - high;
    });
}"""


def test_a_leak_is_watched_from_the_first_note_to_the_last_and_short_maps_leave_no_gap(visit):
    history = open_own(CHECKPOINTS / "reverse-leak").history
    stage = visit(own=True, link="#v=3&model=reverse-leak&text=abc123&room=training")
    page = stage.page
    room = stage.drawn(ROOM)["in_room"]
    last = len(history.updates_N) - 1
    assert room["note"] == room["last"] == last and "causal mask" in room["mistake"]
    weights = (history.weights["cross"][0][:, 0, 0] / 255)[last]
    assert np.abs(np.array(room["map"]["values"]) - weights).max() < 1e-6

    slider = page.locator("[data-training=note]")
    slider.focus()
    slider.press("Home")
    assert stage.drawn()["in_room"]["note"] == 0
    slider.press("ArrowRight")
    assert stage.drawn()["in_room"]["says"].startswith("After 1 update this head gives")
    page.locator("[data-training=later]").click()
    room = stage.drawn()["in_room"]
    assert room["note"] == 2
    weights = (history.weights["cross"][0][:, 0, 0] / 255)[2]
    assert np.abs(np.array(room["map"]["values"]) - weights).max() < 1e-6
    # The weights that were kept of a moment are a model of their own, in every room.
    page.locator("[data-training=open]").click()
    room = stage.drawn(f"drawn.recipe.model.includes('@') && {ROOM}")["in_room"]
    assert room["last"] == last
    # In the others a slider goes from one to the next.
    kept = page.locator(".updates input")
    assert not kept.is_visible()
    page.locator("[data-open=masks]").click()
    page.wait_for_function("location.hash.includes('room=masks')")
    entries = page.evaluate("history.length")
    kept.press("Home")
    first = stage.drawn("drawn.recipe.model === 'reverse-leak@50'")["in_room"]
    page.wait_for_function("location.hash.includes('model=reverse-leak%4050')")
    assert page.evaluate("history.length") == entries  # it is the same model
    assert kept.get_attribute("aria-valuetext").startswith("update 50 of ")
    kept.press("End")
    stage.drawn(f"drawn.recipe.model === 'reverse-leak' && {ROOM}")
    page.locator("[data-open=translate]").click()
    assert first and page.locator("select.model").input_value() == "reverse-leak"

    stage.anew("#v=3&model=en-de")  # a model of which nothing was kept has no tab for it
    stage.drawn()
    assert not stage.page.locator("[data-open=training]").is_visible()

    # Under short maps nothing is left empty, on a tablet and on a phone.
    stage.anew("#v=3&model=en-fr-prenorm&room=training")
    for window in (TABLET, PHONE):
        stage.resize(**window)
        stage.drawn(ROOM)
        stage.lay_out()
        left = page.evaluate(UNDER)
        assert all(0 <= one < 24 for one in left), left
        # What is said comes first, then the maps, and what chooses them under these.
        order = (".training-says", ".training-slider", ".training-maps", ".training-picks")
        tops = [page.locator(one).bounding_box()["y"] for one in order]
        assert tops == sorted(tops) and tops[2] < 0.55 * window["height"]
