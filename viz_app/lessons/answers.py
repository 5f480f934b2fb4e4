"""What a lesson can ask of a run. Nothing is computed here that the tracer, the rooms or the cards
do not say.

Everything counts from 0; a head is written as in links, "2.4" for layer 3, head 5. A token is named
by its text, and the first of that text is meant.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from model_core.decoding.run import Run, run_of
from model_core.errors import LessonError
from model_core.values.checked import kinds
from model_core.values.edits import read_edits
from model_core.values.habits import entropy
from model_core.values.head_measures import FAR
from model_core.values.recipe import MAX_PADS, Recipe, Strategy
from model_core.values.trace import Tokens
from viz_app.lessons.values import at, named
from viz_app.menu.card import model_card
from viz_app.rooms import ROOMS, heads_shown, room_named

# the translation


def steps(run: Run) -> int:
    """How many steps the translation took."""
    return len(run.decoding.steps)


def fed(run: Run, row: int) -> str:
    """The token that a row reads."""
    return _text(run.decoding.fed, row)


def written(run: Run, row: int) -> str:
    """The token that a row writes."""
    return _text(run.decoding.target, row + 1)


def read(run: Run, key: int) -> str:
    """A token of the source."""
    return _text(run.decoding.source, key)


def row(run: Run, text: str) -> int:
    """The row that writes a token."""
    return _place(run.decoding.target, text, run.decoding.prompt) - 1


def key(run: Run, text: str) -> int:
    """The column of a token of the source."""
    return _place(run.decoding.source, text)


def source_tokens(run: Run) -> dict[int, str]:
    """The words and marks of the source by their columns."""
    return _plain(run.decoding.source)


def read_tokens(run: Run) -> dict[int, str]:
    """All tokens of the source by their columns, its end and pads among them."""
    return dict(enumerate(run.decoding.source.texts))


def target_tokens(run: Run) -> dict[int, str]:
    """The words and marks of the translation by the rows that write them."""
    return {at - 1: text for at, text in _plain(run.decoding.target).items()}


def columns(run: Run) -> int:
    """How many tokens the source has, its end and pads included."""
    return len(run.decoding.source)


def reads(run: Run, row: int) -> str:
    """ "start" or "token": what a row reads."""
    return "token" if run.decoding.fed.kinds[row] == "text" else "start"


def probability(run: Run, row: int, rank: int = 0) -> float:
    """The probability of the token that is best at a row, or `rank` places behind the best."""
    return float(np.exp(_step(run, row).log_probabilities_V[token(run, row, rank)]))


def token(run: Run, row: int, rank: int = 0) -> int:
    """The id of the token that is best at a row, or `rank` places behind the best."""
    if rank < 0:
        raise LessonError(f"There is no rank {rank}; the best token has rank 0.")
    return _step(run, row).best(rank + 1)[rank]


def likely(run: Run, row: int, most: int = 4) -> dict[int, str]:
    """The best tokens at a row by their numbers, in the order of the alphabet."""
    best = _step(run, row).best(min(most, 10))
    texts = run.tracer.labels(best).texts
    return dict(sorted(zip(best, texts, strict=True), key=lambda one: one[1]))


def candidate(run: Run, row: int, rank: int = 0) -> str:
    """The text of the token that is best at a row, or `rank` places behind the best."""
    return run.tracer.labels([token(run, row, rank)]).texts[0]


def text_after(run: Run, row: int, rank: int) -> str:
    """The translation where a row writes the token at `rank`, and the model goes on from there."""
    begun = replace(run.recipe, target=run.recipe.target[:row])
    _, decoding = run.tracer.extend(begun, None, token(run, row, rank))
    return run.tracer.text(decoding)


def drawn(run: Run, temperature: float, seeds: int) -> int:
    """How many different translations as many seeds draw, from 0 on."""
    strategies = [Strategy("sample", temperature=temperature, seed=one) for one in range(seeds)]
    texts = set()
    for strategy in strategies:
        other = replace(run.recipe, target=(), strategy=strategy)
        texts.add(run.tracer.text(run.tracer.extend(other, None)[1]))
    return len(texts)


def text(run: Run, edits: str = "", pads: int | None = None) -> str:
    """The translation with these further edits, separated by spaces, and this many pads."""
    return _text_with(run, edits, run.recipe.pads if pads is None else pads)


def text_by(run: Run, model: str, text: str | None = None, edits: str = "") -> str:
    """What another model writes, or this one of another sentence; its own where none is named."""
    other = Recipe(
        model, run.recipe.source if text is None else text, edits=read_edits(edits.split())
    )
    its = run_of(run.tracer, other)
    return its.tracer.text(its.decoding)


def probability_by(run: Run, model: str, row: int) -> float:
    """The probability that another model gives to its best token at a row of its own."""
    return probability(run_of(run.tracer, Recipe(model, run.recipe.source)), row)


def ids_by(run: Run, model: str, source: str, text: str) -> str:
    """A translation of a source as a link has its tokens, the end included."""
    recipe = Recipe(model, source)
    tracer = run.tracer.beside(recipe)
    return ".".join(map(str, tracer.beginning(recipe, text, ended=True).target_ids))


def exact(run: Run, model: str) -> int:
    """How many of a hundred unseen strings a model reverses exactly, as its card says."""
    its = run.tracer.beside(Recipe(model, "")).model
    scores = model_card(its.training)["scores"] if its.training else []
    exact = scores[0]["exact_match"] if scores else None
    if exact is None:
        raise LessonError(f"Nothing was measured of {model}. Choose another model.")
    return round(exact[0])


def pads_until_other(run: Run, edits: str, most: int = MAX_PADS) -> int:
    """How many pads it takes, with these edits, until the translation is another one."""
    plain = run.tracer.text(run.decoding)
    for pads in range(1, most + 1):
        if _text_with(run, edits, pads) != plain:
            return pads
    raise LessonError(f"{most} pads do not change the translation. Choose another sentence.")


# attention


def weight(run: Run, site: str, head: str, row: int, key: int) -> float:
    """A weight of a head."""
    return float(_weights(run, site, head)[row, key])


def darkest(run: Run, site: str, head: str, row: int) -> int:
    """The column of the largest weight in a row."""
    return int(_weights(run, site, head)[row].argmax())


def pads_weight(run: Run, site: str) -> float:
    """The largest weight of all heads of a site that any row gives to a pad."""
    pads = [at for at, kind in enumerate(run.decoding.source.kinds) if kind == "pad"]
    if not pads or site == "decoder":
        raise LessonError("There are no pads among the columns. Say pads= in the link.")
    every: Any = run.decoding.traces(site)  # type: ignore[arg-type]
    return float(max(trace.weights_HQK[:, :, pads].max() for trace in every))


def needed(run: Run, row: int) -> int:
    """The column of the word without which the token of a row is least likely."""
    return int(_hidden(run)[row].argmin())


def cost(run: Run, row: int, key: int) -> float:
    """What hiding the word of a column changes at a row, in nats; below 0 is less likely."""
    return float(_hidden(run)[row, key])


def rows_needed(run: Run, site: str, head: str) -> int:
    """In how many rows the darkest column of a head is of the word that is needed most."""
    hidden_QK, dark_Q = _hidden(run), _weights(run, site, head).argmax(axis=1)
    return sum(
        bool(row_K[key] == row_K.min()) for row_K, key in zip(hidden_QK, dark_Q, strict=True)
    )


def sharpest(run: Run, site: str) -> str:
    """The head of a site whose rows have the least entropy in the mean."""
    layer, head = heads_shown.sharpest(run.decoding, site)  # type: ignore[arg-type]
    return f"{layer}.{head}"


def heads_that_matter(run: Run, site: str) -> list[str]:
    """The heads of a site without which the translation is another one."""
    one, plain = run.tracer.anatomy.site(site), run.tracer.text(run.decoding)
    return [
        f"{layer}.{head}"
        for layer in range(one.layers)
        for head in range(one.heads)
        if _text_with(run, f"head-off:{site}.{layer + 1}.{head + 1}", run.recipe.pads) != plain
    ]


def apart(run: Run, array: str, site: str, layer: int, text: str) -> float:
    """How far an array of a layer is from the same array for another sentence, fed the same.

    `array` is q, k, v or weights; both sentences have as many tokens.
    """
    other = run_of(run.tracer, replace(run.recipe, source=text))
    return _apart(run, other, array, site, layer)


def moved(run: Run, edits: str, array: str, site: str, layer: int) -> float:
    """How far an array of a layer moves with these edits, while the same is fed."""
    return _apart(run, _fed_with(run, edits), array, site, layer)


def spread(run: Run, site: str, head: str, edits: str = "") -> float:
    """Over how many tokens the rows of a head spread: two to the power of their mean entropy.

    With these edits besides, while the same is fed.
    """
    weights_QK = _weights(_fed_with(run, edits), site, head)
    return float(2 ** entropy(weights_QK).mean())


def rows_apart(run: Run, site: str, head: str, one: int, other: int, edits: str = "") -> float:
    """The largest difference between two rows of a head; with these edits besides."""
    weights_QK = _weights(_fed_with(run, edits), site, head)
    return float(np.abs(weights_QK[one] - weights_QK[other]).max())


def measure(run: Run, site: str, head: str, name: str) -> float:
    """What was measured of a head, as the room Heads says it."""
    layer, number = map(int, head.split("."))
    return float(_measured(run, site, name)[layer, number])


def top(run: Run, site: str, name: str) -> str:
    """The head of a site with the largest measure."""
    values_LH = _measured(run, site, name)
    layer, head = divmod(int(values_LH.argmax()), values_LH.shape[1])
    return f"{layer}.{head}"


def rank(run: Run, site: str, head: str, name: str) -> int:
    """The rank of a head among the heads of its site, the largest measure first; from 1."""
    layer, number = map(int, head.split("."))
    values_LH = _measured(run, site, name)
    return int((values_LH > values_LH[layer, number]).sum()) + 1


def rows_behind(run: Run, site: str, head: str, other: str) -> int:
    """In how many rows a head reads most what another one read most in the row above."""
    one_Q, other_Q = (_weights(run, site, each).argmax(axis=1) for each in (head, other))
    return int((one_Q[1:] == other_Q[:-1]).sum())


def rows_back(run: Run, site: str, head: str) -> int:
    """In how many rows a head's darkest key comes before that of the row above."""
    return int((np.diff(_weights(run, site, head).argmax(axis=1)) < 0).sum())


