"""What the room Compare is answered: two runs side by side, and how far they are apart.

A is the recipe that is asked about, B another one. Everything stands on axes that both share:
a place of an axis is a token of A, one of B, or both; what has no counterpart is NaN, never zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from model_core.checkpoints.snapshots import parted
from model_core.errors import RecipeError, SourceTooLong
from model_core.values.edits import Edit
from model_core.values.recipe import Choice, Recipe, RecipeJson, Strategy
from model_core.values.trace import AttentionTrace, Decoding, Side, Site, Tokens
from model_core.values.words import text_of, words_of
from viz_app.rooms.compare.aligned import Pair, aligned, common, joined, words_beside
from viz_app.rooms.compare.steps import Parting, TwoSteps, has_same_vocabulary, parting, steps_of
from viz_app.rooms.compare.view import CompareView
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer, cut_notice
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Floats, Mask, Noticed

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.studies.head import HeadVectors

_WIDTH = 5  # of the beam that a greedy run is compared with
_MOST = 2**24  # weights of all heads that are compared; beyond only those of the two heads are

Numbers = Literal["weights", "scores", "norms", "vectors", "path"]


@dataclass(frozen=True, eq=False)
class Run:
    """One of the two: its recipe carried out."""

    tracer: "Tracer"
    recipe: Recipe
    decoding: Decoding


class _Run(TypedDict):
    recipe: RecipeJson
    weights: str
    source: Tokens
    target: Tokens
    prompt: int
    steps: int
    finished: str | None
    text: str


class _Place(TypedDict):
    """A head of a run, and how many there are."""

    layer: int
    head: int
    layers: int
    heads: int


class _Hidden(TypedDict):
    """Where each run has a mask."""

    a: Mask
    b: Mask


class _Cell(TypedDict):
    row: int
    column: int
    difference: float


class _Alike(TypedDict):
    """The head of B whose rows are the nearest to those of A's."""

    layer: int
    head: int
    distance: float | None


class Path(TypedDict):
    """How long the vectors of every token of a side are, stage by stage."""

    names: Sequence[str]
    stream_ST: Floats
    made_ST: Floats
    norm_place: str | None


class CompareAnswer(Noticed):
    """Two runs, A and B, on the axes that both share, (R, C)."""

    version: int
    site: Site
    rows: Side
    columns: Side
    stepped: bool
    align: str
    stale: bool
    numbers: Numbers  # which of a head `a` and `b` are
    offer: list[Numbers]  # those that both have
    unfed: Literal["target", "vocabulary"] | None  # why B cannot be fed A's tokens
    fed: bool  # whether it is
    words: list[tuple[str | None, str | None]]  # the two translations side by side
    runs: list[_Run]
    places: list[_Place]
    row_pairs: list[Pair]
    column_pairs: list[Pair]
    a: Floats
    b: Floats
    difference: Floats  # A - B
    hidden: _Hidden
    # The total variation distance of two rows of weights: how much of the attention lies elsewhere.
    row_distance: list[float | None]
    most: _Cell | None  # where they differ most; None where no cell has a counterpart
    # The mean of those distances of all heads, (L, H), for heads at the same place; None where the
    # models have not as many.
    heads: Floats | None
    alike: _Alike
    steps: list[TwoSteps]
    vectors: "list[HeadVectors] | None"  # q, k and v of both heads, of all tokens; likewise
    paths: list[Path] | None  # of A and of B, where those are the numbers
    parting: Parting | None


def beside(tracer: "Tracer", recipe: Recipe, view: CompareView) -> tuple[Recipe, ...]:
    """B, before it is carried to its end.

    Left open, it is the run without edits where A has some; else the same model earlier in its
    training, or another one for the same languages, on the same sentence; else the same model
    without positions, or by another strategy.
    """
    if view.b is not None:
        return (view.b,)
    given = next((n for n, one in enumerate(recipe.target) if one.how != "forced"), None)
    if recipe.edits:
        return (replace(recipe, edits=(), target=recipe.target[:given]),)
    comparable = tracer.others.comparable(recipe.model) if tracer.others is not None else ()
    if comparable:
        # At another update of its training it is fed A's tokens: every row has its like.
        is_same = parted(comparable[0])[0] == parted(recipe.model)[0]
        fed = tuple(Choice(one.token) for one in recipe.target) if is_same else ()
        return (Recipe(comparable[0], recipe.source, fed, recipe.pads, recipe.strategy),)
    if "no-positions" in tracer.anatomy.edits:
        edits = (Edit("no-positions"),)
        return (replace(recipe, edits=edits, target=recipe.target[:given]),)
    if not tracer.anatomy.predicts or tracer.anatomy.kind == "encoder":
        return (recipe,)
    by = Strategy() if recipe.strategy.kind == "beam" else Strategy("beam", width=_WIDTH)
    return (replace(recipe, target=recipe.target[:given], strategy=by),)


