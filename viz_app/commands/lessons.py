"""python -m viz_app lessons NAME: print a teacher's sheet of a lesson.

It has every step with its link, its question and the answer, computed with the model. Without a
name it lists the lessons; --check reads a folder of your own and plays each lesson in it.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from model_core.atomic import replace_file
from model_core.checkpoints.folder import list_checkpoints
from model_core.errors import LessonError, VisualiserError
from model_core.folders import CHECKPOINTS
from model_core.terminal import program, reporting_errors
from viz_app.lessons.lesson import lessons_in, more_lessons, own_lessons, read_lesson
from viz_app.lessons.playing import lesson_named, played
from viz_app.lessons.sheet import PAGE, in_html, in_markdown, sheet_of
from viz_app.text import LANGUAGES

if TYPE_CHECKING:
    from model_core.decoding.library import Library


def options() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    parser = argparse.ArgumentParser(prog=f"{program('viz_app')} lessons", description=__doc__)
    add = parser.add_argument
    add("name", nargs="?", help="the lesson (default: all are listed)")
    add("--model", help="the model that it is played with (default: its first one)")
    add("--language", choices=LANGUAGES, default=LANGUAGES[0], help="default: %(default)s")
    add("--format", choices=("markdown", "html"), default="markdown", help="default: %(default)s")
    add("-o", "--output", type=Path, metavar="FILE", help="default: it is printed")
    add("--page", metavar="URL", default=PAGE, help="where its links lead (default: %(default)s)")
    add("--lessons", type=Path, metavar="FOLDER", help="lessons of your own beside the others")
    add("--check", type=Path, metavar="FOLDER", help="only say what is wrong in its lessons")
    add("--checkpoints", type=Path, default=CHECKPOINTS, help="models (default: %(default)s)")
    return parser


@reporting_errors
def run(words: Sequence[str]) -> int:
    """The exit status: 0, or 1 where a lesson cannot be read or played."""
    parsed = options().parse_args(words)
    names = list_checkpoints(parsed.checkpoints)
    if parsed.check is not None:
        return _check(parsed.check, parsed.checkpoints, names)
    lessons = own_lessons() + (more_lessons(parsed.lessons) if parsed.lessons else ())
    if parsed.name is None:
        for one in lessons:
            print(f"{one.name:18}{one.words[parsed.language]['title']}")
        return 0
    lesson = lesson_named(lessons, parsed.name)
    page, library = parsed.page.partition("#")[0], _library(parsed.checkpoints)
    blocks = sheet_of(library, lesson, parsed.model, parsed.language, page)
    is_html = parsed.format == "html"
    text = in_html(blocks, parsed.language) if is_html else in_markdown(blocks)
    if parsed.output is None:
        sys.stdout.write(text)
    else:
        replace_file(parsed.output, text.encode())
    return 0


def _check(folder: Path, checkpoints: Path, names: list[str]) -> int:
    """Read every lesson of a folder and play it with each of its models; 1 where one fails."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        lessons_in(folder)  # says so
    library, wrong = _library(checkpoints), 0
    for path in paths:
        try:
            lesson = read_lesson(path)
            known = [name for name in lesson.models if name in names]
            if not known:
                there = ", ".join(names)
                raise LessonError(f"{path.name}: none of its models is here. There are {there}.")
            for model in known:
                with library.calls():
                    played(lesson, library.tracer(model), names)
            count = f"{len(lesson.steps)} step{'s' * (len(lesson.steps) > 1)}"
            print(f"{path.name}: {count}, with {', '.join(known)}")
        except VisualiserError as error:
            wrong += 1
            print(f"error: {error}", file=sys.stderr)
    return 1 if wrong else 0


def _library(checkpoints: Path) -> "Library":
    from model_core.decoding.library import Library  # imports torch

    return Library(checkpoints, threads=1)
