"""The room Training: how the attention of a model came to be, note by note of its training."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from model_core.values.recipe import Recipe
from viz_app.rooms.room import Answer, Room, Said, Shown, asked
from viz_app.rooms.training import sheets
from viz_app.rooms.training.answer import TrainingAnswer, answer
from viz_app.rooms.training.view import TrainingView

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

_ASKED = ("site", "layer", "head", "sentence")


def _of_model(tracer: "Tracer", recipe: Recipe) -> Iterator[tuple[Said, Answer[TrainingAnswer]]]:
    """Every head in every noted sentence."""
    for one in tracer.anatomy.sites:
        for layer, head in np.ndindex(one.layers, one.heads):
            place = {"site": one.site, "layer": layer, "head": head}
            for sentence in range(len(tracer.model.history.sentences)):
                said = place | {"sentence": sentence}
                yield said, answer(tracer, recipe, TrainingView.from_json(said))


ROOM = Room(
    "training",
    TrainingView,
    answer,
    {
        "training": Shown(
            "how a head came to read what it reads, beside the curves of its training",
            sheets=sheets.training,
            named=("site", "layer", "head", "sentence", "note"),
        )
    },
    needs=("runs", "history"),
    # The attention of all notes comes at once.
    asks=asked(*_ASKED),
    shows=lambda seen: seen.placed("cross"),
    of_model=_of_model,
)
