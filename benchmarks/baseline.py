"""python -m benchmarks.baseline: what torch.nn.Transformer reaches on the data of a checkpoint.

The same layers and widths (nothing is tied), tokenizers, pairs and number of target tokens read;
everything else as PyTorch's own translation tutorial has it: default layers, Xavier initialisation,
Adam at a constant 1e-4, plain cross-entropy, 128 random pairs a batch. It is not part of `make
bench`: it needs the data folder and takes as long as the training it is compared with.
"""

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from model_core.checkpoints.store import open_checkpoint
from model_core.training.data.corpus import (
    EncodedPair,
    encode_pairs,
    make_batch,
    pad_rows,
    read_corpus,
)
from model_core.training.evaluation.metrics import bleu_score, chrf_score, tokens_of
from model_core.transformer.positions import sinusoidal_table
from model_core.values.config import ModelConfig

_PAIRS_IN_A_BATCH = 128
_LEARNING_RATE = 1e-4


class Baseline(nn.Module):
    """torch.nn.Transformer with embeddings, sinusoidal positions and a projection around it."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        self.layers = nn.Transformer(
            config.width,
            config.encoder_heads,
            config.encoder_layers,
            config.decoder_layers,
            config.feed_forward_width,
            batch_first=True,
        )
        self.source = nn.Embedding(config.source_vocabulary, config.width)
        self.target = nn.Embedding(config.target_vocabulary, config.width)
        self.logits = nn.Linear(config.width, config.target_vocabulary)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer("table_PD", sinusoidal_table(config.max_positions, config.width))
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)

    def forward(self, source_BS: Tensor, target_BT: Tensor) -> Tensor:
        """The logits (batch, target, vocabulary)."""
        pads_BS = source_BS == self.config.pad_id
        T = target_BT.shape[1]
        out_BTD = self.layers(
            self._embed(self.source, source_BS),
            self._embed(self.target, target_BT),
            tgt_mask=torch.ones(T, T, dtype=torch.bool).triu(1),
            src_key_padding_mask=pads_BS,
            tgt_key_padding_mask=target_BT == self.config.pad_id,
            memory_key_padding_mask=pads_BS,
        )
        return self.logits(out_BTD)

    def _embed(self, embedding: nn.Embedding, ids_BT: Tensor) -> Tensor:
        scaled_BTD = embedding(ids_BT) * math.sqrt(self.config.width)
        return self.dropout(scaled_BTD + self.table_PD[: ids_BT.shape[1]])


def batches(pairs: Sequence[EncodedPair], seed: int) -> Iterator[list[EncodedPair]]:
    """Random batches for ever."""
    order = random.Random(seed)
    while True:
        rows = list(range(len(pairs)))
        order.shuffle(rows)
        for first in range(0, len(rows), _PAIRS_IN_A_BATCH):
            yield [pairs[row] for row in rows[first : first + _PAIRS_IN_A_BATCH]]


@torch.inference_mode()
def decode(model: Baseline, sources: Sequence[Sequence[int]]) -> list[list[int]]:
    """Greedy translations; the prefix is recomputed at every step."""
    config = model.config
    model.eval()
    source_BS = pad_rows(sources, config.pad_id)
    target_BT = torch.full((len(sources), 1), config.start_id)
    for _ in range(config.max_positions - 1):
        newest_B = model(source_BS, target_BT)[:, -1].argmax(dim=-1)
        target_BT = torch.cat([target_BT, newest_B.unsqueeze(1)], dim=1)
        if (target_BT == config.end_id).any(dim=1).all():
            break
    rows = [row[1:] for row in target_BT.tolist()]
    return [row[: row.index(config.end_id)] if config.end_id in row else row for row in rows]


def main() -> int:
    """Train, then print BLEU and chrF of greedy translations of what is held out."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.baseline", description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="folder of our checkpoint")
    parser.add_argument("--data", type=Path, required=True, help="folder it was trained on")
    parser.add_argument("--bfloat16", action="store_true", help="matrix products in bfloat16")
    parser.add_argument("--threads", type=int, default=1)
    parsed = parser.parse_args()
    torch.set_num_threads(parsed.threads)
    ours = open_checkpoint(parsed.model)
    trained = ours.training.config
    tokens, config = ours.training.target_tokens, ours.config
    corpus = read_corpus(parsed.data, trained)
    pairs = encode_pairs(corpus.train, ours.tokenizers, config, trained.max_tokens)
    torch.manual_seed(trained.seed)
    model = Baseline(config).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=_LEARNING_RATE, betas=(0.9, 0.98), eps=1e-9)
    began, read, shown = time.monotonic(), 0, 0.0
    for batch in batches(pairs, trained.seed):
        padded = make_batch(batch, config.pad_id)
        with torch.autocast("cpu", torch.bfloat16, enabled=parsed.bfloat16):
            logits_BTV = model(padded.source_BS, padded.target_BT)
        loss = nn.functional.cross_entropy(
            logits_BTV.flatten(0, 1).float(),
            padded.predicted_BT.flatten(),
            ignore_index=config.pad_id,
        )
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        read += sum(pair.predicted for pair in batch)
        if time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(f"{read:,} of {tokens:,} tokens, loss {loss.item():.3f}", flush=True)
        if read >= tokens:
            break
    print(f"{(time.monotonic() - began) / 60:.0f} minutes")
    outputs: list[str] = []
    examples = corpus.held_out
    for first in range(0, len(examples), 64):
        sources = [
            [*ours.source_tokenizer.ids(example.source), config.end_id]
            for example in examples[first : first + 64]
        ]
        outputs += [ours.target_tokenizer.decode(ids) for ids in decode(model, sources)]
    references = [example.references for example in examples]
    words = tokens_of(trained.target_language)
    print(f"BLEU {bleu_score(outputs, references, words).value:.2f}")
    print(f"chrF {chrf_score(outputs, references).value:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
