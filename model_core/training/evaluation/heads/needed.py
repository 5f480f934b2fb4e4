"""How often the darkest word of a head is the needed one: that whose hiding costs the token most.

Dark is not the same as needed (Jain and Wallace 2019): this says, head by head, how often it is.
"""

import numpy as np

from model_core.models.protocol import Model
from model_core.studies.hiding import scored_without
from model_core.training.evaluation.heads.reading import ReadSentence
from model_core.values.words import words_of


def knows_needed(model: Model) -> bool:
    """Whether a word of the source can be hidden from it, and later tokens change no row."""
    anatomy = model.anatomy
    return anatomy.has("encoder") and anatomy.has("cross") and not anatomy.reads_whole


def darkest_is_needed(
    model: Model, sentence: ReadSentence, weights_LHTS: np.ndarray
) -> tuple[np.ndarray, int]:
    """In how many rows of each head (L, H) it is, and the rows that count.

    The weight of a word is that of all its pieces; what is no word, such as the end, can be the
    darkest but not the needed one. A row counts where hiding some word makes its token less
    probable.
    """
    kinds = sentence.source.kinds
    words = [word for word in words_of(sentence.source) if kinds[word[0]] == "text"]
    L, H = weights_LHTS.shape[:2]
    if not words or not sentence.predicted:
        return np.zeros((L, H)), 0
    follows = (*sentence.fed.ids[1:], sentence.predicted[-1])
    whole_T, hidden_TW = scored_without(
        model, sentence.source.ids, sentence.fed.ids, follows, words
    )
    lost_TW = (whole_T[:, None] - hidden_TW)[sentence.shift :]
    chosen_T = lost_TW.max(axis=1) > 0
    others = sorted(set(range(len(sentence.source))) - {token for word in words for token in word})
    groups = [*words, *([token] for token in others)]
    rows_LHTS = weights_LHTS[:, :, sentence.shift :][:, :, chosen_T]
    by_group_LHTG = np.stack([rows_LHTS[..., list(of)].sum(axis=-1) for of in groups], axis=-1)
    needed_T = lost_TW[chosen_T].argmax(axis=1)
    return (by_group_LHTG.argmax(axis=-1) == needed_T).sum(axis=2), int(chosen_T.sum())
