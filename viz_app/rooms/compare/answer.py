"""What the room Compare is answered: two runs side by side, and how far they are apart.

A is the recipe that is asked about, B another one. Everything stands on axes that both share:
a place of an axis is a token of A, one of B, or both; what has no counterpart is NaN, never zero.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from model_core.checkpoints.snapshots import parted
from model_core.decoding.run import Run
from model_core.errors import RecipeError
from model_core.values.recipe import Recipe, RecipeJson
from model_core.values.trace import AttentionTrace, Side, Site, Tokens
from model_core.values.words import Words, by_words
from viz_app.rooms.compare.aligned import (
    Pair,
    aligned,
    aligned_at_their_first,
    joined,
    words_beside,
    words_written,
)
from viz_app.rooms.compare.apart import (
    AlikeHead,
    FarthestCell,
    distance,
    heads_apart,
    most,
    most_alike,
    pairs_of,
    spread,
    usual,
)
from viz_app.rooms.compare.runs import Unfed, other_run
from viz_app.rooms.compare.steps import Parting, TwoSteps, parting, steps_of
from viz_app.rooms.compare.view import CompareView
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer, cut_notice
from viz_app.text import named_error
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Floats, Mask, Noticed

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.studies.head import HeadVectors

Numbers = Literal["weights", "scores", "norms", "vectors", "path"]


# The places of a word's tokens in A, and in B; None where it has no such word.
WordPair = tuple[tuple[int, ...] | None, tuple[int, ...] | None]


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


class Path(TypedDict):
    """How long the vectors of every token of a side are, stage by stage."""

    names: Sequence[str]
    stream_ST: Floats
    made_ST: Floats
    norm_place: str | None


class CompareAnswer(Noticed):
    """Two runs, A and B, on the axes that both share, (R, C)."""

    site: Site
    rows: Side
    columns: Side
    stepped: bool
    align: str
    stale: bool
    numbers: Numbers  # which of a head `a` and `b` are
    offer: list[Numbers]  # those that both have
    unfed: Unfed | None  # why B cannot be fed A's tokens
    fed: bool  # whether it is
    words: list[tuple[str | None, str | None]]  # the two translations side by side
    runs: list[_Run]
    places: list[_Place]
    row_pairs: list[Pair]
    column_pairs: list[Pair]
    # Likewise the words that stand beside each other: the rows and columns of each, in each run.
    row_words: list[WordPair]
    column_words: list[WordPair]
    a: Floats
    b: Floats
    difference: Floats  # A - B
    hidden: _Hidden
    # The total variation distance of two rows of weights: how much of the attention lies elsewhere.
    row_distance: list[float | None]
    most: FarthestCell | None  # where they differ most; None where no cell has a counterpart
    # The mean of those distances of all heads, (L, H), for heads at the same place; None where the
    # models have not as many.
    heads: Floats | None
    alike: AlikeHead
    steps: list[TwoSteps]
    vectors: "list[HeadVectors] | None"  # q, k and v of both heads, of all tokens; likewise
    paths: list[Path] | None  # of A and of B, where those are the numbers
    parting: Parting | None


def answer(tracer: "Tracer", recipe: Recipe, view: CompareView) -> Answer[CompareAnswer]:
    """The room's answer; RecipeError where the two models have no attention in common."""
    a = Run(tracer, recipe, tracer.evaluate(recipe))
    b, stale, is_fed, unfed = other_run(a, view)
    view, like = _with_places(a, b, view)
    site: Any = view.site
    traces = (
        a.decoding.trace(site, view.layer or 0),
        b.decoding.trace(site, view.other_layer or 0),
    )
    how: Any = view.align or usual(*traces)
    offer = _offer((a, b), traces)
    numbers: Numbers = next((one for one in offer if one == view.numbers), "weights")
    view = replace(view, align=how, numbers=numbers)
    rows, columns = pairs_of(traces, how)
    heads = (view.head or 0, view.other_head or 0)
    weights_a_RC, weights_b_RC = (
        spread(trace.weights_HQK[head], rows, columns, n)
        for n, (trace, head) in enumerate(zip(traces, heads, strict=True))
    )
    a_RC, b_RC = (
        spread(_numbers(view.numbers, run, trace, head), rows, columns, n)
        for n, (run, trace, head) in enumerate(zip((a, b), traces, heads, strict=True))
    )
    hidden = [
        spread((~trace.mask_QK).astype(np.float32), rows, columns, n) == 1
        for n, trace in enumerate(traces)
    ]
    difference_RC = a_RC - b_RC
    row_words, column_words = _words_beside((a, b), site, how, rows)
    distance_R = distance(weights_a_RC, weights_b_RC, rows)
    pairs = aligned(a.decoding.fed, b.decoding.fed, how)
    steps = steps_of((a.tracer, b.tracer), (a.decoding, b.decoding), pairs)
    one = a.tracer.anatomy.site(site)
    ends = b.decoding.steps and b.tracer.anatomy.kind == "encoder-decoder"
    is_cut = bool(ends) and b.decoding.finished is None
    values: CompareAnswer = {
        "site": site,
        "rows": one.rows,
        "columns": one.columns,
        "stepped": a.tracer.anatomy.is_stepped(site),
        "align": how,
        "stale": stale,
        "numbers": numbers,
        "offer": offer,
        "unfed": unfed,
        "fed": is_fed,
        "words": words_beside(
            *(words_written(one.target, one.prompt) for one in (a.decoding, b.decoding))
        ),
        "runs": [_run_json(run) for run in (a, b)],
        "places": [
            _place(a, site, view.layer, view.head),
            _place(b, site, view.other_layer, view.other_head),
        ],
        "row_pairs": rows,
        "column_pairs": columns,
        "row_words": row_words,
        "column_words": column_words,
        "a": a_RC,
        "b": b_RC,
        "difference": difference_RC,
        "hidden": {"a": hidden[0], "b": hidden[1]},
        "row_distance": [None if np.isnan(far) else far for far in distance_R.tolist()],
        "most": most(difference_RC),
        "heads": heads_apart(a, b, site, rows, columns),
        "alike": like,
        "steps": steps,
        "vectors": _vectors((a, b), traces, heads) if numbers == "vectors" else None,
        "paths": [_path(run, one.rows) for run in (a, b)] if numbers == "path" else None,
        "parting": parting((a.decoding, b.decoding), (a.tracer, b.tracer)),
        **cut_notice(is_cut, b.tracer.most_steps),
    }
    made = replace(view, b=b.recipe, weights=b.tracer.model.fingerprint or None)
    return Answer(made, values, _tables(values, traces))


