"""What a text and a token are called in a figure, as on the page."""

import html
import re
import unicodedata
from collections.abc import Iterable

from model_core.values.recipe import Recipe
from viz_app.figures.look import Look, escaped
from viz_app.values.phrases import BLANK, Phrase, StepPhrase, Text, Token
from viz_app.values.sheets import Sheets

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
LONGEST = 24  # letters of a label; the data has them all
_RIGHT_TO_LEFT = {"R", "AL"}


def spelled(value: float, digits: str = ".2f") -> str:
    """A number with the sign of its size; what is printed as zero has none, as on the page."""
    text = format(value, digits)
    return (text if float(text) else text.lstrip("-+")).replace("-", "\u2212")


def said(text: Text, look: Look) -> str:
    """A text as Plotly reads it, in the language of a look."""
    if isinstance(text, str):
        return escaped(isolated(text))
    if isinstance(text, Token):
        return _marked(_label(text, look), text.kind, look)
    if isinstance(text, StepPhrase):
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


def isolated(label: str) -> str:
    """A label that turns no words around it: right-to-left text stands between isolates."""
    turned = any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in label)
    return f"\u2068{label}\u2069" if turned else label


def room_of(labels: Iterable[str]) -> float:
    """About how many pixels the widest label takes, where a figure has to leave room for it."""
    shown = (html.unescape(re.sub(r"<[^<>]*>", "", label)) for label in labels)
    wide = (sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in one) for one in shown)
    return 7.0 * max(wide, default=0)


def title_said(sheets: Sheets, look: Look) -> str:
    """The title of a picture as Plotly reads it; "" where a look has none."""
    title = said(sheets.title, look).replace(BLANK, "") if look.title else ""
    return title[:1].upper() + title[1:]


def about_decoding(recipe: Recipe, text: str, look: Look) -> str:
    """The line under a title, as Plotly reads it: model, edits, sentence, translation."""
    of = escaped(recipe.model)
    if recipe.edits:  # as they are spelled in a recipe, so that they can be made again
        of += f", {look.word('edits')} {', '.join(map(str, recipe.edits))}"
    return f"{of}: {said((recipe.source, ' → ', text), look)}"
