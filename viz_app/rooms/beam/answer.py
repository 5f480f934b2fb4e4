"""What the room Beam is answered: a beam search as a tree, and the attention of one hypothesis."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from model_core.studies.checks import check_place
from model_core.values.beam_tree import BeamTree, parting_of
from model_core.values.recipe import Choice, Recipe
from viz_app.rooms.beam.view import BeamView
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer
from viz_app.values.tables import Axis, TableOf

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

WIDTH = 5  # where nobody chose; the strategy's comes first
_OF_NODE = ("step", "log_probability", "total", "penalty", "score", "rank", "fate")


def answer(tracer: "Tracer", recipe: Recipe, view: BeamView) -> Answer:
    """The tree from where the view begins it, greedy decoding beside it, and one hypothesis.

    Places of nodes count from 0; a parent of -1 is what there was before the search, and what died
    at step 0 did not.
    """
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
    values: dict[str, Any] = {"map": _map_of(tracer, begun, tree, made)}
    if view.part == "node":
        return Answer(made, values)
    greedy = tracer.tree(begun, 1, alpha)
    tokens = tracer.labels([one.token for one in tree.nodes])
    values |= {
        "begun": tracer.evaluate(begun).target,
        "taken": len(begun.target),
        "forced": forced,
        "tokens": tokens,
        "tree": _tree(tree),
        "found": _found(tracer, begun, tree),
        "greedy": _greedy(tracer, begun, tree, greedy),
        "parting": parting_of(tree, greedy),
    }
    values["of_nodes"] = {
        "step": [one.step for one in tree.nodes],
        "parent": [0 if one.parent is None else one.parent + 1 for one in tree.nodes],
        "token_id": [one.token for one in tree.nodes],
        **{name: [getattr(one, name) for one in tree.nodes] for name in _OF_NODE[1:5]},
        "rank": [one.rank + 1 for one in tree.nodes],
        "kept": [one.fate == "kept" for one in tree.nodes],
        "finished": [one.fate == "finished" for one in tree.nodes],
        "died": [one.died or 0 for one in tree.nodes],
    }
    found = Axis.of("hypothesis", values["found"]["texts"])
    tables = (
        TableOf(
            "nodes",
            (Axis.of("node", tokens),),
            {one: f"of_nodes.{one}" for one in values["of_nodes"]},
        ),
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


def _tree(tree: BeamTree) -> dict[str, Any]:
    names = ("width", "limit", "before_tokens", "before_total", "considered", "ending")
    return {
        "alpha": tree.rule.alpha,
        "formula": tree.rule.penalty,
        **{name: getattr(tree, name) for name in names},
        "found": tree.found,
        "parent": [-1 if one.parent is None else one.parent for one in tree.nodes],
        "died": [one.died or 0 for one in tree.nodes],
        **{name: [getattr(one, name) for one in tree.nodes] for name in _OF_NODE},
    }


def _found(tracer: "Tracer", begun: Recipe, tree: BeamTree) -> dict[str, Any]:
    """The hypotheses that were found, the best first, with their texts."""
    nodes = [tree.nodes[place] for place in tree.found]
    ids = [begun.target_ids + tree.tokens(place) for place in tree.found]
    numbers = {
        name: [getattr(one, name) for one in nodes] for name in ("total", "penalty", "score")
    }
    return {"texts": [tracer.model.text(one) for one in ids], **numbers}


def _greedy(tracer: "Tracer", begun: Recipe, tree: BeamTree, greedy: BeamTree) -> dict[str, Any]:
    """What greedy decoding writes, and where that stands in the tree, as far as it does."""
    ids = greedy.tokens(greedy.winner)
    return {
        "tokens": tracer.labels(ids),
        "text": tracer.model.text(begun.target_ids + ids),
        "places": tree.follow(ids),
    }


def _map_of(tracer: "Tracer", begun: Recipe, tree: BeamTree, view: Any) -> dict[str, Any]:
    """The rows of one head that wrote a hypothesis: one for each token that the search chose."""
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
