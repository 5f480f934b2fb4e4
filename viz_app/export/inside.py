"""What the views of the room Inside a head hold: one row of a head, what becomes of it, a way."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from model_core.trace import Decoding
from viz_app.export.tables import Axis, Table
from viz_app.export.translation import Filled, require
from viz_app.export.unpack import Answer, floats_of, token_axis, tokens_of
from viz_app.export.view import View
from viz_app.figures import inside as figures
from viz_app.figures.look import LOOK


def _cell(view: View, ask: Callable[..., Answer], decoding: Decoding) -> tuple[View, Answer]:
    """The view with its query, and the answer of the room with its numbers unpacked."""
    queries = len(decoding.source if view.site == "encoder" else decoding.steps)
    query = min(2, queries) if view.query is None else view.query
    answer = ask(
        view="cell",
        site=view.site,
        layer=(view.layer or 1) - 1,
        head=(view.head or 1) - 1,
        query=query - 1,
    )
    answer["queries"], answer["keys"] = tokens_of(answer["queries"]), tokens_of(answer["keys"])
    K, E = len(answer["keys"]), len(floats_of(answer["q_E"], (-1,)))
    answer |= {name: floats_of(answer[name], _shape(name, K, E)) for name in _CELL}
    answer["allowed_K"] = np.array(answer["allowed_K"])
    if view.key is not None:
        require(view.key, K, "key", f"there are keys 1 to {K}")
    return replace(view, query=query), answer


def head(view: View, ask: Callable[..., Answer], about: Any, decoding: Decoding) -> Filled:
    """One row of a head, from products to weighted values."""
    view, answer = _cell(view, ask, decoding)
    key, E = view.key, len(answer["q_E"])
    by_key, by_dimension = token_axis("key", answer["keys"]), Axis("dimension", E, start=0)
    tables = (
        Table("row", (by_key,), {n: answer[n] for n in ("allowed_K", *_OF_KEYS)}),
        Table("dimensions", (by_key, by_dimension), {n: answer[n] for n in _OF_BOTH}),
        Table("query", (by_dimension,), {n: answer[n] for n in ("q_E", "context_E")}),
    )
    return view, tables, lambda look: figures.head_figure(answer, key, look, about(look))


_OF_KEYS = ("sums_K", "scores_K", "exponentials_K", "weights_K")
_OF_BOTH = ("k_KE", "factor_KE", "other_KE", "products_KE", "v_KE", "weighted_KE")
_CELL = (*_OF_KEYS, *_OF_BOTH, "q_E", "context_E")


def _shape(name: str, K: int, E: int) -> tuple[int, ...]:
    return {"K": (K,), "KE": (K, E), "E": (E,)}[name.rpartition("_")[2]]


def output(view: View, ask: Callable[..., Answer], about: Any, decoding: Decoding) -> Filled:
    """What becomes of a row: the shares of all heads, their sum, the residual, the norm."""
    view, answer = _cell(view, ask, decoding)
    for name in ("sublayer", "norm"):
        answer[name] = {
            array: floats_of(values, (-1,)) if array.endswith("_D") else values
            for array, values in answer[name].items()
        }
    answer["output_bias_D"] = floats_of(answer["output_bias_D"], (-1,))
    D = answer["D"]
    answer["shares_HD"] = floats_of(answer["shares_HD"], (-1, D))
    H = len(answer["shares_HD"])
    by_dimension = Axis("dimension", D, start=0)
    sublayer = {f"{name}_D": answer["sublayer"][f"{name}_D"] for name in _PASSED}
    tables = (
        Table("heads", (Axis("head", H), by_dimension), {"share_HD": answer["shares_HD"]}),
        Table("sublayer", (by_dimension,), {"bias_D": answer["output_bias_D"], **sublayer}),
        Table(
            "norm",
            (by_dimension,),
            {f"{name}_D": answer["norm"][f"{name}_D"] for name in _NORMED},
        ),
    )
    return view, tables, lambda look: figures.output_figure(answer, look, about(look))


_PASSED = ("entered", "read", "made", "sum", "passed")
_NORMED = ("entered", "gain", "bias", "left")


def way(view: View, ask: Callable[..., Answer], about: Any, decoding: Decoding) -> Filled:
    """One token after every stage of the model."""
    position = 1 if view.query is None else view.query
    answer = ask(view="way", side=view.side, position=position - 1)
    answer["tokens"] = tokens_of(answer["tokens"])
    for name in ("embedding_D", "position_D", "sum_D", "output_D"):
        if answer[name] is not None:
            answer[name] = floats_of(answer[name], (-1,))
    answer["sublayers"] = [
        {n: v if n == "name" else floats_of(v, (-1,)) for n, v in sublayer.items()}
        for sublayer in answer["sublayers"]
    ]
    stages = figures.stages_of(answer, LOOK)
    values_SD = np.stack([vector for _, vector in stages])
    axes = (
        Axis.of("stage", [name for name, _ in stages]),
        Axis("dimension", values_SD.shape[1], start=0),
    )
    view = replace(view, query=position)
    table = Table("way", axes, {"value_SD": values_SD})
    return view, (table,), lambda look: figures.way_figure(answer, look, about(look))
