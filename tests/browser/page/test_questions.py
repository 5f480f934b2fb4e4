"""What becomes of a question that is overtaken, fails, or is asked while another is under way."""

import json
import sys
import time

from playwright.sync_api import expect

from tests.browser.checks import without_places
from tests.browser.conftest import NAMED, is_beside
from tests.browser.windows import TIMEOUT

ASKED = "**/stage/answer"
STAGE = "document.querySelector('.stage-host').stage.drawn()"
FAILED = "Failed to load resource"


def hold(stage):
    """The questions from now on, kept back; what comes beside and ahead of them goes as ever."""
    held = []
    stage.page.route(ASKED, lambda route: held.append(route) if is_asked(route) else None)
    return held


def refuse(stage):
    """Refuses the questions from now on, and lists them; what is beside them goes as ever."""
    asked = []

    def abort(route):
        if is_asked(route):
            asked.append(route)
            route.abort()

    stage.page.route(ASKED, abort)
    return asked


def is_asked(route):
    """Whether it is a question; else it goes on."""
    if is_beside(route.request.post_data):
        route.continue_()
        return False
    return True


def press(stage, *selectors):
    """Click these, then wait for the frame that shows it."""
    for selector in selectors:
        stage.page.locator(selector).click()
    stage.page.evaluate("() => new Promise(requestAnimationFrame)")


def until(stage, said):
    stage.page.wait_for_function(f"() => {{ const drawn = {STAGE}; return {said} }}")


def until_held(stage, held, count):
    """Until so many questions are kept back."""
    until = time.monotonic() + TIMEOUT / 1000
    while len(held) < count:
        assert time.monotonic() < until, f"{len(held)} of {count} questions came"
        stage.page.evaluate("() => new Promise(requestAnimationFrame)")


def test_the_last_question_is_answered_what_waits_takes_every_press_and_keys_keep_the_head(visit):
    stage = visit()
    stage.enter("masks")
    held = hold(stage)
    press(
        stage, "[data-masks-causal='causal-mask:none']", "[data-masks-causal='causal-mask:ahead']"
    )
    until_held(stage, held, 2)
    first, second = held
    second.continue_()
    until(stage, "drawn.in_room.breaks[0] === 'causal-mask:ahead'")
    press(stage, "[data-masks-causal='causal-mask:behind']")
    until_held(stage, held, 3)
    with stage.page.expect_response(lambda response: response.request == first.request):
        first.continue_()
    held[2].continue_()
    until(stage, "drawn.in_room.breaks[0] === 'causal-mask:behind' && !drawn.in_room.busy")
    stage.page.unroute(ASKED)

    # A room that has nothing yet says that it is computed.
    held = hold(stage)
    press(stage, "[data-open=beam]")
    until_held(stage, held, 1)
    room = stage.page.locator("[data-room=beam]")
    awaited, parts = room.locator(".room-awaited"), room.locator(".beam-body")
    expect(awaited).to_contain_text("computing")
    expect(awaited).to_be_visible()
    stage.page.locator(".source-text").fill("The old dog sleeps.")
    stage.page.locator(".source-text").press("Enter")
    until_held(stage, held, 2)
    held[1].continue_()
    until_held(stage, held, 3)  # about the new sentence: it overtakes the first
    with stage.page.expect_response(lambda response: response.request == held[0].request):
        held[0].continue_()
    press(stage)
    expect(parts).to_be_hidden()
    expect(awaited).to_be_visible()
    held[2].continue_()
    expect(parts).to_be_visible()
    expect(awaited).to_be_hidden()

    # A page that waits says so, and what is pressed meanwhile counts.
    stage.page.unroute(ASKED)
    stage.anew("")
    stage.drawn(NAMED)
    held = hold(stage)
    stage.page.locator(".source-text").press("Shift+Enter")
    until_held(stage, held, 1)
    expect(stage.page.locator(".stage")).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    until(stage, "!drawn.busy && drawn.recipe.target.length === 0")
    stage.page.unroute(ASKED)

    # Every press of pads counts.
    held = hold(stage)
    press(stage, *[".pads button >> nth=1"] * 3, ".pads button >> nth=0")
    expect(stage.page.locator(".pads-count")).to_have_text("2")
    until_held(stage, held, 4)
    for route in held:
        route.continue_()
    until(stage, "!drawn.busy && drawn.recipe.pads === 2")
    stage.page.unroute(ASKED)

    # A model that is being opened is not given up for a press.
    held = hold(stage)
    stage.page.locator("select.model").select_option("reverse-tiny")
    stage.page.locator("select.model").blur()
    for key in ("ArrowRight", "2"):
        stage.page.keyboard.press(key)
    press(stage)
    until_held(stage, held, 1)
    expect(stage.page.locator("[data-act=step]")).to_be_disabled()
    expect(stage.page.locator(".pads button").last).to_be_disabled()
    assert len(held) == 1
    held[0].continue_()
    until(stage, "drawn.recipe.model === 'reverse-tiny'")

    # Keys keep the head that was chosen.
    stage.page.unroute(ASKED)
    stage.anew("")
    stage.drawn()
    press(stage, "[data-act=walk]", "[data-act=reset]")
    stage.page.locator(".sites select.order").select_option("entropy")
    press(stage, ".heads .head >> nth=5")
    chosen = stage.drawn()["locked"]
    places = "() => ({ ...document.activeElement.dataset })"
    stage.page.locator(".heads .head >> nth=5").focus()
    for key in ("2", "1", "3"):
        stage.key(key)
        focused = stage.page.evaluate(places)
        assert {name: int(focused[name]) for name in ("layer", "head")} == chosen

    # Enter on the map takes no candidate.
    stage.key("Home")
    before = stage.drawn()["recipe"]["target"]
    stage.page.locator(".map-canvas").first.focus()
    assert stage.key("Enter")["recipe"]["target"] == before

    # Another room stops the playback.
    for key in ("End", "Home"):
        stage.key(key)
    play = stage.page.locator("[data-act=play]")
    press(stage, "[data-act=play]")
    expect(play).to_have_text("Pause")
    press(stage, "[data-open=masks]")
    at = stage.page.evaluate(f"() => {STAGE}.at")
    press(stage, "[data-open=translate]")
    expect(play).to_have_text("Play")
    assert stage.page.evaluate(f"() => {STAGE}.at") == at  # it did not play to its end


