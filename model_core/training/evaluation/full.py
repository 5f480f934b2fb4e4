"""Everything that is measured on a checkpoint as it is stored: what its card states.

Every number follows from the weights and the corpus.
"""

import dataclasses
from collections import Counter
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model_core.checkpoints.store import Checkpoint
from model_core.decoding.beam import ALPHA
from model_core.training.data.corpus import Corpus, EncodedPair, Example, encode_pairs
from model_core.training.evaluation.aligner import Aligner, learn_aligner
from model_core.training.evaluation.alignment import (
    Head,
    head_error_rates,
    mean_error_rate,
    readable,
    score_heads,
)
from model_core.training.evaluation.hand_aligned import HandAligned, hand_aligned
from model_core.training.evaluation.metrics import (
    RESAMPLES,
    BleuTokens,
    has_sacrebleu,
    score_all,
    tokens_of,
)
from model_core.training.evaluation.own_sentences import own_sentences
from model_core.training.evaluation.report import BINS, HELD_OUT, HELD_OUT_STRINGS, Report
from model_core.training.evaluation.scores import (
    batches_of,
    copying_weight,
    mean_loss,
    reference_pairs,
    translate,
)
from model_core.transformer.evaluating import evaluating
from model_core.transformer.transformer import Transformer
from model_core.values.config import TrainConfig
from model_core.values.evaluation import (
    AlignmentHead,
    Calibration,
    HandRate,
    HeadScore,
    Judged,
    LengthScore,
    SearchScore,
)

WIDTH = 5
_LONGEST = (4, 8, 12, 16, 24)  # source tokens: where one line of the table by length ends
_SAMPLES = 8
_LEXICON_PAIRS = 60_000  # enough for the words that validation sentences use


def evaluate_fully(
    checkpoint: Checkpoint,
    corpus: Corpus,
    config: TrainConfig,
    width: int = WIDTH,
    tokens: BleuTokens | None = None,
    part: str | None = None,
    alpha: float = ALPHA,
    resamples: int = RESAMPLES,
) -> Report:
    """The report of a checkpoint on what its corpus holds out.

    Scored greedily and by a beam of `width` and length penalty `alpha`, with BLEU on these `tokens`
    (None: those of the target language). `part` is what the report calls that part (None: which
    half of which file, or what it is).
    """
    model, examples = checkpoint.model, corpus.held_out
    tokenizers = checkpoint.tokenizers
    texts = [example.source for example in examples]
    references = [example.references for example in examples]
    searches: list[SearchScore] = []
    outputs: tuple[str, ...] = ()
    tokens = tokens or tokens_of(config.target_language)
    scored = None if config.is_of_strings or not has_sacrebleu() else tokens
    for each in sorted({1, width}):
        outputs = translate(model, tokenizers, texts, each, alpha)
        by_length = _by_length(checkpoint, examples, outputs, scored)
        found = score_all(outputs, references, scored, resamples)
        searches.append(SearchScore(each, *found, by_length))
    pairs = reference_pairs(model, tokenizers, examples)
    return Report(
        part=part or (HELD_OUT_STRINGS if config.is_of_strings else HELD_OUT),
        sources=len(examples),
        sha256=corpus.checksum,
        alpha=alpha,
        loss=mean_loss(model, pairs),
        searches=tuple(searches),
        own=_judged(checkpoint, corpus, config),
        alignment=None if config.is_of_strings else alignment_head(checkpoint, corpus, config)[0],
        copied=copying_weight(model, tokenizers[0], texts, config.task)
        if config.is_of_strings
        else None,
        calibration=() if config.is_of_strings else calibration(model, pairs),
        samples=tuple(
            (example.source, output, example.references[0])
            for example, output in list(zip(examples, outputs, strict=True))[:_SAMPLES]
        ),
    )


def aligner_of(checkpoint: Checkpoint, corpus: Corpus) -> Aligner:
    """The project's aligner, learned from the training pairs of a corpus."""
    config, pairs = checkpoint.config, corpus.train[:_LEXICON_PAIRS]
    encoded = encode_pairs(pairs, checkpoint.tokenizers, config, config.max_positions)
    return learn_aligner(encoded, config.source_vocabulary, config.target_vocabulary)


