"""What the room Training shows: a head at a note and at the end, and the curves of the training."""

import numpy as np

from viz_app.rooms.axes import title_of
from viz_app.rooms.room import Answer
from viz_app.rooms.training.answer import TrainingAnswer
from viz_app.values.phrases import Text, say
from viz_app.values.sheets import LEAST_SAID_FINELY, Curve, Curves, Map, Panel, Sheets


def training(answer: Answer[TrainingAnswer]) -> Sheets:
    """The attention of the head at the note beside that at the end; below, the curves."""
    values = answer.values
    place, noted = values["place"], values["noted"]
    updates = noted["updates"]
    table, _ = answer.table("training")
    then_QK, end_QK = table.values["weights_QK"], values["weights_NQK"][-1]
    maps = [
        Map(
            values_QK,
            table.axes,
            digits=".2f",
            least=LEAST_SAID_FINELY,
            title=say("training_after", n=f"{update:,}"),
        )
        for values_QK, update in ((then_QK, updates[values["note"]]), (end_QK, updates[-1]))
    ]
    x_N = np.array(updates, float)
    curves: list[Panel] = [
        _curve(say(f"training_{noted['named'][name]}"), x_N, numbers_N)
        for name, numbers_N in noted["curves"].items()
        if isinstance(numbers_N, np.ndarray) and np.isfinite(numbers_N).any()
    ]
    title = title_of(place["site"], place["layer"], place["head"])
    edits = ", ".join(values["edits"])
    about = say(
        "training_on_edited" if edits else "training_on", model=values["model"], edits=edits
    )
    rows = (maps, curves[:3], curves[3:])
    return Sheets((title, " · ", say("room_training")), rows, about=[about])


def _curve(name: Text, x_N: np.ndarray, numbers_N: np.ndarray) -> Curves:
    """A curve over the updates of which there is a number."""
    known = np.isfinite(numbers_N)
    line = Curve(name, x_N[known], numbers_N[known].astype(float))
    return Curves([line], say("training_update"), name)
