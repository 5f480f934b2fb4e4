"""What a text and a token are called in a picture, as on the page, and the room they take."""

import html
import re
import unicodedata
from collections.abc import Sequence

from model_core.values.recipe import Recipe
from viz_app.figures.look import Look, escaped
from viz_app.values.phrases import Phrase, Step, Text, Token

_NAMED = {
    "<s>": "token_start",
    "<bos>": "token_start",
    "<sos>": "token_start",
    "[SOS]": "token_start",
    "[CLS]": "token_start",
    "</s>": "token_end",
    "<eos>": "token_end",
    "[EOS]": "token_end",
    "[SEP]": "token_end",
}
_MOST_LINES = {"slide": 2, "column": 4}  # of what is said under a title; or it is left out
LONGEST = 24  # letters of a label; the data has them all
_RIGHT_TO_LEFT = {"R", "AL"}
_IN_COLUMNS = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff60…]+")
_UPRIGHT = str.maketrans("〈〉…", "︿﹀︙")


def said(text: Text, look: Look) -> str:
    """A text as Plotly reads it, in the language of a look."""
    if isinstance(text, str):
        return escaped(isolated(text))
    if isinstance(text, Token):
        return _marked(_label(text, look), text.kind, look)
    if isinstance(text, Step):
        quiet = look["quiet"]
        reads, writes = said(text.reads, look), said(text.writes, look)
        return f'<span style="color:{quiet}">{reads} →</span> {writes}'
    if isinstance(text, Phrase):
        return look.word(text.key, **{name: said(one, look) for name, one in text.values})
    return "".join(said(part, look) for part in text)


def _label(token: Token, look: Look) -> str:
    if look.spelled:
        return visible(token.piece)
    if token.kind in ("pad", "unknown"):
        return look.word(f"token_{token.kind}")
    if token.kind == "special":
        key = "token_start" if token.begins else _NAMED.get(token.piece)
        return look.word(key) if key else token.text or token.piece
    return visible(token.text)


def _marked(label: str, kind: str, look: Look) -> str:
    """Special tokens are set apart by form, not by colour alone."""
    text = escaped(isolated(label))
    if kind == "text":
        return text
    return f"<i>{text}</i>" if look.language == "en" else f"〈{text}〉"


def visible(text: str) -> str:
    """A text that can be seen: spaces alone as ␣, what has no shape as ∅, the long cut short."""
    if text and text.isspace():
        return "␣" * len(text)
    if all(
        unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") or "\ufe00" <= c <= "\ufe0f"
        for c in text
    ):
        return "∅"
    return shortened(text.strip(), LONGEST)


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning with an ellipsis; a letter keeps its marks."""
    if len(text) <= longest:
        return text
    kept = text[: longest - 1]
    while kept and (unicodedata.combining(text[len(kept)]) or text[len(kept)] in "\u200d\ufe0f"):
        kept = kept[:-1]
    return kept + "…"


def stacked(labels: Sequence[str]) -> list[str] | None:
    """Labels of scripts that are written in columns, sign below sign; None if one is of another."""
    if not all(_IN_COLUMNS.fullmatch(label) for label in labels):
        return None
    return ["<br>".join(label.translate(_UPRIGHT)) for label in labels]


def isolated(label: str) -> str:
    """A label that turns no words around it: right-to-left text stands between isolates."""
    turned = any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in label)
    return f"\u2068{label}\u2069" if turned else label


def width_of(label: str, size: float) -> float:
    """About how many pixels a text for Plotly takes; good enough to place it before it is drawn."""
    shown = html.unescape(re.sub(r"<[^<>]*>", "", label))
    return size * sum(_letter_width(letter) for letter in shown)


def widest(labels: Sequence[str], size: float) -> float:
    """The width of the widest label."""
    return max((width_of(label, size) for label in labels), default=0)


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or ord(letter) > 0x1F000:
        return 1.05
    if letter in "iIljt.,:;'|!()[]f·":
        return 0.36
    return 0.82 if letter in "mwMW@%…" else 0.7 if letter.isupper() else 0.61


def wrapped(text: str, size: float, room: float) -> str:
    """The text on as many lines as it needs."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return "<br>".join(lines)


def said_under(look: Look, text: str) -> str:
    """What is said under a title, on its lines: whole, or else what stands before a colon alone."""
    if "<br>" in text:  # on its lines already
        return text
    room = look.paper_width - 2.2 * look.type_size
    lines = wrapped(text, look.sized(0.9), room)
    if lines.count("<br>") < _MOST_LINES[look.size]:
        return lines
    return text.partition(": ")[0]


def about_decoding(recipe: Recipe, text: str, look: Look) -> str:
    """The line under a title, as Plotly reads it: model, edits, sentence, translation."""
    of = escaped(recipe.model)
    if recipe.edits:  # as they are spelled in a recipe, so that they can be made again
        of += f", {look.word('edits')} {', '.join(map(str, recipe.edits))}"
    return f"{of}: {said((recipe.source, ' → ', text), look)}"
