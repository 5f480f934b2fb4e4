"""Lessons where nothing computes: those that stay on one run, and what a page holds of them."""

import json
import shutil

import pytest

from model_core.decoding.library import Library
from model_core.folders import CHECKPOINTS
from tests.viz_app.site.test_building import options_of, unpacked
from viz_app.lessons.lesson import own_lessons, read_lesson
from viz_app.lessons.needed import needed
from viz_app.lessons.playing import played
from viz_app.lessons.recording import recorded, stays
from viz_app.links.link import read_link
from viz_app.rooms import HOME, room_named
from viz_app.rooms.examples import EXAMPLES
from viz_app.server.service import Service
from viz_app.site.building import Pieces, site_files

MODEL = "en-fr"
LESSONS = {one.name: one for one in own_lessons() if MODEL in one.models}
HERE = [one for one in LESSONS.values() if needed(one, MODEL) == {MODEL}]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    shutil.copytree(CHECKPOINTS / MODEL, root / MODEL)
    return Library(root, threads=1)


@pytest.fixture(scope="module")
def files(library):
    texts = {str(one.models[MODEL]["text"]) for one in HERE if stays(one, MODEL)}
    with pytest.MonkeyPatch.context() as patch:  # pages without lessons show nothing new
        patch.setitem(EXAMPLES, ("en", "fr"), tuple(sorted(texts)))
        yield site_files(library)


def menu_in(files):
    (program,) = (text.decode() for text in files.values() if b"mountStage(" in text)
    (said,) = (line for line in program.splitlines() if line.startswith("const siteLessons = "))
    return json.loads(said.partition(" = ")[2].rstrip(";"))


def test_every_lesson_of_a_recorded_site_plays_to_its_end_on_its_page(library, files):
    service = Service(library.root)
    menu = menu_in(files)
    assert menu["lessons"] and menu["left"] == len(HERE) - len(menu["lessons"])
    for entry in menu["lessons"]:
        lesson = LESSONS[entry["name"]]
        assert all(entry[said] in menu["words"]["zh"] for said in ("title", "about"))
        page = options_of(files[entry["pages"][MODEL]].decode())
        recipe, here = page["payload"]["recipe"], unpacked(page)
        (held,) = [
            answer
            for (room, asked), answer in here
            if room == "lesson" and asked == {"name": lesson.name, "model": MODEL}
        ]
        fresh = service.answer({"lesson": {"name": lesson.name, "model": MODEL}})
        steps = [{k: v for k, v in one.items() if k != "view"} for one in held["steps"]]
        assert held | {"steps": steps} == fresh and len(steps) == len(lesson.steps)
        for step in held["steps"]:
            of_link, view = read_link(step["link"])
            assert (of_link.model, of_link.source) == (recipe["model"], recipe["source"])
            assert not (of_link.edits or of_link.pads or of_link.target)
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


def test_where_something_computes_all_lessons_are_offered_and_some_are_recorded(library):
    made = site_files(library, pieces=Pieces({}, {}, {MODEL: 1}))
    menu = menu_in(made)
    assert menu["left"] == 0
    assert [one["name"] for one in menu["lessons"]] == [one.name for one in HERE]
    assert any(one["pages"] for one in menu["lessons"])
    assert not all(one["pages"] for one in menu["lessons"])


@pytest.mark.parametrize(
    ("show", "until", "expected"),
    [
        ("at=1", {"kind": "answered"}, True),
        ("", {"kind": "all", "of": [{"kind": "answered"}, {"kind": "at", "step": "1"}]}, True),
        ("model=en-de&text=He+has+lost+his+key.", {"kind": "answered"}, False),
        ("text=The+dog.", {"kind": "answered"}, False),
        ("edit=no-scale", {"kind": "answered"}, False),
        ("pads=1", {"kind": "answered"}, False),
        ("", {"kind": "edit", "edit": "'no-scale'"}, False),
        ("", {"kind": "source-changed"}, False),
        ("", {"kind": "all", "of": [{"kind": "strategy", "strategy": "beam"}]}, False),
    ],
)
def test_a_lesson_is_recorded_where_no_step_needs_another_run(tmp_path, show, until, expected):
    step = {"id": "one", "show": show, "until": until}
    words = {"title": "A", "about": "B", "one.say": "C", "one.ask": "D"}
    step["ask"] = {"kind": "number", "answer": "1"}
    path = tmp_path / "mine.json"
    said = {"version": 1, "minutes": 1, "models": {MODEL: {"text": "The cat."}}, "steps": [step]}
    path.write_text(json.dumps(said | {"words": {"en": words}}), encoding="utf-8")
    assert stays(read_lesson(path), MODEL) is expected


def test_what_a_lesson_records_is_as_the_server_answers_it(library):
    lesson = LESSONS["one-head"]
    made = recorded(lesson, library, MODEL)
    with library.calls():
        fresh = played(lesson, library.tracer(MODEL), library.names())
    assert made is not None and made.own.asked == {"name": "one-head", "model": MODEL}
    assert [one["ask"] for one in made.played["steps"]] == [one["ask"] for one in fresh["steps"]]
    assert len({one.question for one in made.answers}) == len(made.answers) > 0
    assert recorded(LESSONS["leak"], library, MODEL) is None
