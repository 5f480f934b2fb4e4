"""The tokenizers of imported models, and which of their tokens are special.

A file is a tokenizer as the `tokenizers` library writes it, or a JSON object {word: id}, or a JSON
list of words in the order of their ids. Without any file a text is token ids: "17 4 230".
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model_core.checkpoints.folder import TOKENIZER_LIMIT
from model_core.checkpoints.regular_file import read_regular
from model_core.errors import CheckpointBroken, TokenizerError
from model_core.tokenizer import Tokenizer, Tokenizers
from model_core.tokenizer_parts import checked_parts
from model_core.values.checked import shown
from model_core.values.importing import Named
from model_core.values.special import Special

_SPELLED = {
    "pad": ("[PAD]", "<pad>", "<PAD>", "<blank>", "PAD", "pad", "P"),
    "start": ("[SOS]", "<s>", "<sos>", "<SOS>", "[BOS]", "<bos>", "<BOS>", "<start>", "SOS", "S"),
    "end": ("[EOS]", "</s>", "<eos>", "<EOS>", "<end>", "EOS", "E"),
    "unknown": ("[UNK]", "<unk>", "<UNK>", "UNK"),
}


def read_tokenizers(
    files: Sequence[Path], sizes: tuple[int, int], usual: Special, source_start: bool, named: Named
) -> tuple[Tokenizers, Special]:
    """The tokenizers of source and target, of these sizes, and the special tokens of both.

    One file serves both sides; `usual` are the ids where there is none. CheckpointBroken says what
    does not fit, or which special token is not found and how to name it.
    """
    if len(files) > 2:
        raise CheckpointBroken(f"{len(files)} tokenizers; a model has one, or source and target.")
    if files:
        values = [_values(path) for path in files]
        special = _special(_vocabulary(values[-1]), None, named, source_start)
    else:
        ids = {str(row): row for row in range(min(sizes))}
        special = _special(ids, usual, named, source_start)
        values = [_of_ids(size, special) for size in sizes]
    vocabularies = [_vocabulary(one) for one in values]
    for place, vocabulary in zip(files, vocabularies, strict=False):
        _check_same(place, vocabulary, vocabularies[-1], special)
    made = [
        _tokenizer(one, vocab, special) for one, vocab in zip(values, vocabularies, strict=True)
    ]
    both = (made[0], made[-1])
    for side, tokenizer, size in zip(("source", "target"), both, sizes, strict=True):
        if tokenizer.size != size:
            turned = (both[1].size, both[0].size) == sizes
            remedy = (
                "Give them the other way round." if turned else "Give those it was trained with."
            )
            raise CheckpointBroken(
                f"The {side} tokenizer has {tokenizer.size} pieces; the model has {size}. {remedy}"
            )
    return both, special


def _values(path: Path) -> dict[str, Any]:
    """A tokenizer of the `tokenizers` library as JSON, whichever of the forms the file has."""
    try:
        found = json.loads(read_regular(path, TOKENIZER_LIMIT).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise CheckpointBroken(
            f"{path} is not JSON. A vocabulary is a tokenizer file, an object {{word: id}} or a "
            "list of words."
        ) from error
    if isinstance(found, list):
        found = {word: row for row, word in enumerate(found) if isinstance(word, str)}
    if isinstance(found, dict) and "model" in found and isinstance(found["model"], dict):
        return found
    if not isinstance(found, dict) or not all(type(row) is int for row in found.values()):
        raise CheckpointBroken(f"{path} is neither a tokenizer nor an object {{word: id}}.")
    return _of_words(found)


def _of_words(vocabulary: Mapping[str, int]) -> dict[str, Any]:
    unknown = next((word for word in _SPELLED["unknown"] if word in vocabulary), "")
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": dict(vocabulary), "unk_token": unknown},
    }


def _of_ids(size: int, special: Special) -> dict[str, Any]:
    """A tokenizer of ids; the special ones are spelt as ours are, so that pictures name them."""
    spelled = {special.pad: "<pad>", special.start: "<s>", special.end: "</s>"}
    return _of_words({spelled.get(row, str(row)): row for row in range(size)})


def _vocabulary(values: Mapping[str, Any]) -> dict[str, int]:
    """Piece to id. Invalid entries are left out here and reported on opening."""
    vocabulary = values["model"].get("vocab")
    found = dict(vocabulary) if isinstance(vocabulary, dict) else {}
    for one in _added(values):
        if isinstance(one.get("content"), str):
            found[one["content"]] = one.get("id")
    return {piece: row for piece, row in found.items() if type(row) is int}


def _added(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tokens added to the vocabulary."""
    found = values.get("added_tokens") or []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise CheckpointBroken("The tokenizer cannot be read: added_tokens is no list of tokens.")
    return found


def _special(
    vocabulary: Mapping[str, int], usual: Special | None, named: Named, source_start: bool
) -> Special:
    found: dict[str, int | None] = {}
    for name, spellings in _SPELLED.items():
        said = getattr(named, name)
        if said is not None:
            token = vocabulary.get(said, int(said) if said.isdecimal() and len(said) < 8 else None)
            if token is None:
                raise CheckpointBroken(f"The tokenizer has no piece {shown(said)} for {name}.")
        elif usual is not None:
            # Of ids alone any other is text, and what is not an id is refused.
            token = None if name == "unknown" else getattr(usual, name)
        else:
            token = next((vocabulary[s] for s in spellings if s in vocabulary), None)
            if token is None and name != "unknown":
                raise CheckpointBroken(
                    f"The tokenizer has no piece such as {', '.join(spellings[:3])}. Name the "
                    f"one that it has with --{name} PIECE."
                )
        found[name] = token
    starts = source_start if named.source_start is None else named.source_start
    pad, start, end, unknown = (found[name] for name in ("pad", "start", "end", "unknown"))
    return Special(pad, start, end, unknown, start if starts else None)


def _check_same(
    place: Path, vocabulary: Mapping[str, int], other: Mapping[str, int], special: Special
) -> None:
    """Refuse tokenizers of source and target whose special tokens have different ids."""
    for token in special.named.values():
        one, two = (
            next((piece for piece, row in each.items() if row == token), None)
            for each in (vocabulary, other)
        )
        if token is not None and one != two:
            raise CheckpointBroken(
                f"{place}: token {token} is {shown(one)} there and {shown(two)} in the target's; "
                "special tokens must have the same ids on both sides."
            )


def _tokenizer(
    values: Mapping[str, Any], vocabulary: Mapping[str, int], special: Special
) -> Tokenizer:
    """The tokenizer, with special tokens marked so that they cannot be typed."""
    marked = {
        token: piece for piece, token in vocabulary.items() if token in special.named.values()
    }
    kept = [one for one in _added(values) if one.get("id") not in marked]
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    added = [
        {"id": token, "content": piece, **flags, "special": True}
        for token, piece in sorted(marked.items())
    ]
    try:
        text = checked_parts(json.dumps(dict(values) | {"added_tokens": [*kept, *added]}))
        return Tokenizer.from_json(text, special)
    except TokenizerError as error:
        raise CheckpointBroken(str(error)) from error
