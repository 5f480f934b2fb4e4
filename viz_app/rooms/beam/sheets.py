"""What the room Beam shows: the search as a tree from left to right."""

from typing import Any

from viz_app.rooms.axes import picture_title
from viz_app.rooms.beam.answer import BeamAnswer
from viz_app.rooms.room import Answer
from viz_app.values.phrases import labels_of, say
from viz_app.values.sheets import Sheets, Tree, alone

_SIGNS = ("kept", "won", "finished", "pruned", "greedy", "dead")


def beam(answer: Answer[BeamAnswer]) -> Sheets:
    """The tree up to the step of the view; the way of greedy decoding is beside it."""
    view: Any = answer.view
    tree = answer.values["tree"]
    last = max(tree["step"]) if view.step is None else view.step + 1
    here = [at for at, step in enumerate(tree["step"]) if step <= last]  # steps come in order
    labels = labels_of(answer.values["tokens"])
    sheet = Tree(
        [labels[at] for at in here],
        [tree["score"][at] for at in here],
        [tree["step"][at] for at in here],
        [tree["parent"][at] for at in here],
        [tree["fate"][at] for at in here],
        lost=frozenset(
            at for at in here if tree["fate"][at] == "pruned" or 0 < tree["died"][at] <= last
        ),
        won=frozenset(_way(tree["parent"], tree["found"][0])),
        greedy=frozenset(answer.values["greedy"]["places"]),
        names={sign: say(f"beam_key_{sign}") for sign in _SIGNS},
    )
    how = say("figure_beam", width=tree["width"], alpha=f"{tree['alpha']:g}")
    title = picture_title("beam", how)
    return alone(title, sheet, note=say("beam_key_twice"))


def _way(parents: list[int], place: int) -> list[int]:
    way = []
    while place >= 0:
        way.append(place)
        place = parents[place]
    return way
