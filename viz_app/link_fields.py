"""The fields of a link: their names, what they may hold, and how each value is spelled.

One table for Python and for the page (stage/keep/link.js gets it with the page's options). Nothing
here knows what the values mean together.
"""

import base64
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal
from urllib.parse import quote_plus, unquote_plus

from model_core.errors import RecipeError
from model_core.values.recipe import MAX_CHARACTERS, MAX_PADS
from model_core.values.trace import SITES
from viz_app.rooms import ROOMS

MAX_TOKENS = 1024  # tokens
_MAX_PLACE = 1024  # of a layer, a head, a step, a row or a column
_MARKS = {".": "greedy", "~": "sampled", "_": "forced", "-": "beam"}  # before each token
_TOKENS = re.compile(r"(?:[.~_-][0-9a-z]{1,4})*")
_TOKEN = re.compile(r"([.~_-])([0-9a-z]{1,4})")
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,6}")
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,24})?")
_SEED = re.compile(r"0|[1-9][0-9]{0,15}")
_ESCAPES = re.compile(r"(?:[^%]|%[0-9A-Fa-f]{2})*")
_BASE64 = re.compile(r"[0-9A-Za-z_-]*")
_HEX = re.compile(r"[0-9a-f]{8,64}")
_MAX_SEED = 2**53 - 1  # what a browser counts exactly


@dataclass(frozen=True)
class Field:
    """One `name=value` of a link."""

    name: str
    kind: Literal[
        "name", "hex", "word", "whole", "wholes", "text", "draft", "texts", "tokens", "sample"
    ]
    words: tuple[str, ...] = ()  # what a word may be
    least: int = 0  # of a whole number
    most: int = _MAX_PLACE - 1
    counted_from: int = 0  # what the link writes for 0
    many: int = 0  # at most so many; of a pair exactly two
    pair: bool = False
    default: str | int | None = None  # left out of a link
    since: int = 1  # the version of links that has it


def _words(name: str, *words: str, default: str | None = None) -> Field:
    return Field(name, "word", words, default=default)


def _pair(name: str, since: int = 1) -> Field:
    return Field(name, "wholes", counted_from=1, many=2, pair=True, since=since)


# What the heads are sorted by: their place, or one of the measures of stage/run/habits.js.
ORDERS: tuple[str, ...] = ("place", "entropy", "largest", "previous", "itself", "next", "first")
ORDERS += ("start", "end", "marks", "diagonal")

# In the order in which they are written. What begins with a room's name is that room's own choice.
FIELDS = (
    Field("model", "name"),
    Field("weights", "hex"),  # see model_core/checkpoints/folder.py
    _words("room", *(room.name for room in ROOMS), default="translate"),
    Field("text", "text"),
    Field("pads", "whole", most=MAX_PADS, default=0),
    Field("sample", "sample"),  # temperature, top-k, top-p, seed
    Field("beam", "whole", least=1, most=16),  # the width; without sample and beam: greedy
    Field("target", "tokens"),  # without it: up to the end
    _words("site", *SITES),
    *map(_pair, SITES),  # the locked layer and head
    Field("step", "whole", counted_from=1),
    _words("rows", "fed", "predicted"),
    _words("view", "heat", "lines", "table", default="heat"),
    _words("spelled", "yes", "no", default="no"),
    _words("order", *ORDERS, default="place"),
    *(_pair(f"cell.{site}") for site in SITES),  # query and key
    _words("masks.view", "masks", "passes"),
    _words("masks.site", *SITES),
    _words("masks.causal", "intact", "none", "ahead", "behind"),
    _words("masks.pads", "intact", "none", "rows"),
    _words("masks.fill", "infinite", "finite"),
    Field("masks.shown", "whole", most=5, counted_from=1),
    Field("masks.sentences", "texts", many=5),  # after the first, which is the text
    _pair("masks.cell", since=2),
    Field("masks.step", "whole", counted_from=1, since=2),  # of the passes
    Field("masks.unfolded", "word", ("yes",), since=2),  # a long run of pads, drawn one by one
    _words("positions.view", "table", "sum", "order", "rotary"),
    _words("positions.kind", "sinusoidal", "learned", "rotary", "none"),
    Field("positions.row", "whole"),
    Field("positions.column", "whole", most=65535),
    Field("positions.kept", "wholes", most=65535, many=6),
    _words("positions.side", "source", "target"),
    Field("positions.order", "wholes", many=_MAX_PLACE),
    Field("positions.shift", "wholes", least=-_MAX_PLACE, many=64),  # word, by, word, by
    _words("positions.mode", "on", "off"),
    Field("positions.at", "whole"),
    _words("positions.site", *SITES),
    Field("positions.query", "whole"),
    Field("positions.key", "whole"),
    Field("positions.pair", "whole", most=65535),
    Field("positions.row_picked", "whole"),
    Field("positions.column_picked", "whole"),
    _words("positions.part_picked", "before", "after", "difference"),
    _words("inside.view", "cell", "way"),
    _words("inside.side", "source", "target"),
    Field("inside.position", "whole"),
    Field("inside.unfolded", "wholes", counted_from=1, many=256, since=2),  # stages of the way
    Field("draft", "draft", since=2),  # typed, not yet translated; without it: the text
)
BY_NAME = {field.name: field for field in FIELDS}
CORE = {field.name for field in FIELDS if "." not in field.name}


