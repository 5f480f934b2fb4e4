"""What the room Heads is answered: all heads by all measures, and one head's page."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

import numpy as np

from model_core.errors import CheckpointError, ToldError
from model_core.values.anatomy import head_name
from model_core.values.head_measures import FAR, MEASURES, WORDS, HeadMeasures, SiteMeasures
from model_core.values.recipe import Recipe
from model_core.values.trace import Decoding, Site, Tokens
from viz_app.rooms.heads.view import ALL, HeadsView
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer
from viz_app.values.phrases import say
from viz_app.values.tables import Axis, TableOf, Tables
from viz_app.values.view import check_word
from viz_app.values.wire import Floats

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer
    from model_core.studies.without import WithoutEach, WithoutHead
    from model_core.values.anatomy import Anatomy

_FIRST = ("loss_zero", "entropy")  # what colours the heads where nothing was chosen


class _About(TypedDict):
    """The corpus that the heads were measured over; None if it could not be read."""

    corpus: str
    sentences: int
    source_tokens: int
    target_tokens: int
    targets: str
    loss: float | None
    exact: float | None
    median: float | None


class _Site(TypedDict):
    """The measures that were taken, (L, H) each, and the word of every head."""

    layers: int
    heads: int
    words: list[list[str]]
    values: dict[str, Floats]


class _Attracting(TypedDict):
    text: str
    kind: str
    share: float
    even: float


class _Sentence(TypedDict):
    source: str
    target: str
    amount: float


class HeadPlace(TypedDict):
    site: Site
    layer: int
    head: int


class _Page(HeadPlace):
    """What is known of one head."""

    word: str
    like: list[int] | None
    distances_N: Floats
    tokens: list[_Attracting]
    sentences: list[_Sentence]


class _Here(TypedDict):
    """What every head is worth on this sentence."""

    loss: float
    added: dict[Site, Floats]
    order: list[HeadPlace]
    losses_N: Floats


class Rest(TypedDict):
    """How much of a head's weight each token of this sentence gets, (K,), and how long a vector
    the token would hand over for all of it, (K,).
    """

    keys: Tokens
    weights: Floats  # the mean over the rows
    lengths: Floats


class Unmeasured(TypedDict):
    """Why nothing is known of any head, and what measures them."""

    measured: None
    why: ToldError


class HeadsAnswer(TypedDict):
    """All heads by all measures, and one head's page; that alone is of no sentence."""

    measured: _About
    why: None
    edits: list[str]  # without which all but the effect was measured
    sites: dict[Site, _Site]
    head: _Page
    effect: "NotRequired[WithoutHead | None]"
    here: NotRequired[_Here | None]
    rest: NotRequired[Rest | None]


def answer(tracer: "Tracer", recipe: Recipe, view: HeadsView) -> Answer[HeadsAnswer | Unmeasured]:
    """The measures of every head, and what is known of one; its part "head" is of no sentence.

    RecipeError where no head has a measure that is chosen. Where the heads were not measured, the
    answer says why, and what measures them.
    """
    from model_core.studies.without import without_each, without_head  # imports torch

    anatomy = tracer.anatomy
    site: Any = view.site or anatomy.first_site.site
    layer, head = placed(tracer.model, site, view.layer, view.head)
    view = replace(view, site=site, layer=layer, head=head)
    try:
        known = tracer.model.heads
    except CheckpointError as error:
        unmeasured: Unmeasured = {"measured": None, "why": error.to_json()}

        def check(error: CheckpointError = error) -> None:
            raise error

        return Answer(view, unmeasured, {}, check)
    sites = {one.site: _site(known, one.site) for one in anatomy.sites}
    taken = {name for one in sites.values() for name in one["values"]}
    there = tuple(name for name in ALL if name in taken)
    usual = {"measure": next(name for name in _FIRST if name in there)}
    order = "loss_zero" if "loss_zero" in there else "place"
    usual |= {"across": "entropy", "order": order}
    chosen: dict[str, Any] = {name: getattr(view, name) or usual[name] for name in usual}
    for name, one in chosen.items():
        check_word(name, one, ("place", *there) if name == "order" else there)
    view = replace(view, **chosen)
    values: HeadsAnswer = {
        "measured": _about(known),
        "why": None,
        "edits": list(map(str, recipe.edits)),
        "sites": sites,
        "head": _page(known, site, layer, head),
    }
    if view.part == "all":
        place = (site, layer, head, recipe.settings)
        decoding = tracer.evaluate(recipe)
        values["effect"] = without_head(tracer.model, tracer.edits, decoding, *place)
        values["rest"] = _rest(tracer, recipe, decoding, site, layer, head)
        if view.view == "here":  # it takes many passes
            values["here"] = _here(without_each(tracer.model, decoding, tracer.studied))
    return Answer(view, values, _tables(anatomy, sites) | _tables_here(anatomy, values.get("here")))


