"""A lesson is offered where all models are that its steps need, and left out elsewhere."""

import json
import shutil

import pytest

from model_core.decoding.library import Library
from model_core.errors import LessonError
from tests.conftest import CHECKPOINTS
from viz_app.lessons.lesson import own_lessons, read_lesson
from viz_app.lessons.needed import lacking, needed, shown
from viz_app.lessons.playing import menu_of, model_for
from viz_app.lessons.recording import recorded
from viz_app.server.service import Service

LESSONS = {one.name: one for one in own_lessons()}
BESIDE = [
    (name, model, other)
    for name, lesson in LESSONS.items()
    for model in lesson.models
    for other in sorted(needed(lesson, model) - {model})
]


def folder_of(root, *names):
    for name in names:
        shutil.copytree(CHECKPOINTS / name, root / name)
    return root


def written(folder, steps, **more):
    words = {"title": "A", "about": "B"} | {f"{one['id']}.say": "C" for one in steps}
    words |= {f"{one['id']}.ask": "D" for one in steps if "ask" in one}
    said = {"version": 1, "minutes": 1, "steps": steps, "words": {"en": words}} | more
    path = folder / "mine.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    return read_lesson(path)


def asking(name, answer, **more):
    return {"id": name, "ask": {"kind": "number", "answer": answer}} | more


@pytest.mark.parametrize(("name", "model", "other"), BESIDE)
def test_a_lesson_is_left_out_where_any_model_is_missing(name, model, other):
    lesson = LESSONS[name]
    there = {one.partition("@")[0] for one in needed(lesson, model)}
    (listed,) = menu_of([lesson], there)["lessons"]
    assert model in listed["models"] and model_for(lesson, model, there) == model
    fewer = there - {other.partition("@")[0]}
    assert menu_of([lesson], fewer) == {"lessons": [], "words": {}}
    for wanted in (None, model):
        with pytest.raises(LessonError, match=other) as told:
            model_for(lesson, wanted, fewer)
        assert told.value.code == "lesson_lacks"


def test_a_server_lists_and_opens_only_what_it_has_all_models_of(tmp_path):
    service = Service(folder_of(tmp_path, "reverse-sinusoidal"))
    assert service.answer({"lessons": True})["lessons"] == []
    for request in ({"lesson": {"name": "forming"}}, {"link": "lesson=forming.1"}):
        assert service.answer(request)["error"]["code"] == "lesson_lacks"
    folder_of(tmp_path, "reverse-no-positions")
    (listed,) = service.answer({"lessons": True})["lessons"]
    assert (listed["name"], listed["models"]) == ("forming", ["reverse-sinusoidal"])


def test_what_a_lesson_is_recorded_with_has_all_that_its_steps_ask(tmp_path):
    library = Library(folder_of(tmp_path, "reverse-leak"), threads=1)
    lesson = LESSONS["leak-learnt"]
    assert recorded(lesson, library, "reverse-leak") == ()
    (alone,) = recorded(lesson, library, "reverse-leak", only=2)  # which asks of no other
    assert [one["name"] for one in alone.menu["lessons"]] == ["leak-learnt"]
    alone_at = 1 + [step.id for step in lesson.steps].index("alone")  # which tells of another
    assert recorded(lesson, library, "reverse-leak", only=alone_at) == ()
    folder_of(tmp_path, "reverse-sinusoidal")
    (alone,) = recorded(lesson, library, "reverse-leak", only=alone_at)
    assert len(alone.played["steps"]) == 1


def test_each_model_of_a_lesson_has_needs_of_its_own(tmp_path):
    models = {
        "one": {"text": "a", "other": "beside-one"},
        "two": {"text": "b", "other": "beside-two"},
    }
    lesson = written(tmp_path, [asking("only", "probability_by(other, 0)")], models=models)
    assert needed(lesson, "two") == {"two", "beside-two"}
    there = ["one", "two", "beside-two"]
    assert menu_of([lesson], there)["lessons"][0]["models"] == ["two"]
    assert model_for(lesson, None, there) == "two"
    with pytest.raises(LessonError) as told:  # the page asks again without a model
        model_for(lesson, "one", there)
    assert told.value.code == "lesson_model"


def test_whoever_comes_from_a_step_goes_on_with_the_model_that_showed_it(tmp_path):
    models = {one: {"text": "a", "other": f"beside-{one}"} for one in ("one", "two")}
    steps = [{"id": "only", "show": "model={other}", "until": {"kind": "room", "room": "masks"}}]
    lesson = written(tmp_path, steps, models=models)
    there = [*models, "beside-one", "beside-two"]
    assert shown(lesson, "one") == {"beside-one"}
    assert [model_for(lesson, one, there) for one in there] == ["one", "two"] * 2


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (asking("only", "exact('other')"), {"other"}),
        (asking("only", "exact(model='other')"), {"other"}),
        (asking("only", "1 - exact(named) / 2"), {"third"}),
        (asking("only", "steps()", which="same(text(), text_by(model))"), set()),
        (asking("only", "steps()", values={"n": "text_by('other@100')"}), {"other@100"}),
        (asking("only", "steps()", point=[{"kind": "row", "query": "exact('other')"}]), {"other"}),
        (asking("only", "at(room('compare', 'heads', b='other'), 0, 0)"), {"other"}),
        (asking("only", "at(room(path='heads', name='compare', b='other'), 0)"), {"other"}),
        (asking("only", "steps()", show="model=other&text=b"), {"other"}),
        (
            asking(
                "only", "steps()", show="room=compare&compare.b=v%3D3%26model%3Dother%26text%3Da"
            ),
            {"other"},
        ),
        (asking("only", "exact(later)"), set()),
        (asking("only", "steps()", show="model={later}"), set()),
    ],
    ids=str,
)
def test_a_model_is_needed_wherever_a_step_names_it(tmp_path, step, expected):
    let = {"named": "'third'", "later": "joined('oth', 'er')"}
    lesson = written(tmp_path, [step], models={"one": {"text": "a"}}, let=let)
    assert needed(lesson, "one") == {"one"} | expected
    assert lacking(lesson, "one", ["one", "other", "third"]) == set()


def test_a_step_that_is_shown_alone_needs_no_more_than_it_shows():
    lesson = LESSONS["order"]
    assert needed(lesson, "en-fr", only=1) == {"en-fr"}
    assert model_for(lesson, None, ["en-fr"], only=1) == "en-fr"
    elsewhere = 1 + [step.id for step in lesson.steps].index("never")
    with pytest.raises(LessonError):
        model_for(lesson, None, ["en-fr"], only=elsewhere)
