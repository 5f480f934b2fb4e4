"""What was measured of every head of a model over a named corpus, as values; they need only numpy.

NaN means that a measure was not taken: no links were drawn, or the model allows no edit.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from model_core.values.trace import Site

FAR = 12  # tokens: the first and the last bar of a histogram hold what lies this far or farther
BEST = 10  # sentences that are named for a head
ATTRACTING = 8  # tokens that are named for a head
PADS = 4  # behind each source, for the share of pads

# What part of its attention a head gives to each place (habits.py).
PLACES: Mapping[Site, tuple[str, ...]] = {
    "encoder": ("previous", "itself", "next", "first", "end", "marks"),
    "decoder": ("previous", "itself", "start", "marks"),
    "cross": ("diagonal", "first", "end", "marks"),
}
# The word for what a head does: a place, or how its weights are.
WORDS: Mapping[Site, tuple[str, ...]] = {
    site: (*places, "sharp", "spread") for site, places in PLACES.items()
}
_EVERYWHERE = ("distance", "reach", "coverage", "likeness")
_EFFECTS = ("loss_zero", "loss_mean", "exact_zero", "exact_mean")
MEASURES: Mapping[Site, tuple[str, ...]] = {
    "encoder": ("entropy", "largest", *PLACES["encoder"], "pads", *_EVERYWHERE, *_EFFECTS),
    "decoder": ("entropy", "largest", *PLACES["decoder"], *_EVERYWHERE, *_EFFECTS),
    "cross": (
        *("entropy", "largest", *PLACES["cross"], "pads", *_EVERYWHERE),
        *("links", "fed", "needed", "aligner", *_EFFECTS),
    ),
}


@dataclass(frozen=True, eq=False)
class SiteMeasures:
    """The heads of one site. C counts what is named for a head, best first; -1 is none."""

    measures_LHM: np.ndarray  # by MEASURES
    distances_LHN: np.ndarray  # shares of the attention, from FAR tokens before to FAR behind
    word_LH: np.ndarray  # an index into WORDS
    like_LH: np.ndarray  # the head most like it, layer x H + head
    best_LHC: np.ndarray  # sentences in which it does most of what its word says
    amount_LHC: np.ndarray  # how much of it
    tokens_LHC: np.ndarray  # tokens it reads more than a head that looks at all keys alike
    share_LHC: np.ndarray  # of its attention that such a token gets
    even_LHC: np.ndarray  # and would get from that other head
    means_LHE: np.ndarray | None = None  # the mean weighted sum of its values; None: not known

    def measure_LH(self, site: Site, name: str) -> np.ndarray:
        """One measure of every head."""
        return np.asarray(self.measures_LHM[..., MEASURES[site].index(name)])


@dataclass(frozen=True, eq=False)
class HeadMeasures:
    """All heads of a model, and on what they were measured."""

    fingerprint: str  # of the weights
    corpus: str  # its name
    sentences: tuple[tuple[str, str], ...]  # source, and target or ""
    tokens: tuple[tuple[str, str], ...]  # text and kind of those that attract some head
    source_tokens: int
    target_tokens: int  # that were predicted
    targets: str  # "references", "written" by the model itself, the "text" itself, or "none"
    loss: float  # nats per predicted token of the model as it is; NaN where it was not taken
    exact: float  # share of the targets that it would write to the last token
    sites: Mapping[Site, SiteMeasures]

    @property
    def median_loss(self) -> float | None:
        """What half of all heads add to the loss at most, when off, in nats; None if none was."""
        all_heads = np.concatenate(
            [one.measure_LH(site, "loss_zero").ravel() for site, one in self.sites.items()]
        )
        found = all_heads[np.isfinite(all_heads)]
        return float(np.median(found)) if len(found) else None
