"""From text to tokens and back, thin over `tokenizers.Tokenizer`.

Two kinds are trained here: byte-pair encoding with byte fallback, and single characters with byte
fallback (for Chinese). In these no text is unknown: what the vocabulary lacks is spelt in bytes.
Decoding restores the text in Unicode's form NFC, except for a space at the very beginning and "▁",
which byte-pair encoding reads as the mark of a space before a word. Tokenizers from elsewhere may
know whole words only, and have one token for all others. Special tokens are ids only: nothing a
visitor types, "</s>" included, ever becomes one.
"""

import itertools
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from model_core.errors import RecipeError, TokenizerError
from model_core.tokenizer_parts import checked_parts, is_failure
from model_core.values.special import OURS, Special
from model_core.values.trace import TokenKind, Tokens

SPECIALS = ("<pad>", "<s>", "</s>")  # of what is trained here, in the order of OURS
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
_PRINTED = {BYTES[byte]: chr(byte) for byte in range(128) if chr(byte).isprintable()}
_SPACE = "▁"
_MOST_ALONE = 8192  # tokens that are kept with their labels


class Tokenizer:
    """Encodes one side of a model. Immutable, and safe to share between threads."""

    def __init__(self, backend: tokenizers.Tokenizer, special: Special = OURS):
        self._backend = backend
        self.special = special
        self.size = backend.get_vocab_size()
        self._pieces: list[str] = []
        for token in range(self.size):
            piece = backend.id_to_token(token)
            if piece is None:
                raise TokenizerError(
                    f"The tokenizer has {self.size} pieces but none with id {token}; number them "
                    f"from 0 to {self.size - 1}."
                )
            self._pieces.append(piece)
        known = [token for token in special.named.values() if token is not None]
        if max(known, default=0) >= self.size:
            raise TokenizerError(
                f"The tokenizer has {self.size} pieces; the special tokens go up to {max(known)}."
            )
        added = backend.get_added_tokens_decoder()
        for token in known:
            piece = self._pieces[token]
            if SPECIALS[token : token + 1] != (piece,) and token not in added:
                raise TokenizerError(
                    f"The tokenizer's piece {token} is {piece!r}, an ordinary one; the model takes "
                    "it for a special token."
                )
        # Each step names the ten likeliest tokens, mostly the same ones.
        self._alone = lru_cache(_MOST_ALONE)(lambda token: self._labelled((token,)))
        self._closed = frozenset(known) - {special.unknown}
        self._kinds: dict[int | None, TokenKind] = {
            special.unknown: "unknown",
            special.source_start: "special",
            special.start: "special",
            special.end: "special",
            special.pad: "pad",
        }

    @classmethod
    def train(
        cls, lines: Iterable[str], kind: Literal["bpe", "characters"], vocabulary: int
    ) -> "Tokenizer":
        """A tokenizer of at most `vocabulary` pieces learnt from lines of text.

        "bpe" merges within words, which keep the space before them as "▁"; "characters" keeps the
        most frequent characters. In both the specials come first, then the 256 bytes.
        """
        base = [*SPECIALS, *BYTES]
        if vocabulary < len(base) + 1:
            raise TokenizerError(
                f"A vocabulary of {vocabulary} is too small; take {len(base) + 1} or more."
            )
        learner = _pipeline(models.BPE(byte_fallback=True), kind)
        learner.train_from_iterator(
            lines,
            trainers.BpeTrainer(
                vocab_size=vocabulary if kind == "bpe" else len(base) + 1,
                special_tokens=base,
                # Characters are the initial alphabet of byte-pair encoding, before any merge.
                limit_alphabet=vocabulary - len(base),
                show_progress=False,
            ),
        )
        learnt = json.loads(learner.to_str())["model"]
        if kind == "characters":
            vocab = dict(sorted(learnt["vocab"].items(), key=lambda item: item[1]))
            learnt = {"vocab": {p: i for i, p in enumerate(list(vocab)[:vocabulary])}, "merges": []}
        merges = [tuple(pair) for pair in learnt["merges"]]
        model = models.BPE(vocab=learnt["vocab"], merges=merges, byte_fallback=True)
        return cls(_pipeline(model, kind))

    @classmethod
    def from_json(cls, text: str, special: Special = OURS) -> "Tokenizer":
        """The tokenizer of a file: one that `to_json` wrote, or one from elsewhere.

        Raises TokenizerError where it is no tokenizer, or has parts that are not known to be safe.
        """
        text = checked_parts(text)
        try:
            backend = tokenizers.Tokenizer.from_str(text)
        except BaseException as error:
            if not is_failure(error):
                raise
            raise TokenizerError(f"The tokenizer cannot be read: {error}") from error
        # As text; it has no say in added tokens of other kinds.
        backend.encode_special_tokens = True
        added = [t.content for t in backend.get_added_tokens_decoder().values() if not t.special]
        if added:
            raise TokenizerError(
                f"The tokenizer has added tokens that can be typed, such as {added[0]!r}; make "
                "them special."
            )
        return cls(backend, special)

    def to_json(self) -> str:
        """The whole tokenizer as the JSON of the `tokenizers` library."""
        return self._backend.to_str(pretty=True)

    def ids(self, text: str) -> list[int]:
        """Token ids of a text, without start and end.

        RecipeError where it has a word that the tokenizer lacks, and no token for such words.
        """
        return self._untyped(self._encoded(text).ids)

    def source_ids(self, text: str) -> list[int]:
        """Token ids of a source as the model reads it, start and end where it has them."""
        return [*self._before(), *self.ids(text), *self._after()]

    def encode(self, text: str, pads: int = 0) -> Tokens:
        """The source tokens of a text: start token, pieces, end token, then `pads` pads.

        Spans count characters of `text` as typed, before any normalisation. Pieces that spell one
        character in bytes share its span.
        """
        encoding = self._encoded(text)
        starts = sorted({start for start, _ in encoding.offsets} | {len(text)})
        # What normalisation joined to a character, such as its accent, is in no piece's offsets.
        following = dict(itertools.pairwise(starts))
        spans = tuple(
            _span(text, piece, start, max(stop, following.get(start, stop)))
            for piece, (start, stop) in zip(encoding.tokens, encoding.offsets, strict=True)
        )
        before, after = self._before(), self._after()
        after += [self.special.pad] * pads if self.special.pad is not None else []
        ids = (*before, *self._untyped(encoding.ids), *after)
        return self.tokens(ids, (*(None for _ in before), *spans, *(None for _ in after)))

    def parts(self, text: str) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
        """The parts of a source that are tokenised each by itself, such as words and marks.

        The places of their tokens among those of `encode`, and their pieces.
        """
        encoding, first = self._encoded(text), len(self._before())
        found: dict[int | None, list[int]] = {}
        for place, part in enumerate(encoding.word_ids):
            found.setdefault(part, []).append(place)
        return [
            (tuple(first + at for at in places), tuple(encoding.tokens[at] for at in places))
            for places in found.values()
        ]

    def tokens(
        self, ids: Iterable[int], spans: tuple[tuple[int, int] | None, ...] | None = None
    ) -> Tokens:
        """Ids as labelled tokens; without `spans`, every span is None."""
        ids = tuple(ids)
        if spans is None and len(ids) == 1:
            return self._alone(ids[0])
        return self._labelled(ids, spans)

    def _labelled(
        self, ids: tuple[int, ...], spans: tuple[tuple[int, int] | None, ...] | None = None
    ) -> Tokens:
        return Tokens(
            ids=ids,
            pieces=tuple(map(self.piece, ids)),
            texts=tuple(map(self.text, ids)),
            kinds=tuple(map(self.kind, ids)),
            spans=spans or (None,) * len(ids),
        )

    def piece(self, token: int) -> str:
        """The token in the tokenizer's spelling."""
        return self._pieces[token]

    def text(self, token: int) -> str:
        """The token as a reader expects it: without the mark of a space before a word.

        A lone space stays one. A byte that is a printable ASCII character reads as that character,
        any other byte as the piece spells it.
        """
        piece = self._pieces[token]
        if piece in _PRINTED:
            return _PRINTED[piece]
        return piece.removeprefix(_SPACE).replace(_SPACE, " ") or " "

    def kind(self, token: int) -> TokenKind:
        """Whether the token is text, special (start, end), a pad, or stands for unknown text."""
        return self._kinds.get(token, "text")

    def decode(self, ids: Iterable[int]) -> str:
        """The text of token ids.

        Special tokens are left out, but for the unknown one; broken byte sequences become U+FFFD.
        """
        shown = ("text", "unknown")
        return self._backend.decode(
            [token for token in ids if self.kind(token) in shown], skip_special_tokens=False
        )

    def _before(self) -> list[int]:
        start = self.special.source_start
        return [] if start is None else [start]

    def _after(self) -> list[int]:
        return [] if self.special.end is None else [self.special.end]

    def _encoded(self, text: str) -> tokenizers.Encoding:
        try:
            return self._backend.encode(text, add_special_tokens=False)
        except Exception as error:  # the library raises the bare Exception
            raise _unknown_word() from error

    def _untyped(self, ids: list[int]) -> list[int]:
        """The ids, where a tokenizer of whole words has taken a typed word for a special token."""
        unknown = self.special.unknown
        if self._closed.isdisjoint(ids):
            return ids
        if unknown is None:
            raise _unknown_word()
        return [unknown if token in self._closed else token for token in ids]


