import math
import sys
from dataclasses import replace

import pytest
import torch

from model_core.decoding.beam import decode_with_beam
from model_core.tokenizer import Tokenizer
from model_core.training.data.corpus import EncodedPair, Example
from model_core.training.evaluation.scores import (
    Scores,
    copying_weight,
    evaluate,
    mean_loss,
    translate,
)
from model_core.transformer.transformer import Transformer
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.special import OURS

START, END = OURS.start, OURS.end
TOKENIZER = Tokenizer.train(["abcdefgh"], "characters", 280)
TEXTS = ("abc", "h", "gfedcba", "aabbccdd", "be")


def tiny_model(seed: int = 0, decoder_layers: int = 2, decoder_heads: int = 2) -> Transformer:
    torch.manual_seed(seed)
    config = ModelConfig(
        source_vocabulary=TOKENIZER.size,
        target_vocabulary=TOKENIZER.size,
        width=16,
        encoder_layers=1,
        decoder_layers=decoder_layers,
        encoder_heads=2,
        decoder_heads=decoder_heads,
        feed_forward_width=16,
        max_positions=40,
        tied="all",
    )
    return Transformer(config)


def test_no_output_outgrows_the_positions_of_the_model() -> None:
    source = (*TOKENIZER.ids("abcdefgh" * 4), END)
    (output,) = decode_with_beam(tiny_model(), [source], 1)
    assert len(output) <= 40


def test_a_source_that_is_too_long_has_an_empty_translation_and_the_others_theirs() -> None:
    model, texts = tiny_model().double(), ["a" * 40, *TEXTS, "a" * 41]
    first, *others, last = translate(model, (TOKENIZER, TOKENIZER), texts)
    assert first == last == ""
    assert others == list(translate(model, (TOKENIZER, TOKENIZER), TEXTS)) and any(others)


def test_a_validation_source_that_is_too_long_costs_its_score_and_not_the_training() -> None:
    examples = [Example("abc", ("cba",)), Example("a" * 40, ("a" * 40,))]
    model, tokenizers = tiny_model(), (TOKENIZER, TOKENIZER)
    assert translate(model, tokenizers, [one.source for one in examples])[1] == ""
    assert math.isfinite(evaluate(model, tokenizers, examples, TrainConfig()).loss)


def test_translations_come_in_the_order_of_the_texts() -> None:
    model = tiny_model().double()
    together = translate(model, (TOKENIZER, TOKENIZER), TEXTS)
    alone = [translate(model, (TOKENIZER, TOKENIZER), [text])[0] for text in TEXTS]
    assert list(together) == alone


def test_without_sacrebleu_a_translation_is_ranked_by_its_matches_and_its_loss(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    examples = [Example(text, (text,)) for text in TEXTS]
    scores = evaluate(tiny_model(), (TOKENIZER, TOKENIZER), examples, TrainConfig())
    assert scores.bleu is None
    assert scores.rank == (scores.exact_match, -scores.loss)


def test_the_mean_loss_is_torchs_cross_entropy_over_all_tokens() -> None:
    model = tiny_model().double().eval()
    pairs = [
        EncodedPair((*TOKENIZER.ids(text), END), (START, *TOKENIZER.ids(text[::-1]), END))
        for text in TEXTS
    ]
    total, tokens = 0.0, 0
    for pair in pairs:
        logits_BTV = model(torch.tensor([pair.source]), torch.tensor([pair.target[:-1]])).logits_BTV
        total += torch.nn.functional.cross_entropy(
            logits_BTV[0], torch.tensor(pair.target[1:]), reduction="sum"
        ).item()
        tokens += pair.predicted
    assert mean_loss(model, pairs, sentences=2) == pytest.approx(total / tokens, rel=1e-12)


def test_exact_match_counts_any_reference() -> None:
    model = tiny_model().double()
    outputs = translate(model, (TOKENIZER, TOKENIZER), TEXTS)
    examples = [  # an output can be too long for the model to read: the loss leaves it out
        Example(text, ("wrong", output) if right else ("wrong",))
        for text, output, right in zip(TEXTS, outputs, (1, 1, 0, 0, 1), strict=True)
    ]
    config = TrainConfig(task="reverse")
    assert evaluate(model, (TOKENIZER, TOKENIZER), examples, config).exact_match == 60


def test_uniform_attention_puts_one_share_on_the_token_to_copy() -> None:
    model = tiny_model()
    with torch.no_grad():
        for layer in model.decoder:  # all scores equal
            layer.cross_attention.projection.weight.zero_()
    lengths = [len(text) for text in TEXTS]
    expected = sum(length / (length + 1) for length in lengths) / sum(lengths)
    too_long = "abcdefgh" * 20
    for heads in copying_weight(model, TOKENIZER, (*TEXTS, too_long), "reverse"):
        assert heads == pytest.approx((expected, expected), rel=1e-5)


@pytest.mark.parametrize(
    ("task", "output", "places"),
    [
        ("reverse", "dcab", (3, 2, 1, 0)),
        ("copy", "bacd", (0, 1, 2, 3)),
        ("sort", "abcd", (1, 0, 2, 3)),
    ],
)
def test_what_is_copied_is_read_off_the_recorded_weights(
    task: str, output: str, places: tuple[int, ...]
) -> None:
    model = tiny_model(decoder_layers=1, decoder_heads=1).eval()
    source, target = TOKENIZER.ids("bacd"), TOKENIZER.ids(output)
    passed = model(torch.tensor([[*source, END]]), torch.tensor([[START, *target]]))
    weights_QK = passed.records("cross")[0].weights_BHQK[0, 0].detach()
    by_hand = sum(float(weights_QK[row, place]) for row, place in enumerate(places)) / 4
    assert copying_weight(model, TOKENIZER, ["bacd"], task)[0][0] == pytest.approx(by_hand)


def test_only_tasks_on_strings_know_what_is_copied() -> None:
    examples = [Example(text, (text[::-1],)) for text in TEXTS]
    scores = {
        task: evaluate(tiny_model(), (TOKENIZER, TOKENIZER), examples, TrainConfig(task=task))
        for task in ("reverse", "translate")
    }
    assert scores["reverse"].copied is not None and scores["reverse"].bleu is None
    assert scores["translate"].copied is None and scores["translate"].bleu is not None


def test_higher_bleu_ranks_first_and_lower_loss_decides_between_equals() -> None:
    scores = Scores(loss=1.0, exact_match=0.0, bleu=20.0)
    assert replace(scores, bleu=21.0, loss=9.0).rank > scores.rank
    assert replace(scores, loss=0.9).rank > scores.rank
