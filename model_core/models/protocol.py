"""What every model offers, our own or imported; everything above `models` asks for no more.

The seam is at `start` and `advance`, not at encoding and decoding: the caches of some models are
changed in place, and a state keeps what belongs to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from model_core.checkpoints.training import Training
from model_core.models.insides import DistanceBias, Insides
from model_core.transformer.masks import Mask
from model_core.transformer.passes import EncoderPass, FullPass, Keep, whole
from model_core.transformer.taps import Tap, untapped
from model_core.values.anatomy import Anatomy
from model_core.values.edits import Edits
from model_core.values.head_measures import HeadMeasures
from model_core.values.history import History
from model_core.values.recipe import How, Settings
from model_core.values.trace import Decoding, Side, Site, Tokens


class State(Protocol):
    """A decoding and what its model needs to go on from it. A value: nothing changes it."""

    @property
    def decoding(self) -> Decoding: ...

    def grew_from(self, earlier: Any) -> bool:
        """Whether this state is `earlier` advanced by any number of tokens, those very arrays."""
        ...

    def pieces(self, newest_only: bool) -> Iterator[tuple[int, int]]:
        """Identity and bytes of the large objects behind this state, shared with its neighbours.

        `newest_only` leaves out what the state it grew from has too.
        """
        ...


class Hypotheses(Protocol):
    """Decodings that a search goes on with together, one per row."""

    @property
    def ruled(self) -> bool:
        """Whether the model's own settings changed the log-probabilities: they count as they are.

        Rows need not sum to 1 then.
        """
        ...

    @property
    def logits_NV(self) -> Tensor:
        """The logits of the next token, or log-probabilities, which differ by a constant."""
        ...

    def fed(self, rows: Sequence[int], tokens: Sequence[int]) -> "Hypotheses":
        """Some of the rows, each as often as it is named, and each with one token more."""
        ...


class Model(Protocol):
    """A model: it labels, it predicts, and it says what it is made of."""

    @property
    def name(self) -> str: ...

    @property
    def anatomy(self) -> Anatomy: ...

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits of its weights; "" where they are not known."""
        ...

    @property
    def facts(self) -> Mapping[str, Any]:
        """What else is known of its architecture, under the names of `ModelConfig`'s fields."""
        ...

    @property
    def opens_on(self) -> Mapping[str, Any]:
        """The head to look at first: {"site", "layer", "head", "rows"}, counted from 0."""
        ...

    @property
    def training(self) -> Training | None:
        """What is known about its training; None where it was trained elsewhere."""
        ...

    @property
    def heads(self) -> HeadMeasures:
        """What was measured of its heads; CheckpointError where it was not, and what measures."""
        ...

    @property
    def history(self) -> History:
        """What its training was like on the way; CheckpointError where that was not kept."""
        ...

    @property
    def languages(self) -> tuple[str, str]:
        """The languages of source and target as codes, "" where unknown."""
        ...

    def edited(self, edits: Edits, means: Mapping[Site, np.ndarray] | None = None) -> "Model":
        """The model with these edits and no others; `means` take the place of those it knows.

        Raises RecipeError for an edit that the anatomy does not list, or for a place there is not.
        """
        ...

    def placed(
        self, rows: Sequence[int] | None, positions: bool = True, double: bool = False
    ) -> "Model":
        """The model that takes source token t for one at position rows[t], by default t.

        Without `positions` it has none; `double` computes in float64, in a copy of the weights.
        """
        ...

    def source(self, text: str, pads: int = 0, settings: Settings = ()) -> Tokens:
        """The text as the model reads it; of a decoder-only model it is the prompt.

        Raises RecipeError for a setting that `anatomy.controls` does not name.
        """
        ...

    def target(self, text: str, settings: Settings = ()) -> Tokens:
        """A text as the model would write it, without the prompt; the end token comes last."""
        ...

    def labels(self, ids: Sequence[int]) -> Tokens:
        """Target tokens with their labels."""
        ...

    def text(self, ids: Sequence[int]) -> str:
        """Target tokens as plain text, without those that are special."""
        ...

    def source_text(self, ids: Sequence[int]) -> str:
        """Source tokens as plain text, without those that are special."""
        ...

    def start(self, source: Tokens, settings: Settings = ()) -> State:
        """The state in which the source is read and the prompt of the target is fed in."""
        ...

    def advance(self, state: Any, token: int, how: How = "forced") -> State:
        """The state after `token`, of a state that this model made.

        Raises DecodingFinished where the decoding already was, and RecipeError for a token that
        cannot be chosen.
        """
        ...

    def hypotheses(self, state: Any) -> Hypotheses:
        """One row, which a search begins from."""
        ...

    def insides(self, site: Site, layer: int) -> Insides:
        """The arithmetic around the attention of a site in a layer, counted from 0."""
        ...

    def table(self, side: Side) -> Tensor | None:
        """What is added to the embeddings of a side, (P, D), by place; None where nothing is."""
        ...

    def frequencies(self) -> Tensor | None:
        """By how much each pair of dimensions of a head is rotated from place to place, radians.

        None where queries and keys are not rotated.
        """
        ...

    def bias(self, side: Side) -> DistanceBias | None:
        """What is added to scores by distance, in the stack of a side; None where nothing is."""
        ...

    def lens(self, stream_SD: Tensor) -> Tensor:
        """The logits (S, V) if the model stopped at these vectors of the stack that predicts."""
        ...

    def full_pass(
        self,
        sources: Sequence[Sequence[int]],
        targets: Sequence[Sequence[int]],
        masks: Mapping[Site, Mask] | None = None,
        tap: Tap = untapped,
        keep: Keep = whole,
        encoded: EncoderPass | None = None,
    ) -> FullPass:
        """One pass over token ids, one row per sentence; shorter rows are filled with pads.

        `keep` makes of each record what is held up to the end of the pass; by default all of it.
        `masks` take the place of those the model makes itself. `encoded` is that of an earlier pass
        of the same sources, whose encoder is not run again. The targets of a decoder-only model
        begin with the prompt, and its sources are not read; so are the targets of an encoder-only
        model.
        """
        ...
