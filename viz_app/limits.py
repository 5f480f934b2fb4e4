"""Every limit of a running app in one value: what it reads, makes and keeps, and for how many.

Two sets: LOCAL for one's own machine, DEMO for a page that strangers use. A model's limits, such
as the positions it has, come on top. The error names the limit that is reached.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, cast

from model_core.errors import LimitReached, RecipeError, SourceTooLong, TooBusy
from model_core.values.anatomy import Anatomy
from model_core.values.recipe import (
    MAX_CHARACTERS,
    MAX_PADS,
    MAX_SENTENCES,
    MAX_TARGET,
    MAX_WIDTH,
    Recipe,
)
from viz_app.text import named_error

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from viz_app.values.view import View

_MIB = 2**20
# What a recipe may hold, and a batch.
_MOST = {
    "characters": MAX_CHARACTERS,
    "pads": MAX_PADS,
    "steps": MAX_TARGET,
    "sentences": MAX_SENTENCES,
    "beam_width": MAX_WIDTH,
}


class PageLimits(TypedDict):
    """Those that the page states before they are met."""

    characters: int
    pads: int
    tokens: int
    steps: int
    sentences: int
    beam_width: int


@dataclass(frozen=True)
class Limits:
    """The limits of one server; all are at least 1."""

    # One request.
    characters: int = MAX_CHARACTERS  # of a source
    tokens: int = 1024  # of a source, end token and pads included
    steps: int = MAX_TARGET  # target tokens
    pads: int = MAX_PADS
    sentences: int = MAX_SENTENCES  # in a batch of the room Masks
    beam_width: int = MAX_WIDTH
    seconds: float = 600.0  # waiting for a turn and computing; opening a model comes before
    export_seconds: float = 600.0  # until all pictures of a file are drawn
    request_bytes: int = 1 * _MIB
    answer_bytes: int = 64 * _MIB
    export_bytes: int = 256 * _MIB
    attention_bytes: int = 768 * _MIB  # of scores, masks and weights of one decoding
    # All requests together.
    at_once: int = 2  # model calls, one thread each
    in_line: int = 120  # requests that wait; for a model that is not open in a thread each
    overflow: int = 200  # requests behind those, each a moment for a place in line
    patience: float = 1.0  # seconds; that moment
    connections: int = 2000  # open at the same time, waiting ones and idle pages included
    unread: int = 200  # answers to gradio's clients that wait to be fetched
    cache_bytes: int = 640 * _MIB  # of prefixes, all models together
    shared_bytes: int = 64 * _MIB  # of answers that several visitors may ask for

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if not 1 <= value <= _MOST.get(field.name, value):
                raise ValueError(f"The limit {field.name} is {value}; it is out of its range.")

    def check_recipe(self, recipe: Recipe) -> None:
        """Raise where the recipe alone is over a limit; its tokens are counted later."""
        length = len(recipe.source)
        if length > self.characters:
            raise named_error(SourceTooLong, "characters", n=length, limit=self.characters)
        if recipe.pads > self.pads:
            raise named_error(LimitReached, "limit_pads", n=recipe.pads, limit=self.pads)
        self.check_steps(len(recipe.target) - 1)
        if recipe.strategy.kind == "beam":
            self.check_width(recipe.strategy.width)

    def check_tokens(self, tokens: int, number: int | None = None) -> None:
        """Raise where a source has too many tokens, end token and pads included.

        `number` is its place in a batch, counted from 1.
        """
        if tokens <= self.tokens:
            return
        if number is None:
            raise named_error(LimitReached, "limit_tokens", n=tokens, limit=self.tokens)
        values = {"number": number, "n": tokens, "limit": self.tokens}
        raise named_error(LimitReached, "sentence_limit_tokens", **values)

    def check_work(self, tracer: "Tracer", recipe: Recipe) -> None:
        """Raise where what is decoded would be too long or take too much memory, before it is."""
        anatomy, most = tracer.anatomy, tracer.anatomy.max_positions
        if self.tokens < most:
            read = tracer.source(recipe.source, recipe.pads, recipe.settings)
            self.check_tokens(len(read))
        if anatomy.attention_bytes(most, most) > self.attention_bytes:
            n = len(tracer.source(recipe.source, recipe.pads, recipe.settings))
            given = 1 if anatomy.kind == "encoder-decoder" else n
            self.check_attention(anatomy, n, given + len(recipe.target))

    def check_attention(self, anatomy: Anatomy, source: int, target: int) -> None:
        """Raise if the attention of a decoding of these lengths would take too much memory."""
        size = anatomy.attention_bytes(source, target)
        if size > self.attention_bytes:
            values = {"n": size // _MIB, "limit": self.attention_bytes // _MIB}
            raise named_error(LimitReached, "limit_attention", tokens=max(source, target), **values)

    def check_view(self, view: "View") -> None:
        """Raise where what is chosen in a room is over a limit: a batch, the width of a beam."""
        self.check_sentences(view.batch)
        if view.beam_width is not None:
            self.check_width(view.beam_width)

    def check_width(self, width: int) -> None:
        """Raise where a beam is too wide."""
        if width > self.beam_width:
            raise named_error(LimitReached, "limit_beam", n=width, limit=self.beam_width)

    def check_sentences(self, sentences: Sequence[str]) -> None:
        """Raise where a batch has too many sentences, or one that is too long or no text."""
        if len(sentences) > self.sentences:
            raise named_error(RecipeError, "batch", n=len(sentences), limit=self.sentences)
        for number, sentence in enumerate(sentences, start=1):
            if len(sentence) > self.characters:
                values = {"number": number, "n": len(sentence), "limit": self.characters}
                raise named_error(SourceTooLong, "sentence_characters", **values)
            if any("\ud800" <= letter <= "\udfff" for letter in sentence):
                raise named_error(RecipeError, "sentence_half_character", number=number)

    def check_bytes(self, size: int) -> None:
        """Raise if an answer of this size is too large to be sent."""
        if size > self.answer_bytes:
            raise named_error(LimitReached, "limit_answer", n=size, limit=self.answer_bytes)

    def check_steps(self, tokens: int) -> None:
        """Raise if a translation of this length may not go on, though its model could."""
        if tokens >= self.steps:
            raise named_error(LimitReached, "limit_steps", limit=self.steps)

    def check_export(self, seconds: float) -> None:
        """Raise where the pictures of a file take too long."""
        if seconds > self.export_seconds:
            raise named_error(LimitReached, "export_seconds", limit=f"{self.export_seconds:g}")

    def check_request(self, size: int) -> None:
        """Raise where a request's body has too many bytes."""
        if size > self.request_bytes:
            raise named_error(LimitReached, "limit_request", limit=self.request_bytes)

    def check_connections(self, count: int, own: int) -> None:
        """Raise if too many connections are open; one address (`own`) may hold three quarters."""
        if count > self.connections or own > self.connections - self.connections // 4:
            raise named_error(TooBusy, "connections", n=count, own=own, limit=self.connections)

    def for_page(self) -> PageLimits:
        """Those that the page states."""
        return cast(PageLimits, {name: getattr(self, name) for name in PageLimits.__annotations__})


LOCAL = Limits()
DEMO = Limits(
    characters=300,
    tokens=64,
    steps=64,
    pads=8,
    beam_width=5,
    seconds=20.0,
    export_seconds=120.0,
    request_bytes=_MIB // 4,
    answer_bytes=4 * _MIB,
    export_bytes=16 * _MIB,
    connections=500,
    unread=50,
    cache_bytes=192 * _MIB,
    shared_bytes=24 * _MIB,
)
