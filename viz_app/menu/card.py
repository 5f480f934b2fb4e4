"""What the page says of a model: its size, its data, its scores, and what it cannot do."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

from model_core.checkpoints.training import Training
from model_core.values.evaluation import Evaluation, LengthScore, Score, SearchScore

_USUAL = 0.99  # of the sentences that the scores come from are no longer than the usual ones
_MOST_WRONG = 4  # sentences shown


class _Training(TypedDict):
    data: str
    pairs: int
    updates: int
    begun: int | None  # the updates of the training whose weights it carried on with
    minutes: float
    guided: bool
    chosen: bool  # the sentences of the scores had a say in which weights were kept


_Number = tuple[float, float | None] | None  # a number, with half a 95% interval where known


class _Scores(TypedDict):
    """In percent or points."""

    bleu: _Number
    chrf: _Number
    exact_match: _Number


class _BySearch(_Scores):
    width: int


class _ByLength(_Scores):
    shortest: int
    longest: int | None
    sentences: int


class _ByHand(TypedDict):
    kind: str
    pairs: int
    rate: float


class _Own(TypedDict):
    right: int
    of: int
    wrong: list[list[str]]


class _Measured(TypedDict):
    scores: list[_BySearch]
    lengths: list[_ByLength]
    # Source tokens, the end token not counted, that 99% of the scored sentences do not exceed.
    usual: int | None
    by_hand: list[_ByHand]
    own: _Own


class Card(_Measured):
    """How a model was made, and how good it is; what is not known is None or empty."""

    parts: dict[str, int]
    training: _Training


def model_card(training: Training, parts: Mapping[str, int] = MappingProxyType({})) -> Card:
    """What is known of a model by its training, and how many numbers each part of it has."""
    config = training.config
    made: _Training = {
        "data": training.data,
        "pairs": training.training_pairs,
        "updates": training.update,
        "begun": training.begun.updates if training.begun else None,
        "minutes": training.seconds / 60,
        "guided": bool(training.guidance or (config and config.guided_alignment)),
        "chosen": training.held_out_sources == 0 and training.validation_sources > 0,
    }
    return {"parts": dict(parts), "training": made, **_measured(training.evaluation)}


def _measured(found: Evaluation | None) -> _Measured:
    searches, own = (found.searches, found.own) if found else ((), ())
    by_hand = found.alignment.by_hand if found and found.alignment else ()
    wrong = [[each.source, each.output] for each in own if not each.right]
    lengths = searches[-1].by_length if searches else ()
    return {
        "scores": [{"width": each.width, **_scores(each)} for each in searches],
        "lengths": [
            {
                "shortest": each.shortest,
                "longest": each.longest,
                "sentences": each.sentences,
                **_scores(each),
            }
            for each in lengths
        ],
        "usual": _usual(lengths),
        "by_hand": [{"kind": one.kind, "pairs": one.pairs, "rate": one.rate} for one in by_hand],
        "own": {"right": len(own) - len(wrong), "of": len(own), "wrong": wrong[:_MOST_WRONG]},
    }


def _scores(found: SearchScore | LengthScore) -> _Scores:
    return {
        "bleu": _with_interval(found.bleu),
        "chrf": _with_interval(found.chrf),
        "exact_match": (found.exact_match, None),
    }


def _with_interval(found: Score | float | None) -> _Number:
    if isinstance(found, Score):
        return found.value, found.interval
    return None if found is None else (found, None)


def _usual(lengths: Sequence[LengthScore]) -> int | None:
    total = sum(each.sentences for each in lengths)
    reached = 0
    for each in lengths:
        reached += each.sentences
        if reached >= _USUAL * total:
            return each.longest
    return None
