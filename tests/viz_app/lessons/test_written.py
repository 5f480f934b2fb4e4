"""A lesson that was made in the page: what it writes is read, and plays, as the file that it is."""

import base64
import json
import re
import subprocess

import pytest

from model_core.errors import LessonError
from tests.conftest import CHECKPOINTS
from tests.javascript.__main__ import FOLDER, ROOT, program
from tests.viz_app.files.test_notebook import options
from viz_app.lessons.asking import ANSWERS, WRITTEN
from viz_app.lessons.lesson import lessons_in, read_written
from viz_app.limits import Limits
from viz_app.server.service import Service

MAKES = """
import { askNamed, asksAt } from "STAGE/making/asks.js";
import { fileOfDraft, withAsk, withStep, withWord } from "STAGE/making/draft.js";
const place = { site: "cross", layer: 2, head: 4, row: 3, cell: { query: 3, key: 3 },
    isOfSource: true, study: null };
const views = { translate: "&site=cross&cross=2.4&at=3", inside: "&room=inside&inside.view=cell"
    + "&inside.site=cross&inside.layer=2&inside.head=4&inside.query=3&inside.key=3" };
let draft = null;
for (const [room, view] of Object.entries(views)) {
    for (const name of asksAt({ ...place, room })) {
        draft = withStep(draft, { link: `#v=3&model=en-fr&text=The+old+cat+sleeps.${view}`,
            model: "en-fr", text: "The old cat sleeps.", language: "zh", title: "<b>" });
        const at = draft.steps.length - 1;
        const { id } = draft.steps[at];
        draft = withAsk(draft, at, askNamed(name, { ...place, room }));
        draft = withWord(draft, "zh", `${id}.ask`, "<script>alert(1)</script>");
        draft = withWord(draft, "zh", `${id}.then`, "{answer}");
    }
}
draft = withStep(draft, { link: "#v=3&model=en-fr&text=A+dog.", model: "en-fr", text: "A dog.",
    language: "zh", title: "" });
process.stdout.write(fileOfDraft(draft));
"""


@pytest.fixture(scope="module")
def made():
    """The file of a lesson that asks all that the page offers."""
    script = MAKES.replace("STAGE", (ROOT / "viz_app/stage").as_uri())
    command = [program(), "--input-type=module", "--eval", script]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_the_page_writes_is_read_unchanged_and_plays_as_it_was_tried(bundled, made, tmp_path):
    tried = bundled.answer({"lesson": {"name": "mine", "model": None, "written": made}})
    assert "error" not in tried, tried
    (tmp_path / "mine.json").write_text(made, encoding="utf-8")
    (lesson,) = lessons_in(tmp_path)
    assert len(lesson.steps) == len(tried["steps"]) == 14
    other = Service(CHECKPOINTS)
    other.more_lessons = lessons_in(tmp_path)
    assert other.answer({"lesson": {"name": "mine"}}) == tried
    for step in tried["steps"]:
        ask = step["ask"]
        if ask is None:
            continue
        assert ask["shown"] != ""
        assert not ask["of"] or ask["answer"] in [one["value"] for one in ask["of"]]


def exported(service, written, **more):
    """What the page is answered that asks for a page of the lesson that is tried."""
    recipe = {"model": "en-fr", "source": "The old cat sleeps.", "target": []}
    done = service.answer({"recipe": recipe, "extend": "end"})
    wanted = {"recipe": done["recipe"], "picture": "cross", "format": "html", "lesson": "mine.1"}
    return service.answer({"export": wanted | {"written": written} | more})


def test_a_page_that_is_saved_while_a_lesson_is_tried_has_it(bundled, made):
    given = json.loads(made)
    given["steps"] = [one for one in given["steps"] if "room=" not in one["show"]][:2]
    kept = {one["id"] for one in given["steps"]}
    words = given["words"]["zh"]
    given["words"]["zh"] = {
        k: v for k, v in words.items() if k.split(".")[0] in {*kept, "title", "about"}
    }
    file = exported(bundled, json.dumps(given))
    assert "error" not in file, file
    page = options(base64.b64decode(file["data"]).decode())
    (held,) = [one["answer"] for one in page["answers"] if one["room"] == "lesson"]
    assert [one["id"] for one in held["steps"]] == [one["id"] for one in given["steps"]]
    assert page["view"]["lesson"] == "mine.1"
    assert "error" in exported(bundled, "{")


