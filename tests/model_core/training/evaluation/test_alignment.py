import dataclasses
import itertools
import json

import numpy as np
import pytest
import torch

from model_core.__main__ import main
from model_core.checkpoints.folder import read_config
from model_core.checkpoints.store import open_checkpoint
from model_core.tokenizer import Tokenizer
from model_core.training.evaluation.aligner import learn_aligner
from model_core.training.evaluation.alignment import (
    error_rate,
    head_error_rates,
    mean_error_rate,
    readable,
    score_heads,
    word_links,
)
from model_core.training.evaluation.hand_aligned import hand_aligned
from model_core.values.config import TrainConfig
from tests.model_core.training.evaluation.test_aligner import shuffled_pairs
from tests.tiny import tiny_checkpoint
from tests.variants import variant_model


def test_every_head_is_scored_once_and_agreement_is_counted_by_hand():
    model = variant_model("paper").float()
    pairs = shuffled_pairs(5)
    aligner = learn_aligner(shuffled_pairs(), 100, 100, tension=0)
    scores = score_heads(model, pairs, aligner)
    config = model.config
    heads = itertools.product(range(config.decoder_layers), range(config.decoder_heads))
    assert sorted((s.layer - 1, s.head - 1) for s in scores) == list(heads)
    assert [s.agreement for s in scores] == sorted((s.agreement for s in scores), reverse=True)
    best = scores[0]
    hits = total = 0
    for pair in pairs:
        source_BS, target_BT = torch.tensor([pair.source]), torch.tensor([pair.target[:-1]])
        record = model(source_BS, target_BT).records("cross")[best.layer - 1]
        weights_TS = record.weights_BHQK[0, best.head - 1].detach().numpy()
        for place, link in enumerate(aligner.links(pair)):
            hits += int(weights_TS[place].argmax() == link)  # the row that writes that token
            total += 1
    assert best.agreement == pytest.approx(hits / total)


PAIRS = tuple(
    pair for pair_of in ("en-fr", "en-de", "zh-en") for pair in hand_aligned(*pair_of.split("-"))
)


@pytest.fixture(scope="module")
def letters():
    lines = [text for pair in PAIRS for text in (pair.source, pair.target)]
    return Tokenizer.train(lines, "characters", 800)


def test_the_links_of_a_reader_name_words_that_are_there():
    assert hand_aligned("fr", "en")[0].source == hand_aligned("en", "fr")[0].target
    assert hand_aligned("en", "tlh") == ()
    assert {pair.kind for pair in hand_aligned("en", "fr")} == {"everyday", "formal"}
    for pair in PAIRS:
        assert "·" not in pair.source + pair.target
        sources, targets = zip(*pair.links, strict=True)
        assert max(sources) < len(pair.source_spans) and max(targets) < len(pair.target_spans)
        for text, spans in ((pair.source, pair.source_spans), (pair.target, pair.target_spans)):
            words = [text[start:stop] for start, stop in spans]
            assert "".join(words) == text.replace(" ", "")


def test_perfect_links_have_no_error_and_other_links_count_as_wrong(letters):
    perfect, none = [], []
    for pair in PAIRS:
        places = range(len(pair.target))
        links = []
        for place in places:
            words = [
                i for i, (start, stop) in enumerate(pair.target_spans) if start <= place < stop
            ]
            right = [source for source, target in pair.links if words and target == words[0]]
            links.append(pair.source_spans[right[0]][0] if right else -1)
        perfect.append(word_links(links, pair, (letters, letters)))
        assert perfect[-1] <= pair.links
        none.append(word_links([-1] * len(pair.target), pair, (letters, letters)))
    assert error_rate([set(pair.links) for pair in PAIRS], PAIRS) == 0
    assert error_rate(none, PAIRS) == 1
    found, wanted = sum(map(len, perfect)), sum(len(pair.links) for pair in PAIRS)
    assert error_rate(perfect, PAIRS) == pytest.approx((wanted - found) / (wanted + found))


def test_the_end_token_joins_nothing(letters):
    pair = PAIRS[0]
    ends = [len(pair.source)] * len(pair.target)
    assert word_links(ends, pair, (letters, letters)) == set()


