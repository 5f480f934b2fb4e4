"""Attention weights that came without their model, behind the protocol: there is nothing to run.

They have labels and a picture of every head. Nothing is predicted, so there are no steps, and what
runs a model or reads its parameters is refused.
"""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from model_core.checkpoints.history import no_history
from model_core.errors import CheckpointMissing, RecipeError
from model_core.values.anatomy import Anatomy, SiteAnatomy, check_edits
from model_core.values.edits import Edits
from model_core.values.head_measures import HeadMeasures
from model_core.values.history import History
from model_core.values.recipe import Settings
from model_core.values.special import Special
from model_core.values.trace import (
    COLUMNS,
    ROWS,
    SITES,
    AttentionTrace,
    Decoding,
    Side,
    Site,
    TokenKind,
    Tokens,
)


@dataclass(frozen=True, eq=False)
class ArrayState:
    """The decoding that was given; there is no other state."""

    decoding: Decoding

    def grew_from(self, earlier: "ArrayState") -> bool:
        """Whether it is that state: none grows from another."""
        return self is earlier

    def pieces(self, newest_only: bool) -> Iterator[tuple[int, int]]:
        """No bytes of its own: the model holds the arrays, however many states there are."""
        return iter(())


class ArrayModel:
    """Weights and labels as they were given. Whatever would run a model raises RecipeError.

    `weights` holds (L, H, Q, K) float32 for each site, `labels` those of the sides whose tokens
    they are; the lengths fit. `unusual` are codes of what is unusual about the numbers.
    """

    languages = ("", "")
    training = None

    @property
    def heads(self) -> HeadMeasures:
        """Raises CheckpointMissing: heads are measured by running the model on other sentences."""
        raise CheckpointMissing(
            f"{self.name} came without its model, so its heads cannot be measured.", "heads_given"
        )

    @property
    def history(self) -> History:
        """Raises the error of a model without a history: none came with the weights."""
        raise no_history(self.name)

    def __init__(
        self,
        name: str,
        weights: Mapping[Site, np.ndarray],
        labels: Mapping[Side, Sequence[str]],
        unusual: tuple[str, ...] = (),
    ):
        self.name = name
        self._tokens = {side: _tokens(texts) for side, texts in labels.items()}
        self._weights = {site: weights[site] for site in SITES if site in weights}
        self.facts: Mapping[str, Any] = {}
        source, target = (len(self._tokens.get(side, ())) for side in ("source", "target"))
        self.anatomy = Anatomy(
            sites=tuple(_anatomy(site, array) for site, array in self._weights.items()),
            source_vocabulary=source,
            target_vocabulary=target,
            special=Special(None, None, None),
            max_positions=max(source, target),
            positions="none",
            unusual=unusual,
            predicts=False,
        )
        first = self.anatomy.first_site
        self.opens_on = {"site": first.site, "layer": first.layers - 1, "head": 0, "rows": "fed"}
        digest = 0
        for array in self._weights.values():
            digest = zlib.crc32(np.ascontiguousarray(array, "<f4").tobytes(), digest)
        self.fingerprint = f"{digest:08x}"

    def edited(self, edits: Edits, means: Mapping[Site, np.ndarray] | None = None) -> "ArrayModel":
        check_edits(edits, self.anatomy, False)
        return self

    def source(self, text: str = "", pads: int = 0, settings: Settings = ()) -> Tokens:
        """The labels of the source, whatever the text."""
        return self._tokens.get("source", _tokens(()))

    def labels(self, ids: Sequence[int]) -> Tokens:
        """Tokens of the target by their places."""
        texts = self._tokens.get("target", _tokens(())).texts
        return _tokens([texts[at] for at in ids], ids)

    def text(self, ids: Sequence[int]) -> str:
        """Empty: the labels stand for themselves, and nothing was written."""
        return ""

    def source_text(self, ids: Sequence[int]) -> str:
        """Empty: the labels stand for themselves."""
        return ""

    def start(self, source: Tokens, settings: Settings = ()) -> ArrayState:
        """The state that holds every weight that was given: one, whatever the text."""
        return self._state

    @cached_property
    def _state(self) -> ArrayState:
        traces = [
            self._trace(one, layer, weights_HQK)
            for one in self.anatomy.sites
            for layer, weights_HQK in enumerate(self._weights[one.site])
        ]
        target = self._tokens.get("target", _tokens(()))
        return ArrayState(
            Decoding(
                source=self.source(),
                target=target,
                encoder=tuple(trace for trace in traces if trace.site == "encoder"),
                cross_keys=(),
                steps=(),
                chosen=(),
                finished="end",
                prompt=len(target),
                whole=tuple(trace for trace in traces if trace.site != "encoder"),
            )
        )

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise RecipeError("These weights came without their model; nothing can be run.", "no_model")

    placed = target = advance = hypotheses = insides = full_pass = _refuse
    table = frequencies = bias = lens = _refuse

    def _trace(self, one: SiteAnatomy, layer: int, weights_HQK: np.ndarray) -> AttentionTrace:
        """One layer; only weights were given, so q, k and v have width 0 and scores are NaN.

        Of the mask it is known only that a causal one hid what comes later.
        """
        H, Q, K = weights_HQK.shape
        seen_QK = np.ones((Q, K), bool)
        return AttentionTrace(
            site=one.site,
            layer=layer,
            queries=self._tokens[one.rows],
            keys=self._tokens[one.columns],
            q_HQE=np.zeros((H, Q, 0), np.float32),
            k_HKE=np.zeros((H, K, 0), np.float32),
            v_HKE=np.zeros((H, K, 0), np.float32),
            scores_HQK=np.full((H, Q, K), np.nan, np.float32),
            mask_QK=np.tril(seen_QK) if one.causal else seen_QK,
            weights_HQK=weights_HQK,
        )


def _tokens(labels: Sequence[str], places: Sequence[int] | None = None) -> Tokens:
    """Labels as tokens; the id of each is its place."""
    ids = range(len(labels)) if places is None else places
    texts = tuple(labels)
    kind: TokenKind = "text"
    return Tokens(tuple(ids), texts, texts, (kind,) * len(texts), (None,) * len(texts))


def _anatomy(site: Site, weights_LHQK: np.ndarray) -> SiteAnatomy:
    L, H, Q, _ = weights_LHQK.shape
    is_self = ROWS[site] == COLUMNS[site]
    causal = is_self and Q > 1 and not np.triu(weights_LHQK, 1).any()  # no later key has a weight
    return SiteAnatomy(site, L, H, H, ROWS[site], COLUMNS[site], causal)