def test_nothing_of_a_lesson_that_is_tried_stays_on_the_server(bundled, made):
    bundled.answer({"lesson": {"name": "mine", "written": made}})
    assert bundled.answer({"lesson": {"name": "mine"}})["error"]["code"] == "lesson"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ask": {"kind": "number", "answer": "drawn(1, 1000000)"}}, "drawn"),
        ({"ask": {"kind": "number", "answer": "pads_until_other('')"}}, "pads_until_other"),
        ({"ask": {"kind": "number", "answer": "room('heads', 'x')"}}, "room"),
        ({"ask": {"kind": "number", "answer": "__import__('os')"}}, "__import__"),
        ({"show": "room=kitchen"}, "link"),
        ({"ask": {"kind": "text", "answer": "written(0)"}}, "token"),
    ],
    ids=str,
)
def test_what_a_request_may_not_ask_is_named_with_the_file_and_the_step(made, changes, said):
    given = json.loads(made)
    given["steps"][0] |= changes
    with pytest.raises(LessonError, match=said) as told:
        read_written("mine", json.dumps(given))
    assert str(told.value).startswith("mine.json") and "step_1" in str(told.value)


@pytest.mark.parametrize(
    ("let", "answer", "said"),
    [
        ("row('zebra')", "1", "let one,.*zebra.*there are"),
        ("1", "weight('cross', '9.9', 0, 0)", "step step_1,.*'9.9'.*layers are 0 to 2"),
        ("1 / 0", "1", "let one,.*Correct it"),
        ("*".join(["9" * 99] * 4), "1", "let one,.*larger"),
        ("1e308 * 10", "1", "let one,.*larger"),
    ],
)
def test_what_cannot_be_played_is_told_with_its_line(bundled, made, let, answer, said):
    given = json.loads(made) | {"let": {"one": let}}
    given["steps"][0]["ask"] = {"kind": "number", "answer": answer}
    written = json.dumps(given, indent=1)
    message = bundled.answer({"lesson": {"name": "mine", "written": written}})["error"]["message"]
    name = re.search("let one|step_1", message)[0].removeprefix("let ")
    line = next(at for at, text in enumerate(written.split("\n"), 1) if f'"{name}"' in text)
    assert re.match(f"mine.json, line {line}, {said}", message), message


def test_an_answer_that_is_not_there_is_told_with_the_nearest(made):
    given = json.loads(made)
    given["steps"][0]["ask"] = {"kind": "number", "answer": "darkst(1)"}
    with pytest.raises(LessonError, match="'darkst'; the nearest are darkest"):
        read_written("mine", json.dumps(given))


def test_the_answer_of_a_token_is_a_text(bundled, made):
    given = json.loads(made)
    given["steps"][0]["ask"] = {"kind": "token", "answer": "steps()"}
    error = bundled.answer({"lesson": {"name": "mine", "written": json.dumps(given)}})["error"]
    assert "step_1" in error["message"] and "written(" in error["message"]


@pytest.mark.parametrize("written", [None, "", "[]", "{", "[" * 100_000, "9" * 200_001])
def test_what_is_no_lesson_is_told(bundled, written):
    answer = bundled.answer({"lesson": {"name": "mine", "written": written}})
    assert "lesson" in json.dumps(answer["error"]) or "mine.json" in json.dumps(answer["error"])


def test_a_lesson_for_models_that_are_not_here_names_them(bundled, made):
    written = json.dumps(json.loads(made) | {"models": {"ab-cd": {"text": "A dog."}}})
    for model in (None, "en-fr"):
        asked = {"name": "mine", "model": model, "written": written}
        error = bundled.answer({"lesson": asked})["error"]
        assert error["code"] == "lesson_models" and error["values"]["models"] == "ab-cd"


def test_a_step_is_held_to_the_limits_of_every_request_and_so_is_what_is_saved_with_it(made):
    given = json.loads(made)
    given["steps"][1]["show"] = "text=" + "a" * 300
    tight, written = Service(CHECKPOINTS, limits=Limits(characters=100)), json.dumps(given)
    played = tight.answer({"lesson": {"name": "mine", "written": written}})
    for refused in (played, exported(tight, written)):
        assert "characters" in json.dumps(refused["error"]), refused


def test_what_may_be_asked_there_is_among_all_that_can_be_asked():
    assert set(WRITTEN) <= set(ANSWERS)
