"""What a model loses without a head: loss and exact matches with it off, by zero and by mean.

An output is exact where every token is the most probable one after those before it. Of a model
whose rows never change with later tokens that is what greedy decoding would write, to the last.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from model_core.evaluation.heads.reading import Block, Progress, Sentence, blocks
from model_core.models.own import OwnModel
from model_core.models.protocol import Model
from model_core.transformer.edited import edited
from model_core.transformer.passes import EncoderPass
from model_core.values.edits import Edit
from model_core.values.trace import Site

_TOGETHER = 64  # sentences of one pass of a model of ours; of others, whose vocabularies are large,
_TOGETHER_ELSEWHERE = 8


@dataclass(frozen=True, eq=False)
class _Batch:
    block: Block
    wanted_BT: torch.Tensor  # what each row is to write, -1 where nothing is
    encoded: EncoderPass | None  # of a model of ours: the source, read once for all


_Run = Callable[[_Batch], torch.Tensor]


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
    sentences: Sequence[Sentence],
    means: Mapping[Site, np.ndarray],
    progress: Progress,
) -> Effects:
    """Every head off, one after the other."""
    size = _TOGETHER if isinstance(model, OwnModel) else _TOGETHER_ELSEWHERE
    batches = [_batch(model, sentences, block) for block in blocks(model, sentences, size)]
    loss, exact = _scores(_runner(model, None, means), batches)
    heads = sum(one.layers * one.heads for one in model.anatomy.sites)
    by_site: dict[Site, np.ndarray] = {}
    for one in model.anatomy.sites:
        changes_LH4 = np.full((one.layers, one.heads, 4), np.nan)
        for layer, head in np.ndindex(one.layers, one.heads):
            for at, kind in enumerate(("head-off", "head-mean")):
                if kind == "head-mean" and not means:
                    continue
                edit = Edit(kind, one.site, layer, head)
                found = _scores(_runner(model, edit, means), batches)
                changes_LH4[layer, head, at::2] = found[0] - loss, found[1] - exact
            progress("effects", 1, heads)
        by_site[one.site] = changes_LH4
    return Effects(loss, exact, by_site)


def _batch(model: Model, sentences: Sequence[Sentence], block: Block) -> _Batch:
    longest = max(len(ids) for ids in block.targets)
    wanted_BT = torch.full((len(block.places), longest), -1)
    for row, at in enumerate(block.places):
        ids, first = sentences[at].predicted, sentences[at].shift
        wanted_BT[row, first : first + len(ids)] = torch.tensor(ids)
    if not isinstance(model, OwnModel):
        return _Batch(block, wanted_BT, None)
    device = model.transformer.device
    source_BS = torch.tensor(block.sources, device=device)
    return _Batch(block, wanted_BT.to(device), model.transformer.encode(source_BS))


def _runner(model: Model, edit: Edit | None, means: Mapping[Site, np.ndarray]) -> _Run:
    """What gives the logits of a batch under this edit."""
    if not isinstance(model, OwnModel):
        other = model.edited((edit,), means) if edit else model
        return lambda batch: other.full_pass(batch.block.sources, batch.block.targets).logits_BTV
    device = model.transformer.device
    tensors = {site: torch.from_numpy(one).to(device) for site, one in means.items()}
    without = edited(model.transformer, (edit,) if edit else (), tensors)

    def run(batch: _Batch) -> torch.Tensor:
        read = batch.encoded
        if read is None or (edit and edit.site == "encoder"):
            read = without.encode(torch.tensor(batch.block.sources, device=device))
        target_BT = torch.tensor(batch.block.targets, device=device)
        return without.decode(target_BT, read).logits_BTV

    return run


def _scores(run: _Run, batches: Sequence[_Batch]) -> tuple[float, float]:
    """The mean loss per token, and the share of sentences that are written exactly."""
    nats = tokens = exact = count = 0.0
    for batch in batches:
        logits_BTV = run(batch)
        wanted_BT = batch.wanted_BT.to(logits_BTV.device)
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