def alignment_head(
    checkpoint: Checkpoint, corpus: Corpus, config: TrainConfig
) -> tuple[AlignmentHead, list[HeadScore], np.ndarray | None]:
    """The head that aligns words best, the scores of all heads (best first), their error rates.

    Chosen on the examples that chose the weights, and scored on those that are held out. The error
    rates (layers, heads) are on sentences of our own that were aligned by hand and are not too long
    for the model; there are none for languages without such sentences.
    """
    model, tokenizers, aligner = (
        checkpoint.model,
        checkpoint.tokenizers,
        aligner_of(checkpoint, corpus),
    )
    chosen, scores = (
        score_heads(model, reference_pairs(model, tokenizers, part, references=1), aligner)
        for part in (corpus.valid, corpus.held_out)
    )
    hand = readable(model, hand_aligned(config.source_language, config.target_language), tokenizers)
    place, taught = (chosen[0].layer, chosen[0].head), _taught(checkpoint)
    best = next(score for score in scores if (score.layer, score.head) == place)
    found = AlignmentHead(
        **dataclasses.asdict(best),
        taught=place in taught,
        by_hand=_by_hand(checkpoint, hand, [place]),
        mean_of=taught,
        mean_by_hand=_by_hand(checkpoint, hand, taught) if taught else (),
    )
    return found, scores, head_error_rates(model, hand, tokenizers) if hand else None


def _taught(checkpoint: Checkpoint) -> tuple[Head, ...]:
    """The heads that were last taught an aligner's links, if any were."""
    if checkpoint.training.guidance:
        return checkpoint.training.guidance.heads
    taught = checkpoint.training.taught(checkpoint.config)
    return tuple((layer + 1, head + 1) for layer, head in taught)


def _by_hand(
    checkpoint: Checkpoint, hand: Sequence[HandAligned], heads: Sequence[Head]
) -> tuple[HandRate, ...]:
    """The error rates of the mean of these heads, on each kind of the sentences."""
    tokenizers = checkpoint.tokenizers
    rates = []
    for kind, count in Counter(pair.kind for pair in hand).items():
        some = [pair for pair in hand if pair.kind == kind]
        rate = mean_error_rate(checkpoint.model, some, tokenizers, heads)
        rates.append(HandRate(kind, count, rate))
    return tuple(rates)


def _by_length(
    checkpoint: Checkpoint,
    examples: Sequence[Example],
    outputs: Sequence[str],
    tokens: BleuTokens | None,
) -> tuple[LengthScore, ...]:
    """The scores by the length of the source; lengths that do not occur are left out."""
    lengths = [len(checkpoint.source_tokenizer.ids(example.source)) for example in examples]
    found, shortest = [], 0
    for longest in (*_LONGEST, None):
        rows = [
            row
            for row, length in enumerate(lengths)
            if length >= shortest and (longest is None or length <= longest)
        ]
        if rows:
            some = [outputs[row] for row in rows]
            references = [examples[row].references for row in rows]
            exact, bleu, chrf = score_all(some, references, tokens)
            values = [score.value if score else None for score in (bleu, chrf)]
            found.append(LengthScore(max(shortest, 1), longest, len(rows), exact, *values))
        shortest = (longest or 0) + 1
    return tuple(found)


def _judged(checkpoint: Checkpoint, corpus: Corpus, config: TrainConfig) -> tuple[Judged, ...]:
    sentences = own_sentences(config.source_language, config.target_language)
    trained = {source for source, _ in corpus.train}
    texts = [sentence.source for sentence in sentences]
    outputs = translate(checkpoint.model, checkpoint.tokenizers, texts)
    return tuple(
        Judged(sentence.source, output, sentence.accepts(output), sentence.source in trained)
        for sentence, output in zip(sentences, outputs, strict=True)
    )


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
