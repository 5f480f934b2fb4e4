"""BLEU, chrF and exact match of outputs that have one or more references each.

BLEU and chrF are sacreBLEU's, its tokens, its bootstrap and its signatures included, so that the
numbers can be compared with those of others.
"""

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Literal

from model_core.errors import VisualiserError
from model_core.values.evaluation import Score

RESAMPLES = 1000
BleuTokens = Literal["13a", "zh", "none", "char", "intl"]  # how sacreBLEU's BLEU splits a text
BLEU_TOKENS: tuple[BleuTokens, ...] = ("13a", "zh", "none", "char", "intl")


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


def score_all(
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    tokens: BleuTokens | None,
    resamples: int = 0,
) -> tuple[float, Score | None, Score | None]:
    """Exact match, BLEU and chrF; the last two only where BLEU has tokens."""
    exact = exact_match(outputs, references)
    if tokens is None:
        return exact, None, None
    chrf = chrf_score(outputs, references, resamples)
    return exact, bleu_score(outputs, references, tokens, resamples), chrf


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
    try:
        score = metric.corpus_score(list(outputs), streams, n_bootstrap=resamples)
    except TypeError:  # sacreBLEU's, where outputs are so few that some resamples score 0
        resamples, metric.n_bootstrap = 0, None
        score = metric.corpus_score(list(outputs), streams)
    signature = str(metric.get_signature())
    if not resamples:
        return Score(float(score.score), None, signature)
    # The one public way to the interval, which is left out where every resample scores 0.
    said = json.loads(score.format(width=9, signature=signature, is_json=True))
    return Score(float(score.score), said.get("confidence_var", 0.0), signature)


def _metrics() -> ModuleType:
    try:
        from sacrebleu import metrics
    except ImportError as error:
        raise VisualiserError(
            "BLEU and chrF need sacrebleu, which is not installed: pip install sacrebleu"
        ) from error
    return metrics