def answer(tracer: "Tracer", recipe: Recipe, view: CompareView) -> Answer[CompareAnswer]:
    """The room's answer; RecipeError where the two models have no attention in common."""
    a = Run(tracer, recipe, tracer.evaluate(recipe))
    b, stale, unfed = _other(a, view)
    view, like = _with_places(a, b, view)
    site: Any = view.site
    traces = (
        a.decoding.trace(site, view.layer or 0),
        b.decoding.trace(site, view.other_layer or 0),
    )
    how: Any = view.align or _usual(*traces)
    offer = _offer((a, b), traces)
    numbers: Numbers = next((one for one in offer if one == view.numbers), "weights")
    view = replace(view, align=how, numbers=numbers)
    rows, columns = _pairs(traces, how)
    heads = (view.head or 0, view.other_head or 0)
    weights_a_RC, weights_b_RC = (
        _spread(trace.weights_HQK[head], rows, columns, n)
        for n, (trace, head) in enumerate(zip(traces, heads, strict=True))
    )
    a_RC, b_RC = (
        _spread(_numbers(view.numbers, run, trace, head), rows, columns, n)
        for n, (run, trace, head) in enumerate(zip((a, b), traces, heads, strict=True))
    )
    hidden = [
        _spread((~trace.mask_QK).astype(np.float32), rows, columns, n) == 1
        for n, trace in enumerate(traces)
    ]
    difference_RC = a_RC - b_RC
    distance_R = _distance(weights_a_RC, weights_b_RC, rows)
    pairs = aligned(a.decoding.fed, b.decoding.fed, how)
    steps = steps_of((a.tracer, b.tracer), (a.decoding, b.decoding), pairs)
    one = a.tracer.anatomy.site(site)
    ends = b.decoding.steps and b.tracer.anatomy.kind == "encoder-decoder"
    is_cut = bool(ends) and b.decoding.finished is None
    values: CompareAnswer = {
        "version": 1,
        "site": site,
        "rows": one.rows,
        "columns": one.columns,
        "stepped": a.tracer.anatomy.is_stepped(site),
        "align": how,
        "stale": stale,
        "numbers": numbers,
        "offer": offer,
        "unfed": unfed,
        "fed": _is_fed(a.recipe, b.recipe),
        "words": words_beside(_written(a.decoding), _written(b.decoding)),
        "runs": [_run_json(run) for run in (a, b)],
        "places": [
            _place(a, site, view.layer, view.head),
            _place(b, site, view.other_layer, view.other_head),
        ],
        "row_pairs": rows,
        "column_pairs": columns,
        "a": a_RC,
        "b": b_RC,
        "difference": difference_RC,
        "hidden": {"a": hidden[0], "b": hidden[1]},
        "row_distance": [None if np.isnan(far) else far for far in distance_R.tolist()],
        "most": _most(difference_RC),
        "heads": _heads(a, b, site, rows, columns),
        "alike": like,
        "steps": steps,
        "vectors": _vectors((a, b), traces, heads) if numbers == "vectors" else None,
        "paths": [_path(run, one.rows) for run in (a, b)] if numbers == "path" else None,
        "parting": parting((a.decoding, b.decoding), (a.tracer, b.tracer)),
        **cut_notice(is_cut, b.tracer.most_steps),
    }
    made = replace(view, b=b.recipe, weights=b.tracer.model.fingerprint or None)
    return Answer(made, values, _tables(values, traces))


def _other(a: Run, view: CompareView) -> tuple[Run, bool, Literal["target", "vocabulary"] | None]:
    """B carried to its end, whether its tokens are of other weights and were dropped, and why it
    cannot be fed those of A; None where it can.

    A decoder alone, which may go on for long, is carried as far as A.
    """
    (recipe,) = beside(a.tracer, a.recipe, view)
    tracer = a.tracer.beside(recipe)
    stale = view.weights is not None and tracer.model.fingerprint != view.weights
    if stale:
        recipe = replace(recipe, target=())
    unfed = _unfed(a.tracer, tracer)
    if view.feed == "a" and unfed is None:
        recipe = replace(recipe, target=_as_forced(a.recipe))
    elif view.feed == "own" and _is_fed(a.recipe, recipe):
        recipe = replace(recipe, target=())
    is_bounded = tracer.anatomy.kind == "encoder-decoder"
    count = None if is_bounded else max(0, len(a.recipe.target) - len(recipe.target))
    try:
        done, decoding = tracer.studied.of(
            ("carried", recipe, count), lambda: tracer.extend(recipe, count)
        )
    except SourceTooLong as error:
        message = f"B is {recipe.model}. {error}"
        raise SourceTooLong(message, "compare_tokens", b=recipe.model, **error.values) from error
    return Run(tracer, done, decoding), stale, unfed