def broken(name: str) -> RecipeError:
    """The error of a link whose field `name` is not what it can be."""
    name = name.encode("ascii", "replace").decode()[:20]
    return RecipeError(
        f"The link is damaged at “{name}”. Copy it again, whole, from where it came.",
        "link_broken",
        name=name,
    )


def encode_text(text: str) -> str:
    """The text, percent-encoded, or base64url after a "~" where that is shorter."""
    legible = quote_plus(text, safe="").replace("~", "%7E")
    short = "~" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")
    return legible if len(legible) <= len(short) else short


def decode_text(written: str, name: str) -> str:
    """The text that `encode_text` wrote for the field `name`."""
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


def encoded(field: Field, value: Any) -> str:
    """The value as a link holds it."""
    match field.kind:
        case "whole":
            return str(value + field.counted_from)
        case "wholes":
            return ".".join(str(one + field.counted_from) for one in value)
        case "name" | "text" | "draft":
            return encode_text(value)
        case "texts":
            return ",".join(encode_text(one) or "~" for one in value)
        case "tokens":
            marks = {how: mark for mark, how in _MARKS.items()}
            return "".join(marks[how] + _base36(token) for token, how in value)
        case "sample":
            return ",".join(_plain(number) for number in value)
    return str(value)


def decoded(field: Field, written: str) -> Any:
    """The value of one field; raises where it is not one."""
    name = field.name
    match field.kind:
        case "word":
            if written in field.words:
                return written
        case "hex":
            if _HEX.fullmatch(written):
                return written
        case "whole":
            return _whole(field, written)
        case "wholes":
            wholes = tuple(_whole(field, one) for one in written.split(".") if written)
            if len(wholes) <= field.many and (not field.pair or len(wholes) == 2):
                return wholes
        case "name":
            if 0 < len(text := decode_text(written, name)) <= 200:
                return text
        case "text":  # its length is the recipe's to check
            return decode_text(written, name)
        case "draft":
            if len(text := decode_text(written, name)) <= MAX_CHARACTERS:
                return text
        case "texts":
            texts = tuple(decode_text(one, name) for one in written.split(",") if written)
            if len(texts) <= field.many and all(len(text) <= MAX_CHARACTERS for text in texts):
                return texts
        case "tokens":
            tokens = _TOKEN.findall(written)
            if _TOKENS.fullmatch(written) and len(tokens) <= MAX_TOKENS:
                chosen = tuple((int(digits, 36), _MARKS[mark]) for mark, digits in tokens)
                if all(token < 1_000_000 for token, _ in chosen):
                    return chosen
        case "sample":
            return _sample(written)
    raise broken(name)


def _whole(field: Field, written: str) -> int:
    if _WHOLE.fullmatch(written):
        value = int(written) - field.counted_from
        if field.least <= value <= field.most:
            return value
    raise broken(field.name)


def _sample(written: str) -> tuple[float, int, float, int]:
    parts = written.split(",")
    if len(parts) != 4 or not all(map(_NUMBER.fullmatch, parts[:3])) or "." in parts[1]:
        raise broken("sample")
    temperature, top_k, top_p = float(parts[0]), int(parts[1]), float(parts[2])
    if not (0.01 <= temperature <= 100 and top_k <= 1_000_000 and 0 < top_p <= 1):
        raise broken("sample")
    if not _SEED.fullmatch(parts[3]) or int(parts[3]) > _MAX_SEED:
        raise broken("sample")
    return temperature, top_k, top_p, int(parts[3])


def _plain(number: float) -> str:
    """A number as a browser writes it, without an exponent: 1, 0.05."""
    written = format(Decimal(repr(number)), "f")
    return written.removesuffix(".0")


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits
