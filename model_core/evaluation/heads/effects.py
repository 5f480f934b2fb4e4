"""What a model loses without a head: loss and exact matches with it off, by zero and by mean.

An output is exact where every token is the most probable one after those before it. Of a model
whose rows never change with later tokens that is what greedy decoding would write, to the last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from model_core.evaluation.heads.reading import Block, Progress, Sentence, blocks
from model_core.models.own import OwnModel
from model_core.transformer.edited import edited
from model_core.transformer.passes import EncoderPass
from model_core.transformer.transformer import Transformer
from model_core.values.edits import Edit
from model_core.values.trace import Site

_TOGETHER = 64  # sentences of one pass
_Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, EncoderPass]


@dataclass(frozen=True, eq=False)
class Effects:
    """The untouched model, and by site (L, H, 4) by how much each number changes.

    Loss by zero and by mean, exact matches by zero and by mean: with the head off minus with it.
    """

    loss: float  # nats per predicted token
    exact: float  # share of the sentences
    by_site: Mapping[Site, np.ndarray]


@torch.inference_mode()
def effects_of(
    model: OwnModel,
    sentences: Sequence[Sentence],
    means: Mapping[Site, np.ndarray],
    progress: Progress,
) -> Effects:
    """Every head off, one after the other."""
    untouched = model.transformer
    device = untouched.device
    batches = [_batch(model, sentences, block) for block in blocks(model, sentences, _TOGETHER)]
    loss, exact = _scores(untouched, batches, encoder_changed=False)
    tensors = {site: torch.from_numpy(one).to(device) for site, one in means.items()}
    heads = sum(one.layers * one.heads for one in model.anatomy.sites)
    by_site: dict[Site, np.ndarray] = {}
    for one in model.anatomy.sites:
        changes_LH4 = np.zeros((one.layers, one.heads, 4))
        for layer, head in np.ndindex(one.layers, one.heads):
            for at, kind in enumerate(("head-off", "head-mean")):
                without = edited(untouched, (Edit(kind, one.site, layer, head),), tensors)
                found = _scores(without, batches, one.site == "encoder")
                changes_LH4[layer, head, at::2] = found[0] - loss, found[1] - exact
            progress("effects", 1, heads)
        by_site[one.site] = changes_LH4
    return Effects(loss, exact, by_site)


def _batch(model: OwnModel, sentences: Sequence[Sentence], block: Block) -> _Batch:
    """What is read, what is to be written (-1 where nothing is), and the source encoded."""
    transformer = model.transformer
    source_BS = torch.tensor(block.sources, device=transformer.device)
    target_BT = torch.tensor(block.targets, device=transformer.device)
    wanted_BT = torch.full_like(target_BT, -1)
    for row, at in enumerate(block.places):
        ids = torch.tensor(sentences[at].predicted)
        wanted_BT[row, : len(ids)] = ids
    return source_BS, target_BT, wanted_BT, transformer.encode(source_BS)


def _scores(
    model: Transformer, batches: Sequence[_Batch], encoder_changed: bool
) -> tuple[float, float]:
    """The mean loss per token, and the share of sentences that are written exactly."""
    nats = tokens = exact = count = 0.0
    for source_BS, target_BT, wanted_BT, encoded in batches:
        read = model.encode(source_BS) if encoder_changed else encoded
        logits_BTV = model.decode(target_BT, read).logits_BTV
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
