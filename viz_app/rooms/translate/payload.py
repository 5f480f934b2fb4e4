"""Values as the compact JSON that the stage draws from.

Attention travels as float32, the model's own numbers, base64 of little-endian bytes, and only
the rows that the browser does not have yet: one decoding step adds one row per head. The layout is
described once, in `payload`.
"""

import math
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.values.anatomy import Anatomy
from model_core.values.recipe import Recipe, Strategy
from model_core.values.trace import COLUMNS, DecodeStep, Decoding, Site, Tokens, largest
from model_core.values.words import words_of
from viz_app.rooms.heads_shown import best_cells
from viz_app.rooms.translate.roles import roles_json
from viz_app.rooms.translate.sampling import named, sampling_json
from viz_app.rooms.translate.summary import is_large, summary, unseen_before
from viz_app.values.wire import packed

if TYPE_CHECKING:
    from model_core.models.protocol import Model

VERSION = 1
CANDIDATES = 10
_Names = Callable[[int], dict[str, Any]]  # of tokens as JSON


def payload(
    recipe: Recipe, decoding: Decoding, model: "Model", have: int = 0, whole: bool = False
) -> dict[str, Any]:
    """A decoding as JSON, without the first `have` steps; with `have` = 0 the encoder is included.

    `source.unseen` lists the tokens that no other may attend to.

    `attention` has the sites that the model has. `attention.encoder.data` is (L, H, S, S), and
    `best` the query and key of each head to open on, by layer and head; so is every site whose rows
    are no steps. `attention.decoder.data` concatenates one (L, H, t + 1) a step t, from step `have`
    on: the row of target token t over the tokens fed in so far; `attention.cross.data` likewise one
    (L, H, S). `steps` lists the best candidates of those steps, `chosen` the token that follows
    each: "given" in the prompt, which is the first `prompt` tokens of the target, else chosen. A
    step beyond the last chosen token is pending: its candidates are known and none is taken.
    A step whose mask hides tokens before it has them in `unseen`, see `unseen_before`.
    Probabilities are of the full softmax; where the strategy samples, `sampling` says what it makes
    of them. Ranks count from 0. `reads_whole`: a later token changes the rows before it, and each
    row is as it was in its own step. Where there are masks in the source, `masked` has the best
    candidates for each.

    `roles` says in a word what every head does on the sentence so far.

    Of a decoding whose rows are many `attention` has what `summary` says, unless `whole` is asked.
    """
    large = not whole and is_large(decoding, model.anatomy)
    steps = decoding.steps[have:]
    names = cache(partial(named, model))  # the candidates of many steps are the same
    said = {"masked": _masked(decoding, names)} if decoding.masked else {}
    return {
        **said,
        "version": VERSION,
        "recipe": recipe.to_json(),
        "source": tokens_json(decoding.source) | {"unseen": _unseen(decoding)},
        "target": tokens_json(decoding.target),
        "prompt": decoding.prompt,
        "chosen": [
            _token(names, token, float(step.log_probabilities_V[token]))
            | {"how": how, "rank": step.rank(token)}
            for step, token, how in followers(decoding)
        ],
        "steps_from": have,
        "steps": [_step(step, recipe.strategy, decoding, model, names) for step in steps],
        "finished": decoding.finished,
        "reads_whole": model.anatomy.reads_whole,
        "text": model.text(decoding.filled if decoding.masked else decoding.target.ids),
        "roles": roles_json(decoding, model),
        "attention": {
            one.site: summary(one, decoding)
            if large
            else _site(one.site, model.anatomy, decoding, have)
            for one in model.anatomy.sites
        },
    }


def _masked(decoding: Decoding, names: _Names) -> list[dict[str, Any]]:
    return [
        {
            "place": place,
            "candidates": [
                _token(names, token, float(log_probabilities_V[token]))
                for token in largest(log_probabilities_V, CANDIDATES)
            ],
        }
        for place, log_probabilities_V in decoding.masked
    ]


def followers(decoding: Decoding) -> list[tuple[DecodeStep, int, str]]:
    """Every step whose successor is known, with that token and how it came to be there."""
    hows = ["given"] * max(0, decoding.prompt - 1) + [choice.how for choice in decoding.chosen]
    return list(zip(decoding.steps, decoding.target.ids[1:], hows, strict=False))


def _step(
    step: DecodeStep, strategy: Strategy, decoding: Decoding, model: "Model", names: _Names
) -> dict[str, Any]:
    best = step.best(CANDIDATES)
    said: dict[str, Any] = {
        "index": step.index,
        "candidates": [
            _token(names, token, float(step.log_probabilities_V[token])) for token in best
        ],
    }
    if unseen := unseen_before(step):
        said["unseen"] = unseen
    if strategy.kind == "sample":
        follows = decoding.target.ids[step.index + 1 : step.index + 2]
        taken = follows[0] if follows else None
        said["sampling"] = sampling_json(
            model, step, strategy, model.anatomy.special.never, best, taken
        )
    return said


def _unseen(decoding: Decoding) -> list[int]:
    """The source tokens that no token may attend to, by the mask that was used."""
    if not decoding.encoder:
        return []
    unseen_K = ~decoding.encoder[0].mask_QK.any(axis=0)
    places: list[int] = np.flatnonzero(unseen_K).tolist()
    return places


def _site(site: Site, anatomy: Anatomy, decoding: Decoding, have: int) -> dict[str, Any] | None:
    """The rows of a site from step `have` on; where rows are no steps, all at once or not."""
    if not anatomy.is_stepped(site):
        return None if have else _whole(site, decoding)
    is_cross = COLUMNS[site] == "source"
    rows = ((s.cross_rows if is_cross else s.decoder_rows) for s in decoding.steps)
    return {"data": _rows([[row.weights_HK for row in layers] for layers in rows][have:])}


def _whole(site: Site, decoding: Decoding) -> dict[str, Any]:
    traces = decoding.traces(site)
    weights_LHQK = np.stack([trace.weights_HQK for trace in traces])
    return {
        "shape": list(weights_LHQK.shape),
        "data": packed(weights_LHQK),
        "best": [best_cells(trace) for trace in traces],
    }


def _rows(steps: list[list[np.ndarray]]) -> str:
    """One (L, H, K) a step, flattened and joined."""
    flat = [np.stack(layers).ravel() for layers in steps]
    return packed(np.concatenate(flat) if flat else np.empty(0, np.float32))


def tokens_json(tokens: Tokens) -> dict[str, Any]:
    """Labelled tokens, with spans, which count characters of the typed text, and `words`: the
    tokens of each, by their places."""
    spans = [list(span) if span else None for span in tokens.spans]
    return packed(tokens) | {"spans": spans, "words": words_of(tokens)}


def _token(names: _Names, token: int, log_probability: float) -> dict[str, Any]:
    return names(token) | {
        # JSON has no minus infinity; nothing that far down is ever shown.
        "log_probability": max(log_probability, -1e30) if math.isfinite(log_probability) else -1e30
    }