def test_a_head_that_reads_the_first_word_is_scored_by_hand(letters, monkeypatch):
    model = variant_model("paper").float()
    heads = (model.config.decoder_layers, model.config.decoder_heads)

    def first_word(model, pair):
        weights_LHTS = np.zeros((*heads, len(pair.target) - 1, len(pair.source)))
        weights_LHTS[..., 0] = 1
        return {"cross": weights_LHTS}

    monkeypatch.setattr("model_core.training.evaluation.alignment.attention_of", first_word)
    longest = model.config.max_positions  # the end token counts
    read = [pair for pair in PAIRS if max(len(pair.source), len(pair.target)) < longest]
    assert 10 < len(read) < len(PAIRS) and readable(model, PAIRS, (letters, letters)) == read
    rates = head_error_rates(model, read, (letters, letters))
    links = [{(0, word) for word in range(len(pair.target_spans))} for pair in read]
    np.testing.assert_allclose(rates, np.full(heads, error_rate(links, read)))
    one = mean_error_rate(model, read, (letters, letters), [(1, 1), (2, 1)])
    assert one == pytest.approx(error_rate(links, read))


def test_the_row_that_writes_a_word_is_the_one_before_it_is_fed(letters, monkeypatch):
    model = variant_model("paper").float()
    heads = (model.config.decoder_layers, model.config.decoder_heads)
    pair = next(pair for pair in PAIRS if pair.target == "I like apples.")

    def the_same_place(model, encoded):  # row t reads source token t
        shape = len(encoded.target) - 1, len(encoded.source)
        return {"cross": np.broadcast_to(np.eye(*shape), (*heads, *shape))}

    monkeypatch.setattr("model_core.training.evaluation.alignment.attention_of", the_same_place)
    same = dataclasses.replace(
        pair,
        source=pair.target,
        source_spans=pair.target_spans,
        links=frozenset((i, i) for i in range(len(pair.target_spans))),
    )
    assert not head_error_rates(model, [same], (letters, letters)).any()


def test_the_mean_of_two_heads_is_the_mean_of_their_weights(letters, monkeypatch):
    model = variant_model("paper").float()
    pair = next(pair for pair in PAIRS if pair.target == "I like apples.")
    rows, columns = len(pair.target) + 1, len(pair.source) + 1
    weights_LHTS = np.zeros(
        (model.config.decoder_layers, model.config.decoder_heads, rows, columns)
    )
    weights_LHTS[0, 0, :, 0], weights_LHTS[0, 0, :, 1] = 0.6, 0.4
    weights_LHTS[1, 1, :, 2], weights_LHTS[1, 1, :, 1] = 0.6, 0.4
    monkeypatch.setattr(
        "model_core.training.evaluation.alignment.attention_of",
        lambda model, pair: {"cross": weights_LHTS},
    )
    links = [word_links([1] * len(pair.target), pair, (letters, letters))]
    rate = mean_error_rate(model, [pair], (letters, letters), [(1, 1), (2, 2)])
    assert rate == pytest.approx(error_rate(links, [pair]))


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


def test_align_prints_every_head_and_keeps_the_chosen_one_with_its_numbers(trained, capsys):
    checkpoint, folder = trained
    command = ["align", "--model", str(folder / "tiny"), "--data", str(folder), "--write"]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 3 * 4 + 1  # and what the error rate is of
    hand = hand_aligned("en", "fr")
    count = len(readable(checkpoint.model, hand, checkpoint.tokenizers))
    assert 0 < count < len(hand) and f"in {count} sentences" in lines[-1]
    kept = read_config(folder / "tiny")[1].alignment_head
    rows = [line.split() for line in lines[1:13]]
    (row,) = [row for row in rows if row[:2] == [str(kept.layer), str(kept.head)]]
    agreement = row[2]  # on what is held out; the head was chosen on the other half
    assert kept.rows == "predicted" and not kept.measured["taught"]
    assert kept.measured["agreement"] == pytest.approx(float(agreement), abs=5e-4)
    assert open_checkpoint(folder / "tiny").training.alignment_head == kept


def test_a_missing_data_folder_is_asked_for(trained, capsys):
    assert main(["evaluate", "--model", str(trained[1] / "tiny")]) == 1
    assert "--data DIR" in capsys.readouterr().err
