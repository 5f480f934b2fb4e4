"""The tree of a beam search, for the room Beam: the search itself, with every step kept."""

from dataclasses import replace

from model_core.decoding.beam import Beam, SearchSpace, stepping
from model_core.values.beam_tree import BeamNode, BeamTree


def grow(space: SearchSpace, width: int) -> BeamTree:
    """The tree of `search_from` for one row: the same hypotheses are found in it."""
    beam = Beam(space.limit, width, space.rule, space.before)
    nodes: list[BeamNode] = []
    considered: list[int] = []
    living: list[int | None] = [None]  # places of the hypotheses that live
    for _ in stepping([beam], space.start, space.never, space.ends):
        made = _nodes_of(beam, living, nodes, len(considered) + 1)
        considered.append(len(beam.ranked))
        first = len(nodes)
        nodes += made
        living = [first + at for at, node in enumerate(made) if node.fate == "kept"]
    return BeamTree(
        width=width,
        rule=beam.rule,
        limit=space.limit,
        before_tokens=beam.before.tokens,
        before_total=beam.before.log_probability,
        nodes=_with_deaths(nodes, [place for place in living if place is not None]),
        considered=tuple(considered),
        ending=beam.ending,
        found=_found(beam, nodes),
    )


def _nodes_of(
    beam: Beam, living: list[int | None], nodes: list[BeamNode], step: int
) -> list[BeamNode]:
    """What the tree keeps of the step that a beam has just taken, by rank."""
    made = []
    seen: set[int] = set()  # hypotheses of which a candidate is there
    for rank, (total, row, token) in enumerate(beam.ranked):
        fate = beam.fates[rank] if rank < len(beam.fates) else "pruned"
        if fate == "pruned" and rank >= 2 * beam.width and row in seen:
            continue
        seen.add(row)
        parent = living[row]
        start = beam.before.log_probability if parent is None else nodes[parent].total
        penalty = beam.divisor(beam.before.tokens + step)
        numbers = (total - start, total, penalty, total / penalty)
        made.append(BeamNode(step, parent, token, *numbers, rank, fate, died=None))
    return made


def _with_deaths(nodes: list[BeamNode], living: list[int]) -> tuple[BeamNode, ...]:
    """The nodes with the step at which the line of each ended."""
    lasting = set(living) | {at for at, node in enumerate(nodes) if node.fate == "finished"}
    last = [node.step for node in nodes]
    for place in range(len(nodes) - 1, -1, -1):  # children come after their parents
        parent = nodes[place].parent
        if parent is None:
            continue
        last[parent] = max(last[parent], last[place])
        if place in lasting:
            lasting.add(parent)
    return tuple(
        replace(node, died=None if place in lasting else last[place])
        for place, node in enumerate(nodes)
    )


def _found(beam: Beam, nodes: list[BeamNode]) -> tuple[int, ...]:
    """Where the hypotheses that the search found stand, the best first."""
    children = {(node.parent, node.token): place for place, node in enumerate(nodes)}
    places = []
    for found in beam.result():
        place: int | None = None
        for token in found.written:
            place = children[place, token]
        if place is not None:
            places.append(place)
    return tuple(places)
