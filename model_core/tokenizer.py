"""From text to tokens and back, thin over `tokenizers.Tokenizer`.

Two kinds: byte-pair encoding with byte fallback, and single characters with byte fallback (for
Chinese). No text is unknown: what the vocabulary lacks is spelt in bytes. Decoding gives the text
back in Unicode's form NFC, but that byte-pair encoding takes a space at the very beginning, and "▁"
anywhere, for the mark of a space before a word. Special tokens are ids only: nothing a visitor
types, "</s>" included, ever becomes one.
"""

import itertools
import json
from collections.abc import Iterable
from typing import Literal

import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from model_core.errors import TokenizerError
from model_core.tokenizer_parts import checked_parts
from model_core.values.trace import TokenKind, Tokens

PAD, START, END = 0, 1, 2
SPECIALS = ("<pad>", "<s>", "</s>")
BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
_PRINTED = {BYTES[byte]: chr(byte) for byte in range(128) if chr(byte).isprintable()}
_SPACE = "▁"


class Tokenizer:
    """Encodes one side of a model. Immutable, and safe to share between threads."""

    def __init__(self, backend: tokenizers.Tokenizer):
        self._backend = backend
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
        first = self._pieces[: len(SPECIALS)]
        if tuple(first) != SPECIALS:
            raise TokenizerError(
                f"The tokenizer's first pieces are {first}; they must be {list(SPECIALS)}."
            )

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
    def from_json(cls, text: str) -> "Tokenizer":
        """The tokenizer of a file: one that `to_json` wrote, or one from elsewhere.

        Raises TokenizerError where it is no tokenizer, or has parts that are not known to be safe.
        """
        text = checked_parts(text)
        try:
            backend = tokenizers.Tokenizer.from_str(text)
        except BaseException as error:  # the library raises the bare Exception, and may panic
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
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
        return cls(backend)

    def to_json(self) -> str:
        """The whole tokenizer as the JSON of the `tokenizers` library."""
        return self._backend.to_str(pretty=True)

    def ids(self, text: str) -> list[int]:
        """Token ids of a text, without special tokens."""
        return self._backend.encode(text, add_special_tokens=False).ids

    def encode(self, text: str, pads: int = 0) -> Tokens:
        """The source tokens of a text: its pieces, the end token, then `pads` pads.

        Spans count characters of `text` as typed, before any normalisation. Pieces that spell one
        character in bytes share its span.
        """
        encoding = self._backend.encode(text, add_special_tokens=False)
        starts = sorted({start for start, _ in encoding.offsets} | {len(text)})
        # What normalisation joined to a character, such as its accent, is in no piece's offsets.
        following = dict(itertools.pairwise(starts))
        spans = tuple(
            _span(text, piece, start, max(stop, following.get(start, stop)))
            for piece, (start, stop) in zip(encoding.tokens, encoding.offsets, strict=True)
        )
        specials = [END] + [PAD] * pads
        ids = (*encoding.ids, *specials)
        return self.tokens(ids, (*spans, *(None for _ in specials)))

    def tokens(
        self, ids: Iterable[int], spans: tuple[tuple[int, int] | None, ...] | None = None
    ) -> Tokens:
        """Ids as labelled tokens; without `spans`, every span is None."""
        ids = tuple(ids)
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
        """Whether the token is text, special (start, end) or a pad."""
        if token == PAD:
            return "pad"
        return "special" if token in (START, END) else "text"

    def decode(self, ids: Iterable[int]) -> str:
        """The text of token ids.

        Special tokens are left out; broken byte sequences become U+FFFD.
        """
        return self._backend.decode(
            [token for token in ids if token > END], skip_special_tokens=False
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
