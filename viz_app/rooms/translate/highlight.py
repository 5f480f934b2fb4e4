"""What a translation opens on: the head that finds its words, and a step worth looking at.

Both go to the page with the decoding, and a picture made without the page outlines the same row.
"""

from typing import TypedDict

import numpy as np

from model_core.values.anatomy import SiteAnatomy
from model_core.values.trace import Decoding, Tokens
from model_core.values.words import by_words
from viz_app.rooms.translate.summary import weights_of

_LETTERS = 5  # of a word, beyond which more count for nothing
_TURNED = 2  # times the worth, where the source word stands before one that was read earlier
_FOUND = 0.5  # weight on a source word, from which on it was read


class Highlight(TypedDict):
    """The head (layer, head) that finds most of what is written, and by layer and head the step."""

    finder: tuple[int, int]
    steps: list[list[int]]


def highlight(decoding: Decoding, cross: SiteAnatomy) -> Highlight | None:
    """What a page opens on; None where nothing was decoded step by step."""
    if not decoding.steps or decoding.whole:
        return None
    words = _Words(decoding)
    found, steps = [], []
    for layer in range(cross.layers):
        found_HW, steps_H = words.found(weights_of(cross, decoding, layer))
        found.append(found_HW.sum(axis=-1))
        steps.append(steps_H)
    layer, head = divmod(int(np.stack(found).argmax()), cross.heads)
    return {"finder": (layer, head), "steps": steps}


def highlight_step(decoding: Decoding, layer: int, head: int) -> int:
    """The step, from 0, that begins the word at which a head of cross-attention shows most.

    That is a long word, likely, read from one place; best one that is read from before what was
    read earlier. The last step where no word is written.
    """
    weights_HQK = decoding.trace("cross", layer).weights_HQK[head : head + 1]
    return _Words(decoding).found(weights_HQK)[1][0]


class _Words:
    """The words of a translation, and the source words that each may be found in."""

    def __init__(self, decoding: Decoding):
        of = by_words(decoding, "cross", written=True)
        same_WS = np.array(
            [[ours == theirs for theirs in of.keys.texts] for ours in of.queries.texts]
        )
        same_WS |= ~same_WS.any(axis=-1, keepdims=True)
        self.source_S, self.written_W = _letters(of.keys), _letters(of.queries)
        self.may_WS = same_WS & (self.source_S > 0) & (self.written_W > 0)[:, None]
        self.chances_W = _chances(decoding, of.rows)
        self.between, self.last = of, len(decoding.steps) - 1

    def found(self, weights_HQK: np.ndarray) -> tuple[np.ndarray, list[int]]:
        """What heads find of each written word, (H, W), and the step at which each shows most.

        Found is the weight of the same word in the source where it is there, else of the word that
        is read most; 0 where no word is written.
        """
        weights_HWS = self.between.weights(weights_HQK) * self.may_WS
        found_HW, read_HW = weights_HWS.max(axis=-1), weights_HWS.argmax(axis=-1)
        furthest_HW = np.maximum.accumulate(np.where(found_HW > _FOUND, read_HW, -1), axis=-1)
        letters_HW = self.written_W + self.source_S[read_HW]
        worth_HW = found_HW**2 * letters_HW * self.chances_W
        worth_HW *= np.where(read_HW < furthest_HW, _TURNED, 1)
        begins = [rows[0] for rows in self.between.rows]
        steps = [begins[int(one.argmax())] if one.any() else self.last for one in worth_HW]
        return found_HW, steps


def _letters(tokens: Tokens) -> np.ndarray:
    """How many letters each word has, up to those that count; 0 where it is none."""
    return np.array(
        [
            min(_LETTERS, sum(map(str.isalpha, text))) if kind == "text" else 0
            for text, kind in zip(tokens.texts, tokens.kinds, strict=True)
        ]
    )


def _chances(decoding: Decoding, rows: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """How likely each written word was, as the mean of its tokens; 0 where it is not written."""
    ids = decoding.target.ids
    logs = [
        [decoding.steps[t].log_probabilities_V[ids[t + 1]] for t in word if t + 1 < len(ids)]
        for word in rows
    ]
    return np.array([np.exp(np.mean(log)) if log else 0.0 for log in logs])
