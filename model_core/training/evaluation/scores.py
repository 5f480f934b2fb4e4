"""How good a model is: translations, loss, BLEU, chrF, exact match, and where what copies attends.

This is what a training asks at every validation point; `full.py` asks more, once.
Everything is in the precision of the weights. Nothing here changes a model or draws a random
number.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

import numpy as np
import torch
from torch.nn import functional

from model_core.decoding.beam import ALPHA, decode_with_beam
from model_core.errors import CorpusError
from model_core.tokenizer import Tokenizer, Tokenizers
from model_core.training.data.corpus import Batch, EncodedPair, Example, make_batch
from model_core.training.evaluation.metrics import has_sacrebleu, score_all, tokens_of
from model_core.transformer.evaluating import evaluating
from model_core.transformer.transformer import Transformer
from model_core.values.config import TrainConfig
from model_core.values.strings import places_written
from model_core.values.trace import SITES, Site

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Scores:
    """What a model reached on the validation part."""

    loss: float  # nats per target token, teacher-forced, without label smoothing
    exact_match: float  # percent of the outputs that equal a reference
    bleu: float | None = None  # None for tasks on strings, and where sacrebleu is not installed
    chrf: float | None = None
    copied: tuple[tuple[float, ...], ...] | None = None  # per layer and head; tasks on strings

    @property
    def rank(self) -> tuple[float, float]:
        """The larger, the better: by BLEU, or exact match where there is no BLEU; then by loss."""
        return (self.exact_match if self.bleu is None else self.bleu, -self.loss)


def evaluate(
    model: Transformer, tokenizers: Tokenizers, examples: Sequence[Example], config: TrainConfig
) -> Scores:
    """The scores of the model's greedy translations of the examples.

    A source longer than the model reads has an empty one, and the loss leaves out what the model
    cannot read.
    """
    texts = [example.source for example in examples]
    outputs = translate(model, tokenizers, texts)
    references = [example.references for example in examples]
    copied = None
    tokens = (
        tokens_of(config.target_language) if not config.is_of_strings and has_sacrebleu() else None
    )
    exact, bleu, chrf = score_all(outputs, references, tokens)
    if config.is_of_strings:
        copied = copying_weight(model, tokenizers[0], texts, config.task)
    return Scores(
        loss=mean_loss(model, reference_pairs(model, tokenizers, examples)),
        exact_match=exact,
        bleu=bleu.value if bleu else None,
        chrf=chrf.value if chrf else None,
        copied=copied,
    )


def reference_pairs(
    model: Transformer,
    tokenizers: Tokenizers,
    examples: Sequence[Example],
    references: int | None = None,
) -> list[EncodedPair]:
    """Each source with each of its first `references` (None: all) that the model can read.

    Raises CorpusError where it can read none.
    """
    start_id, end_id = model.config.start_id, model.config.end_id
    limit = model.config.max_positions
    pairs = [
        EncodedPair(
            tuple(tokenizers[0].source_ids(example.source)),
            (start_id, *tokenizers[1].ids(reference), end_id),
        )
        for example in examples
        for reference in example.references[:references]
    ]
    readable = [pair for pair in pairs if max(len(pair.source), pair.predicted) <= limit]
    if not readable:
        raise CorpusError(
            f"Every validation pair is longer than the {limit} tokens that the model reads. "
            "Raise max_positions, or validate on shorter sentences."
        )
    return readable


def translate(
    model: Transformer,
    tokenizers: Tokenizers,
    texts: Sequence[str],
    width: int = 1,
    alpha: float = ALPHA,
) -> tuple[str, ...]:
    """The translation of every text by a beam of this width and length penalty; 1 is greedy.

    A text longer than the model reads has an empty one.
    """
    limit = model.config.max_positions
    sources = [tokenizers[0].source_ids(text) for text in texts]
    readable = [source for source in sources if len(source) <= limit]
    found = iter(decode_with_beam(model, readable, width, alpha))
    return tuple(
        tokenizers[1].decode(next(found)) if len(source) <= limit else "" for source in sources
    )


def batches_of(model: Transformer, pairs: Sequence[EncodedPair], sentences: int) -> Iterator[Batch]:
    """The pairs in batches, similar lengths together, on the model's device."""
    ordered = sorted(pairs, key=lambda pair: (pair.predicted, len(pair.source)))
    for block in _blocks(ordered, sentences):
        yield make_batch(block, model.config.pad_id).to(model.device)


@evaluating
@torch.inference_mode()
def attention_of(model: Transformer, pair: EncodedPair) -> dict[Site, np.ndarray]:
    """The attention of a teacher-forced pass of one pair, (L, H, Q, K) for each site."""
    source_BS = torch.tensor([pair.source], device=model.device)
    target_BT = torch.tensor([pair.target[:-1]], device=model.device)
    passed = model(source_BS, target_BT)
    return {
        site: torch.stack([one.weights_BHQK[0] for one in passed.records(site)]).cpu().numpy()
        for site in SITES
    }


@evaluating
@torch.inference_mode()
def mean_loss(model: Transformer, pairs: Sequence[EncodedPair], sentences: int = 128) -> float:
    """The mean loss in nats per predicted token, teacher-forced and without label smoothing."""
    total = 0.0
    for batch in batches_of(model, pairs, sentences):
        logits_BTV = model(batch.source_BS, batch.target_BT).logits_BTV
        nats = functional.cross_entropy(
            logits_BTV.flatten(0, 1),
            batch.predicted_BT.flatten(),
            ignore_index=model.config.pad_id,
            reduction="sum",
        )
        total += float(nats)
    return total / sum(pair.predicted for pair in pairs)


@evaluating
@torch.inference_mode()
def copying_weight(
    model: Transformer, tokenizer: Tokenizer, texts: Iterable[str], task: str
) -> tuple[tuple[float, ...], ...]:
    """Per layer and head, the mean cross-attention weight on the token that is copied next.

    Of a reversal it is the last source token that the query of the first target token should read,
    and so on; the end token has nothing to copy and does not count. Teacher-forced with what the
    task makes of each text, whose every character is a token. Texts that are too long for the model
    do not count.
    """
    config, device = model.config, model.device
    texts = [text for text in texts if len(tokenizer.source_ids(text)) <= config.max_positions]
    total_LH = torch.zeros(config.decoder_layers, config.decoder_heads, dtype=torch.float64)
    rows = 0
    for length, group in groupby(sorted(texts, key=len), key=len):
        for block in _blocks(list(group), 128):
            places_BQ = torch.tensor([places_written(task, text) for text in block], device=device)
            ids_BK = torch.tensor([tokenizer.ids(text) for text in block], device=device)
            source_BS = functional.pad(ids_BK, (0, 1), value=config.end_id)
            target_BT = functional.pad(ids_BK.gather(1, places_BQ), (1, 0), value=config.start_id)
            for layer, record in enumerate(model(source_BS, target_BT).records("cross")):
                places_BHQ1 = places_BQ[:, None, :, None].expand(-1, config.decoder_heads, -1, -1)
                weights_BHQ1 = record.weights_BHQK[:, :, :length].gather(-1, places_BHQ1)
                total_LH[layer] += weights_BHQ1.double().sum(dim=(0, 2, 3)).cpu()
            rows += length * len(block)
    return tuple(tuple(heads) for heads in (total_LH / rows).tolist())


def _blocks(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    for first in range(0, len(items), size):
        yield items[first : first + size]
