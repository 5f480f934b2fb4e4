"""How good a model is: loss, BLEU, chrF, exact match, and where a reversal attends.

Everything is greedy and in the precision of the weights. Nothing here changes a model or draws a
random number.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import ModuleType
from typing import TypeVar

import torch

from model_core.config import TrainConfig
from model_core.corpus import EncodedPair, Example, make_batch, pad_rows
from model_core.errors import CorpusError, SourceTooLong, VisualiserError
from model_core.tokenizer import Tokenizer
from model_core.training_loss import smoothed_cross_entropy
from model_core.transformer import Transformer

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Scores:
    """What a model reached on the validation part."""

    loss: float  # nats per target token, teacher-forced, without label smoothing
    exact_match: float  # percent of the outputs that equal a reference
    bleu: float | None = None  # None for the reverse task, and where sacrebleu is not installed
    chrf: float | None = None
    anti_diagonal: tuple[tuple[float, ...], ...] | None = None  # per layer and head; reverse task

    @property
    def rank(self) -> tuple[float, float]:
        """The larger, the better: by BLEU, or exact match where there is no BLEU; then by loss."""
        return (self.exact_match if self.bleu is None else self.bleu, -self.loss)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores and the outputs they are of, in the order of the examples."""

    scores: Scores
    outputs: tuple[str, ...]


def evaluate(
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    examples: Sequence[Example],
    config: TrainConfig,
) -> Evaluation:
    """The model's greedy translations of the examples, and their scores.

    A source longer than the model reads has an empty output, and the loss leaves out what the model
    cannot read.
    """
    start_id, end_id = model.config.start_id, model.config.end_id
    texts = [example.source for example in examples]
    outputs = _translate_readable(model, source_tokenizer, target_tokenizer, texts)
    references = [example.references for example in examples]
    matches = sum(output in right for output, right in zip(outputs, references, strict=True))
    bleu = chrf = anti_diagonal = None
    if config.task == "reverse":
        readable = [
            text for text in texts if len(source_tokenizer.ids(text)) < model.config.max_positions
        ]
        anti_diagonal = anti_diagonal_weight(model, source_tokenizer, readable)
    elif _has_sacrebleu():
        bleu = corpus_bleu(outputs, references, config.target_language)
        chrf = corpus_chrf(outputs, references)
    pairs = [
        EncodedPair(
            (*source_tokenizer.ids(example.source), end_id),
            (start_id, *target_tokenizer.ids(reference), end_id),
        )
        for example in examples
        for reference in example.references
    ]
    readable_pairs = [pair for pair in pairs if _fits(model, pair)]
    if not readable_pairs:
        raise CorpusError(
            f"Every validation pair is longer than the {model.config.max_positions} tokens that "
            "the model reads. Raise max_positions, or validate on shorter sentences."
        )
    scores = Scores(
        loss=mean_loss(model, readable_pairs),
        exact_match=100 * matches / len(examples),
        bleu=bleu,
        chrf=chrf,
        anti_diagonal=anti_diagonal,
    )
    return Evaluation(scores, outputs)


def _fits(model: Transformer, pair: EncodedPair) -> bool:
    return max(len(pair.source), pair.predicted) <= model.config.max_positions


def _translate_readable(
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    texts: Sequence[str],
) -> tuple[str, ...]:
    """As `translate`, with an empty output for a text that is too long."""
    limit = model.config.max_positions
    rows = [row for row, text in enumerate(texts) if len(source_tokenizer.ids(text)) < limit]
    outputs = [""] * len(texts)
    translated = translate(model, source_tokenizer, target_tokenizer, [texts[row] for row in rows])
    for row, output in zip(rows, translated, strict=True):
        outputs[row] = output
    return tuple(outputs)


def translate(
    model: Transformer,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    texts: Sequence[str],
) -> tuple[str, ...]:
    """The greedy translation of every text. Raises SourceTooLong if the model cannot read one."""
    sources = [(*source_tokenizer.ids(text), model.config.end_id) for text in texts]
    longest, limit = max(map(len, sources), default=0), model.config.max_positions
    if longest > limit:
        raise SourceTooLong(
            f"A text has {longest} tokens with its end token; this model reads {limit}. Shorten it."
        )
    return tuple(target_tokenizer.decode(ids) for ids in decode_greedily(model, sources))


def decode_greedily(
    model: Transformer, sources: Sequence[Sequence[int]], sentences: int = 128
) -> tuple[tuple[int, ...], ...]:
    """The ids of the most probable token again and again, until the end token, which is left out.

    The sources hold their end token. Sources of like length are decoded together, at most
    `sentences` at once. Pads and the start token are never chosen. An output has at most twice its
    source's tokens and 16 more, and no more than the model has positions; so it does not depend on
    what it is decoded with.
    """
    order = sorted(range(len(sources)), key=lambda row: len(sources[row]))
    outputs: list[tuple[int, ...]] = [()] * len(sources)
    for rows in _blocks(order, sentences):
        decoded = _decode_block(model, [sources[row] for row in rows])
        for row, ids in zip(rows, decoded, strict=True):
            outputs[row] = ids
    return tuple(outputs)