def _as_forced(a: Recipe) -> tuple[Choice, ...]:
    return tuple(Choice(one.token) for one in a.target)


def _is_fed(a: Recipe, b: Recipe) -> bool:
    """Whether B reads the target tokens of A, as what was forced."""
    return a.target != () and b.target[: len(a.target)] == _as_forced(a)


def _unfed(a: "Tracer", b: "Tracer") -> Literal["target", "vocabulary"] | None:
    """Why a model cannot read the target tokens of another; None where it can."""
    if not all(one.anatomy.predicts and one.anatomy.kind != "encoder" for one in (a, b)):
        return "target"
    return None if has_same_vocabulary((a, b)) else "vocabulary"


def _written(decoding: Decoding) -> list[str]:
    """The words of a translation, without what there was before it and without its end."""
    target = decoding.target
    return [
        text_of(word, target)
        for word in words_of(target)
        if word[0] >= decoding.prompt and target.kinds[word[0]] != "special"
    ]


def _offer(runs: tuple[Run, Run], traces: tuple[AttentionTrace, ...]) -> list[Numbers]:
    """Which numbers of a head both runs have."""
    if any(trace.is_bare for trace in traces):
        return ["weights"]
    is_whole = any(run.tracer.anatomy.reads_whole for run in runs)
    if is_whole:
        return ["weights", "scores"]
    has_path = not any("inside" in run.tracer.anatomy.refused for run in runs)
    return ["weights", "scores", "norms", *(("vectors", "path") if has_path else ())]


def _vectors(
    runs: tuple[Run, Run], traces: tuple[AttentionTrace, ...], heads: tuple[int, int]
) -> "list[HeadVectors]":
    from model_core.studies.head import head_vectors  # imports torch

    found = []
    for run, trace, head in zip(runs, traces, heads, strict=True):
        model, cache = run.tracer.model, run.tracer.studied
        vectors = head_vectors(model, run.decoding, trace.site, trace.layer, head, cache)
        found.append(vectors)
    return found


def _path(run: Run, side: Side) -> Path:
    from model_core.studies.path import path_lengths  # imports torch

    model = run.tracer.model
    lengths = path_lengths(model, run.decoding, side, run.tracer.studied)
    return {
        "names": lengths.names,
        "stream_ST": lengths.stream_ST,
        "made_ST": lengths.made_ST,
        "norm_place": model.facts.get("norm_place"),
    }


def _numbers(which: str | None, run: Run, trace: AttentionTrace, head: int) -> np.ndarray:
    """What is shown of a head, (Q, K): its weights, its scores where a key may be read, or the
    lengths of what each key hands over, its weight times the length of its value."""
    if which == "scores":
        scores_QK: np.ndarray = np.where(trace.mask_QK, trace.scores_HQK[head], np.float32(np.nan))
        return scores_QK
    weights_QK: np.ndarray = trace.weights_HQK[head]
    if which != "norms":
        return weights_QK
    from model_core.studies.readings import value_norms  # imports torch

    tracer, recipe = run.tracer, run.recipe
    norms_LHK = value_norms(tracer.model, run.decoding, trace.site, recipe.edits, tracer.studied)
    return weights_QK * norms_LHK[trace.layer, head]


