"""The step at which a whole translation is shown: one that tells something.

The page chooses it by the same rule, in stage/run/telling.js.
"""

import math

from model_core.values.trace import Decoding, Tokens
from viz_app.rooms.translate.payload import CANDIDATES


def telling_step(decoding: Decoding, layer: int, head: int) -> int:
    """The step, from 0, at which a head of cross-attention finds the word and there was a choice.

    That is where what the head finds of the word that the step writes, times the entropy of the
    candidates, is largest; the last step where no word is written.
    """
    weights_TK = decoding.trace("cross", layer).weights_HQK[head].tolist()
    worth = []
    for step, weights_K in zip(decoding.steps, weights_TK, strict=True):
        listed = step.log_probabilities_V[step.best(CANDIDATES)].tolist()
        entropy = sum(-math.exp(log) * log for log in listed)
        worth.append(_found(decoding, weights_K, step.index) * entropy)
    most = max(worth)
    return worth.index(most) if most > 0 else len(worth) - 1


def _found(decoding: Decoding, weights_K: list[float], step: int) -> float:
    """The weight of the word that a step writes where the source has it, else of the word that is
    read most; 0 where no word is written."""
    source, target = decoding.source, decoding.target
    if step + 1 >= len(target) or not _is_word(target, step + 1):
        return 0.0
    words = {key: source.texts[key].strip() for key in range(len(source)) if _is_word(source, key)}
    written = target.texts[step + 1].strip()
    same = [weights_K[key] for key, text in words.items() if text == written]
    return sum(same) if same else max((weights_K[key] for key in words), default=0.0)


def _is_word(tokens: Tokens, at: int) -> bool:
    """Whether a token is (a piece of) a word."""
    return tokens.kinds[at] == "text" and any(letter.isalpha() for letter in tokens.texts[at])