def usual_distance(run: Run, site: str, head: str) -> int:
    """How many tokens before (below 0) or behind its own place a head looks most often."""
    layer, number = map(int, head.split("."))
    shares_N = room(run, "heads", "head.distances_N", site=site, layer=layer, head=number)
    return int(np.argmax(shares_N)) - FAR


def unread(run: Run, site: str, head: str) -> list[int]:
    """The columns that are the darkest of no row."""
    weights_QK = _weights(run, site, head)
    return sorted(set(range(weights_QK.shape[1])) - set(weights_QK.argmax(axis=1).tolist()))


def read_each(run: Run, keys: Sequence[int]) -> list[str]:
    """Tokens of the source, each between quotation marks."""
    return [f"“{read(run, key)}”" for key in keys]


# rooms


def room(run: Run, name: str, path: str, **view: Any) -> Any:
    """A value of what a room answers, by its path: names and places with dots between.

    The rest is the room's view; a list is said with spaces between, another run by its model.
    """
    asked = room_named(name)
    if asked is None:
        known = ", ".join(one.name for one in ROOMS)
        raise LessonError(f"There is no room {name!r}; there are {known}.")
    fields = kinds(asked.view)
    said = {}
    for one, value in view.items():
        kind = fields.get(one)
        said[one] = value.split() if kind and kind.is_list else value
        if kind and kind.type is Recipe:
            said[one] = Recipe(value, run.recipe.source).to_json()
    made = asked.view.from_json(said)
    return at(run, asked.answer(run.tracer, run.recipe, made).values, *path.split("."))


