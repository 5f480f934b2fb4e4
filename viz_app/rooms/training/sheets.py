"""What the room Training shows: a head at a note and at the end, and the curves of the training."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from viz_app.rooms.axes import head_named, picture_title
from viz_app.rooms.room import Answer
from viz_app.rooms.training.answer import TrainingAnswer
from viz_app.values.phrases import Phrase, Text, say
from viz_app.values.sheets import LEAST_SAID_FINELY, Curve, Curves, Map, Panel, Sheets


def training(answer: Answer[TrainingAnswer]) -> Sheets:
    """The head at the note beside that at the end, or at the beginning; below, the curves."""
    values = answer.values
    place, noted = values["place"], values["noted"]
    updates = noted["updates"]
    table, _ = answer.table("training")
    last, note = len(updates) - 1, values["note"]
    maps = [
        Map(
            values["weights_NQK"][at],
            table.axes,
            digits=".2f",
            least=LEAST_SAID_FINELY,
            title=_when(updates[at], at == last),
        )
        for at in (note, last if note < last else 0)
    ]
    curves: list[Panel] = []
    for name, numbers_N in noted["curves"].items():
        of_heads_LHN: Any = noted["of_heads"].get(name)
        if isinstance(numbers_N, np.ndarray) and np.isfinite(numbers_N).any():
            others_KN = [] if of_heads_LHN is None else [*_others(of_heads_LHN, place)]
            curve = say(f"training_{noted['named'][name]}")
            curves.append(_curve(curve, np.array(updates, float), numbers_N, others_KN))
    place_said = head_named(place["site"], place["layer"], place["head"])
    edits = ", ".join(values["edits"])
    about = say(
        "training_on_edited" if edits else "training_on", model=values["model"], edits=edits
    )
    rows = (maps, curves[:3], curves[3:])
    return Sheets(picture_title("training", place_said), rows, about=[about])


def _when(update: int, is_last: bool) -> Phrase:
    """When a note was taken."""
    if is_last:
        return say("training_end", n=f"{update:,}")
    return say("training_after", n=f"{update:,}") if update else say("training_before")


def _others(of_heads_LHN: np.ndarray, place: Mapping[str, Any]) -> np.ndarray:
    """The curves of the other heads, (K, N)."""
    L, H, N = of_heads_LHN.shape
    others_KN = np.delete(
        of_heads_LHN.reshape(L * H, N), place["layer"] * H + place["head"], axis=0
    )
    return others_KN


def _curve(
    name: Text, x_N: np.ndarray, numbers_N: np.ndarray, others_KN: Sequence[np.ndarray]
) -> Curves:
    """A curve over the updates of which there is a number."""
    known = np.isfinite(numbers_N)
    line = Curve(name, x_N[known], numbers_N[known].astype(float))
    behind = [(x_N, other_N) for other_N in others_KN]
    return Curves([line], say("training_update"), name, behind=behind, is_logarithmic=True)
