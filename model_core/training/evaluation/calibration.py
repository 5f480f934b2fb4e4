"""How far a model's probabilities can be trusted: is what it gives 60% right 60% of the time?"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model_core.training.data.corpus import EncodedPair
from model_core.training.evaluation.report import BINS, Calibration
from model_core.training.evaluation.scores import batches_of
from model_core.transformer.evaluating import evaluating
from model_core.transformer.transformer import Transformer


@evaluating
@torch.inference_mode()
def calibration(
    model: Transformer, pairs: Sequence[EncodedPair], sentences: int = 128
) -> tuple[Calibration, Calibration]:
    """At the opening of the targets and at all of their tokens, each read up to there."""
    opening, everywhere = [], []
    for batch in batches_of(model, pairs, sentences):
        logits_BTV = model(batch.source_BS, batch.target_BT).logits_BTV
        given_BT, best_BT = logits_BTV.double().softmax(dim=-1).max(dim=-1)
        found_BT2 = torch.stack([given_BT, (best_BT == batch.predicted_BT).double()], dim=-1).cpu()
        opening.append(found_BT2[:, 0])
        everywhere.append(found_BT2[batch.predicted_BT.cpu() != model.config.pad_id])
    return _calibrated("opening", opening), _calibrated("all", everywhere)


def _calibrated(where: str, found: list[Tensor]) -> Calibration:
    """The expected calibration error (Guo et al. 2017) over bins of equal width."""
    given_N, right_N = torch.cat(found).T.numpy()
    bins_N = np.minimum((given_N * BINS).astype(int), BINS - 1)
    apart_B = np.abs(np.bincount(bins_N, given_N) - np.bincount(bins_N, right_N))
    return Calibration(
        where,
        tokens=len(given_N),
        given=float(given_N.mean()),
        right=float(right_N.mean()),
        error=float(apart_B.sum() / len(given_N)),
    )
