"""What the page says of a model: its size, its data, its scores, and what it cannot do."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypedDict

from model_core.checkpoints.training import Training

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


Score = tuple[float, float | None] | None  # a number, with half a 95% interval where known


class _Scores(TypedDict):
    """In percent or points."""

    width: int
    bleu: Score
    chrf: Score
    exact_match: Score


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
    scores: list[_Scores]
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
    try:
        measured = _measured(training.evaluation or {})
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        measured = _measured({})  # written by another program
    return {"parts": dict(parts), "training": made, **measured}


def _measured(evaluation: Mapping[str, Any]) -> _Measured:
    searches = evaluation.get("searches", [])
    own = evaluation.get("own", [])
    wrong = [[str(each["source"]), str(each["output"])] for each in own if not each["right"]]
    alignment = evaluation.get("alignment") or {}
    lengths = searches[-1]["by_length"] if searches else []
    return {
        "scores": [_score(each) for each in searches],
        "lengths": [_by_length(each) for each in lengths],
        "usual": _usual(lengths),
        "by_hand": [
            {"kind": str(each["kind"]), "pairs": int(each["pairs"]), "rate": float(each["rate"])}
            for each in alignment.get("by_hand", [])
        ],
        "own": {"right": len(own) - len(wrong), "of": len(own), "wrong": wrong[:_MOST_WRONG]},
    }


def _score(score: Mapping[str, Any]) -> _Scores:
    width = int(score.get("width", 0))
    bleu, chrf, exact = (_with_interval(score[name]) for name in ("bleu", "chrf", "exact_match"))
    return {"width": width, "bleu": bleu, "chrf": chrf, "exact_match": exact}


def _with_interval(found: Any) -> Score:
    if isinstance(found, Mapping):
        return float(found["value"]), float(found["interval"])
    return None if found is None else (float(found), None)


def _by_length(score: Mapping[str, Any]) -> _ByLength:
    longest = score["longest"]
    return {
        **_score(score),
        "shortest": int(score["shortest"]),
        "longest": None if longest is None else int(longest),
        "sentences": int(score["sentences"]),
    }


def _usual(lengths: list[Mapping[str, Any]]) -> int | None:
    total = sum(int(each["sentences"]) for each in lengths)
    reached = 0
    for each in lengths:
        reached += int(each["sentences"])
        if reached >= _USUAL * total:
            return None if each["longest"] is None else int(each["longest"])
    return None
