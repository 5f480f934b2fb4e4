"""Values as the compact JSON that the stage draws from.

Attention travels as float32, the model's own numbers, base64 of little-endian bytes, and only
the rows that the browser does not have yet: one decoding step adds one row per head. The layout is
described once, in `payload`.
"""

import math
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict

import numpy as np

from model_core.values.anatomy import Anatomy
from model_core.values.recipe import How, Recipe, RecipeJson, Strategy
from model_core.values.trace import COLUMNS, DecodeStep, Decoding, Site, Tokens, largest
from viz_app.rooms.heads_shown import best_cells
from viz_app.rooms.translate.highlight import Highlight, highlight
from viz_app.rooms.translate.roles import Roles, roles_json
from viz_app.rooms.translate.sampling import Named, Sampling, named, sampling_json
from viz_app.rooms.translate.summary import Summary, is_large, summary, unseen_before
from viz_app.values.wire import Packed, TokensJson, packed, sentence_json

if TYPE_CHECKING:
    from model_core.models.protocol import Model

VERSION = 1
CANDIDATES = 10
Taken = Literal["given", How]
_Names = Callable[[int], Named]


class Candidate(Named):
    """What may follow at a step; ranks count from 0."""

    log_probability: float


class Chosen(Candidate):
    """What followed: "given" in the prompt, else chosen."""

    how: Taken
    rank: int


class _Masked(TypedDict):
    """What is expected in place of a mask of the source."""

    place: int
    candidates: list[Candidate]


class Step(TypedDict):
    """The best candidates of a step, with probabilities of the full softmax.

    Where the strategy samples, `sampling` says what it makes of them; where the mask hides tokens
    before the step, `unseen` says which, see `unseen_before`.
    """

    index: int
    candidates: list[Candidate]
    unseen: NotRequired[list[list[tuple[int, int]]]]
    sampling: NotRequired[Sampling]


class _Rows(TypedDict):
    """One (L, H, t + 1) a step t: the row of token t over those fed in so far; of
    cross-attention one (L, H, S)."""

    data: Packed


class _Whole(_Rows):
    """All rows at once, (L, H, Q, K), and the query and key of each head to open on."""

    shape: list[int]
    best: list[list[tuple[int, int]]]


class Payload(TypedDict):
    """A decoding from step `steps_from` on.

    `attention` has the sites that the model has; where rows are no steps, all at once or not. Of a
    decoding whose rows are many it has what `Summary` says, and `highlight` is null, as it is of a
    step before the last. `reads_whole`: a later token changes the rows before it, and each row is
    as it was in its own step.
    """

    masked: NotRequired[list[_Masked]]
    version: int
    recipe: RecipeJson
    source: TokensJson
    target: TokensJson
    prompt: int  # tokens of the target that were given
    chosen: list[Chosen]  # what follows each step that is not pending
    steps_from: int
    steps: list[Step]
    finished: str | None
    reads_whole: bool
    text: str
    roles: Roles
    highlight: Highlight | None
    attention: dict[Site, _Rows | _Whole | Summary | None]


def payload(
    recipe: Recipe, decoding: Decoding, model: "Model", have: int = 0, whole: bool = False
) -> Payload:
    """A decoding without the first `have` steps; with `have` = 0 the encoder is included, as it is
    where there are not so many steps.

    `whole`: with all rows, however many.
    """
    have = have if have <= len(decoding.steps) else 0
    large = not whole and is_large(decoding, model.anatomy)
    is_amid = have > 0 and decoding.finished is None  # of a page that steps
    steps = decoding.steps[have:]
    names = cache(partial(named, model))  # the candidates of many steps are the same
    sent: Payload = {
        "version": VERSION,
        "recipe": recipe.to_json(),
        "source": {**tokens_json(decoding.source), "unseen": _unseen(decoding)},
        "target": tokens_json(decoding.target),
        "prompt": decoding.prompt,
        "chosen": [
            {
                **_token(names, token, float(step.log_probabilities_V[token])),
                "how": how,
                "rank": step.rank(token),
            }
            for step, token, how in followers(decoding)
        ],
        "steps_from": have,
        "steps": [_step(step, recipe.strategy, decoding, model, names) for step in steps],
        "finished": decoding.finished,
        "reads_whole": model.anatomy.reads_whole,
        "text": model.text(decoding.filled if decoding.masked else decoding.target.ids),
        "roles": roles_json(decoding, model),
        "highlight": None if large or is_amid else _highlight(decoding, model.anatomy),
        "attention": {
            one.site: summary(one, decoding)
            if large
            else _site(one.site, model.anatomy, decoding, have)
            for one in model.anatomy.sites
        },
    }
    return {"masked": _masked(decoding, names), **sent} if decoding.masked else sent


