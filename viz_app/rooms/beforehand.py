"""The questions whose answers a static page must contain, by room."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model_core.decoding.run import Run
from model_core.errors import RecipeError
from viz_app.rooms import room_named
from viz_app.rooms.room import Said

if TYPE_CHECKING:
    from model_core.decoding.library import Library


@dataclass(frozen=True, eq=False)
class Answered:
    """A question of a room as the page asks it, and its answer; both as JSON."""

    room: str
    asked: Said
    answer: Said

    @property
    def question(self) -> tuple[str, str]:
        """What is asked, to be compared."""
        return self.room, json.dumps(self.asked, sort_keys=True)

    def to_json(self) -> dict[str, Any]:
        """The same as the page has it."""
        return {"room": self.room, "asked": self.asked, "answer": self.answer}


def answered(library: "Library", run: Run, views: Iterable[tuple[str, Said]]) -> list[Answered]:
    """The answers of rooms to views; a place that the model or the sentence lacks has none.

    Each takes its turn in the library's line.
    """
    found: list[Answered] = []
    for name, said in views:
        room: Any = room_named(name)
        if room.lacks(run.model.anatomy) is not None:
            continue
        answer_of = room.to_page or room.answer
        for asked in room.asks(room.view.from_json(said)) or (said,):
            try:
                with library.calls():
                    view = room.view.from_json(asked)
                    answer = answer_of(run.tracer, run.recipe, view).to_json()
            except RecipeError:  # its control is greyed out
                continue
            found.append(Answered(name, asked, answer))
    return found