@torch.inference_mode()
def _decode_block(model: Transformer, sources: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    config, was_training = model.config, model.training
    model.eval()
    encoded = model.encode(pad_rows(sources, config.pad_id))
    limits = [min(2 * len(source) + 16, config.max_positions) for source in sources]
    newest_BT = torch.full((len(sources), 1), config.start_id)
    finished_B = torch.zeros(len(sources), dtype=torch.bool)
    columns, past = [], None
    for _ in range(max(limits)):
        passed = model.decode(newest_BT, encoded, past)
        past = passed.past
        logits_BV = passed.logits_BTV[:, -1]
        logits_BV[:, [config.pad_id, config.start_id]] = -torch.inf
        chosen_B = logits_BV.argmax(dim=-1).masked_fill(finished_B, config.pad_id)
        columns.append(chosen_B)
        finished_B = finished_B | (chosen_B == config.end_id)
        if finished_B.all():
            break
        newest_BT = chosen_B.unsqueeze(1)
    model.train(was_training)
    ends = (config.end_id, config.pad_id)
    decoded_BT = torch.stack(columns, dim=1).tolist()
    return [
        tuple(token for token in ids[:limit] if token not in ends)
        for ids, limit in zip(decoded_BT, limits, strict=True)
    ]


@torch.inference_mode()
def mean_loss(model: Transformer, pairs: Sequence[EncodedPair], sentences: int = 128) -> float:
    """The mean loss in nats per predicted token, teacher-forced and without label smoothing."""
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    ordered = sorted(pairs, key=lambda pair: (pair.predicted, len(pair.source)))
    for block in _blocks(ordered, sentences):
        batch = make_batch(block, model.config.pad_id)
        logits_BTV = model(batch.source_BS, batch.target_BT).logits_BTV
        _, nats = smoothed_cross_entropy(
            logits_BTV.flatten(0, 1), batch.predicted_BT.flatten(), 0.0, model.config.pad_id
        )
        predicted = sum(pair.predicted for pair in block)
        total, tokens = total + float(nats) * predicted, tokens + predicted
    model.train(was_training)
    return total / tokens


@torch.inference_mode()
def anti_diagonal_weight(
    model: Transformer, tokenizer: Tokenizer, texts: Iterable[str]
) -> tuple[tuple[float, ...], ...]:
    """Per layer and head, the mean cross-attention weight on the token that a reversal copies next.

    The query that predicts the first target token should attend to the last source token, and so
    on; the end token has nothing to copy and does not count. Teacher-forced with the true reversal.
    """
    was_training = model.training
    model.eval()
    config = model.config
    total_LH = torch.zeros(config.decoder_layers, config.decoder_heads, dtype=torch.float64)
    rows = 0
    ordered = sorted((tokenizer.ids(text) for text in texts), key=len)
    for length, group in groupby(ordered, key=len):
        for block in _blocks(list(group), 128):
            source_BS = torch.tensor([[*ids, config.end_id] for ids in block])
            target_BT = torch.tensor([[config.start_id, *ids[::-1]] for ids in block])
            for layer, record in enumerate(model(source_BS, target_BT).cross_records):
                copying_BHQK = record.weights_BHQK[:, :, :length, :length].flip(-1)
                weights_BHQ = copying_BHQK.diagonal(dim1=-2, dim2=-1)
                total_LH[layer] += weights_BHQ.double().sum(dim=(0, 2))
            rows += length * len(block)
    model.train(was_training)
    return tuple(tuple(heads) for heads in (total_LH / rows).tolist())


def corpus_bleu(
    outputs: Sequence[str], references: Sequence[Sequence[str]], language: str
) -> float:
    """sacreBLEU's BLEU in percent, with 13a tokens, or zh tokens where the language is Chinese.

    Each output has references of its own, one or more.
    """
    metrics = _sacrebleu_metrics()
    tokens = "zh" if language.startswith("zh") else "13a"
    return metrics.BLEU(tokenize=tokens).corpus_score(list(outputs), _streams(references)).score


def corpus_chrf(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """sacreBLEU's chrF in percent; each output has references of its own."""
    return _sacrebleu_metrics().CHRF().corpus_score(list(outputs), _streams(references)).score


def _streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """Column i holds every output's i-th reference; sacreBLEU skips a None."""
    most = max(map(len, references))
    return [[right[i] if i < len(right) else None for right in references] for i in range(most)]


def _has_sacrebleu() -> bool:
    try:
        _sacrebleu_metrics()
    except VisualiserError:
        return False
    return True


def _sacrebleu_metrics() -> ModuleType:
    try:
        from sacrebleu import metrics
    except ImportError as error:
        raise VisualiserError(
            "BLEU and chrF need sacrebleu, which is not installed: pip install sacrebleu"
        ) from error
    return metrics


def _blocks(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    for first in range(0, len(items), size):
        yield items[first : first + size]