def _rest(
    tracer: "Tracer", recipe: Recipe, decoding: Decoding, site: Site, layer: int, head: int
) -> Rest | None:
    """None where no row is there, or the values of earlier tokens change with every token."""
    from model_core.studies.readings import value_norms  # imports torch

    if tracer.anatomy.reads_whole:
        return None
    trace = decoding.trace(site, layer)
    weights_QK = trace.weights_HQK[head]
    if trace.is_bare or len(weights_QK) == 0:
        return None
    norms_LHK = value_norms(tracer.model, decoding, site, recipe.edits, tracer.studied)
    weights_K = weights_QK.mean(0, dtype=np.float64).astype(np.float32)
    return {"keys": trace.keys, "weights": weights_K, "lengths": norms_LHK[layer, head]}


def _here(found: "WithoutEach | None") -> _Here | None:
    if found is None:
        return None
    order: list[HeadPlace] = [
        {"site": site, "layer": layer, "head": head} for site, layer, head in found.order
    ]
    return {"loss": found.loss, "added": found.added, "order": order, "losses_N": found.losses_N}


def _about(known: HeadMeasures) -> _About:
    return {
        "corpus": known.corpus,
        "sentences": len(known.sentences),
        "source_tokens": known.source_tokens,
        "target_tokens": known.target_tokens,
        "targets": known.targets,
        "loss": None if math.isnan(known.loss) else known.loss,
        "exact": None if math.isnan(known.exact) else known.exact,
        "median": known.median_loss,
    }


def _site(known: HeadMeasures, site: Site) -> _Site:
    one = known.sites[site]
    arrays = {name: one.measure_LH(site, name) for name in MEASURES[site]}
    return {
        "layers": one.word_LH.shape[0],
        "heads": one.word_LH.shape[1],
        "words": [[WORDS[site][word] for word in row] for row in one.word_LH.tolist()],
        "values": {name: array for name, array in arrays.items() if np.isfinite(array).all()},
    }


def _page(known: HeadMeasures, site: Site, layer: int, head: int) -> _Page:
    one: SiteMeasures = known.sites[site]
    at = layer, head
    like, H = int(one.like_LH[at]), one.word_LH.shape[1]
    attracted = zip(one.tokens_LHC[at], one.share_LHC[at], one.even_LHC[at], strict=True)
    best = zip(one.best_LHC[at], one.amount_LHC[at], strict=True)
    return {
        "site": site,
        "layer": layer,
        "head": head,
        "word": WORDS[site][one.word_LH[at]],
        "like": None if like < 0 else list(divmod(like, H)),
        "distances_N": one.distances_LHN[at],
        "tokens": [
            {"text": text, "kind": kind, "share": float(share), "even": float(even)}
            for token, share, even in attracted
            if token >= 0
            for text, kind in (known.tokens[token],)
        ],
        "sentences": [
            {"source": source, "target": target, "amount": float(amount)}
            for number, amount in best
            if number >= 0
            for source, target in (known.sentences[number],)
        ],
    }


def _tables(anatomy: "Anatomy", sites: dict[Site, _Site]) -> Tables:
    every = tuple(
        TableOf(
            f"{one.site}_heads",
            (Axis("layer", one.layers), Axis("head", one.heads)),
            {f"{name}_LH": f"sites.{one.site}.values.{name}" for name in sites[one.site]["values"]},
        )
        for one in anatomy.sites
    )
    distance = Axis("distance", 2 * FAR + 1, start=-FAR, title=say("heads_distances_axis"))
    page = (TableOf("distances", (distance,), {"share_N": "head.distances_N"}),)
    return {"measures": every, "scatter": every, "distances": page}


def _tables_here(anatomy: "Anatomy", here: _Here | None) -> Tables:
    if here is None:
        return {}
    every = tuple(
        TableOf(
            f"{one.site}_heads",
            (Axis("layer", one.layers), Axis("head", one.heads)),
            {"added_LH": f"here.added.{one.site}"},
        )
        for one in anatomy.sites
    )
    heads = [(one["site"], head_name(one["layer"] + 1, one["head"] + 1)) for one in here["order"]]
    names = ["", *map(" ".join, heads)]
    off = replace(Axis.of("off", names), start=0)  # the head that was switched off last
    return {"here": (*every, TableOf("together", (off,), {"loss_N": "here.losses_N"}))}
