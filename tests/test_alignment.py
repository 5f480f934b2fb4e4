import dataclasses
import itertools
import json

import numpy as np
import pytest
import torch

from model_core.__main__ import main
from model_core.aligner import learn_aligner
from model_core.alignment import error_rate, head_error_rates, score_heads, word_links
from model_core.config import TrainConfig
from model_core.folder import read_config
from model_core.hand_aligned import hand_aligned
from model_core.store import open_checkpoint
from model_core.tokenizer import Tokenizer
from tests.test_aligner import shuffled_pairs
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
        record = model(source_BS, target_BT).cross_records[best.layer - 1]
        weights_TS = record.weights_BHQK[0, best.head - 1].detach().numpy()
        for place, link in enumerate(aligner.links(pair)):
            row = place if best.rows == "predicted" else place + 1
            hits += int(weights_TS[row].argmax() == link)
            total += 1
    assert best.agreement == pytest.approx(hits / total)


PAIRS = (*hand_aligned("en", "fr"), *hand_aligned("zh", "en"))


@pytest.fixture(scope="module")
def letters():
    lines = [text for pair in PAIRS for text in (pair.source, pair.target)]
    return Tokenizer.train(lines, "characters", 400)


def test_the_links_of_a_reader_name_words_that_are_there():
    assert hand_aligned("fr", "en")[0].source == hand_aligned("en", "fr")[0].target
    assert hand_aligned("en", "tlh") == ()
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
        perfect.append(word_links(links, pair, letters, letters))
        assert perfect[-1] <= pair.links
        none.append(word_links([-1] * len(pair.target), pair, letters, letters))
    assert error_rate([set(pair.links) for pair in PAIRS], PAIRS) == 0
    assert error_rate(none, PAIRS) == 1
    found, wanted = sum(map(len, perfect)), sum(len(pair.links) for pair in PAIRS)
    assert error_rate(perfect, PAIRS) == pytest.approx((wanted - found) / (wanted + found))


def test_the_end_token_joins_nothing(letters):
    pair = PAIRS[0]
    ends = [len(pair.source)] * len(pair.target)
    assert word_links(ends, pair, letters, letters) == set()


def test_a_head_that_reads_the_first_word_is_scored_by_hand(letters, monkeypatch):
    model = variant_model("paper").float()
    heads = (model.config.decoder_layers, model.config.decoder_heads)

    def first_word(model, pair):
        weights_LHTS = np.zeros((*heads, len(pair.target) - 1, len(pair.source)))
        weights_LHTS[..., 0] = 1
        return weights_LHTS

    monkeypatch.setattr("model_core.alignment._cross_weights", first_word)
    longest = model.config.max_positions  # the end token counts
    read = [pair for pair in PAIRS if max(len(pair.source), len(pair.target)) < longest]
    assert 10 < len(read) < len(PAIRS)
    rates = head_error_rates(model, PAIRS, letters, letters)
    links = [{(0, word) for word in range(len(pair.target_spans))} for pair in read]
    for reading in ("fed", "predicted"):
        np.testing.assert_allclose(rates[reading], np.full(heads, error_rate(links, read)))


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
    assert len(lines) == 1 + 3 * 4 + 1  # and what the error rate is of
    kept = read_config(folder / "tiny")[1]["alignment_head"]
    layer, head, agreement, rows, *_ = lines[1].split()
    assert (str(kept["layer"]), str(kept["head"]), kept["rows"]) == (layer, head, rows)
    assert kept["agreement"] == pytest.approx(float(agreement), abs=5e-4)
    assert open_checkpoint(folder / "tiny").training["alignment_head"] == kept


def test_a_missing_data_folder_is_asked_for(trained, capsys):
    assert main(["evaluate", "--model", str(trained[1] / "tiny")]) == 1
    assert "--data DIR" in capsys.readouterr().err