def _words_beside(
    runs: tuple[Run, Run], site: Any, how: str, rows: list[Pair]
) -> tuple[list[WordPair], list[WordPair]]:
    """The axes that both share, word by word: rows, columns.

    A row that is a step is of the word that it writes. By text two of them stand beside each other
    where both words begin after the same token, as `rows`, those of tokens, do.
    """
    a, b = (by_words(run.decoding, site, written=True) for run in runs)

    def beside(pairs: list[Pair], of_a: Words, of_b: Words) -> list[WordPair]:
        return [(None if i is None else of_a[i], None if j is None else of_b[j]) for i, j in pairs]

    if how == "text" and runs[0].tracer.anatomy.is_stepped(site):
        words = aligned_at_their_first(a.rows, b.rows, rows)
    else:
        words = aligned(a.queries, b.queries, how)
    columns = aligned(a.keys, b.keys, how)
    return beside(words, a.rows, b.rows), beside(columns, a.columns, b.columns)


def _offer(runs: tuple[Run, Run], traces: tuple[AttentionTrace, ...]) -> list[Numbers]:
    """Which numbers of a head both runs have."""
    if any(trace.is_bare for trace in traces):
        return ["weights"]
    is_whole = any(run.tracer.anatomy.reads_whole for run in runs)
    if is_whole:
        return ["weights", "scores"]
    has_path = not any(run.tracer.anatomy.lack("parameters") for run in runs)
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


def _with_places(a: Run, b: Run, view: CompareView) -> tuple[CompareView, AlikeHead]:
    """The view with a head of each model, and the head of B most like A's.

    Left open, B's head is A's where the model is the same, at whatever update of its training; of
    another model it is the one that is most like A's.
    """
    sites = [one.site for one in a.tracer.anatomy.sites if b.tracer.anatomy.has(one.site)]
    if not sites:
        names = {"a": a.recipe.model, "b": b.recipe.model}
        raise named_error(RecipeError, "compare_sites", **names)
    first: Any = a.tracer.anatomy.first_site.site
    site: Any = next(one for one in (view.site, first, sites[0]) if one in sites)
    layer, head = placed(a.tracer.model, site, view.layer, view.head)
    view = replace(view, site=site, layer=layer, head=head)
    like = most_alike(a, b, view)
    other = view.other_layer, view.other_head
    if other == (None, None):
        is_same = parted(a.recipe.model)[0] == parted(b.recipe.model)[0]
        other = (layer, head) if is_same else (like["layer"], like["head"])
    b_layer, b_head = placed(b.tracer.model, site, *other)
    return replace(view, other_layer=b_layer, other_head=b_head), like


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
