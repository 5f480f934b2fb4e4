"""A decoding as a file: everything `Decoding.trace` gives, with its labels, as JSON or NPZ."""

import dataclasses
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from model_core.atomic import replace_file
from model_core.values.recipe import Recipe
from model_core.values.trace import SITES, Decoding, Site
from model_core.values.words import ByWords

Words = Mapping[Site, ByWords]
_ARRAYS = ("q_HQE", "k_HKE", "v_HKE", "scores_HQK", "bias_HQK", "mask_QK", "weights_HQK")


def decoding_labels(
    recipe: Recipe, decoding: Decoding, text: str, words: Words | None = None
) -> dict[str, Any]:
    """Everything but the arrays, as a JSON object.

    Recipe, tokens, and choices with their log-probabilities in nats; the words of each attention
    where the arrays are between these.
    """
    of_words = {site: one.to_json() for site, one in (words or {}).items()}
    labels = {
        "recipe": recipe.to_json(),
        "text": text,
        "finished": decoding.finished,
        "source": dict(vars(decoding.source)),
        "target": dict(vars(decoding.target)),
        "chosen": [
            dataclasses.asdict(choice) | {"log_probability": nats}
            for choice, nats in zip(decoding.chosen, decoding.log_probabilities, strict=True)
        ],
    }
    return labels | ({"words": of_words} if words else {})


def decoding_arrays(decoding: Decoding, words: Words | None = None) -> dict[str, np.ndarray]:
    """Every array under the name "site.layer.array", layers counted from 1 as on the screen.

    `log_probabilities_TV` holds one row per step, in nats. What the model does not have is left
    out: a bias, or steps; of weights that came without their model there are only these and masks,
    and so there are between `words`, in place of tokens.
    """
    arrays = {}
    for site in SITES:
        for trace in decoding.traces(site):
            trace = words[site].trace(trace) if words else trace
            for name in ("mask_QK", "weights_HQK") if trace.is_bare else _ARRAYS:
                if (array := getattr(trace, name)) is not None:
                    arrays[f"{site}.{trace.layer + 1}.{name}"] = array
    if decoding.steps:
        arrays["log_probabilities_TV"] = np.stack([s.log_probabilities_V for s in decoding.steps])
    return arrays


def write_json(
    path: Path, recipe: Recipe, decoding: Decoding, text: str, words: Words | None = None
) -> None:
    """The labels, and under "arrays" nested lists that read back to the same float32."""
    arrays = {name: array.tolist() for name, array in decoding_arrays(decoding, words).items()}
    values = decoding_labels(recipe, decoding, text, words) | {"arrays": arrays}
    replace_file(path, (json.dumps(values, ensure_ascii=False) + "\n").encode())


def write_npz(
    path: Path, recipe: Recipe, decoding: Decoding, text: str, words: Words | None = None
) -> None:
    """The arrays and their labels."""
    labels = decoding_labels(recipe, decoding, text, words)
    replace_file(path, npz_of(decoding_arrays(decoding, words), labels))


def npz_of(arrays: Mapping[str, np.ndarray], labels: Mapping[str, Any]) -> bytes:
    """The arrays, and under "labels" the labels as a JSON string. Holds no pickle."""
    file, text = io.BytesIO(), json.dumps(labels, ensure_ascii=False)
    np.savez_compressed(file, allow_pickle=False, **arrays, labels=np.array(text))
    return file.getvalue()