def test_a_question_that_failed_is_asked_again_once_its_message_is_closed(visit, monkeypatch):
    stage = visit(expects=FAILED)
    for room in ("masks", "positions", "inside"):
        assert_asked_again(stage, room)

    # What one room was refused is not said over another.
    refused = "#v=3&model=en-fr&text=The+old+cat+sleeps.&edit=causal-mask:none&room="
    stage.anew(refused + "inside")
    alert = stage.page.get_by_role("alert")
    alert.wait_for()
    stage.page.evaluate("(hash) => { location.hash = hash }", refused + "masks")
    until(stage, "drawn.room === 'masks' && drawn.in_room && !drawn.in_room.busy")
    for _ in range(5):
        stage.page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(alert).to_be_hidden()

    # Of a batch that comes head by head a refused head is asked for once.
    monkeypatch.setattr(sys.modules["viz_app.rooms.masks.answer"], "MOST_AT_ONCE", 0)
    # A text that no other test has: what the server has answered whole comes whole.
    link = "#v=3&model=reverse-four-heads&text=headbyhead&room=masks"
    stage.anew(link)
    before = stage.drawn("drawn.in_room && !drawn.in_room.busy")["in_room"]
    asked = refuse(stage)
    # One that is not here: the first was sent unasked.
    head = 3 if before["lock"]["head"] == 1 else 1
    stage.page.locator(".masks-room [data-pick=head]").select_option(index=head)
    alert.wait_for()
    for _ in range(3):
        stage.page.evaluate("() => new Promise(requestAnimationFrame)")
    room = stage.drawn()["in_room"]
    assert len(asked) == 1 and room["lock"]["head"] == head
    assert room["axes"] == before["axes"]  # and not its name
    # A message above the maps takes a line, so their cells are less high.
    assert without_places(room["maps"]) == without_places(before["maps"])
    stage.page.unroute(ASKED)
    press(stage, ".message button")
    until(stage, f"!drawn.in_room.busy && drawn.in_room.axes !== {json.dumps(room['axes'])}")
    expect(alert).to_be_hidden()
    assert without_places(stage.drawn()["in_room"]["maps"]) != without_places(before["maps"])


def assert_asked_again(stage, room):
    asked = refuse(stage)
    alert, close = stage.page.get_by_role("alert"), ".message button"
    press(stage, f"[data-open={room}]")
    alert.wait_for()
    for _ in range(3):
        stage.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert len(asked) == 1
    parts = stage.page.locator(f"[data-room={room}] :is(.switch, .tabs)").first
    expect(parts).to_be_hidden()  # without any number they would look like an answer
    press(stage, close)
    until_held(stage, asked, 2)
    alert.wait_for()
    again = stage.page.locator(f"[data-room={room}] .room-awaited button")
    assert again.bounding_box()["width"] < 200  # as wide as its words
    press(stage, f"[data-room={room}] .room-awaited button")
    until_held(stage, asked, 3)
    alert.wait_for()
    stage.page.unroute(ASKED)
    press(stage, close)
    done = "drawn.in_room && !drawn.in_room.busy && drawn.in_room.ready !== false"
    until(stage, done)
    expect(alert).to_be_hidden()
    expect(parts).to_be_visible()
