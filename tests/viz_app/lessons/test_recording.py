"""Lessons where nothing computes: those that show sentences as they are, and what pages hold."""

import json

import pytest

from model_core.decoding.library import Library
from tests.viz_app.site.test_building import options_of, unpacked
from viz_app.lessons.lesson import own_lessons, read_lesson
from viz_app.lessons.needed import needed
from viz_app.lessons.playing import played
from viz_app.lessons.recording import recorded, sentences_of
from viz_app.links.link import read_link
from viz_app.rooms import HOME, room_named
from viz_app.rooms.examples import EXAMPLES
from viz_app.server.service import Service
from viz_app.site.building import MARK, Pieces, site_files

MODEL = "en-fr"
LESSONS = {one.name: one for one in own_lessons() if MODEL in one.models}
HERE = [one for one in LESSONS.values() if needed(one, MODEL) == {MODEL}]


@pytest.fixture(scope="module")
def library(recorded_site):
    return Library(recorded_site.parent / "models", threads=1)


@pytest.fixture(scope="module")
def files(recorded_site):
    written = json.loads((recorded_site / MARK).read_text("utf-8"))["files"]
    return {name: (recorded_site / name).read_bytes() for name in written}


def menu_in(files):
    (program,) = (text.decode() for text in files.values() if b"mountStage(" in text)
    (said,) = (line for line in program.splitlines() if line.startswith("const siteLessons = "))
    return json.loads(said.partition(" = ")[2].rstrip(";"))


def test_every_lesson_of_a_recorded_site_plays_to_its_end_on_its_page(library, files):
    service = Service(library.root)
    menu = menu_in(files)
    assert menu["lessons"] and menu["left"] == len(HERE) - len(menu["lessons"])
    texts = {path: text.decode() for path, text in files.items() if path.startswith(f"{MODEL}/")}
    options = {path: options_of(text) for path, text in texts.items()}
    pages = {path: (one["payload"]["recipe"], unpacked(one)) for path, one in options.items()}
    for entry in menu["lessons"]:
        lesson = LESSONS[entry["name"]]
        assert all(entry[said] in menu["words"]["zh"] for said in ("title", "about"))
        fresh = service.answer({"lesson": {"name": lesson.name, "model": MODEL}})
        told = [one for one in fresh["steps"] if one["ask"] or one["until"]["kind"] == "lock"]
        assert len(told) >= len(fresh["steps"]) - 1
        shown = dict[str, str]()
        for place, page in pages.items():
            held = [
                answer
                for (room, asked), answer in page[1]
                if room == "lesson" and asked == {"name": lesson.name, "model": MODEL}
            ]
            for one in held:
                steps = [{k: v for k, v in step.items() if k != "view"} for step in one["steps"]]
                assert one | {"steps": steps} == fresh | {"steps": told}
                shown |= {step["id"]: place for step in one["steps"] if "view" in step}
                assert_is_shown(service, one, *page)
        assert shown.keys() == {step["id"] for step in told}
        assert shown[told[0]["id"]] == entry["pages"][MODEL]


def assert_is_shown(service, held, recipe, here):
    """What steps show of a page's run is on the page, as the server answers it."""
    for step in held["steps"]:
        of_link, view = read_link(step["link"])
        assert ("view" in step) == (of_link.source == recipe["source"])
        if "view" in step:
            assert of_link.model == recipe["model"] and not (of_link.edits or of_link.pads)
            assert list(of_link.target_ids) == [
                one["token"] for one in recipe["target"][: len(of_link.target)]
            ]
            assert step["view"].items() <= view.items()
            room = room_named(view["room"])
            if room is HOME:
                continue
            said = room.view.from_json(view["choices"])
            for asked in room.asks(said):
                request = {"room": room.name, "recipe": recipe, **asked}
                known = [
                    answer
                    for (name, of), answer in here
                    if name == room.name
                    and all(asked.get(one) in (None, value) for one, value in of.items())
                ]
                answers = [service.answer(request), *known]
                assert "error" not in answers[0] and known, (step["id"], asked)


def test_where_something_computes_all_lessons_are_offered_and_some_are_recorded(
    library, monkeypatch
):
    monkeypatch.setitem(EXAMPLES, ("en", "fr"), sentences_of(LESSONS["one-head"], MODEL))
    for made in ("answered", "of_model"):  # what else is on the pages is of no lesson
        monkeypatch.setattr(f"viz_app.site.building.{made}", lambda *_: [])
    made = site_files(library, pieces=Pieces({}, {}, {MODEL: 1}))
    menu = menu_in(made)
    assert menu["left"] == 0
    assert [one["name"] for one in menu["lessons"]] == [one.name for one in HERE]
    assert any(one["pages"] for one in menu["lessons"])
    assert not all(one["pages"] for one in menu["lessons"])


@pytest.mark.parametrize(
    ("show", "expected"),
    [
        ("at=1", ("The cat.",)),
        ("text=The+dog.", ("The dog.",)),
        ("target=5&how=g", ("The cat.",)),
        ("model=en-de&text=He+has+lost+his+key.", ()),
        ("edit=no-scale", ()),
        ("pads=1", ()),
    ],
)
def test_a_lesson_is_recorded_where_its_steps_show_sentences_as_they_are(tmp_path, show, expected):
    step = {"id": "one", "show": show, "ask": {"kind": "number", "answer": "1"}}
    words = {"title": "A", "about": "B", "one.say": "C", "one.ask": "D"}
    path = tmp_path / "mine.json"
    said = {"version": 1, "minutes": 1, "models": {MODEL: {"text": "The cat."}}, "steps": [step]}
    path.write_text(json.dumps(said | {"words": {"en": words}}), encoding="utf-8")
    assert sentences_of(read_lesson(path), MODEL) == expected


def test_a_translation_that_the_model_does_not_write_is_recorded_nowhere(tmp_path, library):
    step = {"id": "one", "show": "target=5&how=g", "ask": {"kind": "number", "answer": "1"}}
    words = {"title": "A", "about": "B", "one.say": "C", "one.ask": "D"}
    said = {"version": 1, "minutes": 1, "models": {MODEL: {"text": "The cat."}}, "steps": [step]}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(said | {"words": {"en": words}}), encoding="utf-8")
    assert recorded(read_lesson(path), library, MODEL) == ()
    assert len(recorded(read_lesson(path), library, MODEL, only=1)) == 1


def test_what_a_lesson_records_is_as_the_server_answers_it(library):
    lesson = LESSONS["one-head"]
    made, other = recorded(lesson, library, MODEL)
    with library.calls():
        fresh = played(lesson, library.tracer(MODEL), library.names())
    assert made.own.asked == other.own.asked == {"name": "one-head", "model": MODEL}
    assert len(made.alone.played["steps"]) == len(lesson.steps) - 1  # the last has its sentence
    assert [one["ask"] for one in made.played["steps"]] == [one["ask"] for one in fresh["steps"]]
    assert len({one.question for one in made.answers}) == len(made.answers) > 0
    assert recorded(LESSONS["leak"], library, MODEL) == ()
