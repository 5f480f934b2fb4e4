"""Why a beam search and greedy decoding end in different translations, or in the same."""

from dataclasses import dataclass
from typing import Literal

from model_core.values.beam_tree import BeamNode, BeamTree

# "same": one translation. "total": the beam's is the more probable one. "penalty": it is less
# probable, and better only by the length penalty. "worse": greedy's scores better, and the beam had
# dropped it. "unended": greedy's reached the limit, and the beam's ends.
Outcome = Literal["same", "total", "penalty", "worse", "unended"]


@dataclass(frozen=True)
class Parting:
    """Where greedy decoding and the beam's best hypothesis part, and what comes of it."""

    outcome: Outcome
    step: int | None  # the first at which their tokens differ, from 1; None where they are the same
    greedy: BeamNode  # the end of greedy's hypothesis: its total, penalty and score
    beam: BeamNode  # the end of the beam's best
    greedy_token: BeamNode | None  # what each takes at that step
    beam_token: BeamNode | None
    dropped: int | None  # the step at which greedy's hypothesis left the beam; None where it stayed


def parting_of(tree: BeamTree, greedy: BeamTree) -> Parting:
    """How the best hypothesis of a beam differs from that of width 1, searched from one start."""
    beam_path = [tree.nodes[place] for place in tree.path(tree.winner)]
    greedy_path = [greedy.nodes[place] for place in greedy.path(greedy.winner)]
    ends = {"greedy": greedy_path[-1], "beam": beam_path[-1]}
    pairs = list(zip(greedy_path, beam_path, strict=False))
    parted = next((pair for pair in pairs if pair[0].token != pair[1].token), None)
    if parted is None:
        return Parting("same", None, **ends, greedy_token=None, beam_token=None, dropped=None)
    greedy_token, beam_token = parted
    dropped = dropped_at(tree, tuple(node.token for node in greedy_path))
    return Parting(
        _outcome(ends["greedy"], ends["beam"]),
        greedy_token.step,
        **ends,
        greedy_token=greedy_token,
        beam_token=beam_token,
        dropped=dropped,
    )


def dropped_at(tree: BeamTree, tokens: tuple[int, ...]) -> int | None:
    """The step at which a hypothesis left the beam; None where it was found or lived to the end."""
    places = tree.follow(tokens)
    for step, place in enumerate(places, start=1):
        if tree.nodes[place].fate == "pruned":
            return step
    if len(places) == len(tokens) or len(places) == tree.steps:
        return None
    return len(places) + 1


def _outcome(greedy: BeamNode, beam: BeamNode) -> Outcome:
    if beam.fate == "finished" and greedy.fate != "finished":
        return "unended"
    if beam.score < greedy.score:
        return "worse"
    return "total" if beam.total > greedy.total else "penalty"
