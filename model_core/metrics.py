"""BLEU, chrF and exact match of outputs that have one or more references each.

BLEU and chrF are sacreBLEU's, its tokens, its bootstrap and its signatures included, so that the
numbers can be compared with those of others. Nothing here looks at a model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

import numpy as np

from model_core.errors import VisualiserError

RESAMPLES = 1000
_SEED = 12345  # sacreBLEU's own
BleuTokens = Literal["13a", "zh", "none", "char", "intl"]  # how sacreBLEU's BLEU splits a text
BLEU_TOKENS: tuple[BleuTokens, ...] = ("13a", "zh", "none", "char", "intl")


@dataclass(frozen=True)
class Score:
    """A score in percent. With resamples, 95% of them lie within `interval` around their mean."""

    value: float
    interval: float | None  # half its width, in percent; None where nothing was resampled
    signature: str  # sacreBLEU's: everything that decides the value

    def __str__(self) -> str:
        return f"{self.value:.1f}" + ("" if self.interval is None else f" ± {self.interval:.1f}")


def tokens_of(language: str) -> BleuTokens:
    """How BLEU splits texts of this language: zh for Chinese, else 13a; none expects it done."""
    return "zh" if language.startswith("zh") else "13a"


def bleu_score(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    tokens: BleuTokens,
    resamples: int = 0,
) -> Score:
    """sacreBLEU's BLEU over the whole corpus. With "none" every text is scored as it is."""
    # "force" only silences a warning about texts that look tokenised already.
    return _score(_metrics().BLEU(tokenize=tokens, force=True), outputs, references, resamples)


def chrf_score(
    outputs: Sequence[str], references: Sequence[Sequence[str]], resamples: int = 0
) -> Score:
    """sacreBLEU's chrF over the whole corpus."""
    return _score(_metrics().CHRF(), outputs, references, resamples)


def exact_match(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Percent of the outputs that equal one of their references to the last character."""
    matches = sum(output in right for output, right in zip(outputs, references, strict=True))
    return 100 * matches / len(outputs)


def has_sacrebleu() -> bool:
    """Whether BLEU and chrF can be computed here."""
    try:
        _metrics()
    except VisualiserError:
        return False
    return True


def _score(
    metric: Any, outputs: Sequence[str], references: Sequence[Sequence[str]], resamples: int
) -> Score:
    most = max(map(len, references))
    # Column i holds every output's i-th reference; sacreBLEU skips a None.
    streams = [[right[i] if i < len(right) else None for right in references] for i in range(most)]
    value = float(metric.corpus_score(list(outputs), streams).score)
    interval = None
    if resamples:
        interval = _interval(metric, outputs, streams, resamples)
        metric.n_bootstrap, metric.seed = resamples, str(_SEED)  # for the signature
    return Score(value, interval, str(metric.get_signature()))


def _interval(
    metric: Any, outputs: Sequence[str], streams: Sequence[Sequence[str | None]], resamples: int
) -> float:
    """Half the width of the middle 95% of the scores of resampled corpora (Koehn 2004).

    The same resamples as sacreBLEU's own, which fails where some of the scores are 0.
    """
    counts_NC = np.array(metric._extract_corpus_statistics(outputs, streams), dtype=np.float64)
    N = len(counts_NC)
    rows_RN = np.random.default_rng(_SEED).choice(N, size=(resamples, N), replace=True)
    scores = sorted(
        float(metric._compute_score_from_stats(counts_NC[rows_N].sum(axis=0)).score)
        for rows_N in rows_RN
    )
    tail = resamples // 40
    return (scores[-1 - tail] - scores[tail]) / 2


def _metrics() -> ModuleType:
    try:
        from sacrebleu import metrics
    except ImportError as error:
        raise VisualiserError(
            "BLEU and chrF need sacrebleu, which is not installed: pip install sacrebleu"
        ) from error
    return metrics
