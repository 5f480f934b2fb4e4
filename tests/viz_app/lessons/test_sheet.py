"""A teacher's sheet, and lessons of one's own folder: hostile texts stay texts."""

import html
import json
import re

import pytest

from model_core.errors import LessonError
from tests.viz_app.lessons.test_lesson import STEP, WORDS, written
from viz_app.commands.lessons import run
from viz_app.lessons.lesson import more_lessons
from viz_app.lessons.sheet import Block, in_markdown
from viz_app.links.link import read_link
from viz_app.server.service import Service

HOSTILE = "<script>alert(1)</script> ![x](y) **bold** {answer}"


def test_a_sheet_has_links_questions_and_computed_answers(capsys):
    assert run(["pads", "--model", "zh-en", "--language", "zh", "--page", "https://a.org/b"]) == 0
    text = capsys.readouterr().out
    links = [line.split("<")[1].rstrip(">)") for line in text.splitlines() if "](<" in line]
    assert len(links) == text.count("\n## ")
    for link in links:
        assert link.startswith("https://a.org/b#")
        assert read_link(link)[0].model == "zh-en"
    assert "答案：它们的列" in text
    assert "“子”、“们”" in text  # several values are parted as the language does it


def test_a_printed_sheet_names_the_weights_and_keeps_a_step_whole(models, tmp_path, capsys):
    step = {"id": "two", "ask": {"kind": "token", "answer": "written(0)"}}
    words = {**WORDS, "two.say": "Look.", "two.ask": "Which?", "two.hint1": "It begins so."}
    given = json.loads(written(tmp_path).read_text()) | {"words": {"en": words}}
    given["steps"].append(step)
    (tmp_path / "mine.json").write_text(json.dumps(given), encoding="utf-8")
    given = ["mine", "--lessons", str(tmp_path), "--checkpoints", str(models)]
    assert run([*given, "--format", "html", "--page", "https://a.org/#old"]) == 0
    text = capsys.readouterr().out
    service = Service(models)
    weights = service.library.tracer("tiny").model.fingerprint
    assert weights in text and text.count("<section>") == text.count("</section>") == 2
    assert ">https://a.org/#lesson=mine.2</a>" in text and "&amp;lesson=mine.2" in text
    service.more_lessons = more_lessons(tmp_path)
    played = service.answer({"lesson": {"name": "mine"}})
    assert html.escape(f"Answer: {played['steps'][1]['ask']['shown']}") in text
    assert text.index("Answer") < text.index("It begins so.")


def test_lessons_are_listed(capsys):
    assert run([]) == 0
    assert "pads" in capsys.readouterr().out


def test_a_lesson_that_is_not_there_is_told(capsys):
    assert run(["none"]) == 1
    assert "pads" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_hostile_words_are_no_marks(models, tmp_path, form):
    words = {**WORDS, "one.say": HOSTILE.replace(" {answer}", ""), "one.then": HOSTILE}
    written(tmp_path, words={"en": words})
    out = tmp_path / "sheet"
    given = ["mine", "--lessons", str(tmp_path), "--checkpoints", str(models)]
    assert run([*given, "--format", form, "-o", str(out)]) == 0
    text = out.read_text()
    assert "<script" not in text and "![x]" not in (text if form == "markdown" else "")
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize("text", ["3. Look", "10) Look", "- Look", "+ Look", "# Look"])
def test_no_line_of_markdown_begins_a_list_or_a_heading_by_its_words(text):
    (line,) = in_markdown([Block("said", text)]).splitlines()
    assert line.replace("\\", "") == text and not re.match(r"[-+#]|\d+[.)]", line)


def test_lessons_of_a_folder_are_checked_one_by_one(models, tmp_path, capsys):
    written(tmp_path)
    written(tmp_path, "far.json", step={"ask": {"kind": "number", "answer": "fed(900)"}})
    written(tmp_path, "other.json", models={"none": {"text": "The cat."}})
    wanted = "room('masks', 'own', breaks='head-off:1')"
    written(tmp_path, "odd.json", step={"ask": {"kind": "number", "answer": wanted}})
    assert run(["--check", str(tmp_path), "--checkpoints", str(models)]) == 1
    told = capsys.readouterr()
    assert "odd.json, line 11, step one," in told.err
    assert told.out.startswith("mine.json: 1 step, with tiny")
    assert "far" in told.err and "step one" in told.err and "other.json" in told.err


def test_a_server_offers_lessons_of_a_folder(models, tmp_path):
    written(tmp_path, step={"values": {"text": "text()"}}, words={"zh": WORDS})
    service = Service(models)
    service.more_lessons = more_lessons(tmp_path)
    listed = service.answer({"lessons": True})
    assert [one["name"] for one in listed["lessons"]] == ["mine"]
    played = service.answer({"lesson": {"name": "mine", "model": None}})
    assert played["model"] == "tiny" and played["words"]["en"]["lessons.mine.one.ask"]
    assert json.loads(json.dumps(played)) == played
    assert STEP["show"] in played["steps"][0]["link"]


def test_a_name_of_the_program_is_taken(tmp_path):
    written(tmp_path, "pads.json")
    with pytest.raises(LessonError, match="pads already"):
        more_lessons(tmp_path)