def _unknown_word() -> RecipeError:
    return RecipeError(
        "The text has a word that this model's tokenizer lacks, and it has no token for unknown "
        "words. Take words that it knows.",
        "unknown_word",
    )


Tokenizers = tuple[Tokenizer, Tokenizer]  # of source and target; one object where they share it


def _pipeline(model: models.Model, kind: str) -> tokenizers.Tokenizer:
    backend = tokenizers.Tokenizer(model)
    backend.normalizer = normalizers.NFC()
    if kind == "bpe":
        words = pre_tokenizers.Metaspace(_SPACE, prepend_scheme="always")
        backend.pre_tokenizer = pre_tokenizers.Sequence(
            [words, pre_tokenizers.Punctuation("isolated")]
        )
        backend.decoder = decoders.Sequence(
            [decoders.ByteFallback(), decoders.Metaspace(_SPACE, prepend_scheme="always")]
        )
    else:
        # In Oniguruma "m" lets the dot match a line break too.
        backend.pre_tokenizer = pre_tokenizers.Split(tokenizers.Regex("(?m:.)"), "isolated")
        backend.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    return backend


def _span(text: str, piece: str, start: int, stop: int) -> tuple[int, int] | None:
    """The piece's characters without spaces at its ends; None for a piece that is nothing else."""
    while start < stop and text[start].isspace():
        start += 1
    while start < stop and text[stop - 1].isspace():
        stop -= 1
    return (start, stop) if start < stop and piece != _SPACE else None
