"""A lesson as it is named, and links that say no more than that."""

import pytest

from model_core.errors import LessonError
from viz_app.lessons.lesson import own_lessons
from viz_app.lessons.places import bare_place, placed, whole_link
from viz_app.links.link import read_link

LESSONS = own_lessons()


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("lesson=leak.1", "leak.1"),
        ("#lesson=leak.1", "leak.1"),
        ("?lesson=leak.1", "leak.1"),
        ("http://localhost:7860/?lesson=leak.1", "leak.1"),
        ("http://localhost:7860/?lesson=leak.1#", "leak.1"),
        ("http://localhost:7860/?lesson=pads#lesson=leak.1", "leak.1"),
        ("#v=3&lesson=leak", "leak"),
        ("#v=3&model=en-fr&text=a&lesson=leak.1", None),
        ("v=3&model=en-fr&text=So?lesson=leak.1", None),
        ("http://localhost:7860/?__theme=dark", None),
        ("", None),
    ],
)
def test_a_link_may_name_a_lesson_alone(link, expected):
    assert bare_place(link) == expected


def test_a_step_is_counted_from_1_and_has_to_be_there():
    assert [(lesson.name, step) for lesson, step in (placed(LESSONS, "leak"),)] == [("leak", 1)]
    assert placed(LESSONS, "leak.3")[1] == 3
    for wrong in ("leak.0", "leak.", "leak.1.1", "leak.99", "leak.two"):
        with pytest.raises(LessonError, match="has no step"):
            placed(LESSONS, wrong)
    with pytest.raises(LessonError, match="there are: first-look"):
        placed(LESSONS, "none.1")


def test_such_a_link_is_of_the_first_model_that_the_lesson_may_run_on():
    models = ["zh-en", "en-zh", "reverse-hard", "reverse-leak", "reverse-sinusoidal"]
    recipe, view = read_link(whole_link("#lesson=leak.3", lambda: LESSONS, models))
    leak = next(one for one in LESSONS if one.name == "leak")
    assert recipe.model == "zh-en" and recipe.source == leak.models["zh-en"]["text"]
    assert view["lesson"] == "leak.3"
    assert whole_link("v=3&model=en-fr", lambda: LESSONS, models) == "v=3&model=en-fr"
    with pytest.raises(LessonError, match="zh-en"):
        whole_link("#lesson=leak", lambda: LESSONS, ["reverse-hard"])


def test_a_server_opens_it(bundled):
    answer = bundled.answer({"link": "lesson=first-look.2"})
    assert answer["recipe"]["model"] == "en-fr" and answer["view"]["lesson"] == "first-look.2"
    refused = bundled.answer({"link": "lesson=first-look.70"})
    assert refused["error"]["code"] == "lesson_step"
