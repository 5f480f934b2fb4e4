"""How far one pass lies from another of the same tokens: its weights, and its predictions."""

from dataclasses import dataclass

import numpy as np

from model_core.studies.full_pass import SentencePass
from model_core.values.trace import Site, frozen


@dataclass(frozen=True)
class WeightChange:
    """How far the weights of one sub-layer moved."""

    site: Site
    layer: int  # counted from 0
    largest: float  # difference of any two weights, all heads


@dataclass(frozen=True, eq=False)
class PredictionChange:
    """How far the predictions of one sentence moved, after each target token."""

    best_before: tuple[int, ...]  # token ids
    best_after: tuple[int, ...]
    probability_before_T: np.ndarray  # of those tokens
    probability_after_T: np.ndarray
    distance_T: np.ndarray  # total variation distance, 0 to 1
    largest_T: np.ndarray  # difference of any two probabilities of one token

    @property
    def changed(self) -> int:
        """At how many positions the best token is another one."""
        return sum(a != b for a, b in zip(self.best_before, self.best_after, strict=True))


@dataclass(frozen=True, eq=False)
class Comparison:
    """How far one pass lies from another of the same tokens."""

    weights: tuple[WeightChange, ...]  # site by site, layer by layer
    predictions: PredictionChange | None  # None where the model predicts nothing


def compare(before: SentencePass, after: SentencePass) -> Comparison:
    """How far `after` lies from `before`, which has as many source and target tokens."""
    changes = []
    for site in before.weights:
        pairs = zip(before.weights[site], after.weights[site], strict=True)
        for layer, (was_HQK, is_HQK) in enumerate(pairs):
            changes.append(WeightChange(site, layer, float(np.abs(was_HQK - is_HQK).max())))
    was_TV, is_TV = before.log_probabilities_TV, after.log_probabilities_TV
    predictions = compare_predictions(was_TV, is_TV) if was_TV.shape[-1] else None
    return Comparison(tuple(changes), predictions)


def compare_predictions(before_TV: np.ndarray, after_TV: np.ndarray) -> PredictionChange:
    """How far the log-probabilities `after_TV` (nats) lie from `before_TV`."""
    was_TV, is_TV = np.exp(before_TV), np.exp(after_TV)
    apart_TV = np.abs(was_TV - is_TV)
    return PredictionChange(
        best_before=tuple(was_TV.argmax(axis=-1).tolist()),
        best_after=tuple(is_TV.argmax(axis=-1).tolist()),
        probability_before_T=frozen(was_TV.max(axis=-1)),
        probability_after_T=frozen(is_TV.max(axis=-1)),
        distance_T=frozen(apart_TV.sum(axis=-1) / 2),
        largest_T=frozen(apart_TV.max(axis=-1)),
    )
