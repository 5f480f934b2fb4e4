"""The room Training in a browser: one slider moves the map and what is said of it."""

from model_core.models.own import open_own
from tests.conftest import CHECKPOINTS

READY = "() => document.querySelector('.stage-host')?.stage?.drawn()?.in_room?.ready"


def test_a_leak_is_watched_from_the_first_note_to_the_last(visit):
    history = open_own(CHECKPOINTS / "reverse-leak").history
    stage = visit(link="#v=3&model=reverse-leak&text=abc123&room=training", until=READY)
    page = stage.page
    drawn = stage.drawn()["in_room"]
    assert drawn["updates"] == history.updates_N.tolist()
    last = len(drawn["updates"]) - 1
    assert drawn["note"] == last and "causal mask" in drawn["mistake"]
    weights = (history.weights["cross"][0][:, 0, 0] / 255).ravel()
    assert max(abs(a - b) for a, b in zip(drawn["weights"], weights, strict=True)) < 1e-6

    slider = page.locator("[data-training=note]")
    slider.focus()
    slider.press("Home")
    assert stage.drawn()["in_room"]["note"] == 0
    slider.press("ArrowRight")
    assert stage.drawn()["in_room"]["says"].startswith("After 1 updates this head gives")
    page.locator("[data-training=later]").click()
    assert stage.drawn()["in_room"]["note"] == 2
    # The weights that were kept of a moment are a model of their own, in every room.
    page.locator("[data-training=open]").click()
    page.wait_for_function(
        "() => document.querySelector('.stage-host').stage.drawn().recipe.model.includes('@')"
    )
    page.wait_for_function(READY)
    assert stage.drawn()["in_room"]["updates"] == drawn["updates"]


def test_a_model_of_which_nothing_was_kept_has_no_tab_for_it(visit):
    stage = visit()
    assert not stage.page.locator("[data-open=training]").is_visible()
