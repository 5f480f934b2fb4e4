"""A teacher's sheet of a lesson: links, questions and computed answers, as Markdown or HTML.

What a lesson and a model say is data here: no letter of it is read as a mark or a tag.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from viz_app.text import filled

# The few words that only a sheet has.
_WORDS = {
    "en": {"about": "Model: {model} · {n} minute{n|s}", "link": "Open", "answer": "Answer: {said}"},
    "zh": {"about": "模型：{model} · {n} 分钟", "link": "打开", "answer": "答案：{said}"},
}
_MARKS = re.compile(r"([\\`*_\[\]#|~$]|^[+-])")
_SAID = ("ask", "then", "numbers", "formula")


@dataclass(frozen=True)
class Block:
    """A part of a sheet: title, about, heading, said, quiet, choice, answer or link."""

    kind: str
    text: str
    link: str = ""


def sheet_of(played: Mapping[str, Any], about: str, minutes: int, language: str) -> list[Block]:
    """The parts of a sheet of a lesson that was played; `about` is the name of a word."""
    words, own = played["words"][language], _WORDS[language]

    def told(said: Mapping[str, Any]) -> str:
        return filled(words[said["word"]], said["values"])

    blocks = [
        Block("title", words[played["title"]]),
        Block("said", words[about]),
        Block("quiet", filled(own["about"], {"model": played["model"], "n": minutes})),
    ]
    for number, step in enumerate(played["steps"], start=1):
        says, ask = step["says"], step["ask"]
        blocks.append(Block("heading", f"{number}. {told(says['say'])}"))
        blocks.append(Block("link", own["link"], step["link"]))
        for name in _SAID:
            if says[name] is not None:
                blocks.append(Block("said", told(says[name])))
            if name == "ask" and ask is not None:
                options = [
                    words[one["word"]] if "word" in one else one["text"] for one in ask["of"]
                ]
                blocks += [Block("choice", one) for one in options]
                values = [one["value"] for one in ask["of"]]
                shown = options[values.index(ask["answer"])] if values else ask["shown"]
                blocks.append(Block("answer", filled(own["answer"], {"said": shown})))
        blocks += [Block("quiet", told(one)) for one in says["hints"]]
    return blocks


def in_markdown(blocks: list[Block]) -> str:
    """The sheet as Markdown."""
    made = []
    for block in blocks:
        text = _plain(block.text)
        forms = {"title": f"# {text}", "heading": f"## {text}", "choice": f"- {text}"}
        forms |= {"answer": f"**{text}**", "quiet": f"*{text}*"}
        forms |= {"link": f"[{text}](<{block.link.replace('<', '%3C').replace('>', '%3E')}>)"}
        made.append(forms.get(block.kind, text))
    lines = [f"{one}\n" for one in made]
    for at, (one, after) in enumerate(pairwise(blocks)):
        if one.kind == after.kind == "choice":
            lines[at] = lines[at].rstrip("\n")
    return "\n".join(lines)


def in_html(blocks: list[Block], language: str) -> str:
    """The sheet as a page of its own, to be printed."""
    tags = {"title": "h1", "heading": "h2", "choice": "li", "answer": "b", "quiet": "small"}
    made = []
    for block in blocks:
        text = html.escape(block.text)
        if block.kind == "link":
            made.append(f'<p><a href="{html.escape(block.link)}">{text}</a></p>')
        elif block.kind in ("answer", "quiet"):
            made.append(f"<p><{tags[block.kind]}>{text}</{tags[block.kind]}></p>")
        else:
            tag = tags.get(block.kind, "p")
            made.append(f"<{tag}>{text}</{tag}>")
    body = re.sub(r"(?:<li>.*</li>\n?)+", r"<ul>\n\g<0></ul>\n", "\n".join(made))
    title = html.escape(blocks[0].text)
    style = "body { max-width: 42em; margin: 2em auto; font: 16px/1.5 sans-serif; }"
    return (
        f'<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n{body}\n</html>\n"
    )


def _plain(text: str) -> str:
    """A text whose letters are no marks of Markdown, in one line."""
    return html.escape(_MARKS.sub(r"\\\1", " ".join(text.split())), quote=False)
