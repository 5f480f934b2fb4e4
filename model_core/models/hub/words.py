"""The tokenizer of a model of `transformers`, and what a person sets before it reads a text.

Languages, prefixes and a second sentence are settings: a name and a value each, in the recipe.
"""

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from transformers import PreTrainedTokenizerBase

from model_core.errors import RecipeError, TokenizerError
from model_core.models.hub.byte_level import spelled_bytes
from model_core.models.hub.families import Family
from model_core.tokenizer_parts import is_failure
from model_core.values.anatomy import Control, what_is_set
from model_core.values.recipe import Settings
from model_core.values.trace import SIDES, Side, TokenKind, Tokens

# A language as NLLB and mBART spell it (eng_Latn, en_XX), M2M100 (__en__) and Marian (>>fra<<).
_LANGUAGES = (r"[a-z]{2,3}_[A-Z][A-Za-z]{1,3}", r"__([a-z]{2,3})__", r">>([\w-]+)<<")
_SPACE = "▁"

Span = tuple[int, int] | None


class Words:
    """Texts to tokens and back. Safe to share between threads.

    Source and target may have vocabularies of their own. Raises TokenizerError where the pad then
    has two ids: a batch holds only one.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        family: Family,
        start: tuple[int, ...],
        ends: tuple[int, ...],
        prefixes: Sequence[str] = (),
    ):
        self._tokenizer, self._family, self._start = tokenizer, family, start
        self._lock = threading.Lock()  # the library's tokenizers are changed by being used
        self._labels: dict[tuple[int, Side], tuple[str, str, TokenKind]] = {}
        self.ends, self.end = ends, ends[0] if ends else None
        self.pad: int | None = tokenizer.pad_token_id
        # The pieces of each side by their ids, where those of source and target are others.
        self._separate: dict[Side, dict[int, str]] = {}
        if getattr(tokenizer, "separate_vocabs", False):
            both: Any = {"source": tokenizer.encoder, "target": tokenizer.target_encoder}
            self._separate = {side: {t: p for p, t in ids.items()} for side, ids in both.items()}
        if self._separate and both["target"].get(tokenizer.pad_token) != self.pad:
            raise TokenizerError(
                "The pad of this model has one id in its source and another in its target; one "
                "batch cannot hold both. Choose another model.",
                "hub_vocabularies",
            )
        self.unknown: int | None = tokenizer.unk_token_id
        single = family.kind == "encoder"  # others have no second sentence
        self.separator: int | None = tokenizer.sep_token_id if single else None
        # An unknown word was typed, and a mask stands for one.
        words = {tokenizer.unk_token, getattr(tokenizer, "mask_token", None)}
        spelled = set(tokenizer.all_special_tokens) - words
        self._languages = _languages(tokenizer) if family.kind == "encoder-decoder" else {}
        more = {*ends, *self._languages.values()}
        shared = {*tokenizer.convert_tokens_to_ids(sorted(spelled)), *more}
        self._special: dict[Side, set[int]] = dict.fromkeys(SIDES, shared)
        for side, pieces in self._separate.items():
            self._special[side] = {token for token, piece in pieces.items() if piece in spelled}
            self._special[side] |= set(ends if side == "target" else self._languages.values())
        self.controls = tuple(self._controls(prefixes))

    def source(self, text: str, pads: int = 0, settings: Settings = ()) -> Tokens:
        """The text as the model reads it; pads stand behind it.

        Raises RecipeError for settings there are not, for pads where the model has no pad, and
        where there is no token at all to begin from.
        """
        said = self._said(settings)
        before = said.get("prefix", "")
        if "to" in said and "from" not in said:  # Marian: the language is written before the text
            before = f">>{said['to']}<< {before}"
        with self._used():
            if "from" in said:
                self._tokenizer.src_lang = said["from"]
            ids, spans = self._encoded(before + text, said.get("second") or None)
        spans = [
            None if self._label(token, "source")[1] == " " else _within(text, span, len(before))
            for token, span in zip(ids, spans, strict=True)
        ]
        if not ids and self._tokenizer.bos_token_id is not None:
            ids, spans = [self._tokenizer.bos_token_id], [None]
        if not ids:
            raise RecipeError("There is nothing to go on from. Type something.", "empty")
        if pads and self.pad is None:
            raise no_pads()
        padding = [] if self.pad is None else [self.pad] * pads
        return self._tokens(
            [*ids, *padding], [*spans, *([None] * len(padding))], self.pad, "source"
        )

    def prompt(self, settings: Settings = ()) -> tuple[int, ...]:
        """The target tokens that are given: the start token, and where there are languages one."""
        said = self._said(settings)
        if "from" not in said:
            return self._start
        language = self._languages[said["to"]]
        # An older mBART begins with the language itself.
        alone = len(self._start) == 1 and self._start[0] in self._languages.values()
        return (language,) if alone else (self._start[0], language)

    def target(self, text: str, settings: Settings = ()) -> Tokens:
        """A text as the model would write it behind the prompt, with the end token."""
        given = self.prompt(settings)
        with self._used():
            if self._family.kind == "encoder-decoder":
                ids = list(self._tokenizer(text_target=text)["input_ids"])
            else:
                ids = list(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        # A language is no word; an id of a source alone may be one in the target.
        spoken = set() if self._separate else set(self._languages.values())
        ids = [token for token in ids if token not in spoken]
        if ids[:1] == list(given[1:2]):  # the prompt has it already
            ids = ids[1:]
        if self.end is not None and ids[-1:] != [self.end]:
            ids.append(self.end)
        return self.labels(ids)

    def labels(self, ids: Iterable[int]) -> Tokens:
        """Ids of the target, with their labels."""
        ids = list(ids)
        return self._tokens(ids, [None] * len(ids), self.pad)

    def given(self, ids: Sequence[int]) -> Tokens:
        """The prompt with its labels: what begins a target is no pad, though it may have its id."""
        return self._tokens(ids, [None] * len(ids), None)

    def text(self, ids: Sequence[int], side: Side = "target") -> str:
        """Ids as plain text, without those that are special."""
        plain = [token for token in ids if token not in self._special[side]]
        with self._used():
            if self._separate:
                return _spelled("".join(self._piece(token, side) for token in plain)).strip()
            return str(self._tokenizer.decode(plain, clean_up_tokenization_spaces=False)).strip()

    def vocabulary(self, side: Side) -> dict[str, int]:
        """The id of every piece that a side may hold, languages included."""
        if self._separate:
            pieces = {piece: token for token, piece in self._separate[side].items()}
            return pieces | self._languages if side == "source" else pieces
        return self._tokenizer.get_vocab() | self._languages

    @property
    def mask(self) -> int | None:
        """The token in whose place a masked language model predicts."""
        token: int | None = getattr(self._tokenizer, "mask_token_id", None)
        return token

    @property
    def mask_text(self) -> str:
        """How that token is typed; "" where there is none."""
        return getattr(self._tokenizer, "mask_token", None) or ""

    def _controls(self, prefixes: Sequence[str]) -> Iterable[Control]:
        languages = tuple(self._languages)
        if languages and hasattr(self._tokenizer, "src_lang"):
            source = self._tokenizer.src_lang or languages[0]
            source = source if source in languages else languages[0]
            wanted = getattr(self._tokenizer, "tgt_lang", None)
            given = [code for code, token in self._languages.items() if token in self._start]
            others = [code for code in languages if code != source]
            french = [code for code in others if re.match("fra?(_|$)", code)]
            yield Control("from", "choice", source, languages)
            target = next(iter([*([wanted] if wanted in languages else []), *given, *french]), "")
            yield Control("to", "choice", target or [*others, source][0], languages)
        elif languages:
            yield Control("to", "choice", languages[0], languages)
        if prefixes:
            yield Control("prefix", "choice", "", ("", *prefixes))
        if self._family.kind == "encoder":
            yield Control("second", "text", "")

    @contextmanager
    def _used(self) -> Iterator[None]:
        """The library's tokenizer for one thread; RecipeError where it fails."""
        with self._lock:
            try:
                yield
            except BaseException as error:
                if not is_failure(error):
                    raise
                raise RecipeError(
                    "This model's tokenizer fails on this text. Change the text, or choose another "
                    "model.",
                    "tokenizer_fails",
                ) from error

    def _said(self, settings: Settings) -> Mapping[str, str]:
        return what_is_set(self.controls, settings)

    def _encoded(self, text: str, second: str | None) -> tuple[list[int], list[Span]]:
        """Ids, and which characters of the text each stands for."""
        if self._tokenizer.is_fast:
            found = self._tokenizer(text, second, return_offsets_mapping=True)
            ids, offsets = found["input_ids"], found["offset_mapping"]
            first = [number == 0 for number in found.sequence_ids()]
            return ids, [span if own else None for span, own in zip(offsets, first, strict=True)]
        ids = self._tokenizer(text, second)["input_ids"]
        return ids, _found(text, [self._piece(token, "source") for token in ids])

    def _tokens(
        self, ids: Sequence[int], spans: Sequence[Span], pad: int | None, side: Side = "target"
    ) -> Tokens:
        labels = [self._label(token, side) for token in ids]
        kinds: list[TokenKind] = [
            "pad" if token == pad else kind for token, (_, _, kind) in zip(ids, labels, strict=True)
        ]
        return Tokens(
            ids=tuple(ids),
            pieces=tuple(piece for piece, _, _ in labels),
            texts=tuple(text for _, text, _ in labels),
            kinds=tuple(kinds),
            spans=tuple(spans),
        )

    def _piece(self, token: int, side: Side) -> str:
        """How a token is spelled; "" where nothing spells it."""
        if self._separate:
            return self._separate[side].get(token, "")
        return str(self._tokenizer.convert_ids_to_tokens(token) or "")

    def _label(self, token: int, side: Side) -> tuple[str, str, TokenKind]:
        """Piece, text and kind of a token; a row of the vocabulary that nothing spells has its id.

        A text that is no text alone (a line break) is written as its piece, part of a character as
        the bytes that it is.
        """
        if (token, side) not in self._labels:
            with self._used():
                piece = self._piece(token, side) or f"#{token}"
                text = (
                    _spelled(piece)
                    if self._separate
                    else str(self._tokenizer.decode([token], clean_up_tokenization_spaces=False))
                )
            special = token in self._special[side]
            if not special and not text.strip(" "):
                text = " "
            elif not special and "\ufffd" in text:
                text = spelled_bytes(piece)
            elif special or not text.isprintable():
                text = piece
            kind: TokenKind = "special" if special else "text"
            self._labels[token, side] = piece, text.removeprefix(" ") or " ", kind
        return self._labels[token, side]