def _with_places(a: Run, b: Run, view: CompareView) -> tuple[CompareView, _Alike]:
    """The view with a head of each, and the head of B that is most like that of A.

    Left open, B's head is A's where the model is the same, at whatever update of its training; of
    another model it is the one that is most like A's.
    """
    sites = [one.site for one in a.tracer.anatomy.sites if b.tracer.anatomy.has(one.site)]
    if not sites:
        message = (
            f"{a.recipe.model} and {b.recipe.model} have no attention in common, so there is "
            "nothing to lay side by side."
        )
        raise RecipeError(message, "compare_sites", a=a.recipe.model, b=b.recipe.model)
    first: Any = a.tracer.anatomy.first_site.site
    site: Any = next(one for one in (view.site, first, sites[0]) if one in sites)
    layer, head = placed(a.tracer.model, site, view.layer, view.head)
    view = replace(view, site=site, layer=layer, head=head)
    like = _most_alike(a, b, view)
    other = view.other_layer, view.other_head
    if other == (None, None):
        is_same = parted(a.recipe.model)[0] == parted(b.recipe.model)[0]
        other = (layer, head) if is_same else (like["layer"], like["head"])
    b_layer, b_head = placed(b.tracer.model, site, *other)
    return replace(view, other_layer=b_layer, other_head=b_head), like


def _usual(*traces: AttentionTrace) -> str:
    """By text, where at least half of the tokens then have a counterpart."""
    rows, columns = _pairs(traces, "text")
    found = len(common(rows)[0]) + len(common(columns)[0])
    least = sum(min(len(x), len(y)) for x, y in zip(*map(_sides, traces), strict=True))
    return "text" if 2 * found >= least else "position"


def _sides(trace: AttentionTrace) -> tuple[Tokens, Tokens]:
    return trace.queries, trace.keys


def _pairs(traces: tuple[AttentionTrace, ...], how: str) -> tuple[list[Pair], list[Pair]]:
    (a_rows, a_columns), (b_rows, b_columns) = map(_sides, traces)
    return aligned(a_rows, b_rows, how), aligned(a_columns, b_columns, how)


def _spread(values_QK: np.ndarray, rows: list[Pair], columns: list[Pair], which: int) -> np.ndarray:
    """An array of A (0) or B (1) on the common axes, (R, C); NaN where it has no such token."""
    spread_RC = np.full((len(rows), len(columns)), np.nan, np.float32)
    at_rows = [(at, pair[which]) for at, pair in enumerate(rows) if pair[which] is not None]
    at_columns = [(at, pair[which]) for at, pair in enumerate(columns) if pair[which] is not None]
    if at_rows and at_columns:
        to_Q, from_Q = zip(*at_rows, strict=True)
        to_K, from_K = zip(*at_columns, strict=True)
        spread_RC[np.ix_(to_Q, to_K)] = values_QK[np.ix_(from_Q, from_K)]
    return spread_RC


def _distance(a_RC: np.ndarray, b_RC: np.ndarray, rows: list[Pair]) -> np.ndarray:
    """Half of the sum of |A - B| of each row that both have, (R); else NaN.

    What a row gives to a token without counterpart lies elsewhere, all of it.
    """
    apart_RC = np.abs(np.nan_to_num(a_RC.astype(np.float64)) - np.nan_to_num(b_RC))
    is_both_R = np.array([None not in pair for pair in rows], bool)
    return np.where(is_both_R, apart_RC.sum(axis=1) / 2, np.nan)


def _most(difference_RC: np.ndarray) -> _Cell | None:
    if not np.isfinite(difference_RC).any():
        return None
    row, column = divmod(int(np.nanargmax(np.abs(difference_RC))), difference_RC.shape[1])
    return {"row": row, "column": column, "difference": float(difference_RC[row, column])}


def _mean_distance(a_HQK: np.ndarray, b_HQK: np.ndarray, *pairs: list[Pair]) -> np.ndarray:
    """`_distance` of the heads of two layers, meant over the rows that both have: (H)."""
    (rows_a, rows_b), (keys_a, keys_b) = map(common, pairs)
    if not rows_a:
        return np.full(max(len(a_HQK), len(b_HQK)), np.nan)
    a_HRK, b_HRK = a_HQK[:, rows_a].astype(np.float64), b_HQK[:, rows_b].astype(np.float64)
    here_HR = np.abs(a_HRK[..., keys_a] - b_HRK[..., keys_b]).sum(axis=2)
    alone_HR = sum(
        np.delete(one_HRK, keys, axis=2).sum(axis=2)
        for one_HRK, keys in ((a_HRK, keys_a), (b_HRK, keys_b))
    )
    mean_H: np.ndarray = (here_HR + alone_HR).mean(axis=1) / 2
    return mean_H


