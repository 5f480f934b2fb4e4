"""What the room Training is answered: the history of a model, and one head at every note of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from model_core.studies.checks import check_place
from model_core.values.anatomy import SiteAnatomy
from model_core.values.history import LEVELS, History
from model_core.values.recipe import Recipe
from model_core.values.trace import Site, Tokens
from viz_app.rooms.axes import axes_of
from viz_app.rooms.heads_shown import placed
from viz_app.rooms.room import Answer
from viz_app.rooms.training.view import TrainingView
from viz_app.values.phrases import say
from viz_app.values.tables import Axis, TableOf
from viz_app.values.wire import Floats

if TYPE_CHECKING:
    from model_core.decoding.tracer import Tracer

HALF = 0.5  # of the attention: from there on a head is said to read the letter or word it writes


class _Curves(TypedDict):
    """(N) each, in the order in which they are shown; `copied` and `entropy` are of the head."""

    learnt: Floats
    loss: Floats
    score: Floats
    copied: Floats | None
    entropy: Floats
    rate: Floats


class _Heads(TypedDict):
    """(L, H, N) each: curves of every head of the site."""

    entropy: Floats
    copied: Floats | None


class _Noted(TypedDict):
    """The history of a training, and what of it is of one head."""

    updates: list[int]
    score: str
    broken: str
    guided: bool  # before the last note, heads were taught to align words
    curves: _Curves
    of_heads: _Heads
    named: dict[str, str]  # of each curve what it is called in the words of the room
    over_half: int | None  # the first note where half of the head's attention is on it


class _Place(TypedDict):
    site: Site
    layer: int
    head: int


class TrainingAnswer(TypedDict):
    """A training, and one head at each of its notes in one sentence."""

    noted: _Noted
    model: str
    edits: list[str]  # without which it was trained
    place: _Place
    note: int
    sentence: int
    sentences: int
    source: Tokens
    fed: Tokens
    predicted: Tokens
    weights_NQK: Floats


@dataclass(frozen=True, eq=False)
class NotedTraining:
    """A training whose notes are shown: of a model, or of one that is not at its end yet."""

    name: str
    sites: Sequence[SiteAnatomy]
    history: History
    source: Callable[[Sequence[int]], Tokens]  # ids of a source as tokens
    target: Callable[[Sequence[int]], Tokens]
    edits: tuple[str, ...] = ()  # of the model at hand, without which it was trained


def answer(tracer: "Tracer", recipe: Recipe, view: TrainingView) -> Answer[TrainingAnswer]:
    """The curves of the training of a model, and one of its heads at each of the N notes.

    RecipeError for a head, a sentence or a note that there is not; CheckpointError where nothing is
    kept of the training.
    """
    anatomy, model = tracer.anatomy, tracer.model
    site: Any = view.site or ("cross" if anatomy.has("cross") else anatomy.first_site.site)
    layer, head = placed(model, site, view.layer, view.head)
    noted = NotedTraining(
        model.name,
        anatomy.sites,
        model.history,
        lambda ids: model.source(model.source_text(ids)),
        model.labels,
        tuple(map(str, recipe.edits)),
    )
    return noted_answer(noted, replace(view, site=site, layer=layer, head=head))


def noted_answer(noted: NotedTraining, view: TrainingView) -> Answer[TrainingAnswer]:
    """The same of any training with notes; the view names a head that it has."""
    history = noted.history
    site: Any = view.site
    layer, head = view.layer or 0, view.head or 0
    N, sentence = len(history.updates_N), view.sentence or 0
    check_place(sentence, len(history.sentences), "sentence")
    note = N - 1 if view.note is None else view.note
    check_place(note, N, "note")
    view = replace(view, sentence=sentence, note=note)
    levels_NQK = history.weights[site][sentence][:, layer, head]
    source, target = history.sentences[sentence]
    sides = {"source": noted.source(source), "target": noted.target(target[:-1])}
    of_site = next(one for one in noted.sites if one.site == site)
    queries, keys = sides[of_site.rows], sides[of_site.columns]
    values: TrainingAnswer = {
        "noted": _about(history, site, layer, head),
        "model": noted.name,
        "edits": list(noted.edits),
        "place": {"site": site, "layer": layer, "head": head},
        "note": note,
        "sentence": sentence,
        "sentences": len(history.sentences),
        "source": sides["source"],
        "fed": sides["target"],
        "predicted": noted.target(target[1:]),
        "weights_NQK": (levels_NQK / LEVELS).astype(np.float32),
    }
    notes = Axis.of("update", list(map(str, history.updates_N)), say("training_update"))
    table = TableOf(
        f"{site}_weights",
        axes_of(site, queries, keys),
        {"weights_QK": "weights_NQK"},
        (("note", N),),
    )
    curves = {f"{name}_N": f"noted.curves.{name}" for name in values["noted"]["curves"]}
    return Answer(view, values, {"training": (table, TableOf("curves", (notes,), curves))})


def _about(history: History, site: Any, layer: int, head: int) -> _Noted:
    """The curves of the training, and of this head."""
    entropy_LHN = np.moveaxis(history.entropy_NLH[site], 0, -1)
    copied_LHN, copied_N = None, None
    if site == "cross" and history.copied_NLH is not None:
        copied_LHN = np.moveaxis(history.copied_NLH, 0, -1)
        copied_N = copied_LHN[layer, head]
    over_N = np.empty(0) if copied_N is None else np.flatnonzero(copied_N > HALF)
    of_words = {} if history.score == "exact" else {"score": "score_chrf", "copied": "linked"}
    return {
        "updates": history.updates_N.tolist(),
        "score": history.score,
        "broken": history.broken,
        "guided": history.guided,
        "curves": {
            "learnt": history.learnt_N,
            "loss": history.loss_N,
            "score": history.score_N,
            "copied": copied_N,
            "entropy": entropy_LHN[layer, head],
            "rate": history.rate_N,
        },
        "of_heads": {"entropy": entropy_LHN, "copied": copied_LHN},
        "named": {name: of_words.get(name, name) for name in _Curves.__annotations__},
        "over_half": int(over_N[0]) if len(over_N) else None,
    }
