import dataclasses
import itertools
import json
import random

import numpy as np
import pytest
import torch

from model_core.__main__ import main
from model_core.alignment import align, learn_lexicon, score_heads
from model_core.config import TrainConfig
from model_core.corpus import EncodedPair, read_corpus
from model_core.evaluation import evaluate
from model_core.folder import read_config
from model_core.store import open_checkpoint
from tests.tiny import tiny_checkpoint
from tests.variants import variant_model

WORDS = {10: 50, 11: 51, 12: 52, 13: 53, 14: 54, 15: 55}


def shuffled_pairs(count=200):
    """Sentences whose every word has one translation, in any order."""
    draw = random.Random(4)
    pairs = []
    for _ in range(count):
        source = draw.sample(sorted(WORDS), 4)
        target = [WORDS[word] for word in draw.sample(source, 4)]
        pairs.append(EncodedPair((*source, 2), (1, *target, 2)))
    return pairs


def test_the_aligner_finds_the_one_translation_of_each_word():
    pairs = shuffled_pairs()
    lexicon = learn_lexicon(pairs, targets=100)
    for pair in pairs[:20]:
        for place, link in zip(pair.target[1:-1], align(lexicon, pair), strict=True):
            assert WORDS[pair.source[link]] == place


def test_expectation_maximisation_is_the_textbook_one():
    pairs = shuffled_pairs(6)
    lexicon = learn_lexicon(pairs, targets=100, rounds=3)
    sources = [[0, *pair.source[:-1]] for pair in pairs]
    targets = [pair.target[1:-1] for pair in pairs]
    table = {(s, t): 1.0 for ss, ts in zip(sources, targets, strict=True) for s in ss for t in ts}
    for _ in range(3):
        counts = dict.fromkeys(table, 0.0)
        for ss, ts in zip(sources, targets, strict=True):
            for t in ts:
                total = sum(table[s, t] for s in ss)
                for s in ss:
                    counts[s, t] += table[s, t] / total
        for s in {s for s, _ in table}:
            total = sum(value for (other, _), value in counts.items() if other == s)
            for pair in [pair for pair in table if pair[0] == s]:
                table[pair] = counts[pair] / total
    for (s, t), expected in table.items():
        found = lexicon.probability(np.array(s), np.array(t))
        assert found == pytest.approx(expected, abs=1e-12)


def test_words_never_seen_together_are_aligned_with_nothing():
    lexicon = learn_lexicon(shuffled_pairs(20), targets=100)
    assert align(lexicon, EncodedPair((10, 2), (1, 99, 2))).tolist() == [-1]


def test_every_head_is_scored_once_and_agreement_is_counted_by_hand():
    model = variant_model("paper").float()
    pairs = shuffled_pairs(5)
    lexicon = learn_lexicon(shuffled_pairs(), targets=100)
    scores = score_heads(model, pairs, lexicon)
    config = model.config
    heads = itertools.product(range(config.decoder_layers), range(config.decoder_heads))
    assert sorted((s.layer - 1, s.head - 1) for s in scores) == list(heads)
    assert [s.agreement for s in scores] == sorted((s.agreement for s in scores), reverse=True)
    best = scores[0]
    hits = total = 0
    for pair in pairs:
        source_BS, target_BT = torch.tensor([pair.source]), torch.tensor([pair.target[:-1]])
        record = model(source_BS, target_BT).cross_records[best.layer - 1]
        weights_TS = record.weights_BHQK[0, best.head - 1].detach().numpy()
        for place, link in enumerate(align(lexicon, pair)):
            row = place if best.rows == "predicted" else place + 1
            hits += int(weights_TS[row].argmax() == link)
            total += 1
    assert best.agreement == pytest.approx(hits / total)


@pytest.fixture
def trained(tmp_path):
    """A tiny checkpoint that says how it was trained, and a data folder for it."""
    checkpoint = tiny_checkpoint(tmp_path / "tiny")
    values = json.loads((tmp_path / "tiny" / "config.json").read_text())
    values["training"] = {"config": dataclasses.asdict(TrainConfig())}
    (tmp_path / "tiny" / "config.json").write_text(json.dumps(values))
    rows = [f"The old cat sleeps {n}.\tLe vieux chat dort {n}.\n" for n in range(9)]
    (tmp_path / "train.tsv").write_text("".join(rows[:7]))
    (tmp_path / "valid.tsv").write_text("".join(rows[7:]))
    return checkpoint, tmp_path


def test_align_prints_every_head_and_keeps_the_best(trained, capsys):
    _, folder = trained
    command = ["align", "--model", str(folder / "tiny"), "--data", str(folder), "--write"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 3 * 4
    kept = read_config(folder / "tiny")[1]["alignment_head"]
    layer, head, agreement, rows, *_ = lines[1].split()
    assert (str(kept["layer"]), str(kept["head"]), kept["rows"]) == (layer, head, rows)
    assert kept["agreement"] == pytest.approx(float(agreement), abs=5e-4)
    assert open_checkpoint(folder / "tiny").training["alignment_head"] == kept


def test_evaluate_prints_the_scores_that_the_functions_give(trained, capsys):
    checkpoint, folder = trained
    assert main(["evaluate", "--model", str(folder / "tiny"), "--data", str(folder)]) == 0
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines()[:4])
    tokenizers = (checkpoint.source_tokenizer, checkpoint.target_tokenizer)
    valid = read_corpus(folder, TrainConfig()).valid
    scores = evaluate(checkpoint.model, *tokenizers, valid, TrainConfig()).scores
    for name in ("loss", "exact_match", "bleu", "chrf"):
        assert float(printed[name]) == pytest.approx(getattr(scores, name), abs=5e-4)


def test_a_missing_data_folder_is_asked_for(trained, capsys):
    assert main(["evaluate", "--model", str(trained[1] / "tiny")]) == 1
    assert "--data DIR" in capsys.readouterr().err
