"""What the page says of a model: its size, its data, its scores, and what it cannot do."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model_core.checkpoints.parts import parameters_by_part
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointError

_USUAL = 0.99  # of the sentences that the scores come from are no longer than the usual ones
_MOST_WRONG = 4  # sentences shown


def model_card(folder: Path, training: Training) -> dict[str, Any]:
    """What is known, as JSON: `parts`, `training`, `scores`, `usual`, `by_hand`, `own`.

    What is not known is null or empty. `usual` is the number of source tokens, the end token not
    counted, that 99% of the scored sentences do not exceed.
    """
    try:
        parts = parameters_by_part(folder)
    except CheckpointError:
        parts = {}  # opening it will say what is wrong
    config = training.config
    card = {
        "parts": parts,
        "training": {
            "data": training.data,
            "pairs": training.training_pairs,
            "updates": training.update,
            "minutes": training.seconds / 60,
            "guided": bool(training.guidance or (config and config.guided_alignment)),
            # Whether the sentences of the scores had a say in which weights were kept.
            "chosen": training.held_out_sources == 0 and training.validation_sources > 0,
        },
    }
    try:
        return card | _measured(training.evaluation or {})
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return card | _measured({})  # written by another program


def _measured(evaluation: Mapping[str, Any]) -> dict[str, Any]:
    searches = evaluation.get("searches", [])
    own = evaluation.get("own", [])
    wrong = [[str(each["source"]), str(each["output"])] for each in own if not each["right"]]
    alignment = evaluation.get("alignment") or {}
    lengths = searches[-1]["by_length"] if searches else []
    return {
        "scores": [_score(each) for each in searches],
        "lengths": [_score(each) | _span(each) for each in lengths],
        "usual": _usual(lengths),
        "by_hand": [
            {"kind": str(each["kind"]), "pairs": int(each["pairs"]), "rate": float(each["rate"])}
            for each in alignment.get("by_hand", [])
        ],
        "own": {"right": len(own) - len(wrong), "of": len(own), "wrong": wrong[:_MOST_WRONG]},
    }


def _score(score: Mapping[str, Any]) -> dict[str, Any]:
    """One row of scores: numbers in percent or points, with half a 95% interval where known."""
    row: dict[str, Any] = {"width": int(score.get("width", 0))}
    for name in ("bleu", "chrf", "exact_match"):
        found = score[name]
        if isinstance(found, Mapping):
            row[name] = [float(found["value"]), float(found["interval"])]
        else:
            row[name] = None if found is None else [float(found), None]
    return row


def _span(score: Mapping[str, Any]) -> dict[str, Any]:
    longest = score["longest"]
    return {
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
