"""Which parts a tokenizer's file may have, checked before the `tokenizers` library reads it.

That library runs whatever a file asks for: regular expressions that take for ever, replacements
that grow without end, and tables whose damage ends the process. What trainings here write is known,
as is what the usual tutorials write; every other part is refused by name.
"""

import json
from typing import Any

from model_core.errors import TokenizerError
from model_core.values.checked import shown

_ALLOWED = {
    "model": {"BPE", "WordLevel", "WordPiece"},
    "normalizer": {
        *("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Strip", "BertNormalizer"),
        *("Prepend", "Replace"),
    },
    "pre_tokenizer": {
        *("Whitespace", "WhitespaceSplit", "Metaspace", "ByteLevel", "BertPreTokenizer"),
        *("Punctuation", "Digits", "CharDelimiterSplit", "Split"),
    },
    "decoder": {
        *("ByteFallback", "Fuse", "Metaspace", "ByteLevel", "BPEDecoder", "WordPiece", "Strip"),
        "Replace",
    },
}
_MEMBERS = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "decoder": "decoders"}
_REPEATABLE = {"Split", "Replace"}
_REGEXES = {"(?m:.)"}  # every single character; ours
_MOST_PARTS, _LONGEST_SETTING = 16, 16  # parts in a row; characters
_LONGEST_PIECE, _MOST_ADDED = 256, 1000  # characters; tokens


def is_failure(error: BaseException) -> bool:
    """Whether an exception says that `tokenizers` failed, which may panic past every Exception."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def checked_parts(text: str) -> str:
    """The JSON of a tokenizer that is safe to read: what was checked and nothing else.

    Truncation, padding and the special tokens that a post-processor adds are left out: sentences
    would change without a word. Raises TokenizerError, which names the part that is refused.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TokenizerError(f"The tokenizer cannot be read: {error}.") from error
    if not isinstance(values, dict):
        raise TokenizerError("The tokenizer cannot be read: it is no JSON object.")
    values |= {"truncation": None, "padding": None, "post_processor": None}
    for place, members in _MEMBERS.items():
        part = values.get(place)
        parts: Any = [part] if part is not None else []
        if isinstance(part, dict) and part.get("type") == "Sequence":
            parts = part.get(members)
        _require(isinstance(parts, list), f"its {place} is no list of parts")
        _require(len(parts) <= _MOST_PARTS, f"its {place} has more than {_MOST_PARTS} parts")
        for one in parts:
            _check_part(place, one)
        types = [one["type"] for one in parts if one["type"] not in _REPEATABLE]
        _require(len(types) == len(set(types)), f"its {place} has one part twice")
    _check_model(values.get("model"))
    added = values.get("added_tokens", [])
    _require(
        isinstance(added, list) and len(added) <= _MOST_ADDED,
        f"added_tokens must be a list of at most {_MOST_ADDED}",
    )
    return json.dumps(values)


def _require(condition: bool, words: str) -> None:
    if not condition:
        raise TokenizerError(f"The tokenizer cannot be read: {words}.")


def _check_part(place: str, part: Any) -> None:
    """Refuse a part of another type, and settings with which one grows or fails."""
    _require(isinstance(part, dict), f"its {place} is no JSON object")
    kind = part.get("type")
    _require(
        isinstance(kind, str) and kind in _ALLOWED[place],
        f"its {place} is {shown(kind)}, which may take for ever on some text; allowed are "
        f"{', '.join(sorted(_ALLOWED[place]))}",
    )
    pattern = part.get("pattern")
    literal = pattern.get("String") if isinstance(pattern, dict) else None
    for setting in (*part.values(), literal):
        short = not isinstance(setting, str) or len(setting) <= _LONGEST_SETTING
        _require(short, f"its {place} {kind} has a setting of over {_LONGEST_SETTING} characters")
    if kind in ("Split", "Replace"):
        ours = kind == "Split" and pattern in [{"Regex": regex} for regex in _REGEXES]
        found = isinstance(literal, str) and literal and len(pattern) == 1
        _require(ours or bool(found), f"its {place} {kind} must look for a literal text")
    if kind == "Replace":
        content = part.get("content")
        _require(
            isinstance(content, str) and len(content) <= len(literal or ""),
            f"its {place} Replace makes a text longer",
        )
    if kind == "Strip" and place == "decoder":
        _require(
            part.get("stop") == 0 and part.get("start") in (0, 1),
            "its decoder Strip may take one character at the start and none at the end",
        )


def _check_model(model: Any) -> None:
    """Refuse a model of another type, and one that fails on some text."""
    kind = model.get("type") if isinstance(model, dict) else None
    _require(
        isinstance(kind, str) and kind in _ALLOWED["model"],
        f"its model is {shown(kind)}; it must be {', '.join(sorted(_ALLOWED['model']))}",
    )
    vocab, unknown = model.get("vocab"), model.get("unk_token")
    _require(isinstance(vocab, dict), "its model has no vocab")
    longest = max(map(len, vocab), default=0)
    _require(
        longest <= _LONGEST_PIECE,
        f"its vocab has a piece of {longest} characters, not {_LONGEST_PIECE}",
    )
    known = isinstance(unknown, str) and unknown in vocab
    # Of whole words a text may lack one; then `Tokenizer.ids` says so.
    spelled = (kind == "BPE" and unknown is None) or (kind == "WordLevel" and unknown == "")
    _require(
        known or spelled,
        f"its unk_token {shown(unknown)} is not in the vocab, so that some texts have no tokens",
    )
    _require(not model.get("dropout"), "its model drops merges at random")
    for name in ("continuing_subword_prefix", "end_of_word_suffix"):
        mark = model.get(name)
        _require(
            mark is None or (isinstance(mark, str) and len(mark) <= _LONGEST_SETTING),
            f"its {name} must have at most {_LONGEST_SETTING} characters",
        )
