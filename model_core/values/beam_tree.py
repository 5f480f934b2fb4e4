"""A beam search as a tree: every hypothesis that it looked at, what became of it, and why greedy
decoding ends elsewhere.

Frozen values; steps count from 1, ranks and places among the nodes from 0.
"""

from dataclasses import dataclass
from typing import Literal

Fate = Literal["kept", "pruned", "finished"]
# "likely" and "bound" are as the search of transformers guesses, see `Rule.stops`.
Ending = Literal["enough", "best", "likely", "bound", "limit", "nothing"]
# "same": one translation. "total": the beam's is the more probable one. "penalty": it is less
# probable, and better only by the length penalty. "worse": greedy's scores better, and the beam had
# dropped it. "unended": greedy's reached the limit, and the beam's ends.
PartingOutcome = Literal["same", "total", "penalty", "worse", "unended"]


@dataclass(frozen=True)
class Rule:
    """How a beam search scores what it finds, and when it has found enough."""

    alpha: float = 0.6  # of the length penalty; within the range Wu et al. 2016 recommend
    # "wu": ((5 + length) / 6) ** alpha (equation 14 there). "power": length ** alpha, as `generate`
    # of transformers has it.
    penalty: Literal["wu", "power"] = "wu"
    # "best": when as many as live are finished, or no living one can become better than the best.
    # The others are those of `generate`: "full": when as many as live are finished. "likely": when
    # besides no living one would be better than the worst of these if it ended now; "never": when
    # besides none can become better. There what the limit cuts off counts as finished.
    stops: Literal["best", "full", "likely", "never"] = "best"

    def divisor(self, length: int) -> float:
        """What the log-probability of a hypothesis is divided by; the end token counts.

        With alpha 0 it is 1, and a larger alpha favours longer translations.
        """
        return float(((5 + length) / 6 if self.penalty == "wu" else length) ** self.alpha)


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
    rule: Rule
    limit: int  # in tokens, with those chosen before the search
    before_tokens: int  # that were chosen before the search
    before_total: float  # nats, of those
    nodes: tuple[BeamNode, ...]  # by step, then by rank
    considered: tuple[int, ...]  # candidates of each step, the best 2 * width of every hypothesis
    # Why the search ended: `width` hypotheses are finished, no living one can (or would) become
    # better than these, the limit was reached, or none lives.
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


@dataclass(frozen=True)
class BeamParting:
    """Where greedy decoding and the beam's best hypothesis part, and what comes of it."""

    outcome: PartingOutcome
    step: int | None  # the first at which their tokens differ, from 1; None where they are the same
    greedy: BeamNode  # the end of greedy's hypothesis: its total, penalty and score
    beam: BeamNode  # the end of the beam's best
    greedy_token: BeamNode | None  # what each takes at that step
    beam_token: BeamNode | None
    dropped: int | None  # the step at which greedy's hypothesis left the beam; None where it stayed


def parting_of(tree: BeamTree, greedy: BeamTree) -> BeamParting:
    """How the best hypothesis of a beam differs from width 1, searched from the same start."""
    beam_path = [tree.nodes[place] for place in tree.path(tree.winner)]
    greedy_path = [greedy.nodes[place] for place in greedy.path(greedy.winner)]
    ends = {"greedy": greedy_path[-1], "beam": beam_path[-1]}
    pairs = list(zip(greedy_path, beam_path, strict=False))
    parted = next((pair for pair in pairs if pair[0].token != pair[1].token), None)
    if parted is None:
        return BeamParting("same", None, **ends, greedy_token=None, beam_token=None, dropped=None)
    greedy_token, beam_token = parted
    dropped = dropped_at(tree, tuple(node.token for node in greedy_path))
    return BeamParting(
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


def _outcome(greedy: BeamNode, beam: BeamNode) -> PartingOutcome:
    if beam.fate == "finished" and greedy.fate != "finished":
        return "unended"
    if beam.score < greedy.score:
        return "worse"
    return "total" if beam.total > greedy.total else "penalty"
