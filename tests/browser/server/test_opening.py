"""What the page says while it waits, and when a limit of the server ends a translation."""

import dataclasses
import threading

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE
from tests.serving import serve
from viz_app.limits import DEMO
from viz_app.rooms import room_named
from viz_app.text import WORDS

LIMITS = dataclasses.replace(DEMO, steps=5, sentences=3, at_once=1, beam_width=3)
STAGE = "document.querySelector('.stage-host')?.stage"


@pytest.fixture(scope="module")
def small_app(models_of):
    with serve(models_of(max_positions=64), LIMITS) as served:
        served[1].library.tracer("tiny")
        yield served


@pytest.fixture
def small(small_app, look):
    """Opens the page in a language at a size."""
    return lambda locale, size, **more: look(small_app, size, locale=locale, **more)


@pytest.fixture
def held(small_app):
    """Nobody gets a turn until the event is set."""
    service, taken, go_on = small_app[1], threading.Event(), threading.Event()

    def hold():
        with service.queue.place(), service.queue.turn():
            taken.set()
            go_on.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait(60)
    yield go_on
    go_on.set()
    thread.join(60)


def assert_inside(line, size):
    box = line.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]


def test_a_page_that_waits_says_for_what_and_a_room_how_many_are_answered_at_once(
    small_app, small, held, monkeypatch, request
):
    phases = {"phase": "torch", "waiting": 0, "at_once": 1}
    monkeypatch.setattr(small_app[1], "status", lambda *_: dict(phases))
    link = "#v=3&model=tiny&text=cat+warm"  # which nobody has asked yet
    stage = small("zh-CN", PHONE, link=link, until=f"() => {STAGE}")

    def says(key, **values):
        stage.page.wait_for_function(
            f"(text) => {STAGE}?.drawn().opening?.includes(text)",
            arg=WORDS["zh"][key].split("}")[-1].format(**values),
        )

    says("opening_torch")
    line = stage.page.locator(".opening")
    assert line.get_attribute("role") == "status"
    assert_inside(line, PHONE)
    expect(stage.page.locator(".stage-main")).to_be_hidden()  # nothing without its numbers
    phases["phase"] = "model"
    says("opening_model")
    phases |= {"phase": "ready", "waiting": 7}
    stage.page.wait_for_function(f"() => {STAGE}.drawn().opening.includes('7')")
    held.set()
    stage.drawn()
    drawn = stage.type_source("The old cat.")
    assert drawn["recipe"] and drawn["opening"] is None
    expect(stage.page.locator(".stage-main")).to_be_visible()

    # A room says how many are answered at once.
    service, go_on = small_app[1], threading.Event()
    request.addfinalizer(go_on.set)  # the only turn is free again, whatever fails
    stage = small("en-US", WIDE, link="#v=3&model=tiny&text=roof+cat")
    monkeypatch.setattr(
        service, "status", lambda *_: {"phase": "ready", "waiting": 7, "at_once": 2}
    )
    masks = room_named("masks")
    waiting = dataclasses.replace(
        masks, to_page=lambda *asked: go_on.wait(60) and masks.to_page(*asked)
    )
    monkeypatch.setattr("viz_app.server.answers.requests.room_named", lambda name: waiting)
    stage.page.locator("[data-open=masks]").click()
    told = WORDS["en"]["opening_waiting"].format(n=7, limit=2)
    stage.page.wait_for_function(f"(text) => {STAGE}.drawn().opening === text", arg=told)
    assert_inside(stage.page.locator(".opening"), WIDE)
    go_on.set()
    stage.page.wait_for_function(f"() => {STAGE}.drawn().opening === null")
    stage.page.wait_for_function(f"() => {STAGE}.drawn().in_room.batch?.length")


def says_in_a_message(stage, text):
    stage.page.wait_for_function(f"(text) => {STAGE}?.drawn().message === text", arg=text)
    assert stage.page.get_by_role("alert").inner_text().strip() == text


def test_what_a_limit_ends_is_shown_and_says_so(small):
    stage, words = small("zh-CN", WIDE), WORDS["zh"]
    stage.drawn()
    for sentence in ("The old cat sleeps.", "cat", "warm roof on", "old"):
        drawn = stage.type_source(sentence)
        if drawn["finished"] is None:
            break
    assert len(drawn["recipe"]["target"]) == LIMITS.steps
    assert drawn["message"] == words["error_limit_steps"].format(limit=LIMITS.steps)
    stage.key("End")
    assert stage.act("back")["recipe"] == drawn["recipe"]

    told = words["error_limit_room_steps"].format(limit=LIMITS.steps)
    stage.page.locator("[data-open=masks]").click()
    says_in_a_message(stage, told)
    stage.page.locator("[data-open=positions]").click()
    stage.page.get_by_role("alert").wait_for(state="hidden")  # it was of Masks
    stage.page.locator(".positions [data-study=order]").click()
    says_in_a_message(stage, told)

    # A sentence of the batch is never cut in silence.
    stage.page.locator("[data-open=masks]").click()
    stage.page.locator("[data-sentence='1']").click()
    stage.page.wait_for_function(f"() => {STAGE}.drawn().in_room.shown === 1")
    stage.page.locator("[data-act=masks-edit]").click()
    field = stage.page.locator(".masks-edit")
    field.fill("a" * (LIMITS.characters + 1))
    field.press("Enter")
    values = {"n": LIMITS.characters + 1, "limit": LIMITS.characters}
    says_in_a_message(stage, words["error_sentence_characters"].format(number=2, **values))

    # The widest beam is said beside its field, and a link cannot ask for a wider one.
    stage.page.locator("[data-open=translate]").click()
    stage.page.locator(".strategy summary").click()
    stage.choose("strategy", "beam")
    field = stage.page.locator("input[name=width]")
    assert field.get_attribute("max") == str(LIMITS.beam_width) == field.input_value() == "3"
    stage.page.goto(f"{stage.page.url.split('#')[0]}#v=3&model=tiny&text=cat&beam=4")
    told = words["error_limit_beam"].format(n=4, limit=3)
    says_in_a_message(stage, words["error_link_refused"].format(message=told))
