"""A beam search as a tree: every hypothesis that it looked at and what became of it.

Frozen values; steps count from 1, ranks and places among the nodes from 0.
"""

from dataclasses import dataclass
from typing import Literal

Fate = Literal["kept", "pruned", "finished"]
Ending = Literal["enough", "best", "limit", "nothing"]


@dataclass(frozen=True)
class BeamNode:
    """A hypothesis at the step that added its last token."""

    step: int
    parent: int | None  # its place among the nodes; None: what there was before the search
    token: int
    log_probability: float  # nats, of this token after those before it
    total: float  # nats, of the whole hypothesis and what came before the search
    penalty: float  # the length penalty that the total is divided by
    score: float
    rank: int  # among all candidates of the step, by their totals
    fate: Fate
    # The step at which the last hypothesis that began as this one left the beam; None where one
    # finished, or lived when the search ended.
    died: int | None


@dataclass(frozen=True, eq=False)
class BeamTree:
    """The whole search of one sentence.

    Of each step the tree has the candidates that were kept or finished, and of those pruned the
    best `2 * width` of the step and the best one of every hypothesis.
    """

    width: int
    alpha: float  # of the length penalty
    limit: int  # in tokens, with those chosen before the search
    before_tokens: int  # that were chosen before the search
    before_total: float  # nats, of those
    nodes: tuple[BeamNode, ...]  # by step, then by rank
    considered: tuple[int, ...]  # candidates of each step, the best 2 * width of every hypothesis
    # Why the search ended: `width` hypotheses are finished, no living one can become better than
    # the best of them, the limit was reached, or none lives.
    ending: Ending
    found: tuple[int, ...]  # places of the hypotheses that were found, the best first

    @property
    def steps(self) -> int:
        """How many steps the search took."""
        return len(self.considered)

    @property
    def winner(self) -> int:
        """The place of the best hypothesis."""
        return self.found[0]

    def path(self, place: int) -> tuple[int, ...]:
        """The places of a hypothesis and of all that it grew from, the first token's first."""
        places = [place]
        while (parent := self.nodes[places[-1]].parent) is not None:
            places.append(parent)
        return tuple(reversed(places))

    def tokens(self, place: int) -> tuple[int, ...]:
        """The tokens of a hypothesis from the search's beginning, its end token included."""
        return tuple(self.nodes[one].token for one in self.path(place))

    def follow(self, tokens: tuple[int, ...]) -> tuple[int, ...]:
        """The places of the hypotheses that these tokens make one by one, as far as there are."""
        children: dict[tuple[int | None, int], int] = {
            (node.parent, node.token): place for place, node in enumerate(self.nodes)
        }
        places: list[int] = []
        parent: int | None = None
        for token in tokens:
            parent = children.get((parent, token))
            if parent is None:
                break
            places.append(parent)
        return tuple(places)
