"""Links of the first two versions, spelled as those of today.

    #v1&model=en-fr&text=The+old+cat&target=.5k.c_2&site=cross&cross=3.5&step=4

They count from 1, write a text percent-encoded or, after a "~", as base64url, and call some choices
otherwise. The words of another order become tokens once the sentence is known.
"""

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote_plus

from model_core.errors import RecipeError, VisualiserError
from model_core.values.edits import CAUSAL_BREAKS
from model_core.values.trace import SITES, Tokens
from viz_app.rooms.words_of_tokens import places_in, tokens_in, words_of
from viz_app.text import told

_MARKS = {".": "g", "~": "s", "_": "f", "-": "b"}  # before each token
_TOKENS = re.compile(r"(?:[.~_-][0-9a-z]{1,4})*")
_ESCAPES = re.compile(r"(?:[^%]|%[0-9A-Fa-f]{2})*")
_BASE64 = re.compile(r"[0-9A-Za-z_-]*")
_FROM_ONE = ("step", "masks.shown", "masks.step", "masks.cell", "inside.unfolded", *SITES)
_BREAKS = {
    **{("masks.causal", how): f"causal-mask:{how}" for how in CAUSAL_BREAKS},
    ("masks.pads", "none"): "no-pad-mask",
    ("masks.pads", "rows"): "pads-rows",
    ("masks.fill", "finite"): "finite-mask",
}
_INTACT = {("masks.causal", "intact"), ("masks.pads", "intact"), ("masks.fill", "infinite")}
_CALLED = {"step": "at", "positions.view": "positions.study"}
_CALLED["positions.kept"] = "positions.dimensions"
Pairs = list[tuple[str, str]]


def broken(name: str) -> VisualiserError:
    """The error of a link whose field `name` is not what it can be."""
    return told(RecipeError, "link_broken", name=name.encode("ascii", "replace").decode()[:20])


def as_now(fragment: str) -> tuple[Pairs, dict[str, list[int]] | None]:
    """The fields as they are called today, and the order of words that the link chose."""
    said: dict[str, str] = {}
    for part in fragment.split("&")[1:]:
        name, equals, value = part.partition("=")
        if not equals or name in said:
            raise broken(name)
        said[name] = value
    pairs: Pairs = []
    sentences = _sentences(said)
    shown = said.get("masks.shown", "1")
    if shown.isascii() and shown.isdecimal() and int(shown) > len(sentences):
        said.pop("masks.shown", None)
    if said.get("masks.view") == "passes" and said.get("masks.site") == "encoder":
        del said["masks.site"]
    if said.get("positions.view") == "rotary" and said.get("positions.site") == "cross":
        del said["positions.site"]
    picked = [said.pop(f"positions.{name}_picked", None) for name in ("row", "column", "part")]
    is_order = said.get("positions.view") == "order"
    if None not in picked[:2] and is_order == (picked[2] is not None):
        pairs.append(("positions.picked", ".".join(map(str, picked[:2]))))
        pairs += [("positions.part", picked[2])] if picked[2] is not None else []
    words = {
        name: [_whole(f"positions.{name}", one) for one in said.pop(f"positions.{name}").split(".")]
        for name in ("order", "shift")
        if said.get(f"positions.{name}")
    }
    for name, value in said.items():
        pairs += _as_now(name, value)
    pairs += [("masks.sentences", text) for text in sentences]
    return pairs, words if is_order and "order" in words else None


def in_tokens(view: Mapping[str, Any], source: Tokens, last: int) -> dict[str, Any]:
    """The view with the words of an old link's order as tokens; `last` is the last position.

    An order of another sentence is left open.
    """
    view = dict(view)
    said = view.pop("words", None)
    words = words_of(source)
    if said is None or sorted(said["order"]) != list(range(len(words))):
        return view
    shift = said.get("shift", [])
    by_word = dict(zip(shift[::2], shift[1::2], strict=False))
    rows = places_in(said["order"], words, by_word, last)
    choices = view["choices"] | {"order": tokens_in(said["order"], words)}
    return view | {"choices": choices | ({} if rows is None else {"rows": rows})}


def _sentences(said: dict[str, str]) -> list[str]:
    """The whole batch; an old link leaves out its first sentence, the text."""
    written = said.pop("masks.sentences", None)
    if written is None or "text" not in said:
        return []
    others = [_text("masks.sentences", one) for one in written.split(",") if one]
    return [_text("text", said["text"]), *others]


def _as_now(name: str, value: str) -> Pairs:
    """One field as it is called and spelled today."""
    if name in ("model", "text", "draft"):
        return [(name, _text(name, value))]
    if name == "target":
        if not _TOKENS.fullmatch(value):
            raise broken(name)
        ids = [str(int(one, 36)) for one in re.split("[.~_-]", value)[1:]]
        return [(name, ".".join(ids)), ("how", "".join(filter(None, map(_MARKS.get, value))))]
    if name == "sample":
        numbers = value.split(",")
        if len(numbers) != 4:
            raise broken(name)
        return list(zip(("temperature", "top_k", "top_p", "seed"), numbers, strict=True))
    if name in ("spelled", "masks.unfolded"):
        return [(name, {"yes": "true", "no": "false"}.get(value, ""))]
    if (name, value) in _INTACT:
        return []
    if (name, value) in _BREAKS:
        return [("masks.breaks", _BREAKS[name, value])]
    if name in _FROM_ONE or name.startswith("cell."):
        value = ".".join(str(_whole(name, one) - 1) for one in value.split(".") if one)
    if name.startswith("cell."):
        name = name.replace(".", "_")
    return [(_CALLED.get(name, name), value)]


def _whole(name: str, written: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,7}", written):
        raise broken(name)
    return int(written)


def _text(name: str, written: str) -> str:
    """A text, percent-encoded, or in base64url behind a "~"."""
    try:
        if not written.startswith("~"):
            if not _ESCAPES.fullmatch(written):
                raise broken(name)
            text = unquote_plus(written, errors="strict")
        else:
            coded = written[1:]
            if not _BASE64.fullmatch(coded) or len(coded) % 4 == 1:
                raise broken(name)
            text = base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode()
        text.encode()  # half of a character has no place in a text
    except ValueError as error:
        raise broken(name) from error
    return text
