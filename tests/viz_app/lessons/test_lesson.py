"""What is wrong in a lesson of one's own is told with the file, the line, the step and a remedy."""

import json
import re
from urllib.parse import parse_qsl

import pytest

from model_core.decoding.run import run_of
from model_core.errors import LessonError
from model_core.values.recipe import Recipe
from viz_app.lessons import answers
from viz_app.lessons.lesson import lessons_in, read_lesson
from viz_app.lessons.linking import laid_over, link_of
from viz_app.text import WORDS as SENTENCES

WORDS = {"title": "Mine", "about": "What it is about", "one.say": "Look.", "one.ask": "How many?"}
STEP = {"id": "one", "show": "at=0", "ask": {"kind": "number", "answer": "steps()"}}


def written(folder, name="mine.json", **changes):
    step = {**STEP, **changes.pop("step", {})}
    lesson = {"version": 1, "minutes": 3, "models": {"tiny": {"text": "The cat."}}}
    lesson |= {"steps": [step], "words": {"en": WORDS}} | changes
    path = folder / name
    path.write_text(json.dumps(lesson, indent=1, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_lesson_in_one_language_is_read_in_both(tmp_path):
    lesson = read_lesson(written(tmp_path))
    assert lesson.name == "mine" and lesson.words["zh"] == lesson.words["en"] == WORDS
    assert [one.name for one in lessons_in(tmp_path)] == ["mine"]


def assert_told_in_chinese(error):
    """Its sentence quotes what the error has, the place above all."""
    text = SENTENCES["zh"][f"error_{error.code}"]
    assert set(re.findall(r"\{(\w+)\}", text)) <= error.values.keys(), error.code
    assert str(error.values["where"]).startswith("mine.json:")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 2}, "version"),
        ({"minutes": True}, "minutes"),
        ({"models": {}}, "models"),
        ({"more": 1}, "'more'"),
        ({"words": {"fr": {}}}, "'fr'"),
        ({"words": {"en": {**WORDS, "two.say": "?"}}}, "two.say"),
        ({"words": {"en": {**WORDS, "one.then": "{what}"}}}, "{what}"),
        ({"link": "colour=red"}, "colour"),
        ({"models": {"tiny": {"text": "The cat.", "text_": []}}}, "text_"),
    ],
    ids=str,
)
def test_what_is_wrong_in_a_lesson_is_named_with_a_remedy(tmp_path, changes, said):
    with pytest.raises(LessonError) as told:
        read_lesson(written(tmp_path, **changes))
    assert str(told.value).startswith("mine.json, line ") and said in str(told.value)
    assert str(told.value).count(". ") >= 1  # the remedy is a sentence of its own
    assert_told_in_chinese(told.value)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"show": "at=x"}, "at"),
        ({"cover": ["everything"]}, "everything"),
        ({"point": [{"kind": "row"}]}, "query"),
        ({"point": [{"kind": "part", "name": "roof"}]}, "roof"),
        ({"proof": [{"kind": "stage"}]}, "step"),
        ({"until": {"kind": "soon"}}, "soon"),
        ({"until": {"kind": []}}, "kind"),
        ({"until": {"kind": "room", "room": "kitchen"}}, "kitchen"),
        ({"until": {"kind": "view", "room": "masks", "field": "pads", "value": "none"}}, "pads"),
        ({"until": {"kind": "all", "of": [{"kind": "all", "of": []}]}}, "nested"),
        ({"ask": {"kind": "number", "answer": "__import__('os')"}}, "__import__"),
        ({"ask": {"kind": "number", "answer": "steps().real"}}, "steps().real"),
        ({"ask": {"kind": "number", "answer": "steps(1, 2)"}}, "steps"),
        ({"ask": {"kind": "number", "answer": "elsewhere"}}, "elsewhere"),
        ({"ask": {"kind": "number", "answer": "(" * 300}}, "cannot be read"),
        ({"ask": {"kind": "number", "answer": "~" * 399 + "1"}}, "no answer"),
        ({"ask": {"kind": "number", "answer": "1e999"}}, "too large"),
        ({"ask": {"kind": "choice", "answer": "steps()"}}, "choice"),
        ({"ask": None, "until": {"kind": "answered"}}, "asks nothing"),
        ({"values": {"n": "[1 for _ in range(9)]"}}, "for"),
    ],
    ids=str,
)
def test_what_is_wrong_in_a_step_is_named_with_its_line(tmp_path, step, said):
    path = written(tmp_path, step=step)
    line = next(
        n for n, text in enumerate(path.read_text().splitlines(), start=1) if '"id": "one"' in text
    )
    with pytest.raises(LessonError) as told:
        read_lesson(path)
    assert str(told.value).startswith(f"mine.json, line {line}, step one: ")
    assert said in str(told.value)
    assert_told_in_chinese(told.value)


