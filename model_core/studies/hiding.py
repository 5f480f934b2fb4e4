"""Which word a translation depends on: each word of the source hidden in turn."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model_core.decoding.queue import check_time
from model_core.errors import RecipeError
from model_core.models.protocol import Model
from model_core.studies.full_pass import nats_of, rows_at_once
from model_core.studies.readings import check_by_rows
from model_core.transformer.masks import Mask, mask_from
from model_core.transformer.passes import nothing
from model_core.values.trace import Decoding, copied, frozen


@dataclass(frozen=True, eq=False)
class Hiding:
    """What each target token loses or gains when a word of the source cannot be read.

    T target tokens, those whose log-probability is known; W words.
    """

    words: tuple[tuple[int, ...], ...]  # source tokens of each word
    log_probabilities_T: np.ndarray  # nats, with everything that the model sees
    hidden_TW: np.ndarray  # nats, without the word

    @property
    def changes_TW(self) -> np.ndarray:
        """Nats; below 0 where a token is less probable without the word."""
        return frozen(self.hidden_TW - self.log_probabilities_T[:, None])


def hide_words(model: Model, decoding: Decoding, words: Sequence[Sequence[int]]) -> Hiding:
    """Every token of a translation scored anew with each word of its source hidden in turn.

    The translation is fed in whole (teacher forcing), so nothing is chosen anew. A word is hidden
    by the mask, from the encoder and from cross-attention: what the edit `hide` does for each of
    its tokens, beside the edits that the model has. A word that no token sees anyway, such as a
    pad, changes nothing: exactly 0.

    Raises RecipeError where the model has no encoder to hide a word from, or reads its target
    anew with every token.
    """
    if not (model.anatomy.has("encoder") and model.anatomy.has("cross")):
        raise RecipeError(
            "This model has no source beside its target, so no word of it to hide.",
            "reading_source",
        )
    check_by_rows(model)
    target = decoding.target.ids
    fed = target[: min(len(decoding.steps), len(target) - 1)]
    named = tuple(tuple(word) for word in words)
    if not fed:  # nothing is written yet
        return Hiding(named, frozen(np.zeros(0)), frozen(np.zeros((0, len(words)))))
    whole_T, hidden_TW = scored_without(
        model, decoding.source.ids, fed, target[1 : len(fed) + 1], words
    )
    return Hiding(named, whole_T, hidden_TW)


@torch.inference_mode()
def scored_without(
    model: Model,
    source: Sequence[int],
    fed: Sequence[int],
    follows: Sequence[int],
    words: Sequence[Sequence[int]],
) -> tuple[np.ndarray, np.ndarray]:
    """The log-probabilities of the tokens that follow those fed, nats: (T), and (T, W) without each
    word of the source."""
    plain = model.full_pass([source], [fed], keep=lambda _, __, record: record.mask)
    masks = {site: plain.by_site[site][0] for site in ("encoder", "cross")}
    seen_S = masks["encoder"].allowed_BQK[0].any(dim=0) | masks["cross"].allowed_BQK[0].any(dim=0)
    whole_T = nats_of(plain.logits_BTV, follows)[0]
    hidden_TW = whole_T[:, None].repeat(1, len(words))
    asked = [at for at, word in enumerate(words) if any(bool(seen_S[token]) for token in word)]
    most = rows_at_once(model, fed)
    for first in range(0, len(asked), most):
        check_time()
        part = asked[first : first + most]
        open_BS = torch.ones(len(part), len(source), dtype=torch.bool, device=seen_S.device)
        for row, at in enumerate(part):
            open_BS[row, list(words[at])] = False
        hiding = {site: _without(mask, open_BS) for site, mask in masks.items()}
        batch = [source] * len(part), [fed] * len(part)
        passed = model.full_pass(*batch, hiding, keep=nothing)  # type: ignore[arg-type]
        hidden_TW[:, part] = nats_of(passed.logits_BTV, follows).T
    return copied(whole_T), copied(hidden_TW.contiguous())


def _without(mask: Mask, open_BS: Tensor) -> Mask:
    """The mask of a sentence for several rows, each with some tokens hidden besides."""
    allowed_BQK = mask.allowed_BQK[:1] & open_BS[:, None, :]
    return mask_from(f"{mask.name} and hidden", allowed_BQK, mask.hidden_score)