def _heads(a: Run, b: Run, site: Any, rows: list[Pair], columns: list[Pair]) -> np.ndarray | None:
    """How far heads at the same place are apart, (L, H); None where there are not as many."""
    of_a, of_b = (run.tracer.anatomy.site(site) for run in (a, b))
    cells = of_a.layers * of_a.heads * len(rows) * len(columns)
    if (of_a.layers, of_a.heads) != (of_b.layers, of_b.heads) or cells > _MOST:
        return None
    layers = [
        (a.decoding.trace(site, layer).weights_HQK, b.decoding.trace(site, layer).weights_HQK)
        for layer in range(of_a.layers)
    ]
    far_LH = [_mean_distance(mine, its, rows, columns) for mine, its in layers]
    return np.array(far_LH, np.float32)


def _most_alike(a: Run, b: Run, view: CompareView) -> _Alike:
    site: Any = view.site
    mine = a.decoding.trace(site, view.layer or 0)
    mine_HQK = mine.weights_HQK[view.head or 0][None]
    far_LH = []
    for layer in range(b.tracer.anatomy.site(site).layers):
        its = b.decoding.trace(site, layer)
        how: Any = view.align or _usual(mine, its)
        far_LH.append(_mean_distance(mine_HQK, its.weights_HQK, *_pairs((mine, its), how)))
    nearest = int(np.argmin(np.nan_to_num(np.array(far_LH), nan=2)))
    layer, head = divmod(nearest, len(far_LH[0]))
    far = float(far_LH[layer][head])
    return {"layer": layer, "head": head, "distance": None if np.isnan(far) else far}


def _run_json(run: Run) -> _Run:
    model = run.tracer.model
    return {
        "recipe": run.recipe.to_json(),
        "weights": model.fingerprint,
        "source": run.decoding.source,
        "target": run.decoding.target,
        "prompt": run.decoding.prompt,
        "steps": len(run.decoding.steps),
        "finished": run.decoding.finished,
        "text": run.tracer.text(run.decoding),
    }


def _place(run: Run, site: str, layer: int | None, head: int | None) -> _Place:
    found = run.tracer.anatomy.site(site)
    return {
        "layer": layer or 0,
        "head": head or 0,
        "layers": found.layers,
        "heads": found.heads,
    }


def _tables(values: CompareAnswer, traces: tuple[AttentionTrace, ...]) -> Tables:
    axes = tuple(
        Axis.of(name, joined(pairs, texts))
        for name, pairs, texts in (
            ("query", values["row_pairs"], [trace.queries.texts for trace in traces]),
            ("key", values["column_pairs"], [trace.keys.texts for trace in traces]),
        )
    )
    if values["stepped"]:  # a row is a step: it reads a token and writes the next one
        axes = (_as_steps(axes[0], values), axes[1])
    maps = {"a_RC": "a", "b_RC": "b", "difference_RC": "difference"}
    tables = [TableOf("compare", axes, maps)]
    if values["heads"] is not None:
        L, H = values["heads"].shape
        by_head = (Axis("layer", L), Axis("head", H))
        tables.append(TableOf("heads", by_head, {"distance_LH": "heads"}))
    for at, (trace, vectors) in enumerate(zip(traces, values["vectors"] or (), strict=False)):
        by_dimension = Axis("dimension", vectors.q_QE.shape[1], start=0)
        by_query, by_key = Axis.of("query", trace.queries.texts), Axis.of("key", trace.keys.texts)
        of, name = f"vectors.{at}.", "ab"[at]
        tables += [
            TableOf(f"q_{name}", (by_query, by_dimension), {"q_QE": f"{of}q_QE"}),
            TableOf(
                f"kv_{name}", (by_key, by_dimension), {one: of + one for one in ("k_KE", "v_KE")}
            ),
            TableOf(f"cosine_{name}", (by_query, by_key), {"cosine_QK": f"{of}cosine_QK"}),
        ]
    for at, (run, path) in enumerate(zip(values["runs"], values["paths"] or (), strict=False)):
        tokens = run[values["rows"]][: path["stream_ST"].shape[1]]
        by_stage, by_token = Axis.of("stage", path["names"]), Axis.of("token", tokens)
        arrays = {f"{one}_ST": f"paths.{at}.{one}_ST" for one in ("stream", "made")}
        tables.append(TableOf(f"path_{'ab'[at]}", (by_stage, by_token), arrays))
    return {"compare": tuple(tables)}


def _as_steps(rows: Axis, values: CompareAnswer) -> Axis:
    """The rows by what each step reads and what it writes, as the page says them."""
    written = [[*run["target"].texts[1:], "…"] for run in values["runs"]]
    after = joined(values["row_pairs"], written)
    pairs = zip(rows.tokens or (), after, strict=True)
    return Axis.of(rows.name, [" → ".join(pair) for pair in pairs])
