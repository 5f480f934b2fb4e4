"""What the room Masks is answered: a batch under its masks, or one target read in two ways.

A request is {"recipe", "sentences", "shown": a sentence's index or null, "site"} and
{"view": "masks", "breaks": {"causal", "pads", "fill"}} or {"view": "passes"}. Of the recipe the
model counts and, where its source is the first sentence, the tokens it chose and its strategy. The
layouts of the answers are described in `_masks` and `_passes`.
"""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.errors import RecipeError
from model_core.recipe import Recipe
from model_core.trace import SITES, Site
from viz_app.limits import check_whole, notice_of
from viz_app.payload import singles_base64, tokens_json

if TYPE_CHECKING:
    from model_core.study_masks import Batch, Breaks, Change, MaskedAttention
    from model_core.tracer import Library, Tracer

_BREAKS = ("causal", "pads", "fill")


def answer(library: "Library", request: dict[str, Any]) -> dict[str, Any]:
    """The room's payload."""
    from model_core.study_masks import make_batch  # imports torch: a second or more

    recipe = Recipe.from_json(request.get("recipe"))
    sentences, site = _sentences(request), _site(request)
    shown, view, breaks = request.get("shown"), request.get("view"), _breaks(request)
    if view not in ("masks", "passes"):
        raise RecipeError("There is no such view; there are masks, passes.")
    if shown is not None and (type(shown) is not int or not 0 <= shown < len(sentences)):
        raise RecipeError(
            f"shown must be the index of one of {len(sentences)} sentences, or null.", "place"
        )
    tracer = library.tracer(recipe.model)
    with library.calls():
        batch = tracer.studied.of(
            ("batch", recipe, sentences), lambda: make_batch(tracer, sentences, recipe)
        )
        if shown is None:
            shown = _with_pads(batch)
        make = _masks if view == "masks" else _passes
        body = make(tracer, batch, shown, site, breaks)
    return {
        "version": 1,
        "view": view,
        "model": recipe.model,
        "shown": shown,
        "site": site,
        "breaks": {name: getattr(breaks, name) for name in _BREAKS},
        **notice_of(check_whole, any(not d.finished for d in batch.decodings), tracer.most_steps),
        "batch": [
            {
                "text": text,
                "recipe": done.to_json(),
                "source": tokens_json(source),
                "fed": tokens_json(fed),
                "predicted": tokens_json(after),
            }
            for text, done, source, fed, after in zip(
                sentences, batch.recipes, batch.sources, batch.fed, batch.predicted, strict=True
            )
        ],
        **body,
    }


def _masks(
    tracer: "Tracer", batch: "Batch", shown: int, site: Site, breaks: "Breaks"
) -> dict[str, Any]:
    """One sentence under the masks.

    `masks` and `own` (the model's own) hold pad, causal and combined, a row of 0s and 1s a query;
    causal is null where there is none. `scores` and `weights` are (L, H, Q, K), base64 of
    little-endian float32. `leaks` are means over the rows that are not pads, (L, H); `changes` has
    one entry a sentence and in it one a position.
    """
    from model_core.study_masks import study_masks

    study = study_masks(tracer.checkpoint, batch, shown, site, breaks, tracer.studied)
    broken = study.broken
    real_Q = np.array([kind != "pad" for kind in broken.queries.kinds])
    labels = tracer.checkpoint.target_tokenizer
    return {
        "layers": broken.weights_LHQK.shape[0],
        "heads": broken.weights_LHQK.shape[1],
        "masks": _mask_rows(broken),
        "own": _mask_rows(study.intact),
        "hidden_score": None if math.isinf(broken.hidden_score) else broken.hidden_score,
        "scores": singles_base64(broken.scores_LHQK),
        "weights": singles_base64(broken.weights_LHQK),
        "leaks": {
            "on_pads": broken.on_pads_LHQ[..., real_Q].mean(axis=-1).tolist(),
            "on_future": broken.on_future_LHQ[..., real_Q].mean(axis=-1).tolist(),
        },
        "empty": np.flatnonzero(broken.empty_Q).tolist(),
        "uniform": np.flatnonzero(broken.uniform_Q).tolist(),
        "changes": [_change(change, labels) for change in study.changes],
    }


def _passes(
    tracer: "Tracer", batch: "Batch", shown: int, site: Site, breaks: "Breaks"
) -> dict[str, Any]:
    """One target, without pads, read in one pass and in steps; the masks are never broken here.

    `once` and `stepped` are weights (L, H, Q, K), base64 of little-endian float32; `apart` are the
    largest differences anywhere.
    """
    from model_core.study_masks import study_passes

    passes = study_passes(tracer.checkpoint, batch, shown, site)
    return {
        "layers": passes.once_LHQK.shape[0],
        "heads": passes.once_LHQK.shape[1],
        "source": tokens_json(passes.source),
        "fed": tokens_json(passes.fed),
        "predicted": tokens_json(passes.predicted),
        "allowed": _rows(passes.allowed_QK),
        "once": singles_base64(passes.once_LHQK),
        "stepped": singles_base64(passes.stepped_LHQK),
        "probabilities": {
            "once": passes.once_probability_T.tolist(),
            "stepped": passes.stepped_probability_T.tolist(),
        },
        "apart": {
            "scores": passes.scores_apart,
            "weights": passes.weights_apart,
            "log_probabilities": passes.log_probabilities_apart,
        },
    }


def _sentences(request: dict[str, Any]) -> tuple[str, ...]:
    sentences = request.get("sentences")
    if not isinstance(sentences, list) or not all(isinstance(text, str) for text in sentences):
        raise RecipeError("sentences must be a list of texts.")
    return tuple(sentences)


def _site(request: dict[str, Any]) -> Site:
    for site in SITES:
        if request.get("site") == site:
            return site
    raise RecipeError(f"There is no such site; there are {', '.join(SITES)}.")


def _breaks(request: dict[str, Any]) -> "Breaks":
    from model_core.study_masks import Breaks

    values = request.get("breaks", {})
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise RecipeError(f"breaks must hold a text for some of {', '.join(_BREAKS)}.")
    if unknown := set(values) - set(_BREAKS):
        raise RecipeError(f"breaks has {len(unknown)} unknown keys; known: {', '.join(_BREAKS)}.")
    return Breaks(**values)


def _with_pads(batch: "Batch") -> int:
    """The first sentence padded on both sides, else the first padded on one, else the first."""
    padded = [
        ("pad" in source.kinds) + ("pad" in fed.kinds)
        for source, fed in zip(batch.sources, batch.fed, strict=True)
    ]
    return padded.index(max(padded))


def _mask_rows(attention: "MaskedAttention") -> dict[str, list[str] | None]:
    causal_QK = attention.causal_QK
    return {
        "pad": _rows(attention.pad_QK),
        "causal": None if causal_QK is None else _rows(causal_QK),
        "combined": _rows(attention.allowed_QK),
    }


def _rows(mask_QK: np.ndarray) -> list[str]:
    digits_QK = mask_QK.astype(np.uint8) + ord("0")
    return [row.tobytes().decode("ascii") for row in digits_QK]


def _change(change: "Change", labels: Any) -> dict[str, Any]:
    return {
        "distance": change.distance_T.tolist(),
        "intact": tokens_json(labels.tokens(change.intact_best)),
        "broken": tokens_json(labels.tokens(change.broken_best)),
        "intact_probability": change.intact_probability_T.tolist(),
        "broken_probability": change.broken_probability_T.tolist(),
    }
