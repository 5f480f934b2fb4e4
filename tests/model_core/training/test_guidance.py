"""What `guide` teaches a head, and what it leaves alone."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model_core.__main__ import main
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import ConfigError
from model_core.training import guidance
from model_core.training.data.corpus import EncodedPair
from model_core.training.guidance import teach
from model_core.training.loop import train
from model_core.transformer.taps import keeping
from model_core.transformer.transformer import Transformer
from model_core.values.config import ModelConfig
from model_core.values.history import History
from tests.tiny_training import tiny, write_words

CONFIG = ModelConfig(
    source_vocabulary=20,
    target_vocabulary=20,
    width=32,
    encoder_layers=1,
    decoder_layers=2,
    encoder_heads=2,
    decoder_heads=4,
    feed_forward_width=32,
    max_positions=24,
)


def model_of(config: ModelConfig = CONFIG) -> Transformer:
    torch.manual_seed(1)
    return Transformer(config).eval()


def crossed(count: int = 60) -> list[EncodedPair]:
    """Pairs whose target is the source backwards, linked so; no link for the second word."""
    pairs = []
    for _ in range(count):
        words = torch.randint(3, 20, (5,)).tolist()
        pairs.append(EncodedPair((*words, 2), (1, *words[::-1], 2), (4, -1, 2, 1, 0, -1)))
    return pairs


def test_two_heads_learn_the_links_of_what_they_write_and_nothing_else_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guidance, "SETTLING", 10)
    model = model_of()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    teach(model, crossed(), [(1, 2), (2, 3)])
    changed = [name for name, value in model.state_dict().items() if (value != before[name]).any()]
    parts = {".".join(name.split(".")[1:4]) for name in changed}
    assert parts == {
        "0.cross_attention.projection",
        "0.cross_attention.output",
        "1.cross_attention.projection",
        "1.cross_attention.output",
        "1.feed_forward.inner",
        "1.feed_forward.outer",
    }
    for layer, head in ((1, 2), (2, 3)):
        rows = slice((head - 1) * 8, head * 8)
        weight = model.decoder[layer - 1].cross_attention.projection.weight
        was = before[f"decoder.{layer - 1}.cross_attention.projection.weight"]
        differs = (weight != was).any(dim=1)
        assert differs[rows].any() and differs[32 + rows.start : 32 + rows.stop].any()
        differs[rows] = differs[32 + rows.start : 32 + rows.stop] = False
        values = slice(64, None) if layer == 2 else slice(0, 0)  # of the last layer they settle
        differs[values] = False
        assert not differs.any()
    weights = {}
    for name in ("taught", "untaught"):
        pair = crossed(1)[0]
        passed = model(torch.tensor([pair.source]), torch.tensor([pair.target[:-1]]))
        one = passed.records("cross")[1].weights_BHQK[0, 2].detach()
        weights[name] = float(one[0, 4] + one[2, 2] + one[4, 0] + one[5, 5])
        model = model_of()
    assert weights["taught"] > weights["untaught"] + 0.5


def test_the_layer_gives_nearly_what_it_gave(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = crossed()
    source_BS = torch.tensor([pair.source for pair in pairs])
    target_BT = torch.tensor([pair.target[:-1] for pair in pairs])

    def made(model: Transformer) -> torch.Tensor:
        seen: dict[str, torch.Tensor] = {}
        model(source_BS, target_BT, tap=keeping(seen))
        return seen["decoder.2.cross.made"].detach()

    moved = {}
    monkeypatch.setattr(guidance, "SETTLING", 0)
    monkeypatch.setattr(guidance, "UPDATES", 60)
    for repaired in (True, False):
        if not repaired:
            monkeypatch.setattr(guidance, "repair", lambda *of: None)
        model = model_of()
        before = made(model)
        teach(model, pairs, [(2, 1), (2, 4)])
        moved[repaired] = (made(model) - before).square().mean().item()
    assert 0 < moved[True] < moved[False] / 2


def test_the_model_settles_to_what_it_predicted_and_no_head_reads_otherwise_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pairs = crossed()
    rows = torch.tensor([p.source for p in pairs]), torch.tensor([p.target[:-1] for p in pairs])
    before_NV = model_of()(*rows).logits_BTV.flatten(0, 1).log_softmax(dim=-1).detach()
    apart, read = [], []
    monkeypatch.setattr(guidance, "UPDATES", 60)
    for updates in (60, 0):
        monkeypatch.setattr(guidance, "SETTLING", updates)
        model = model_of()
        teach(model, pairs, [(2, 1)])
        passed = model(*rows)
        after_NV = passed.logits_BTV.flatten(0, 1).log_softmax(dim=-1)
        apart.append(((before_NV - after_NV) * before_NV.exp()).sum(dim=-1).mean().item())
        read.append([record.weights_BHQK for record in passed.records("cross")])
        assert all(part.grad is None for part in model.parameters())
    assert 0 < apart[0] < apart[1] / 2
    assert all(torch.equal(one, other) for one, other in zip(*read, strict=True))


def test_a_word_without_a_link_is_taught_not_to_read_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guidance, "SETTLING", 0)
    model = model_of()
    pairs = [replace(pair, links=(-1,) * 6) for pair in crossed()]
    source_BS, target_BT = torch.tensor([pairs[0].source]), torch.tensor([pairs[0].target[:-1]])

    def on_the_end() -> torch.Tensor:
        weights_BHTS = model(source_BS, target_BT).records("cross")[1].weights_BHQK.detach()
        return weights_BHTS[0, 0, :, -1]

    before = on_the_end()
    teach(model, pairs, [(2, 1)])
    assert (on_the_end()[:-1] < before[:-1]).all() and on_the_end()[-1] > before[-1]


def test_heads_that_cannot_be_taught_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"no cross-attention head L3H1: .* 2 layers of 4 heads"):
        teach(model_of(), crossed(), [(3, 1)])
    with pytest.raises(ConfigError, match="similarity dot cannot be taught"):
        teach(model_of(replace(CONFIG, similarity="dot")), crossed(), [(1, 1)])


def test_guide_writes_a_checkpoint_whose_card_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guidance, "UPDATES", 2)
    monkeypatch.setattr(guidance, "SETTLING", 1)
    data, old, new = write_words(tmp_path / "words"), tmp_path / "old", tmp_path / "new"
    preset = tiny(updates=12, validate_every=12, source_language="en", target_language="fr")
    list(train(preset, old, data, command="python -m x", kept=(6,), noted=(1, 12)))
    command = ["guide", str(old), "--data", str(data), "-o", str(new)]
    assert main(command) == 0
    earlier = [open_checkpoint(tmp_path / f"{name}@6").fingerprint for name in ("old", "new")]
    assert earlier[0] == earlier[1] != open_checkpoint(new).fingerprint
    kept = json.loads((new / "config.json").read_text())["training"]
    ((layer, head),) = kept["guidance"]["heads"]  # the model has one layer
    assert kept["alignment_head"]["mean_of"] == [[layer, head]]
    before, after = (open_checkpoint(folder).history for folder in (old, new))
    assert isinstance(before, History) and isinstance(after, History)
    assert list(after.updates_N) == [0, 1, 12, 15] and after.guided and not before.guided
    read = after.weights["cross"][0]
    np.testing.assert_array_equal(read[:3], before.weights["cross"][0])
    assert (read[3] != read[2])[layer - 1, head - 1].any()
    np.testing.assert_array_equal(after.copied_NLH[:3], before.copied_NLH)
    card = open_checkpoint(new).card
    for words in ("Taught afterwards", "python -m x", "guide old --data words -o checkpoints/new"):
        assert words in card
    assert f"cross-attention L{layer}H{head} learnt" in card
    assert main([*command, "--heads", "L1H2"]) == 0
    made = json.loads((new / "config.json").read_text())["training"]["guidance"]
    assert made["heads"] == [[1, 2]] and made["command"].endswith("--heads L1H2")


def test_guide_names_what_it_cannot_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, old = write_words(tmp_path / "words"), tmp_path / "old"
    list(train(tiny(updates=1), old, data, command="python -m x"))
    nowhere = str(tmp_path / "nowhere")  # before anything of the data is read
    command = ["guide", str(old), "--data", nowhere, "-o", str(tmp_path / "new"), "--heads"]
    for word in ("one", "3.5"):
        assert main([*command, word]) == 1
        assert f"{word} names no head" in capsys.readouterr().err
    assert main([*command, "L7H1"]) == 1
    assert "no cross-attention head L7H1" in capsys.readouterr().err