def all_named(run: Run, heads: Sequence[str]) -> list[str]:
    """Heads as the page names them."""
    return [named(run, one) for one in heads]


def heads_in(run: Run, site: str, layer: int) -> dict[int, str]:
    """The heads of a layer by their numbers, as the page names them."""
    return {at: named(run, f"{layer}.{at}") for at in range(run.tracer.anatomy.site(site).heads)}


def all_heads(run: Run, site: str) -> int:
    """How many heads a site has."""
    one = run.tracer.anatomy.site(site)
    return one.layers * one.heads


def _apart(one: Run, other: Run, array: str, site: str, layer: int) -> float:
    """The largest difference of an array; the other run was carried out anew with the same fed."""
    name = f"{array}_HQK" if array == "weights" else f"{array}_H{'Q' if array == 'q' else 'K'}E"
    traces = [run.decoding.trace(site, layer) for run in (one, other)]  # type: ignore[arg-type]
    mine, its = (getattr(trace, name) for trace in traces)
    if mine.shape != its.shape:
        raise LessonError("The two have not as many tokens. Choose another sentence.")
    return float(np.abs(mine - its).max())


def _hidden(run: Run) -> np.ndarray:
    """What each word of the source, hidden, changes for each token that is written, (Q, K)."""
    read = room(run, "translate", "reading", site="cross", reading="hidden")
    hidden_QK: np.ndarray = read.values_QK
    return hidden_QK


