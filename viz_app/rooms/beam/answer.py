"""What the room Beam is answered: a beam search as a tree, and the attention of one hypothesis."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from model_core.studies.checks import check_place
from model_core.values.beam_tree import BeamNode, BeamParting, BeamTree, Ending, Fate, parting_of
from model_core.values.recipe import Choice, Recipe
from model_core.values.trace import Site, Tokens
from viz_app.rooms.beam.view import BeamView
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer
from viz_app.values.tables import Axis, TableOf
from viz_app.values.wire import Floats, Mask

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

WIDTH = 5  # where none is chosen; the strategy's comes first
# The columns of the table of nodes, and where in the answer each lies.
_COLUMNS = {
    "step": "tree.step",
    "parent": "of_nodes.parent",
    "token_id": "tokens.ids",
    "log_probability": "tree.log_probability",
    "total": "tree.total",
    "penalty": "tree.penalty",
    "score": "tree.score",
    "rank": "of_nodes.rank",
    "kept": "of_nodes.kept",
    "finished": "of_nodes.finished",
    "died": "tree.died",
}


class _Map(TypedDict):
    """The rows of one head that wrote a hypothesis: one for each token that the search chose."""

    node: int
    site: Site
    layer: int
    head: int
    read: Tokens
    written: Tokens
    keys: Tokens
    allowed: Mask
    weights: Floats


class _Tree(TypedDict):
    """The search; what is listed is one per node, but for `considered` and `found`."""

    alpha: float
    formula: Literal["wu", "power"]
    width: int
    limit: int
    before_tokens: int
    before_total: float
    considered: tuple[int, ...]  # candidates of each step
    ending: Ending
    found: tuple[int, ...]  # places of nodes, the best first
    parent: list[int]  # -1 is what there was before the search
    died: list[int]  # 0: it did not
    step: list[int]
    log_probability: list[float]
    total: list[float]
    penalty: list[float]
    score: list[float]
    rank: list[int]
    fate: list[Fate]


class _NodeColumns(TypedDict):
    """What the table of nodes counts from 1, or says otherwise than the tree; one per node."""

    parent: list[int]  # 0 is what there was before the search
    rank: list[int]
    kept: list[bool]
    finished: list[bool]


class _Found(TypedDict):
    """The hypotheses that were found, the best first, with their texts."""

    texts: list[str]
    total: list[float]
    penalty: list[float]
    score: list[float]


class _Greedy(TypedDict):
    """What greedy decoding writes, and where that stands in the tree, as far as it does."""

    tokens: Tokens
    text: str
    places: tuple[int, ...]


class Hypothesis(TypedDict):
    """The attention of one node of the tree."""

    map: _Map


class BeamAnswer(Hypothesis):
    """A search; places of nodes count from 0."""

    begun: Tokens
    taken: int
    forced: int
    tokens: Tokens
    tree: _Tree
    found: _Found
    greedy: _Greedy
    parting: BeamParting
    of_nodes: _NodeColumns


def answer(tracer: "Tracer", recipe: Recipe, view: BeamView) -> Answer[BeamAnswer | Hypothesis]:
    """The tree from where the view begins it, greedy decoding beside it, and one hypothesis."""
    strategy = recipe.strategy
    width = view.width or (strategy.width if strategy.kind == "beam" else WIDTH)
    alpha = tracer.anatomy.rule.alpha if view.alpha is None else view.alpha / 100
    begun, forced = _beginning(tracer, recipe, view)
    tree = tracer.tree(begun, width, alpha)
    node = tree.winner if view.node is None else view.node
    check_place(node, len(tree.nodes), "hypothesis")
    if view.step is not None:
        check_place(view.step, tree.steps, "step")
    site: Any = "cross" if tracer.anatomy.has("cross") else "decoder"
    layer, head = placed(tracer.model, site, view.layer, view.head)
    made = replace(
        view, site=site, layer=layer, head=head, width=width, alpha=round(100 * alpha), node=node
    )
    node_map = _map_of(tracer, begun, tree, made)
    if view.part == "node":
        return Answer(made, {"map": node_map})
    tokens = tracer.labels([one.token for one in tree.nodes])
    greedy = tracer.tree(begun, 1, alpha)
    values: BeamAnswer = {
        "map": node_map,
        "begun": tracer.evaluate(begun).target,
        "taken": len(begun.target),
        "forced": forced,
        "tokens": tokens,
        "tree": _tree(tree),
        "found": _found(tracer, begun, tree),
        "greedy": _greedy(tracer, begun, tree, greedy),
        "parting": parting_of(tree, greedy),
        "of_nodes": _of_nodes(tree.nodes),
    }
    found = Axis.of("hypothesis", values["found"]["texts"])
    tables = (
        TableOf("nodes", (Axis.of("node", tokens),), _COLUMNS),
        TableOf("found", (found,), {one: f"found.{one}" for one in ("total", "penalty", "score")}),
    )
    return Answer(made, values, {"beam": tables})


def _beginning(tracer: "Tracer", recipe: Recipe, view: BeamView) -> tuple[Recipe, int]:
    """The recipe that the search goes on from, and how many tokens there are up to a forced one."""
    hows = [choice.how for choice in recipe.target]
    forced = len(hows) - hows[::-1].index("forced") if "forced" in hows else 0
    # Nothing can follow what has ended.
    while forced and tracer.evaluate(replace(recipe, target=recipe.target[:forced])).finished:
        forced -= 1
    taken = forced if view.begin == "forced" else 0
    return replace(recipe, target=recipe.target[:taken]), forced


def _tree(tree: BeamTree) -> _Tree:
    return {
        "alpha": tree.rule.alpha,
        "formula": tree.rule.penalty,
        "width": tree.width,
        "limit": tree.limit,
        "before_tokens": tree.before_tokens,
        "before_total": tree.before_total,
        "considered": tree.considered,
        "ending": tree.ending,
        "found": tree.found,
        "parent": [-1 if one.parent is None else one.parent for one in tree.nodes],
        "died": [one.died or 0 for one in tree.nodes],
        "step": [one.step for one in tree.nodes],
        "log_probability": [one.log_probability for one in tree.nodes],
        "total": [one.total for one in tree.nodes],
        "penalty": [one.penalty for one in tree.nodes],
        "score": [one.score for one in tree.nodes],
        "rank": [one.rank for one in tree.nodes],
        "fate": [one.fate for one in tree.nodes],
    }


def _of_nodes(nodes: tuple[BeamNode, ...]) -> _NodeColumns:
    return {
        "parent": [0 if one.parent is None else one.parent + 1 for one in nodes],
        "rank": [one.rank + 1 for one in nodes],
        "kept": [one.fate == "kept" for one in nodes],
        "finished": [one.fate == "finished" for one in nodes],
    }


def _found(tracer: "Tracer", begun: Recipe, tree: BeamTree) -> _Found:
    nodes = [tree.nodes[place] for place in tree.found]
    ids = [begun.target_ids + tree.tokens(place) for place in tree.found]
    return {
        "texts": [tracer.model.text(one) for one in ids],
        "total": [one.total for one in nodes],
        "penalty": [one.penalty for one in nodes],
        "score": [one.score for one in nodes],
    }


def _greedy(tracer: "Tracer", begun: Recipe, tree: BeamTree, greedy: BeamTree) -> _Greedy:
    ids = greedy.tokens(greedy.winner)
    return {
        "tokens": tracer.labels(ids),
        "text": tracer.model.text(begun.target_ids + ids),
        "places": tree.follow(ids),
    }


def _map_of(tracer: "Tracer", begun: Recipe, tree: BeamTree, view: Any) -> _Map:
    chosen = tuple(Choice(token, "beam") for token in tree.tokens(view.node))
    decoding = tracer.evaluate(replace(begun, target=begun.target + chosen[:-1]))
    trace = decoding.trace(view.site, view.layer)
    first = len(trace.queries) - len(chosen)
    return {
        "node": view.node,
        "site": view.site,
        "layer": view.layer,
        "head": view.head,
        "read": trace.queries[first:],
        "written": tracer.labels([choice.token for choice in chosen]),
        "keys": trace.keys,
        "allowed": trace.mask_QK[first:],
        "weights": trace.weights_HQK[view.head, first:],
    }
