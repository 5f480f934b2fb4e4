"""What a sampling strategy draws at one step, and from what: softmax, cuts, one random number."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from model_core.values.recipe import Strategy
from model_core.values.trace import DecodeStep


@dataclass(frozen=True, eq=False)
class Draw:
    """A draw: 0 to 1 divided into the tokens that may be drawn, and the dart that hits one of them.

    The parts lie in the order of `tokens_N`, each as long as its token is probable after the
    temperature and the cuts.
    """

    tokens_N: np.ndarray  # the kept tokens, best first; of equals the lower id
    shares_N: np.ndarray  # what the temperature, top-k and top-p leave of them; they sum to 1
    log_total: float  # nats; log of the sum of exp(log-probability / T) before anything is cut
    dart: float  # the number drawn, uniform in 0 to 1, from the seed and the step's index
    token: int  # the one whose part the dart is in

    def part(self, token: int) -> tuple[float, float]:
        """Where the part of a token begins, and its length; 0 for a token that is cut."""
        (places,) = np.nonzero(self.tokens_N == token)
        if not len(places):
            return 1.0, 0.0
        return float(self.shares_N[: places[0]].sum()), float(self.shares_N[places[0]])


def draw(step: DecodeStep, strategy: Strategy, never: tuple[int, ...]) -> Draw:
    """What a sampling strategy draws at this step, and from what, in float64.

    The log-probabilities stand for logits: they differ by a constant, which softmax does not see.
    """
    return draws(step, (strategy,), never)[0]


def draws(
    step: DecodeStep, strategies: Iterable[Strategy], never: tuple[int, ...]
) -> tuple[Draw, ...]:
    """What each of several strategies draws at the same step; the tokens are ranked once."""
    return draws_from(without(step.log_probabilities_V, never), strategies, step.index)


def draws_from(
    logits_V: np.ndarray, strategies: Iterable[Strategy], index: int
) -> tuple[Draw, ...]:
    """What each of several strategies draws from these logits at the step with this index.

    A token at -inf has no chance; logits may be larger than log-probabilities by a constant.
    """
    logits_V = logits_V.astype(np.float64)
    order_V = np.argsort(-logits_V, kind="stable")
    ranked_V = logits_V[order_V]
    return tuple(_drawn(order_V, ranked_V, one, index) for one in strategies)


def _drawn(order_V: np.ndarray, ranked_V: np.ndarray, strategy: Strategy, index: int) -> Draw:
    scaled_V = ranked_V / strategy.temperature
    log_total = float(scaled_V[0] + np.log(np.exp(scaled_V - scaled_V[0]).sum()))
    if strategy.top_k:
        order_V, scaled_V = order_V[: strategy.top_k], scaled_V[: strategy.top_k]
    mass_V = np.exp(scaled_V - scaled_V[0])
    mass_V /= mass_V.sum()
    ends_V = np.cumsum(mass_V)
    if strategy.top_p < 1:  # the token that crosses the line is kept
        ends_V = ends_V[: int(np.searchsorted(ends_V, strategy.top_p)) + 1]
    dart = np.random.default_rng((strategy.seed, index)).random()
    hit = min(dart * ends_V[-1], np.nextafter(ends_V[-1], 0))  # rounded up, it would pass all
    N = min(len(ends_V), int(np.isfinite(scaled_V).sum()))
    return Draw(
        order_V[:N],
        mass_V[:N] / ends_V[-1],
        log_total,
        dart,
        int(order_V[np.searchsorted(ends_V, hit, side="right")]),
    )


def without(logits_V: np.ndarray, never: tuple[int, ...]) -> np.ndarray:
    """A copy of log-probabilities in which some tokens have no chance."""
    logits_V = logits_V.copy()
    logits_V[list(never)] = -np.inf
    return logits_V
