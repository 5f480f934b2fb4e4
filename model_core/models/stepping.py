"""Decoding token by token and whole passes: the same code for our own and imported models.

Pure functions from one `SteppingState` to the next, so that step, back, force and branch are the
same operation on different states. What a kind of model says for itself is how it reads a source,
how it is fed tokens, and how it runs a whole pass.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from model_core.errors import DecodingFinished, RecipeError, SourceTooLong
from model_core.models.rows import rows_of, steps_of
from model_core.models.state import Batched, Fed, Rules, SteppingState
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.masks import Mask
from model_core.transformer.passes import (
    DecoderPast,
    EncoderPass,
    FullPass,
    Keep,
    no_past,
    nothing,
    whole,
)
from model_core.transformer.taps import Tap, untapped
from model_core.values.anatomy import Anatomy
from model_core.values.draw import without
from model_core.values.recipe import Choice, How, Settings
from model_core.values.special import Special
from model_core.values.trace import AttentionTrace, Decoding, Site, Tokens, copied


class SourceRead(NamedTuple):
    """What became of a source."""

    encoded: Any  # what every step reads of it
    traces: tuple[AttentionTrace, ...] = ()  # of the encoder, one per layer
    masked: tuple[tuple[int, np.ndarray], ...] = ()  # as `Decoding` has it


class Stepping(ABC):
    """The part of `Model` that runs the model."""

    anatomy: Anatomy

    @property
    @abstractmethod
    def device(self) -> torch.device:
        """Where the weights are."""

    @abstractmethod
    def labels(self, ids: Sequence[int]) -> Tokens:
        """Target tokens with their labels."""

    @abstractmethod
    def _prompt(self, source: Tokens, settings: Settings) -> Tokens:
        """The target tokens that are given; none without a decoder."""

    @abstractmethod
    def _read(self, source: Tokens) -> SourceRead:
        """What the encoder makes of a source, where there is one."""

    @abstractmethod
    def _feed(self, ids_NT: Tensor, encoded: Any, past: DecoderPast, keep: Keep = nothing) -> Fed:
        """T tokens more in every row.

        A model that reads its target whole is given all of it, and its past stays empty.
        """

    @abstractmethod
    def _pass(
        self,
        sources: Sequence[Sequence[int]],
        targets: Sequence[Sequence[int]],
        masks: Mapping[Site, Mask],
        tap: Tap,
        keep: Keep,
        encoded: EncoderPass | None,
    ) -> FullPass:
        """As `full_pass`."""

    def _rules(self, source: Tokens) -> Rules | None:
        """What the model's own settings make of log-probabilities; None where they say nothing."""
        return None

    @torch.inference_mode()
    def start(self, source: Tokens, settings: Settings = ()) -> SteppingState:
        """The state in which the source is read and the prompt of the target is fed in.

        Raises SourceTooLong where the source, end token and pads included, has more tokens than the
        model has positions.
        """
        SourceTooLong.check(len(source), self.anatomy.max_positions)
        read, prompt = self._read(source), self._prompt(source, settings)
        decoding = Decoding(source, self.labels([]), read.traces, (), (), (), None, prompt=0)
        if not self.anatomy.has("decoder"):
            ended = replace(decoding, finished="end", masked=read.masked)
            return SteppingState(ended, read.encoded, no_past(0))
        past = no_past(self.anatomy.site("decoder").layers)
        before = SteppingState(decoding, read.encoded, past, self._rules(source))
        return self._grown(before, prompt, (), len(prompt))

    @torch.inference_mode()
    def advance(self, state: SteppingState, token: int, how: How = "forced") -> SteppingState:
        """The state after `token`; unless it ends the text it was fed in too.

        Raises DecodingFinished where the decoding already was, and RecipeError for a token that
        there is not, or that is a pad or the start.
        """
        before, special = state.decoding, self.anatomy.special
        check_choice(before, token, self.anatomy.target_vocabulary, special)
        target = before.target + self.labels([token])
        chosen = (*before.chosen, Choice(token, how))
        if token in special.ends:
            ended = replace(before, target=target, chosen=chosen, finished="end")
            return replace(state, decoding=ended)
        return self._grown(state, target, chosen, 1)

    def _grown(
        self, state: SteppingState, target: Tokens, chosen: tuple[Choice, ...], new: int
    ) -> SteppingState:
        """The state that has read all of the target, the last `new` tokens of which have no step.

        Of these the records are kept; what a model reads again is only read.
        """
        before, ids_1T = state.decoding, self._ids(target.ids)
        at = range(len(target) - new, len(target))
        # Where the target gives the values, every token changes them.
        wanted = not before.steps or self.anatomy.within_source
        cross_keys: list[tuple[np.ndarray, np.ndarray]] = []

        def keep(site: Site, layer: int, record: AttentionRecord) -> Any:
            if site == "cross" and wanted:
                cross_keys.append((copied(record.k_BHKE[0]), copied(record.v_BHKE[0])))
            return rows_of(at, site, record)

        fed = self._feed(ids_1T[:, state.past.length :], state.encoded, state.past, keep)
        greedy = None
        if state.rules is not None:
            scores_V = state.rules(ids_1T, fed.logits_NTV[:, -1])[0].numpy(force=True)
            greedy = int(without(scores_V, self.anatomy.special.never).argmax())
        rows = fed.kept["decoder"], fed.kept.get("cross", ())
        is_full = len(target) >= self.anatomy.longest_target(len(before.source))
        decoding = replace(
            before,
            target=target,
            chosen=chosen,
            prompt=len(target) - len(chosen),
            steps=before.steps + steps_of(fed.logits_NTV, *rows, at, greedy),
            cross_keys=tuple(cross_keys) or before.cross_keys,
            finished="limit" if is_full else None,
        )
        return SteppingState(decoding, fed.encoded, fed.past, state.rules)

    def hypotheses(self, state: SteppingState) -> Batched:
        """One row, which a search begins from."""
        decoding = state.decoding
        logits_NV = torch.tensor(decoding.step.log_probabilities_V, device=self.device)[None]
        ids_NT = self._ids(decoding.target.ids)
        return Batched(self._feed, state.encoded, state.past, logits_NV, ids_NT, state.rules)

    @torch.inference_mode()
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

        See `Model.full_pass`.
        """
        on_device = {site: mask.to(self.device) for site, mask in (masks or {}).items()}
        return self._pass(sources, targets, on_device, tap, keep, encoded)

    def _ids(self, ids: Sequence[int]) -> Tensor:
        return torch.tensor([ids], device=self.device)


def check_choice(decoding: Decoding, token: int, vocabulary: int, special: Special) -> None:
    """Raise where a decoding cannot go on with a token.

    DecodingFinished where it already is, and RecipeError for a token that there is not, or that is
    a pad or the start.
    """
    if decoding.finished is not None:
        steps = len(decoding.steps)
        reason = (
            "reached its end" if decoding.finished == "end" else f"has {steps} tokens, its limit"
        )
        message = f"The translation {reason}. Go back to change it."
        raise DecodingFinished(
            message, "ended" if decoding.finished == "end" else "full", limit=steps
        )
    if not 0 <= token < vocabulary:
        message = f"There is no token {token}; this model has {vocabulary}."
        raise RecipeError(message, "token", token=token, limit=vocabulary)
    if token in special.never:
        name = "pad" if token == special.pad else "start"
        raise RecipeError(
            f"The {name} token cannot be chosen. Choose a piece of text or the end.",
            f"token_{name}",
        )