def no_pads() -> RecipeError:
    """What is raised where pads are asked for and a model cannot have them."""
    return RecipeError(
        "This model takes no pads: it goes on from the last token of what it reads.", "no_pads"
    )


def _languages(tokenizer: Any) -> dict[str, int]:
    """The languages of a tokenizer by their codes, each with its token."""
    found: dict[str, int] = {}
    spelled = {**tokenizer.get_added_vocab(), **getattr(tokenizer, "lang_token_to_id", {})}
    pieces = getattr(tokenizer, "encoder", {})  # Marian's and M2M100's
    spelled |= {piece: token for piece, token in pieces.items() if piece.startswith(">>")}
    for piece, token in spelled.items():
        for pattern in _LANGUAGES:
            match = re.fullmatch(pattern, piece)
            if match:
                found[match[match.lastindex or 0]] = token
    return dict(sorted(found.items()))


def _spelled(pieces: str) -> str:
    return pieces.replace(_SPACE, " ")


def _within(text: str, span: Span, before: int) -> Span:
    """The span in what was typed, without spaces at its ends; None for what was not typed."""
    if span is None or span[0] < before:
        span = None if span is None or span[1] <= before else (before, span[1])
    if span is None:
        return None
    start, stop = span[0] - before, span[1] - before
    while start < stop and text[start].isspace():
        start += 1
    while start < stop and text[stop - 1].isspace():
        stop -= 1
    return (start, stop) if start < stop else None


def _found(text: str, pieces: Sequence[str]) -> list[Span]:
    """Where pieces stand in a text, for tokenizers that do not say so: one behind the other."""
    spans: list[Span] = []
    place = 0
    for piece in pieces:
        word = _spelled(piece).strip()
        start = text.find(word, place) if word else -1
        if start >= 0:
            place = start + len(word)
        spans.append((start, place) if start >= 0 else None)
    return spans
