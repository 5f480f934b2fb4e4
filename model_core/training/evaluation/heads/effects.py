"""What a model loses without a head: loss and exact matches with it off, by zero and by mean.

An output is exact where every token is the most probable one after those before it. Of a model
whose rows never change with later tokens that is what greedy decoding would write, to the last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.training.evaluation.heads.reading import (
    Progress,
    ReadSentence,
    SentenceBlock,
    blocks,
)
from model_core.transformer.passes import EncoderPass, nothing
from model_core.values.edits import Edit
from model_core.values.trace import Site

_TOGETHER = 64  # sentences of one pass of a model of ours; of others, whose vocabularies are large,
_TOGETHER_ELSEWHERE = 8


# Sentences; what each row is to write, -1 for nothing; the source as the untouched model reads it.
Batch = tuple[SentenceBlock, torch.Tensor, EncoderPass | None]


@dataclass(frozen=True, eq=False)
class Effects:
    """The untouched model, and by site (L, H, 4) by how much each number changes.

    Loss by zero and by mean, exact matches by zero and by mean: with the head off minus with it.
    NaN where the model does not allow the edit.
    """

    loss: float  # nats per predicted token
    exact: float  # share of the sentences
    by_site: Mapping[Site, np.ndarray]


@torch.inference_mode()
def effects_of(
    model: Model,
    sentences: Sequence[ReadSentence],
    means: Mapping[Site, np.ndarray],
    progress: Progress,
) -> Effects:
    """Every head off, one after the other."""
    size = _TOGETHER if isinstance(model, OwnModel) else _TOGETHER_ELSEWHERE
    batches = [_batch(model, sentences, block) for block in blocks(model, sentences, size)]
    loss, exact = _scores(model, batches)
    heads = sum(one.layers * one.heads for one in model.anatomy.sites)
    by_site: dict[Site, np.ndarray] = {}
    for one in model.anatomy.sites:
        changes_LH4 = np.full((one.layers, one.heads, 4), np.nan)
        for layer, head in np.ndindex(one.layers, one.heads):
            for at, kind in enumerate(("head-off", "head-mean")):
                if kind == "head-mean" and not means:
                    continue
                edit = Edit(kind, one.site, layer, head)
                found = _scores(model.edited((edit,), means), batches, one.site)
                changes_LH4[layer, head, at::2] = found[0] - loss, found[1] - exact
            progress("effects", 1, heads)
        by_site[one.site] = changes_LH4
    return Effects(loss, exact, by_site)


def _batch(model: Model, sentences: Sequence[ReadSentence], block: SentenceBlock) -> Batch:
    longest = max(len(ids) for ids in block.targets)
    wanted_BT = torch.full((len(block.places), longest), -1)
    for row, at in enumerate(block.places):
        ids, first = sentences[at].predicted, sentences[at].shift
        wanted_BT[row, first : first + len(ids)] = torch.tensor(ids)
    encoded = model.full_pass(block.sources, block.targets, keep=nothing).encoded
    return block, wanted_BT, encoded


def _scores(
    model: Model, batches: Sequence[Batch], site: Site | None = None
) -> tuple[float, float]:
    """The mean loss per token, and the share of sentences that are written exactly.

    `site` is where the model was changed: it reads the source anew only in the encoder.
    """
    nats = tokens = exact = count = 0.0
    for block, wanted_BT, encoded in batches:
        passed = model.full_pass(
            block.sources,
            block.targets,
            keep=nothing,
            encoded=None if site == "encoder" else encoded,
        )
        logits_BTV = passed.logits_BTV
        wanted_BT = wanted_BT.to(logits_BTV.device)
        nats += float(
            functional.cross_entropy(
                logits_BTV.flatten(0, 1), wanted_BT.flatten(), ignore_index=-1, reduction="sum"
            )
        )
        right_BT = (logits_BTV.argmax(dim=-1) == wanted_BT) | (wanted_BT < 0)
        exact += int(right_BT.all(dim=1).sum())
        tokens += int((wanted_BT >= 0).sum())
        count += len(wanted_BT)
    return nats / tokens, exact / count