def _highlight(decoding: Decoding, anatomy: Anatomy) -> Highlight | None:
    return highlight(decoding, anatomy.site("cross")) if anatomy.has("cross") else None


def _masked(decoding: Decoding, names: _Names) -> list[_Masked]:
    return [
        {"place": place, "candidates": _candidates(log_probabilities_V, names)}
        for place, log_probabilities_V in decoding.masked
    ]


def followers(decoding: Decoding) -> list[tuple[DecodeStep, int, Taken]]:
    """Every step whose successor is known, with that token and how it came to be there."""
    hows: list[Taken] = ["given" for _ in range(1, decoding.prompt)]
    hows += [choice.how for choice in decoding.chosen]
    return list(zip(decoding.steps, decoding.target.ids[1:], hows, strict=False))


def candidates_of(decoding: Decoding, model: "Model") -> list[Candidate]:
    """What may follow the last step, the best first."""
    return _candidates(decoding.step.log_probabilities_V, partial(named, model))


def _candidates(log_probabilities_V: np.ndarray, names: _Names) -> list[Candidate]:
    return [
        _token(names, token, float(log_probabilities_V[token]))
        for token in largest(log_probabilities_V, CANDIDATES)
    ]


def _step(
    step: DecodeStep, strategy: Strategy, decoding: Decoding, model: "Model", names: _Names
) -> Step:
    candidates = _candidates(step.log_probabilities_V, names)
    said: Step = {"index": step.index, "candidates": candidates}
    if unseen := unseen_before(step):
        said["unseen"] = unseen
    if strategy.kind == "sample":
        follows = decoding.target.ids[step.index + 1 : step.index + 2]
        taken = follows[0] if follows else None
        best = step.best(CANDIDATES)
        said["sampling"] = sampling_json(model, step, strategy, best, taken)
    return said


def _unseen(decoding: Decoding) -> list[int]:
    """The source tokens that no token may attend to, by the mask that was used."""
    if not decoding.encoder:
        return []
    unseen_K = ~decoding.encoder[0].mask_QK.any(axis=0)
    places: list[int] = np.flatnonzero(unseen_K).tolist()
    return places


def _site(site: Site, anatomy: Anatomy, decoding: Decoding, have: int) -> _Rows | None:
    """The rows of a site from step `have` on; where rows are no steps, all at once or not."""
    if not anatomy.is_stepped(site):
        return None if have else _whole(site, decoding)
    is_cross = COLUMNS[site] == "source"
    rows = ((s.cross_rows if is_cross else s.decoder_rows) for s in decoding.steps)
    return {"data": _rows([[row.weights_HK for row in layers] for layers in rows][have:])}


def _whole(site: Site, decoding: Decoding) -> _Whole:
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


def tokens_json(tokens: Tokens) -> TokensJson:
    """Labelled tokens, with spans, which count characters of the typed text, and `words`: the
    tokens of each, by their places."""
    spans = [list(span) if span else None for span in tokens.spans]
    return {**sentence_json(tokens), "spans": spans}


def _token(names: _Names, token: int, log_probability: float) -> Candidate:
    return {
        **names(token),
        # JSON has no minus infinity; nothing that far down is ever shown.
        "log_probability": max(log_probability, -1e30) if math.isfinite(log_probability) else -1e30,
    }
