"""What the rooms of a page are asked beforehand, since nobody answers later."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.errors import RecipeError
from model_core.values.recipe import Recipe
from model_core.values.trace import ROWS, Decoding
from viz_app.rooms import ROOMS, room_named
from viz_app.rooms.places import best_cells, placed

if TYPE_CHECKING:
    from model_core.decoding.library import Library
    from model_core.models.protocol import Model

Said = dict[str, Any]
# The rooms of a page, beside Translate.
SHOWN = tuple(room.name for room in ROOMS if room.name != "translate")
_TABLE: tuple[str, Said] = ("positions", {"study": "table", "kind": "own", "side": "source"})


@dataclass(frozen=True, eq=False)
class Answered:
    """A question of a room as the page asks it, and its answer; both as JSON."""

    room: str
    asked: Said
    answer: Said

    @property
    def question(self) -> tuple[str, str]:
        """What is asked, to be compared."""
        return self.room, json.dumps(self.asked, sort_keys=True)


def first_view(model: "Model", decoding: Decoding) -> Said:
    """What a page opens on: the head that the model opens on, at a step at which it finds a word.

    Of a site that attends to itself, the head with the least entropy. A page is told all of it, so
    that its rooms ask what they were answered beforehand.
    """
    sites = [one.site for one in model.anatomy.sites]
    opens: Any = model.opens_on["site"]
    locks = {}
    for site in sites:
        layer, head = placed(model, site, None, None)
        if site not in ("cross", opens):
            layer, head = _sharpest(decoding, site)
        locks[site] = {"layer": layer, "head": head}
    return {"site": opens, "locks": locks, "at": _telling_step(decoding, opens, locks[opens])}


def _telling_step(decoding: Decoding, site: Any, lock: dict[str, int]) -> int:
    """The step at which a head looks at one word and the model had a choice of words.

    That is where the largest weight of a word times the entropy of what comes next is largest; the
    last step where rows are no steps.
    """
    trace = decoding.trace(site, lock["layer"])
    last = len(decoding.steps) - 1
    if ROWS[site] != "target" or last < 1:
        return last
    words_K = [any(map(str.isalnum, text)) for text in trace.keys.texts]
    largest_Q = np.where(words_K, trace.weights_HQK[lock["head"]], 0).max(axis=-1)
    logs = [step.log_probabilities_V for step in decoding.steps]
    entropy_Q = np.array([-(np.exp(log_V) * np.maximum(log_V, -50)).sum() for log_V in logs])
    return int((largest_Q * entropy_Q)[:last].argmax())


def _sharpest(decoding: Decoding, site: Any) -> tuple[int, int]:
    """Layer and head of the least mean entropy over its queries."""
    weights_LHQK = np.stack([trace.weights_HQK for trace in decoding.traces(site)])
    entropy_LH = -(weights_LHQK * np.log(np.maximum(weights_LHQK, 1e-30))).sum(-1).mean(-1)
    layer, head = divmod(int(entropy_LH.argmin()), entropy_LH.shape[1])
    return layer, head


def of_sentence(
    model: "Model", decoding: Decoding, view: Said, is_first: bool
) -> list[tuple[str, Said]]:
    """The rooms and their views that a page can show of its sentence.

    Translate: norms of values, and each word hidden; the page makes the other readings itself.
    Masks: the causal mask, whole and gone, and one pass beside steps. Positions: the order of the
    words. Inside a head: the cell that the page opens on, and the way of its token. Compare: the
    usual run beside it, and the heads that the page opens on; Heads: what these are worth here.
    Beam: the tree. The first sentence of a model has every site, the sum and the rotation too; all
    of it for every sentence would make the site twice as large.
    """
    sites: list[Any] = [one.site for one in model.anatomy.sites]
    locks = view["locks"]
    read = [("translate", {"reading": "norms", "site": site}) for site in sites]
    if "cross" in sites:
        read.append(("translate", {"reading": "hidden", "site": "cross"}))
    here = sites if is_first else [view["site"]]
    beside = [("compare", {"site": site, **locks[site]}) for site in here]
    worth = [("heads", {"site": site, **locks[site]}) for site in sites]
    causal = [site for site in sites if site == "decoder"]
    asked: list[tuple[str, Said]] = [*read, *beside, *worth, ("beam", {})]
    asked += [
        ("masks", {"view": "masks", "site": site}) for site in (sites if is_first else causal)
    ]
    for site in causal:
        asked += [
            ("masks", {"view": "masks", "site": site, "breaks": ["causal-mask:none"]}),
            ("masks", {"view": "passes", "site": site}),
        ]
    if "encoder" in sites:
        order = {"study": "order", "site": "encoder", **locks["encoder"]}
        asked.append(("positions", order))
        if is_first:
            asked += [("positions", {"study": "sum"}), ("positions", order | {"study": "rotary"})]
    for site in here:
        lock, query = locks[site], view["at"]
        side = model.anatomy.site(site).rows
        if side == "source":
            query = best_cells(decoding.trace(site, lock["layer"]))[lock["head"]][0]
        way = ("inside", {"view": "way", "side": side, "position": query})
        asked.append(("inside", {"view": "cell", "site": site, **lock, "query": query}))
        asked += [] if way in asked else [way]
    return asked


def news(answers: list[Answered], known: list[Answered]) -> list[Answered]:
    """The answers, less what the same questions are answered in `known`."""
    before = {one.question: one.answer for one in known}
    found = []
    for one in answers:
        same = before.get(one.question, {})
        new = {name: said for name, said in one.answer.items() if said != same.get(name, ...)}
        found.append(Answered(one.room, one.asked, new))
    return found


def of_model(library: "Library", recipe: Recipe) -> list[Answered]:
    """What is the same whatever the sentence: the table of positions, and the pages of all heads.

    What a head is worth on a sentence is not in them.
    """
    tracer = library.tracer(recipe.model, recipe.edits)
    room: Any = room_named("heads")
    found = answered(library, recipe, (_TABLE,))
    for one in tracer.anatomy.sites:
        for layer, head in np.ndindex(one.layers, one.heads):
            asked = {"site": one.site, "layer": layer, "head": head}
            answer = room.answer(tracer, recipe, room.view.from_json(asked | {"part": "head"}))
            if answer["measured"] is None:  # nothing is known of any head
                return [*found, Answered("heads", {}, answer.to_json())]
            found.append(Answered("heads", asked, answer.to_json()))
    return found


def answered(library: "Library", recipe: Recipe, views: Any) -> list[Answered]:
    """The answers of rooms to views; a place that the model or the sentence lacks has none."""
    tracer = library.tracer(recipe.model, recipe.edits)
    found: list[Answered] = []
    for name, said in views:
        room: Any = room_named(name)
        if room.lacks(tracer.anatomy) is not None:
            continue
        answer_of = room.to_page or room.answer
        for asked in room.asks(room.view.from_json(said)) or (said,):
            try:
                with library.calls():
                    view = room.view.from_json(asked)
                    answer = answer_of(tracer, recipe, view).to_json()
            except RecipeError:  # its control is greyed out
                continue
            found.append(Answered(name, asked, answer))
    return found
