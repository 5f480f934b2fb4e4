"""A teacher's sheet of a lesson: links, questions and computed answers, as Markdown or HTML.

What a lesson and a model say is data here: no letter of it is read as a mark or a tag.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from viz_app.lessons.lesson import Lesson
from viz_app.lessons.playing import model_for, played
from viz_app.text import filled, words_beside

if TYPE_CHECKING:
    from model_core.decoding.library import Library

PAGE = "http://127.0.0.1:7860/"
_WORDS = words_beside(__file__, "sheet.txt")
_MARKS = re.compile(r"([\\`*_\[\]#|~$]|^[+-])")
_NUMBERED = re.compile(r"^(\d+)(?=[.)])")  # which would begin a list
_SAID = ("ask", "then", "numbers", "formula")
_TAGS = {"title": "h1", "heading": "h2", "choice": "li"}
_STYLE = """
@page { size: A4; margin: 18mm 20mm; }
body { max-width: 42em; margin: 2em auto; padding: 0 1em; color: #1c1d29; background: #fff;
  font: 16px/1.5 system-ui, "Noto Sans", "Noto Sans SC", "PingFang SC", sans-serif; }
h1 { margin: 0 0 0.2em; font-size: 1.7em; line-height: 1.25; }
h2 { margin: 0 0 0.3em; font-size: 1em; font-weight: 400; }
p, ul { margin: 0.3em 0; overflow-wrap: anywhere; }
section { margin-top: 1.6em; padding-left: 2.2em; break-inside: avoid; }
h2 b { float: left; margin-left: -2.2em; }
ul { padding: 0; list-style: none; }
li::before { content: "☐ "; }
.ask { font-weight: 600; }
.answer { padding-left: 0.7em; border-left: 3px solid #c23b0a; font-weight: 600; }
.formula { font-family: ui-monospace, "Noto Sans Mono", monospace; font-size: 0.9em; }
.quiet, .hint, .link { color: #5b5d6b; font-size: 0.875em; }
a { color: inherit; }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10.5pt; } }
"""


@dataclass(frozen=True)
class Block:
    """A part of a sheet: title, heading, said, quiet, ask, choice, answer, formula, hint or link.

    A heading has its number; a link has what it is called beside where it leads.
    """

    kind: str
    text: str
    link: str = ""
    number: int = 0


def sheet_of(
    library: "Library", lesson: Lesson, model: str | None, language: str, page: str = PAGE
) -> list[Block]:
    """The parts of a sheet of a lesson, played with a model or its first.

    `page` is where the app is, before the # of its links. LessonError where it cannot be played.
    """
    names = library.names()
    with library.calls():
        tracer = library.tracer(model_for(lesson, model, names))
        made = played(lesson, tracer, names, f"{page}#")
    words, own = made["words"][language], _WORDS[language]

    def in_words(said: Mapping[str, Any]) -> str:
        values = {
            name: own["between"].join(one) if isinstance(one, list) else one
            for name, one in said["values"].items()
        }
        return filled(words[said["word"]], values)

    about, weights = lesson.word("about"), tracer.model.fingerprint
    of_model = {"model": made["model"], "weights": weights, "n": lesson.minutes}
    blocks = [
        Block("title", words[made["title"]]),
        *([Block("said", words[about])] if words[about] else []),
        Block("quiet", filled(own["about"], of_model)),
        Block("quiet", own["for"]),
    ]
    for number, step in enumerate(made["steps"], start=1):
        says, ask = step["says"], step["ask"]
        blocks.append(Block("heading", in_words(says["say"]), number=number))
        for name in _SAID:
            if says[name] is not None:
                kind = name if name in ("ask", "formula") else "said"
                blocks.append(Block(kind, in_words(says[name])))
            if name == "ask" and ask is not None:
                options = [
                    words[one["word"]] if "word" in one else one["text"] for one in ask["of"]
                ]
                blocks += [Block("choice", one) for one in options]
                values = [one["value"] for one in ask["of"]]
                shown = options[values.index(ask["answer"])] if values else ask["shown"]
                blocks.append(Block("answer", filled(own["answer"], {"said": shown})))
        blocks += [
            Block("hint", filled(own["hint"], {"said": in_words(one)})) for one in says["hints"]
        ]
        place = f"lesson={lesson.name}.{number}"
        # Such a link can be typed; it is that of the lesson's first model.
        is_first = made["models"][0] == made["model"]
        typed = f"{page}#{place}" if is_first else own["link"]
        blocks.append(Block("link", typed, f"{step['link']}&{place}"))
    return blocks


def in_markdown(blocks: list[Block]) -> str:
    """The sheet as Markdown."""
    made = []
    for block in blocks:
        text = _plain(block.text)
        forms = {"title": f"# {text}", "heading": f"## {block.number}. {text}"}
        forms |= {"choice": f"- {text}", "answer": f"**{text}**"}
        forms |= dict.fromkeys(("quiet", "hint"), f"*{text}*")
        forms |= {"link": f"[{text}](<{block.link.replace('<', '%3C').replace('>', '%3E')}>)"}
        made.append(forms.get(block.kind, text))
    lines = [f"{one}\n" for one in made]
    for at, (one, after) in enumerate(pairwise(blocks)):
        if one.kind == after.kind == "choice":
            lines[at] = lines[at].rstrip("\n")
    return "\n".join(lines)


def in_html(blocks: list[Block], language: str) -> str:
    """The sheet as a page of its own, to be printed: no step is torn in two."""
    parts: list[list[Block]] = [[]]
    for block in blocks:
        if block.kind == "heading":
            parts.append([])
        parts[-1].append(block)
    first, *steps = ("\n".join(_elements(part)) for part in parts)
    body = "\n".join([first, *(f"<section>\n{one}\n</section>" for one in steps)])
    return (
        f'<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(blocks[0].text)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def _elements(blocks: list[Block]) -> list[str]:
    made = []
    for kind, alike in groupby(blocks, key=lambda block: block.kind):
        lines = []
        for block in alike:
            text, tag = html.escape(block.text), _TAGS.get(kind, "p")
            if kind == "link":
                text = f'<a href="{html.escape(block.link)}">{text}</a>'
            if kind == "heading":
                text = f"<b>{block.number}.</b>{text}"
            lines.append(
                f"<{tag}>{text}</{tag}>" if kind in _TAGS else f'<p class="{kind}">{text}</p>'
            )
        made += ["<ul>", *lines, "</ul>"] if kind == "choice" else lines
    return made


def _plain(text: str) -> str:
    """A text whose letters are no marks of Markdown, in one line."""
    text = _NUMBERED.sub(r"\1\\", _MARKS.sub(r"\\\1", " ".join(text.split())))
    return html.escape(text, quote=False)