@pytest.mark.parametrize(
    "text",
    [
        *('"minutes": }', "minutes: 1}", '"minutes" 1}', '"minutes": 1 "link": ""}'),
        *('"link": "', '"link": "\t"}', '"link": "\\q"}', '"link": "\\u12"}', '"minutes": 1} 2'),
        *('"minutes": 1,}', '"steps": [1,]}'),
    ],
)
def test_broken_json_is_named_with_its_line_and_the_reason_in_chinese(tmp_path, text):
    (tmp_path / "mine.json").write_text(f'{{"version": 1,\n {text}')
    with pytest.raises(LessonError, match=r"mine\.json, line 2: .*Correct the JSON") as told:
        read_lesson(tmp_path / "mine.json")
    assert_told_in_chinese(told.value)
    assert "{why}" not in SENTENCES["zh"][f"error_{told.value.code}"]


@pytest.mark.parametrize(
    "text",
    ['{"a":\n "\\ud800"}', '{"a": "\\ud83d\\ude00",\n "b": "\\ude00"}', '{"a":\n "\\ud83dx"}'],
)
def test_half_of_a_character_is_named_with_its_line(tmp_path, text):
    (tmp_path / "mine.json").write_text(text)
    with pytest.raises(LessonError, match=r"mine\.json, line 2: .*character"):
        read_lesson(tmp_path / "mine.json")


@pytest.mark.parametrize("number", ["9" * 5000, "1e999", "NaN", "-Infinity"], ids=lambda n: n[:9])
def test_what_is_no_number_or_too_large_for_one_is_named(tmp_path, number):
    (tmp_path / "mine.json").write_text(f'{{"minutes": {number}}}')
    with pytest.raises(LessonError, match="too large, or none"):
        read_lesson(tmp_path / "mine.json")


def test_an_empty_folder_is_named(tmp_path):
    with pytest.raises(LessonError, match="has no lesson"):
        lessons_in(tmp_path)


def test_a_link_is_laid_over_another():
    assert laid_over("site=cross&at=1", "at=2") == "site=cross&at=2"
    over = "room=translate&edit=hide%3A1&edit=hide%3A2"
    assert laid_over("room=masks&masks.shown=2&site=cross", over) == f"site=cross&{over}"


def test_a_step_shows_tokens_and_their_weights_whatever_the_reader_looked_at_before():
    said = dict(parse_qsl(link_of("en-fr", {"text": "A dog."}, "at=2&view=lines", {})))
    assert said == {
        "v": "3",
        "model": "en-fr",
        "text": "A dog.",
        "at": "2",
        "view": "lines",
        "reading": "weights",
        "by": "pieces",
    }


@pytest.mark.parametrize("ask", [answers.probability, answers.token, answers.candidate])
def test_no_token_is_better_than_the_best(library, ask):
    run = run_of(library.tracer("tiny"), Recipe("tiny", "cat"))
    with pytest.raises(LessonError, match="no rank -7"):
        ask(run, 0, -7)
