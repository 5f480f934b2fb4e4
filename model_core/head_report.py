"""Which heads do the same whatever the sentence: uniform, parked on one token, copies of another.

All three are told by one distance between two rows of weights, half the sum of the absolute
differences: the share of the weight that would have to move to turn one into the other. A head has
a habit where less than a fifth would have to move. Rows that see only one key do not count, since
nothing can be told from them.

uniform   to make every row even over the keys that it may attend to, on average over all rows
parked    to put all weight of a sentence on one and the same token: that token gets on average
          over the rows more than four fifths, on average over all sentences with at least 3 rows
          and 3 keys; in the decoder it has to be visible to all of these rows
copy      to make every row that of another head of the same site that comes before this one (layer
          by layer), on average over all rows

A head with several habits is counted once, under the first of these. Measured with references
forced.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch

from model_core.corpus import EncodedPair, make_batch
from model_core.report import HeadHabit
from model_core.tokenizer import Tokenizer
from model_core.trace import SITES, Site
from model_core.transformer import Transformer

MOVED = 0.2  # a head has a habit where less of its weight would have to move


@torch.inference_mode()
def head_habits(
    model: Transformer,
    pairs: Sequence[EncodedPair],
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
) -> tuple[HeadHabit, ...]:
    """What every head of the model does on these pairs."""
    config, was_training = model.config, model.training
    model.eval()
    watched = {
        "encoder": _Watched("encoder", config.encoder_layers, config.encoder_heads),
        "decoder": _Watched("decoder", config.decoder_layers, config.decoder_heads),
        "cross": _Watched("cross", config.decoder_layers, config.decoder_heads),
    }
    for pair in pairs:
        batch = make_batch([pair], config.pad_id)
        encoded = model.encode(batch.source_BS)
        passed = model.decode(batch.target_BT, encoded)
        records = (encoded.records, passed.self_records, passed.cross_records)
        keys = (pair.source, pair.target[:-1], pair.source)
        for site, of_site, ids in zip(SITES, records, keys, strict=True):
            weights_NQK = torch.cat([record.weights_BHQK[0] for record in of_site])
            watched[site].see(weights_NQK.numpy(force=True), ids)
    model.train(was_training)
    tokenizers = (source_tokenizer, target_tokenizer, source_tokenizer)
    return tuple(
        habit
        for site, tokenizer in zip(SITES, tokenizers, strict=True)
        for habit in watched[site].habits(tokenizer)
    )


class _Watched:
    """The heads of one site and what was seen of them; N counts heads, layer by layer."""

    def __init__(self, site: Site, layers: int, heads: int):
        self.site, self.heads = site, heads
        N = layers * heads
        self.rows = self.sentences = 0
        self.uniform_N, self.parked_N = np.zeros(N), np.zeros(N)
        self.between_NN = np.zeros((N, N))
        self.tokens: list[Counter[int]] = [Counter() for _ in range(N)]

    def see(self, weights_NQK: np.ndarray, key_ids: Sequence[int]) -> None:
        """Look at one sentence."""
        _, Q, K = weights_NQK.shape
        visible_QK = np.ones((Q, K), dtype=bool)
        if self.site == "decoder":
            visible_QK = np.tril(visible_QK)
        counted = visible_QK.sum(axis=1) >= 2
        weights_NQK, visible_QK = weights_NQK[:, counted].astype(np.float64), visible_QK[counted]
        rows = len(visible_QK)
        if not rows:
            return
        even_QK = visible_QK / visible_QK.sum(axis=1, keepdims=True)
        self.rows += rows
        self.uniform_N += _moved(weights_NQK - even_QK)
        for number, weights_QK in enumerate(weights_NQK):
            self.between_NN[number] += _moved(weights_NQK - weights_QK)
        keys = np.flatnonzero(visible_QK.all(axis=0))
        if rows >= 3 and K >= 3:
            share_NK = weights_NQK[:, :, keys].mean(axis=1)
            self.sentences += 1
            self.parked_N += share_NK.max(axis=1)
            for counter, key in zip(self.tokens, keys[share_NK.argmax(axis=1)], strict=True):
                counter[key_ids[key]] += 1

    def habits(self, tokenizer: Tokenizer) -> list[HeadHabit]:
        """What was seen, head by head."""
        uniform_N = self.uniform_N / max(self.rows, 1)
        parked_N = self.parked_N / max(self.sentences, 1)
        between_NN = self.between_NN / max(self.rows, 1)
        found = []
        for number in range(len(uniform_N)):
            copied = int(between_NN[number, :number].argmin()) if number else None
            distance = 1.0 if copied is None else float(between_NN[number, copied])
            seen = self.tokens[number].most_common(1)
            habit = (
                "none"
                if not self.rows
                else "uniform"
                if uniform_N[number] < MOVED
                else "parked"
                if 1 - parked_N[number] < MOVED
                else "copy"
                if distance < MOVED
                else "none"
            )
            found.append(
                HeadHabit(
                    site=self.site,
                    layer=number // self.heads + 1,
                    head=number % self.heads + 1,
                    from_uniform=float(uniform_N[number]),
                    on_one_token=float(parked_N[number]),
                    token=tokenizer.text(seen[0][0]) if seen else "",
                    from_copied=distance,
                    copied=None
                    if copied is None
                    else (copied // self.heads + 1, copied % self.heads + 1),
                    habit=habit,
                )
            )
        return found


def _moved(differences_NQK: np.ndarray) -> np.ndarray:
    """The share of weight that has to move, per head, added up over the rows."""
    return 0.5 * np.abs(differences_NQK).sum(axis=(1, 2))
