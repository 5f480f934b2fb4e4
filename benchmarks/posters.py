"""Which sentence shows a model's attention best: `python -m benchmarks.posters`.

Of every example that the page offers, by the head that it opens on: the share of written words
whose darkest source word is the one that they needed most (its hiding costs most), how dark that
is, and how probable the tokens were. What a model opens on is the first example.
"""

import sys
from pathlib import Path

import numpy as np

from model_core import Library
from model_core.studies.hiding import hide_words
from model_core.values.recipe import Recipe
from model_core.values.words import between_words, words_of
from viz_app.menu.catalogue import models_of

CHECKPOINTS = Path(__file__).resolve().parents[1] / "checkpoints"


def score(library: Library, name: str, text: str, layer: int, head: int) -> tuple[float, ...]:
    """(crisp, darkness, probability), means over the words that are written."""
    _, decoding = library.extend(Recipe(model=name, source=text), None)
    tracer = library.tracer(name)
    source = words_of(decoding.source)
    weights_WS = between_words(
        decoding.trace("cross", layer).weights_HQK[head],
        [tuple(t - 1 for t in word) for word in words_of(decoding.target)[1:]],
        source,
    )
    hiding = hide_words(tracer.model, decoding, source)
    rows = []
    for row, word in enumerate(words_of(decoding.target)[1:]):
        is_said = any(c.isalnum() for token in word for c in decoding.target.texts[token])
        if decoding.target.kinds[word[0]] != "text" or not is_said:
            continue
        lost_S = hiding.changes_TW[[token - 1 for token in word]].sum(axis=0)
        darkest = int(weights_WS[row].argmax())
        likely = np.exp([hiding.log_probabilities_T[token - 1] for token in word]).mean()
        rows.append((darkest == int(lost_S.argmin()), weights_WS[row, darkest], likely))
    return tuple(np.mean(rows, axis=0)) if rows else (0.0, 0.0, 0.0)


def main(names: list[str], texts: list[str]) -> None:
    library = Library(CHECKPOINTS)
    for entry in models_of(CHECKPOINTS)[0]:
        if entry.get("of") or (names and entry["name"] not in names):
            continue
        start = entry["start_on"]
        for text in [*entry["examples"], *texts]:
            crisp, dark, likely = score(library, entry["name"], text, start["layer"], start["head"])
            print(f"{entry['name']:24} {crisp:.2f} {dark:.2f} {likely:.2f}  {text}")


if __name__ == "__main__":
    main([sys.argv[1]] if len(sys.argv) > 1 else [], sys.argv[2:])
