"""A lesson is made by doing, tried at once, saved, and played from a folder as it was tried."""

import json
import re

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, ROOMY, TOUCH
from viz_app.lessons.lesson import lessons_in

HOSTILE = '<img src=x onerror="document.title=1">'


BEGUN = "#v=3&model=en-fr&text=The+old+cat."


def opened(visit, **how):
    stage = visit(how.pop("size", ROOMY), **how)
    begin(stage)
    return stage


def begin(stage):
    stage.anew(BEGUN)
    stage.drawn()
    stage.page.locator("[data-act=lessons]").click()
    stage.page.locator("[data-lesson=make]").click()
    stage.page.locator("[data-making=add]").click()


def test_views_become_a_lesson_in_both_languages_that_is_tried_saved_and_played(visit, tmp_path):
    stage = opened(visit)
    page = stage.page
    page.locator("[data-making=title]").fill("My heads")
    page.locator("[data-making=say]").fill(HOSTILE)
    page.locator("[data-making=kind]").select_option("darkest")
    expect(page.locator("[data-cover=row]")).to_be_checked()
    page.locator("[data-making=ask]").fill("Which word?")
    page.locator("[data-making=then]").fill("{answer}!")
    page.locator("[data-making=add]").click()
    expect(page.locator(".making-step[aria-expanded=true]")).to_have_attribute("data-step", "2")
    page.locator("[data-making=say]").fill("Look around.")
    page.locator("[data-making=anew]").click()
    expect(page.locator(".making-step")).to_have_count(0)
    page.keyboard.press("Control+z")  # nothing is thrown away for good
    expect(page.locator(".making-step")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".making")).to_be_hidden()
    page.locator("[data-act=lessons]").click()
    page.locator("[data-lesson=make]").click()
    with page.expect_download() as saved:
        page.locator("[data-making=save]").click()
    assert saved.value.suggested_filename == "my-heads.json"
    saved.value.save_as(tmp_path / "my-heads.json")
    (lesson,) = lessons_in(tmp_path)
    assert "target=" not in lesson.steps[0].show  # the model writes it again by itself
    assert [step.cover for step in lesson.steps] == [("row", "sentence"), ()]
    page.locator(".making-step").first.click()
    expect(page.locator(".making-step").first).to_have_attribute("aria-expanded", "true")
    stage.lay_out()  # the step is shown
    page.locator("[data-making=try]").click()
    page.locator(".lesson-card[data-step='1']").wait_for()
    expect(page.locator(".lesson-say")).to_have_text(HOSTILE)
    expect(page.locator(".lesson-cover").first).to_be_visible()
    page.reload()  # it lies in this browser
    page.locator(".lesson-card[data-step='1']").wait_for()
    page.locator("[data-lesson=show]").click()
    expect(page.locator(".lesson-then")).to_contain_text("!")
    stage.service.more_lessons = lessons_in(tmp_path)
    try:
        played = stage.service.answer({"lesson": {"name": "my-heads"}})
    finally:
        stage.service.more_lessons = ()
    (choice,) = [
        one
        for one in played["steps"][0]["ask"]["of"]
        if one["value"] == played["steps"][0]["ask"]["answer"]
    ]
    expect(page.locator(".lesson-choices .it")).to_have_text(choice["text"])

    # It is written in both languages.
    begin(stage)
    title, say = page.locator("[data-making=title]"), page.locator("[data-making=say]")
    title.fill("My heads")
    say.fill("Look.")
    page.locator("[data-tool=language]").click()
    expect(page.locator(".stage")).to_have_attribute("lang", "zh-CN")
    expect(say).to_have_value("")
    expect(page.locator("label:has([data-making=say]) .making-missing")).to_contain_text("Look.")
    say.fill("看。")
    expect(page.locator("label:has([data-making=say]) .making-missing")).to_have_count(0)
    title.fill("我的头")
    with page.expect_download() as saved:
        page.locator("[data-making=save]").click()
    assert saved.value.suggested_filename == "my-heads.json"
    saved.value.save_as(tmp_path / "my-heads.json")
    (lesson,) = lessons_in(tmp_path)
    said = {one: (of["title"], of["step_1.say"]) for one, of in lesson.words.items()}
    assert said == {"en": ("My heads", "Look."), "zh": ("我的头", "看。")}
    page.locator("[data-making=try]").click()
    expect(page.locator(".lesson-say")).to_have_text("看。")
    page.locator("[data-tool=language]").click()
    expect(page.locator(".lesson-say")).to_have_text("Look.")


def test_a_file_is_loaded_on_a_phone_and_what_is_none_is_told(visit, tmp_path):
    stage = opened(visit, size=PHONE, **TOUCH)
    page = stage.page
    box = page.locator(".making").bounding_box()
    assert box["height"] <= 0.5 * PHONE["height"] + 1 and box["width"] <= PHONE["width"]
    page.locator("input[data-making=load]").set_input_files(
        {"name": "no (1).json", "mimeType": "application/json", "buffer": b'{"steps":\n3,,}'}
    )
    expect(page.locator(".making-message")).to_contain_text("no (1).json, line 2")
    expect(page.locator(".making-message")).to_be_in_viewport(ratio=1)
    page.locator("[data-tool=language]").tap()  # what is told, is told in the language of the page
    expect(page.locator(".making-message")).to_have_text(re.compile(r"^no \(1\)\.json:2：.*请"))
    page.locator("[data-tool=language]").tap()
    step = {
        "id": "one",
        "show": "at=0",
        "ask": {"kind": "number", "answer": "steps() + 0"},
        "until": {"kind": "answered"},
    }
    words = {"title": HOSTILE, "about": "", "one.say": HOSTILE, "one.ask": "How many?"}
    given = {
        "version": 1,
        "minutes": 3,
        "models": {"en-fr": {"text": "A dog."}},
        "steps": [step],
        "words": {"en": words},
    }
    unfinished = given | {"steps": [step | {HOSTILE: 1}]}
    for name, one in (
        ("big", given | {"link": " " * 200_000}),
        ("not-yet", unfinished),
        ("ok", given),
    ):
        file = json.dumps(one, indent=1).encode()
        page.locator("input[data-making=load]").set_input_files(
            {"name": f"{name}.json", "mimeType": "application/json", "buffer": file}
        )
        if one is given:
            expect(page.locator(".making-message")).to_be_hidden()
        else:
            expect(page.locator(".making-message")).to_contain_text(f"{name}.json")
    page.locator(".making-step").tap()
    expect(page.locator("[data-making=kind]")).to_have_value("own")
    expect(page.locator("[data-making=say]")).to_have_value(HOSTILE)
    page.locator("[data-making=try]").tap()
    page.locator(".lesson-card[data-step='1']").wait_for()
    assert page.title() != "1"
