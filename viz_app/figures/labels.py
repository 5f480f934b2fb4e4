"""What a token is called in a picture, as labels.js does on the page, and the room it takes."""

import html
import re
import unicodedata
from collections.abc import Sequence

from model_core.values.trace import COLUMNS, ROWS, Site, Tokens
from viz_app.figures.look import Look, escaped

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
_IN_COLUMNS = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff01-\uff60…]+")
_UPRIGHT = str.maketrans("〈〉…", "︿﹀︙")


def labels_of(tokens: Tokens, look: Look, is_target: bool = False) -> tuple[str, ...]:
    """One label per token, not escaped; special tokens by their names, as `marked` knows them."""
    return tuple(
        _label(piece, text, kind, is_target and i == 0, look)
        for i, (piece, text, kind) in enumerate(
            zip(tokens.pieces, tokens.texts, tokens.kinds, strict=True)
        )
    )


def _label(piece: str, text: str, kind: str, starts: bool, look: Look) -> str:
    if look.spelled:
        return visible(piece)
    if kind in ("pad", "unknown"):
        return look.word(f"token_{kind}")
    if kind == "special":
        key = "token_start" if starts else _NAMED.get(piece)
        return look.word(key) if key else text or piece
    return visible(text)


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


def marked(labels: Sequence[str], kinds: Sequence[str], look: Look) -> list[str]:
    """Labels as Plotly reads them; special tokens are set apart by form, not by colour alone."""
    out = []
    for label, kind in zip(labels, kinds, strict=True):
        text = escaped(isolated(label))
        if kind != "text":
            text = f"<i>{text}</i>" if look.language == "en" else f"〈{text}〉"
        out.append(text)
    return out


def named(tokens: Tokens, look: Look, is_target: bool = False) -> list[str]:
    """One label per token as Plotly reads it."""
    return marked(labels_of(tokens, look, is_target), tokens.kinds, look)


def axis_titles(
    site: Site, look: Look, steps: bool = False, whole: bool = False
) -> tuple[str, str]:
    """What the rows of a site are, and its columns; `steps`: rows say what they write.

    `whole`: its rows are no steps, all of them are there at once.
    """
    fed = "whole" if whole else "step" if steps else "fed"
    rows = "source" if ROWS[site] == "source" else fed
    columns = "whole" if whole and COLUMNS[site] == "target" else COLUMNS[site]
    return look.word(f"axis_rows_{rows}"), look.word(f"axis_columns_{columns}")


def title_of(site: str, layer: int, head: int, look: Look, key: str = "figure_title") -> str:
    """The title of a picture of one head, which counts from 1 as its layer does."""
    return look.word(key, site=look.word(f"figure_site_{site}"), layer=layer, head=head)


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
