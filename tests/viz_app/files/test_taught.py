"""A lesson in a page that is saved, and in a notebook."""

import json

import pytest

from model_core.errors import LessonError, RecipeError
from model_core.values.recipe import Recipe
from tests.viz_app.files.test_notebook import options
from tests.viz_app.files.test_scorm import MINE
from viz_app import show
from viz_app.files.file_request import FileRequest
from viz_app.files.linked import open_link, step_link
from viz_app.files.making import file_request, prepared
from viz_app.files.picture import picture
from viz_app.files.standalone import InitialState, initial_state
from viz_app.files.taught import lesson_on, taught
from viz_app.lessons.lesson import own_lessons
from viz_app.text import WORDS

LESSONS = {one.name: one for one in own_lessons()}
SENTENCE = "The old cat sleeps on the warm roof."


@pytest.fixture(scope="module")
def library(bundled):
    return bundled.library


@pytest.fixture(scope="module")
def linked(library):
    return open_link(library, "#lesson=one-head.2")


def lesson_in(page):
    """The lesson that a page has, what it opens on, and its words."""
    said = options(page)
    held = [one["answer"] for one in said["answers"] if one["room"] == "lesson"]
    return (held or [None])[0], said["view"], said["words"]["en"]


def test_a_page_has_the_lesson_that_is_on_where_it_has_all_that_its_steps_show(library, linked):
    assert linked.lesson == "one-head.2" and linked.picture.room.name == "inside"
    wanted = FileRequest(
        linked.recipe, linked.picture, "html", stage=linked.stage, lesson=linked.lesson
    )
    lesson, view, words = lesson_in(prepared(library, wanted)().decode())
    assert len(lesson["steps"]) == len(LESSONS["one-head"].steps) - 1  # less that of a new sentence
    assert view["lesson"] == "one-head.2"
    assert words["lesson_next"] == WORDS["en"]["lesson_next"]


@pytest.mark.parametrize(
    ("place", "shown", "source"),
    [
        ("one-head.1", picture("cross"), SENTENCE),  # the page lacks the room
        ("one-head.1", picture("head", "cross", 3, 5, query=4), "The old cat sleeps."),
        ("leak.1", picture("scores", "decoder"), SENTENCE),  # it needs other runs
        ("mine.1", picture("cross"), SENTENCE),
        (None, picture("cross"), SENTENCE),
    ],
)
def test_a_page_that_lacks_something_has_no_lesson(library, place, shown, source):
    recipe = library.extend(Recipe("en-fr", source), None)[0]
    page = prepared(library, FileRequest(recipe, shown, "html", lesson=place))().decode()
    lesson, view, words = lesson_in(page)
    assert lesson is None and "lesson" not in view and "lesson_next" not in words


def test_a_page_may_bring_what_the_steps_show(library):
    recipe = library.extend(Recipe("en-fr", SENTENCE), None)[0]
    opened = taught(library, recipe, InitialState(), lesson_on("shift.3"), brings=True)
    assert {"masks", "heads", "compare", "lesson"} == set(opened.rooms)
    assert opened.view["lesson"] == "shift.3"
    rooms = [one.room for one in opened.answers]
    assert rooms.count("lesson") == 1
    cut = library.extend(Recipe("en-fr", SENTENCE), 2)[0]
    assert taught(library, cut, InitialState(), lesson_on("shift.3"), brings=True).lessons is None


@pytest.mark.parametrize("wrong", [3, "Leak", "leak.0", "leak.3.1", ["leak"]])
def test_a_request_for_a_file_names_a_lesson_or_none(wrong):
    recipe = Recipe("en-fr", SENTENCE).to_json()
    assert file_request({"recipe": recipe, "lesson": "leak.3"}).lesson == "leak.3"
    with pytest.raises(RecipeError):
        file_request({"recipe": recipe, "lesson": wrong})


def test_a_notebook_shows_a_lesson_up_to_another_sentence():
    shown = show(lesson="one-head")
    assert shown.recipe.source == LESSONS["one-head"].models["en-fr"]["text"]
    lesson, view, _ = lesson_in(shown.html)
    assert len(lesson["steps"]) == len(LESSONS["one-head"].steps) - 1
    assert view["lesson"] == "one-head.1" and view["room"] == "inside"


@pytest.mark.parametrize(
    ("place", "model", "of", "room"),
    [
        ("leak.2", None, "en-fr", "masks"),
        ("leak.2", "en-de", "en-de", "masks"),
        ("leak.7", None, "reverse-leak", "masks"),
        ("pads.2", "zh-en", "zh-en", "masks"),
    ],
)
def test_a_notebook_shows_else_the_step_that_is_named(place, model, of, room):
    shown = show(model, lesson=place, language="zh")
    assert shown.recipe.model == of
    lesson, view, _ = lesson_in(shown.html)
    name, number = place.split(".")
    assert [one["id"] for one in lesson["steps"]] == [LESSONS[name].steps[int(number) - 1].id]
    assert view["lesson"] == f"{name}.1" and view.get("room", "translate") == room
    assert options(shown.html)["choices"]["language"] == "zh"


def test_what_stands_under_a_lesson_in_a_notebook_gives_no_answer_away():
    shown = show(lesson="shift.1")
    assert shown.text and shown.text not in repr(shown)
    assert shown.text not in shown._repr_html_().partition("</iframe>")[2]
    assert LESSONS["shift"].words["en"]["title"] in repr(shown)


def test_a_notebook_shows_a_lesson_of_ones_own(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(MINE), encoding="utf-8")
    for place in (path, f"{path}.2"):
        shown = show(lesson=place)
        lesson, view, _ = lesson_in(shown.html)
        assert [one["id"] for one in lesson["steps"]] == ["one", "two"]
        assert view["lesson"] == ("mine.1" if place is path else "mine.2")
        assert shown.recipe.source == SENTENCE
    shown.save(tmp_path / "page.html", "cross")  # as the page would
    lesson, _, _ = lesson_in((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert len(lesson["steps"]) == 2
    with pytest.raises(LessonError, match=r"none\.json"):
        show(lesson=tmp_path / "none.json")
    with pytest.raises(LessonError) as told:
        show(lesson=f"{path}.3")
    assert told.value.code == "lesson_step"


@pytest.mark.parametrize(
    ("place", "model", "code"),
    [
        ("none", None, "lesson"),
        ("leak.99", None, "lesson_step"),
        ("leak.x", None, "lesson_step"),
        ("leak", "reverse-hard", "lesson_model"),
    ],
)
def test_what_is_no_lesson_of_the_model_is_named(place, model, code):
    with pytest.raises(LessonError) as told:
        show(model, lesson=place)
    assert told.value.code == code


def test_a_lesson_says_all_of_what_is_shown():
    with pytest.raises(RecipeError, match="leave out source"):
        show("en-fr", "The old cat.", lesson="leak")
    with pytest.raises(RecipeError, match="leave out layer"):
        show(lesson="leak", layer=2)
    with pytest.raises(RecipeError, match="it is a name"):
        show(lesson=3)


def test_the_link_of_a_step_opens_what_the_lesson_shows(library, linked):
    assert step_link(library, "one-head.2").endswith("&lesson=one-head.2")
    whole = initial_state(library, linked.recipe, linked.picture, linked.stage)
    assert whole.view["choices"]["query"] == linked.picture.view.query
