"""Both norms on a batch, as the room Inside a head answers them."""

from typing import TYPE_CHECKING, Literal, TypedDict

from model_core.values.recipe import Recipe
from model_core.values.trace import Site, Tokens
from viz_app.rooms.inside.facts import Architecture, architecture
from viz_app.rooms.masks.answer import first_batch
from viz_app.rooms.room import cut_notice
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.wire import Flags, Floats, Noticed

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.studies.norms import Averaged, NormsStudy

FEATURES = 48  # of the numbers that both norms are shown on


class _Layered(TypedDict):
    count: int
    mean_N: Floats
    deviation_N: Floats
    left_NF: Floats


class _Batched(TypedDict):
    """What a batch made of the first F features."""

    count: int
    mean_F: Floats
    deviation_F: Floats
    left_NF: Floats


class NormsAnswer(Architecture, Noticed):
    """What enters one norm, of the sentence and a short one, and what both norms make of it.

    Of the features of a token only the first are there; a mean over features is over all of them.
    """

    view: Literal["norms"]
    site: Site
    layer: int
    tokens: tuple[Tokens, ...]
    is_pad_N: Flags
    entered_NF: Floats
    layered: _Layered
    whole: _Batched
    padded: _Batched
    alone: _Batched
    single: float


def norms(tracer: "Tracer", recipe: Recipe, site: Site, layer: int) -> tuple[NormsAnswer, Tables]:
    """The norms of a layer, with their tables."""
    from model_core.studies.batch import translate_batch
    from model_core.studies.norms import study_norms

    cache, source = tracer.studied, recipe.source
    sentences = cache.of(("first batch", source), lambda: first_batch(source, tracer.model))
    sentences = tuple(dict.fromkeys((source, sentences[-1])))
    batch = cache.of(
        ("norms", recipe, sentences), lambda: translate_batch(tracer, sentences, recipe)
    )
    study = study_norms(tracer.model, batch, site, layer, cache)
    F = min(FEATURES, study.entered_ND.shape[1])
    layered = study.layered
    values: NormsAnswer = {
        "view": "norms",
        **architecture(study.facts),
        **cut_notice(batch.is_cut, tracer.most_steps),
        "site": site,
        "layer": layer,
        "tokens": study.tokens,
        "is_pad_N": study.is_pad_N,
        "entered_NF": study.entered_ND[:, :F],
        "layered": {
            "count": layered.count,
            "mean_N": layered.mean_N,
            "deviation_N": layered.deviation_N,
            "left_NF": layered.left_ND[:, :F],
        },
        "whole": _of_features(study.whole, F),
        "padded": _of_features(study.padded, F),
        "alone": _of_features(study.alone, F),
        "single": study.single,
    }
    return values, {"norms": _norm_tables(study, F)}


def _of_features(averaged: "Averaged", F: int) -> _Batched:
    return {
        "count": averaged.count,
        "mean_F": averaged.mean_N[:F],
        "deviation_F": averaged.deviation_N[:F],
        "left_NF": averaged.left_ND[:, :F],
    }


def _norm_tables(study: "NormsStudy", F: int) -> tuple[TableOf, ...]:
    rows = Axis.of("token", sum(study.tokens[1:], study.tokens[0]))
    columns = Axis("feature", F, start=0)
    return (
        TableOf(
            "norms",
            (rows, columns),
            {
                "entered_NF": "entered_NF",
                "layered_NF": "layered.left_NF",
                "batched_NF": "whole.left_NF",
            },
        ),
        TableOf(
            "layer", (rows,), {f"{one}_N": f"layered.{one}_N" for one in ("mean", "deviation")}
        ),
        TableOf(
            "batch", (columns,), {f"{one}_F": f"whole.{one}_F" for one in ("mean", "deviation")}
        ),
    )
