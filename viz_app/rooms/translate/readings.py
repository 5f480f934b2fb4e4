"""Another reading of the weights in the large map: which numbers stand in its cells."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from model_core.errors import RecipeError
from model_core.values.edits import Edits, layer_read
from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding, Site
from model_core.values.words import ByWords, runs_of, words_of
from viz_app.text import named_error
from viz_app.values.wire import Floats

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.studies.hiding import Hiding


@dataclass(frozen=True)
class ReadingKind:
    """What holds of a reading whatever is read."""

    array: str  # what its numbers are called in a table
    map_of: Literal["head", "layer", "site"]  # of what there is one map
    is_share: bool = True  # of attention: no number is below 0 or above 1
    is_change: bool = False  # of a log-probability: numbers go below 0
    unit: str = "figure_weight"  # the words of its scale


KINDS = {
    "weights": ReadingKind("weights", "head"),
    "norms": ReadingKind("norm", "head", is_share=False, unit="figure_length"),
    "rollout": ReadingKind("rollout", "layer", unit="figure_rollout"),
    "mean": ReadingKind("mean", "layer"),
    "mean_all": ReadingKind("mean", "site"),
    "hidden": ReadingKind(
        "change", "site", is_share=False, is_change=True, unit="read_unit_hidden"
    ),
}


@dataclass(frozen=True, eq=False)
class ReadingMap:
    """The numbers of a reading, with the rows and columns of the weights."""

    name: str
    values_QK: np.ndarray
    allowed_QK: np.ndarray  # cells that have a number
    norms_K: np.ndarray | None = None  # of the values
    all_LHQK: np.ndarray | None = None  # of every head, where each has numbers of its own

    @property
    def kind(self) -> ReadingKind:
        """What holds of the reading of this name."""
        return KINDS[self.name]

    @property
    def norms_QK(self) -> np.ndarray | None:
        """The norm of the value in each cell."""
        return None if self.norms_K is None else np.broadcast_to(self.norms_K, self.values_QK.shape)

    @property
    def limit(self) -> float:
        """What the end of the colour scale stands for; shares end at 1."""
        if self.kind.is_share:
            return 1.0
        return float(np.abs(self.values_QK[self.allowed_QK]).max(initial=0)) or 1.0

    def in_words(self, by: ByWords) -> "ReadingMap":
        """The same between words; the norm of a value exists for single tokens only.

        Averages and lengths add up as weights do. What hiding a word changes was computed for the
        whole word: for a word that is written it is the sum over its tokens, whose
        log-probabilities add up to the word's.
        """
        if self.kind.is_change:
            first_K = [word[0] for word in by.columns]
            sums = [self.values_QK[list(word)][:, first_K].sum(0, np.float64) for word in by.rows]
            values_QK = np.stack(sums).astype(self.values_QK.dtype)
        else:
            values_QK = by.weights(self.values_QK)
        all_LHQK = None if self.all_LHQK is None else by.weights(self.all_LHQK)
        allowed_QK = by.mask(self.allowed_QK)
        return ReadingMap(self.name, values_QK, allowed_QK, all_LHQK=all_LHQK)

    def arrays(self, place: str = "") -> dict[str, str]:
        """Where a table finds the numbers in an answer; the map's come last.

        `place` is where the reading lies there, with the point after it.
        """
        norms = {} if self.norms_K is None else {"value_norm_QK": f"{place}reading.norms_QK"}
        return norms | {f"{self.kind.array}_QK": f"{place}reading.values_QK"}

    def of_heads(self, place: str = "") -> dict[str, str]:
        """The same for the table of all heads."""
        if self.all_LHQK is None:
            return {}
        return {f"{self.kind.array}_LHQK": f"{place}reading.all_LHQK"}


def check_heads(view: Any) -> None:
    """Raise RecipeError where a reading is one map of all heads, and so has no picture of them."""
    if KINDS[view.reading].map_of != "head":
        raise named_error(RecipeError, "reading_heads", reading=view.reading)


def check_lines(view: Any) -> None:
    """Raise RecipeError where a reading has numbers below 0, which no line can be as wide as."""
    if KINDS[view.reading].is_change:
        raise named_error(RecipeError, "reading_lines")


def read(
    tracer: "Tracer", recipe: Recipe, decoding: Decoding, weights_LHQK: np.ndarray, view: Any
) -> ReadingMap | None:
    """The reading of a view whose place is known; None for the weights themselves."""
    name, site, layer, head = view.reading, view.site, view.layer, view.head
    if name == "weights":
        return None
    allowed_QK = decoding.trace(site, layer).mask_QK
    if name == "norms":
        norms_LHK = norms(tracer, recipe, decoding, site)
        all_LHQK = weights_LHQK * norms_LHK[:, :, None]
        return ReadingMap(name, all_LHQK[layer, head], allowed_QK, norms_LHK[layer, head], all_LHQK)
    if name == "hidden":
        if site != "cross":
            raise named_error(RecipeError, "reading_cross")
        hiding = hidden(tracer, decoding)
        changes_QS = changes(hiding, decoding)
        known_QS = np.zeros(changes_QS.shape, bool)
        known_QS[: len(hiding.log_probabilities_T)] = True
        return ReadingMap(name, changes_QS, known_QS)
    values_QK = averaged(decoding, name, site, layer, weights_LHQK, recipe.edits)
    if name == "rollout" and site != "cross":  # the residual connection reaches every token itself
        allowed_QK = allowed_QK | np.eye(len(allowed_QK), dtype=bool)
    return ReadingMap(name, values_QK, allowed_QK)


def averaged(
    decoding: Decoding, name: str, site: Site, layer: int, weights_LHQK: np.ndarray, edits: Edits
) -> np.ndarray:
    """Rollout or a mean of the weights of a site, (Q, K)."""
    from model_core.studies import readings  # imports torch

    if name == "mean":
        return readings.mean_of_heads(weights_LHQK, layer)
    if name == "mean_all":
        return readings.mean_of_layers(weights_LHQK)
    if site != "cross":
        return readings.rollout(weights_LHQK, layer)
    if not decoding.encoder:
        raise named_error(RecipeError, "reading_encoder")
    encoder_LHSS = np.stack([trace.weights_HQK for trace in decoding.encoder])
    return readings.cross_rollout(weights_LHQK, layer, encoder_LHSS, layer_read(edits))


def norms(tracer: "Tracer", recipe: Recipe, decoding: Decoding, site: Site) -> np.ndarray:
    """The norms of the values of a site, (L, H, K)."""
    from model_core.studies.readings import value_norms

    return value_norms(tracer.model, decoding, site, recipe.edits, tracer.studied)


def hidden(tracer: "Tracer", decoding: Decoding, together: bool = False) -> "Hiding":
    """Every word of the source hidden in turn; or every run of characters that may be one."""
    from model_core.studies.hiding import hide_words

    source, target = decoding.source, decoding.target.ids
    words = words_of(source)
    hides = runs_of(words, source) if together else words
    return tracer.studied.of(
        ("hiding", together, source.ids, target, len(decoding.steps)),
        lambda: hide_words(tracer.model, decoding, hides),
    )


def changes(hiding: "Hiding", decoding: Decoding) -> np.ndarray:
    """What each step loses without each source token and its word, (Q, S), nats.

    A step that has written nothing yet has 0.
    """
    changes_TW = hiding.changes_TW
    changes_QS = np.zeros((len(decoding.steps), len(decoding.source)), changes_TW.dtype)
    for at, word in enumerate(hiding.words):
        changes_QS[: len(changes_TW), list(word)] = changes_TW[:, at, None]
    return changes_QS


class Norms(TypedDict):
    """The norms of the values of all heads of a site, (L, H, K)."""

    norms: Floats


class Averages(TypedDict):
    """One map of numbers, (Q, K)."""

    values: Floats


class Changes(Averages):
    """Each word hidden, and which tokens it has; and each of R runs of characters, (Q, R)."""

    words: list[list[int]]
    runs: list[list[int]]
    run_values: Floats


def reading_to_page(
    tracer: "Tracer", recipe: Recipe, name: str, site: Site, layer: int
) -> Norms | Changes | Averages:
    """What the page cannot compute of a reading from the weights that it has.

    Means and rollout are asked for where a decoding is so large that the page has not all weights.
    """
    decoding = tracer.evaluate(recipe)
    if name == "norms":
        return {"norms": norms(tracer, recipe, decoding, site)}
    if name == "hidden":
        hiding, runs = hidden(tracer, decoding), hidden(tracer, decoding, together=True)
        runs_QR = np.zeros((len(decoding.steps), len(runs.words)), np.float32)
        runs_QR[: len(runs.changes_TW)] = runs.changes_TW
        return {
            "values": changes(hiding, decoding),
            "words": [list(word) for word in hiding.words],
            "runs": [list(run) for run in runs.words],
            "run_values": runs_QR,
        }
    weights_LHQK = np.stack([trace.weights_HQK for trace in decoding.traces(site)])
    return {"values": averaged(decoding, name, site, layer, weights_LHQK, recipe.edits)}