def _measured(run: Run, site: str, name: str) -> np.ndarray:
    values_LH: np.ndarray = room(run, "heads", f"sites.{site}.values.{name}", part="all")
    return values_LH


def _step(run: Run, row: int) -> Any:
    if not 0 <= row < len(run.decoding.steps):
        raise LessonError(f"There is no row {row}; there are {len(run.decoding.steps)}.")
    return run.decoding.steps[row]


def _plain(tokens: Tokens) -> dict[int, str]:
    kinds_of = enumerate(tokens.kinds)
    return {at: tokens.texts[at] for at, kind in kinds_of if kind == "text"}


def _weights(run: Run, site: str, head: str) -> np.ndarray:
    layer, number = map(int, head.split("."))
    at = run.tracer.anatomy.site(site)
    layers, heads = at.layers, at.heads
    if not (0 <= layer < layers and 0 <= number < heads):
        there = f"layers are 0 to {layers - 1}, heads 0 to {heads - 1}"
        raise LessonError(f"There is no head {head!r} in {site}: {there}.")
    weights_QK: np.ndarray = run.decoding.trace(site, layer).weights_HQK[number]  # type: ignore[arg-type]
    return weights_QK


def _fed_with(run: Run, edits: str) -> Run:
    """The run with these edits besides, while the same is fed."""
    more = read_edits([*map(str, run.recipe.edits), *edits.split()])
    return run_of(run.tracer, replace(run.recipe, edits=more))


def _text_with(run: Run, edits: str, pads: int) -> str:
    more = read_edits([*map(str, run.recipe.edits), *edits.split()])
    other = replace(run.recipe, target=(), edits=more, pads=pads)
    its = run_of(run.tracer, other)
    return its.tracer.text(its.decoding)


def _text(tokens: Tokens, at: int) -> str:
    if not 0 <= at < len(tokens):
        raise LessonError(f"There is no token {at}; there are {len(tokens)}.")
    return tokens.texts[at]


def _place(tokens: Tokens, text: str, start: int = 0) -> int:
    if text not in tokens.texts[start:]:
        raise LessonError(f"There is no token {text!r}; there are {' '.join(tokens.texts)}.")
    return tokens.texts.index(text, start)
