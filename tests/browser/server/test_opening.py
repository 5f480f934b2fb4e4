"""What the page says while it waits, and when a limit of the server ends a translation."""

import dataclasses
import threading

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE
from tests.serving import serve
from tests.tiny import tiny_checkpoint
from viz_app.limits import DEMO
from viz_app.rooms import room_named
from viz_app.text import WORDS

LIMITS = dataclasses.replace(DEMO, steps=5, sentences=3, at_once=1, beam_width=3)
STAGE = "document.querySelector('.stage-host')?.stage"


@pytest.fixture(scope="module")
def small_app(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny", max_positions=64)
    with serve(root, LIMITS) as served:
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


@pytest.mark.parametrize(
    ("language", "locale", "size"), [("en", "en-US", WIDE), ("zh", "zh-CN", PHONE)]
)
def test_a_page_that_waits_says_for_what(
    small_app, small, held, monkeypatch, language, locale, size
):
    phases = {"phase": "torch", "waiting": 0, "at_once": 1}
    monkeypatch.setattr(small_app[1], "status", lambda *_: dict(phases))
    link = f"#v=3&model=tiny&text=cat+{language}"  # which nobody has asked yet
    stage = small(locale, size, link=link, until=f"() => {STAGE}")

    def says(key, **values):
        stage.page.wait_for_function(
            f"(text) => {STAGE}?.drawn().opening?.includes(text)",
            arg=WORDS[language][key].split("}")[-1].format(**values),
        )

    says("opening_torch")
    line = stage.page.locator(".opening")
    assert line.get_attribute("role") == "status"
    box = line.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
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


def test_a_translation_that_the_server_ended_is_shown_and_says_so(small):
    stage = small("en-US", WIDE)
    stage.drawn()
    for sentence in ("The old cat sleeps.", "cat", "warm roof on", "old"):
        drawn = stage.type_source(sentence)
        if drawn["finished"] is None:
            break
    assert len(drawn["recipe"]["target"]) == LIMITS.steps
    limit = WORDS["en"]["error_limit_steps"].format(limit=LIMITS.steps)
    assert drawn["message"] == limit
    stage.key("End")
    assert stage.act("back")["recipe"] == drawn["recipe"]


def says_in_a_message(stage, text):
    stage.page.wait_for_function(f"(text) => {STAGE}?.drawn().message === text", arg=text)
    assert stage.page.get_by_role("alert").inner_text().strip() == text


def test_translations_that_a_limit_ended_in_a_room_say_so(small):
    stage = small("zh-CN", WIDE)
    stage.drawn()
    told = WORDS["zh"]["error_limit_room_steps"].format(limit=LIMITS.steps)
    stage.page.locator("[data-open=masks]").click()
    says_in_a_message(stage, told)
    stage.page.locator("[data-open=positions]").click()
    stage.page.get_by_role("alert").wait_for(state="hidden")  # it was of Masks
    stage.page.locator(".positions [data-study=order]").click()
    says_in_a_message(stage, told)


def test_a_sentence_of_the_batch_is_never_cut_in_silence(small):
    stage = small("en-US", WIDE)
    stage.drawn()
    stage.page.locator("[data-open=masks]").click()
    stage.page.locator("[data-sentence='1']").click()
    stage.page.wait_for_function(f"() => {STAGE}.drawn().in_room.shown === 1")
    stage.page.locator("[data-act=masks-edit]").click()
    field = stage.page.locator(".masks-edit")
    field.fill("a" * (LIMITS.characters + 1))
    field.press("Enter")
    told = WORDS["en"]["error_sentence_characters"]
    values = {"n": LIMITS.characters + 1, "limit": LIMITS.characters}
    says_in_a_message(stage, told.format(number=2, **values))


def test_the_widest_beam_is_said_beside_its_field(small):
    stage = small("en-US", WIDE)
    stage.drawn()
    stage.page.locator(".strategy summary").click()
    stage.choose("strategy", "beam")
    field = stage.page.locator("input[name=width]")
    assert field.get_attribute("max") == str(LIMITS.beam_width) == "3"
    assert "1 to 3 translations" in stage.page.locator(".strategy-panel").inner_text()
    assert field.input_value() == "3"
    stage.page.goto(f"{stage.page.url.split('#')[0]}#v=3&model=tiny&text=cat&beam=4")
    told = WORDS["en"]["error_limit_beam"].format(n=4, limit=3)
    says_in_a_message(stage, WORDS["en"]["error_link_refused"].format(message=told))


@pytest.mark.parametrize(
    ("language", "locale", "size"), [("en", "en-US", WIDE), ("zh", "zh-CN", PHONE)]
)
def test_a_room_that_waits_says_how_many_are_answered_at_once(
    small_app, small, monkeypatch, request, language, locale, size
):
    service, go_on = small_app[1], threading.Event()
    request.addfinalizer(go_on.set)  # the only turn is free again, whatever fails
    stage = small(locale, size, link=f"#v=3&model=tiny&text=roof+{language}")
    monkeypatch.setattr(
        service, "status", lambda *_: {"phase": "ready", "waiting": 7, "at_once": 2}
    )
    masks = room_named("masks")
    waiting = dataclasses.replace(
        masks, to_page=lambda *asked: go_on.wait(60) and masks.to_page(*asked)
    )
    monkeypatch.setattr("viz_app.server.answers.requests.room_named", lambda name: waiting)
    stage.page.locator("[data-open=masks]").click()
    told = WORDS[language]["opening_waiting"].format(n=7, limit=2)
    stage.page.wait_for_function(f"(text) => {STAGE}.drawn().opening === text", arg=told)
    box = stage.page.locator(".opening").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    go_on.set()
    stage.page.wait_for_function(f"() => {STAGE}.drawn().opening === null")
    stage.page.wait_for_function(f"() => {STAGE}.drawn().in_room.batch?.length")
