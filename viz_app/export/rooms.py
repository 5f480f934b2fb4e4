"""What the views of the rooms Masks, Positions and Inside a head hold.

Each asks the room's own `answer`, as the page does, so that a file and the page hold the same
numbers; here they are only unpacked and named.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.errors import RecipeError
from model_core.recipe import Recipe
from model_core.trace import Decoding
from viz_app.export import inside
from viz_app.export.order import first_order, tokens_in, words_of
from viz_app.export.tables import Axis, Table
from viz_app.export.translation import Filled, placed, require
from viz_app.export.unpack import Answer, floats_of, mask_of, token_axis, tokens_of
from viz_app.export.view import View
from viz_app.figures import masks, positions
from viz_app.figures.attention import about_decoding
from viz_app.figures.look import Look, escaped
from viz_app.rooms import ROOMS
from viz_app.text import EXAMPLES

if TYPE_CHECKING:
    from model_core.tracer import Checkpoint, Library


TURNED_PAIR = (8, 3)  # query and key that the rotary view opens with, counted from 1


def in_room(library: "Library", recipe: Recipe, decoding: Decoding, view: View) -> Filled:
    """The view as it is shown, its tables, and what makes its figure."""
    checkpoint = library.tracer(recipe.model).checkpoint
    if view.view == "rotary":
        site = "encoder" if view.attention == "cross" else view.attention
        last = last_turned(decoding, site)
        query, key = (min(place, last) for place in TURNED_PAIR)
        view = replace(view, site=site, query=view.query or query, key=view.key or key)
    view = placed(view, checkpoint)
    text = checkpoint.target_tokenizer.decode(decoding.target.ids)

    def about(look: Look) -> str:
        return about_decoding(recipe.model, recipe.source, text, look)

    def ask(**request: Any) -> Answer:
        return ROOMS[view.room](library, {"recipe": recipe.to_json(), **request})

    if view.room == "masks":
        return _masks(view, ask, recipe, checkpoint)
    return _FILLED[view.view](view, ask, about, decoding)


def last_turned(decoding: Decoding, site: str) -> int:
    """The last token that the rotary view turns, counted from 1."""
    return len(decoding.source if site == "encoder" else decoding.steps)


def _first_batch(source: str, checkpoint: "Checkpoint") -> tuple[str, ...]:
    """The sentence and two examples that the model reads, a longer and a shorter one."""
    trained, encode = checkpoint.training.get("config", {}), checkpoint.source_tokenizer.encode
    languages = (trained.get("source_language", ""), trained.get("target_language", ""))
    most = checkpoint.config.max_positions
    examples = {*EXAMPLES.get(languages, ())} - {source}
    others = sorted((text for text in examples if len(encode(text)) <= most), key=len)
    return (source, others[-1], others[0]) if len(others) > 1 else (source, *others)


def _masks(
    view: View, ask: Callable[..., Answer], recipe: Recipe, checkpoint: "Checkpoint"
) -> Filled:
    sentences = view.sentences or _first_batch(recipe.source, checkpoint)
    shown = None if view.shown is None else view.shown - 1
    request = {"sentences": list(sentences), "shown": shown, "site": view.site}
    if view.view == "passes":
        answer = ask(**request, view="passes")
    else:
        breaks = {"causal": view.causal, "pads": view.pads, "fill": view.fill}
        answer = ask(**request, view="masks", breaks=breaks)
    answer = _unpacked_masks(answer)
    view = replace(view, sentences=tuple(sentences), shown=answer["shown"] + 1)
    queries, keys = token_axis("query", answer["queries"]), token_axis("key", answer["keys"])
    layer, head = view.layer or 1, view.head or 1
    model = answer["model"]

    def told(look: Look) -> str:
        batch = answer["batch"][answer["shown"]]["text"]
        number = look.word("figure_sentence", n=answer["shown"] + 1, m=len(answer["batch"]))
        return f"{escaped(model)}: {number} “{escaped(batch)}”"

    if view.view == "masks":
        arrays = {f"{name}_QK": mask for name, mask in answer["masks"].items() if mask is not None}
        table = Table("masks", (queries, keys), arrays)
        return view, (table,), lambda look: masks.masks_figure(answer, look, told(look))
    if view.view == "broken":
        table = _changes(answer)
        return view, (table,), lambda look: masks.broken_figure(answer, look, told(look))
    if view.view == "passes":
        once, stepped = (answer[n][layer - 1, head - 1] for n in ("once_LHQK", "stepped_LHQK"))
        arrays = {"allowed_QK": answer["allowed_QK"], "once_QK": once, "stepped_QK": stepped}
        table = Table("passes", (queries, keys), arrays)
        return (
            view,
            (table,),
            lambda look: masks.passes_figure(answer, layer, head, look, told(look)),
        )
    arrays = {
        "allowed_QK": answer["masks"]["combined"],
        "scores_QK": answer["scores_LHQK"][layer - 1, head - 1],
        "weights_QK": answer["weights_LHQK"][layer - 1, head - 1],
    }
    table = Table("scores", (queries, keys), arrays)
    return view, (table,), lambda look: masks.scores_figure(answer, layer, head, look, told(look))


def _unpacked_masks(answer: Answer) -> Answer:
    shown = answer["batch"][answer["shown"]]
    source, fed = tokens_of(shown["source"]), tokens_of(shown["fed"])
    if answer["view"] == "passes":
        source, fed = tokens_of(answer["source"]), tokens_of(answer["fed"])
    site = answer["site"]
    queries, keys = (source if site == "encoder" else fed), (fed if site == "decoder" else source)
    shape = (answer["layers"], answer["heads"], len(queries), len(keys))
    answer = answer | {"queries": queries, "keys": keys, "fed": fed}
    for name in ("scores", "weights", "once", "stepped"):
        if name in answer:
            answer[f"{name}_LHQK"] = floats_of(answer.pop(name), shape)
    for name in ("masks", "own"):
        if name in answer:
            answer[name] = {key: mask_of(rows) for key, rows in answer[name].items()}
    if "allowed" in answer:
        answer["allowed_QK"] = mask_of(answer.pop("allowed"))
    if "changes" in answer:
        answer["changes"] = [
            change | {name: tokens_of(change[name]) for name in ("intact", "broken")}
            for change in answer["changes"]
        ]
    return answer


def _changes(answer: Answer) -> Table:
    change = answer["changes"][answer["shown"]]
    T = len(change["distance"])
    return Table(
        "broken",
        (Axis.of("after", answer["fed"].texts[:T]),),
        {
            "distance_T": np.array(change["distance"]),
            "own_best": np.array(change["intact"].texts),
            "own_probability_T": np.array(change["intact_probability"]),
            "broken_best": np.array(change["broken"].texts),
            "broken_probability_T": np.array(change["broken_probability"]),
        },
    )


def _table(view: View, ask: Callable[..., Answer], about: Any, decoding: Decoding) -> Filled:
    answer = ask(study="table", kind=view.kind, side=view.side)
    P, D = answer["shape"]
    if D == 0:
        raise RecipeError(
            "This model has no positions, so there is no table. Choose another kind.", "no_table"
        )
    answer["table_PD"] = floats_of(answer["table"], (P, D))
    answer["similarity_PP"] = floats_of(answer["similarity"], (P, P))
    place = Axis("position", P, start=0)
    if view.view == "similarity":
        table = Table(
            "similarity",
            (place, Axis("other_position", P, start=0)),
            {"similarity_PP": answer["similarity_PP"]},
        )
        return view, (table,), lambda look: positions.similarity_figure(answer, look, about(look))
    if view.view == "positions":
        table = Table(
            "positions", (place, Axis("dimension", D, start=0)), {"value_PD": answer["table_PD"]}
        )
        return view, (table,), lambda look: positions.table_figure(answer, look, about(look))
    wanted = view.dimensions or tuple(sorted({D * part // 8 // 2 * 2 for part in range(6)}))
    wanted = wanted[: positions.MOST_CURVES]
    for dimension in wanted:
        require(dimension + 1, D, "dimension", f"dimensions are 0 to {D - 1}")
    table = Table(
        "curves",
        (place, Axis.of("dimension", [str(dimension) for dimension in wanted])),
        {"value_PD": answer["table_PD"][:, list(wanted)]},
    )
    view = replace(view, dimensions=wanted)
    return view, (table,), lambda look: positions.curves_figure(answer, wanted, look, about(look))


def _sum(view: View, ask: Callable[..., Answer], about: Any, decoding: Decoding) -> Filled:
    answer = ask(study="sum", side=view.side)
    shape = tuple(answer["shape"])
    answer["tokens"] = tokens_of(answer["tokens"])
    arrays = {
        f"{name}_TD": floats_of(answer.pop(name), shape)
        for name in ("embedding", "position", "sum")
    }
    answer |= arrays
    axes = (token_axis("token", answer["tokens"]), Axis("dimension", shape[1], start=0))
    table = Table("sum", axes, arrays)
    return view, (table,), lambda look: positions.sum_figure(answer, look, about(look))


def _order(view: View, ask: Callable[..., Answer], about: Any, decoding: Decoding) -> Filled:
    words = words_of(decoding.source)
    order = tokens_in(first_order(words, decoding.source), words)
    if view.order:
        order = [place - 1 for place in view.order]
    rows = None if view.places is None else list(view.places)
    answer = ask(
        study="order",
        order=order,
        rows=rows,
        site=view.site,
        layer=(view.layer or 1) - 1,
        head=(view.head or 1) - 1,
    )
    answer["source"], answer["target"] = tokens_of(answer["source"]), tokens_of(answer["target"])
    typed, target = answer["source"], answer["target"]
    queries = typed if view.site == "encoder" else target
    keys = target if view.site == "decoder" else typed
    shape = (len(queries), len(keys))
    for mode in ("on", "off"):
        held = dict(answer[mode])
        for name in ("before", "after", "difference"):
            held[f"{name}_QK"] = floats_of(held.pop(name), shape)
        answer[mode] = held
    held = answer["off" if view.positions_off else "on"]
    table = Table(
        "order",
        (token_axis("query", queries), token_axis("key", keys)),
        {f"{name}_QK": held[f"{name}_QK"] for name in ("before", "after", "difference")},
    )
    view = replace(view, order=tuple(place + 1 for place in answer["order"]))
    off = view.positions_off
    return view, (table,), lambda look: positions.order_figure(answer, off, look, about(look))


def _rotary(view: View, ask: Callable[..., Answer], about: Any, decoding: Decoding) -> Filled:
    answer = ask(
        study="rotary",
        site=view.site,
        layer=(view.layer or 1) - 1,
        head=(view.head or 1) - 1,
        query=(view.query or 1) - 1,
        key=(view.key or 1) - 1,
    )
    answer["tokens"] = tokens_of(answer["tokens"])
    (Q, E), P = answer["shape"], answer["positions"]
    for name in ("scores", "turned_scores"):
        answer[f"{name}_QQ"] = floats_of(answer.pop(name), (Q, Q))
    answer["placed_scores_PP"] = floats_of(answer.pop("placed_scores"), (P, P))
    queries, keys = token_axis("query", answer["tokens"]), token_axis("key", answer["tokens"])
    scores = {name: answer[name] for name in ("scores_QQ", "turned_scores_QQ")}
    vectors = {f"{name}_QE": floats_of(answer[name], (Q, E)) for name in _TURNED}
    answer |= vectors
    placed_axes = (Axis("query_position", P, start=0), Axis("key_position", P, start=0))
    tables = (
        Table("scores", (queries, keys), scores),
        Table("placed", placed_axes, {"placed_scores_PP": answer["placed_scores_PP"]}),
        Table("vectors", (queries, Axis("dimension", E, start=0)), vectors),
    )
    if view.pair is not None:
        pairs = len(answer["frequencies"])
        require(view.pair + 1, pairs, "pair", f"pairs are 0 to {pairs - 1}")
    view = replace(view, query=answer["query"] + 1, key=answer["key"] + 1)
    return view, tables, lambda look: positions.rotary_figure(answer, view.pair, look, about(look))


_TURNED = ("q", "k", "turned_q", "turned_k")


_FILLED: dict[str, Callable[..., Filled]] = {
    **dict.fromkeys(("positions", "curves", "similarity"), _table),
    "sum": _sum,
    "order": _order,
    "rotary": _rotary,
    "head": inside.head,
    "output": inside.output,
    "way": inside.way,
}
