import argparse
import gc
import json
import shlex
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from model_core.__main__ import main
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointError, ConfigError, CorpusError
from model_core.training import hardware, state
from model_core.training.commands import train as train_command
from model_core.training.loop import Progress, train
from model_core.training.loss import disagreement
from model_core.training.run import TrainingRun, training_folder
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.history import History
from model_core.values.presets import PRESETS
from tests.tiny_training import WORDS, Whole, losses, tiny, write_words


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_words(tmp_path / "words")


# Learning


def test_the_reverse_task_is_learnt_a_little(tmp_path: Path) -> None:
    preset = tiny("reverse", updates=50, batch_tokens=512, validate_every=50, strings=3000)
    steps = losses(train(preset, tmp_path / "model"))
    first = sum(nats for _, _, nats in steps[:5]) / 5
    last = sum(nats for _, _, nats in steps[-5:]) / 5
    assert first > 5
    assert last < 4  # ln 36 = 3.6 is to know the alphabet


def test_snapshots_are_the_weights_of_their_updates_and_change_nothing(
    tmp_path: Path, data: Path, whole: Whole
) -> None:
    folder, plain = whole
    steps = train(tiny(), tmp_path / "kept", data, kept=(3, 8))
    first = losses(next(steps) for _ in range(5))
    steps.close()  # and goes on from its folder
    with pytest.raises(ConfigError, match="names update 2, which this training has passed"):
        next(train(tiny(), tmp_path / "kept", data, kept=(2, 3)))
    assert first + losses(train(tiny(), tmp_path / "kept", data, kept=(3, 8))) == plain
    kept = tmp_path / "kept" / "model.safetensors"
    assert kept.read_bytes() == (folder / "model.safetensors").read_bytes()
    assert list(open_checkpoint(tmp_path / "kept").training.snapshots) == ["3", "8"]
    short = tmp_path / "short"
    list(train(tiny(updates=8, average_last=1), short, data))
    found = open_checkpoint(tmp_path / "kept@8").model.state_dict()
    for name, tensor in open_checkpoint(short).model.state_dict().items():
        assert torch.equal(found[name], tensor.half().float()), name


def test_a_checkpoint_is_there_from_the_first_validation_point_and_says_what_made_it(
    tmp_path: Path, data: Path
) -> None:
    steps = train(tiny(), tmp_path / "model", data, name="test", command="python -m x")
    for progress in steps:
        if progress.validation:
            break
    assert progress.update == 4
    assert progress.validation is not None and progress.validation.exported
    checkpoint = open_checkpoint(tmp_path / "model")
    training = checkpoint.training
    assert training.preset == "test" and training.command == "python -m x"
    assert training.config == tiny().train and training.update == 4
    assert training.validation_sources == training.held_out_sources == 3
    assert len(training.data_sha256) == 64 and training.torch == torch.__version__
    scores = progress.validation.scores
    assert training.scores["bleu"] == scores.bleu
    assert f"{scores.loss:.3f} nats per token" in checkpoint.card


@pytest.mark.parametrize("folder", ["tatoeba-en-fr", "elsewhere"])
def test_the_card_credits_tatoeba_where_it_is_due(tmp_path: Path, data: Path, folder: str) -> None:
    data = data.rename(tmp_path / folder)
    list(train(tiny(updates=1), tmp_path / "model", data))
    credit = (
        "Trained on sentences from Tatoeba (https://tatoeba.org), CC BY 2.0 FR, "
        "by way of manythings.org/anki, export of 2019-04-07."
    )
    assert (credit in open_checkpoint(tmp_path / "model").card) == (folder == "tatoeba-en-fr")


@pytest.mark.parametrize("guided", [0.0, 0.5])
def test_phrases_are_read_beside_the_pairs_of_people_and_the_card_says_so(
    tmp_path: Path, data: Path, guided: float
) -> None:
    small = tiny()
    changes = {"phrases": 40, "repeated": 2, "guided_alignment": guided, "max_tokens": 120}
    preset = replace(
        small,
        model=replace(small.model, max_positions=128),
        train=replace(small.train, **changes),
    )
    run = TrainingRun(preset, tmp_path / "one", data, "", "")
    assert (run.read, len(run.pairs)) == (30, 2 * 30 + 40)
    assert all(bool(pair.links) == bool(guided) for pair in run.pairs)
    list(train(preset, tmp_path / "model", data))
    checkpoint = open_checkpoint(tmp_path / "model")
    assert checkpoint.training.training_pairs == 30
    assert "40 pairs drawn from a phrasebook of our own" in checkpoint.card


@pytest.mark.parametrize(("stored", "tolerance"), [("float32", 1e-6), ("float16", 2e-3)])
def test_the_checkpoint_reaches_the_scores_it_states(
    tmp_path: Path, data: Path, stored: str, tolerance: float
) -> None:
    from model_core.training.data.corpus import read_corpus
    from model_core.training.evaluation.scores import evaluate

    preset = tiny(stored=stored)
    list(train(preset, tmp_path / "model", data))
    checkpoint = open_checkpoint(tmp_path / "model")
    valid = read_corpus(data, preset.train).valid
    scores = evaluate(checkpoint.model, checkpoint.tokenizers, valid, preset.train)
    assert scores.loss == pytest.approx(checkpoint.training.scores["loss"], rel=tolerance)
    assert scores.bleu == pytest.approx(checkpoint.training.scores["bleu"])


def test_the_best_weights_stay_when_later_ones_are_worse(tmp_path: Path, data: Path) -> None:
    best, exported = None, 0
    for progress in train(tiny(updates=24), tmp_path / "model", data):
        if progress.validation:
            rank = progress.validation.scores.rank
            assert progress.validation.exported == (best is None or rank > best)
            best = rank if best is None else max(best, rank)
            exported = progress.update if progress.validation.exported else exported
    assert open_checkpoint(tmp_path / "model").training.update == exported


def test_the_first_progress_says_what_was_not_used(tmp_path: Path, data: Path) -> None:
    train_tsv = data / "train.tsv"
    train_tsv.write_text("no tab\n" + train_tsv.read_text() * 2 + "a" * 40 + "\tb\n")
    first, second, *_ = train(tiny(updates=2), tmp_path / "model", data)
    assert first.notes[0].startswith(
        "30 training pairs, 3 validation sources, 3 more held out for the card"
    )
    assert first.notes[1] == (
        "1 lines cannot be used; the first is train.tsv line 1: 1 of the 2 columns that are needed"
    )
    assert first.notes[2].startswith("30 training pairs are duplicates")
    assert first.notes[3] == "1 pairs longer than 33 tokens: left out"
    assert second.notes == ()


def test_two_tokenizers_are_learnt_where_the_sides_ask_for_it(tmp_path: Path, data: Path) -> None:
    preset = tiny(updates=1)
    own = replace(preset.train, target_tokenizer="characters")
    preset = replace(preset, model=replace(preset.model, tied="target"), train=own)
    list(train(preset, tmp_path / "model", data))
    checkpoint = open_checkpoint(tmp_path / "model")
    assert checkpoint.source_tokenizer is not checkpoint.target_tokenizer


def test_guidance_makes_the_first_heads_read_the_linked_words(tmp_path: Path, data: Path) -> None:
    shares = {}
    for weight in (0.0, 1.0):
        preset = tiny(guided_alignment=weight, updates=40, validate_every=40, tokenizer="bpe")
        out = tmp_path / str(weight)
        list(train(preset, out, data))
        checkpoint = open_checkpoint(out)
        assert ("Guided alignment" in (out / "card.md").read_text()) == bool(weight)
        read = total = 0.0
        for word, translation in WORDS.items():
            source = [
                *checkpoint.source_tokenizer.ids(word),
                *checkpoint.source_tokenizer.ids("cat"),
            ]
            target = checkpoint.target_tokenizer.ids(translation)
            source_BS, target_BT = torch.tensor([[*source, 2]]), torch.tensor([[1, *target]])
            record = checkpoint.model(source_BS, target_BT).records("cross")[0]
            first = len(checkpoint.source_tokenizer.ids(word))
            read += record.weights_BHQK[0, 0, : len(target), :first].sum().item()
            total += len(target)
        shares[weight] = read / total
    assert shares[1.0] > shares[0.0] + 0.2


def test_consistency_makes_readings_with_dropout_agree(tmp_path: Path, data: Path) -> None:
    apart = {}
    for weight in (0.0, 3.0):
        preset = tiny(consistency=weight, updates=40, validate_every=40, tokenizer="bpe")
        preset = replace(preset, model=replace(preset.model, dropout_residual=0.3))
        out = tmp_path / str(weight)
        list(train(preset, out, data))
        assert ("taught to agree" in (out / "card.md").read_text()) == bool(weight)
        checkpoint = open_checkpoint(out)
        source = [*checkpoint.source_tokenizer.ids("red cat"), 2]
        target = [1, *checkpoint.target_tokenizer.ids("chat rouge")]
        rows = torch.tensor([source] * 64), torch.tensor([target] * 64)
        torch.manual_seed(0)
        logits_NV = checkpoint.model.train()(*rows).logits_BTV.flatten(0, 1)
        apart[weight] = disagreement(logits_NV, torch.ones(len(logits_NV)), pad_id=0).item()
    assert 0 < apart[3.0] < 0.7 * apart[0.0]


def test_a_mask_that_leaks_is_learnt_from_and_is_not_in_the_model(
    tmp_path: Path, data: Path
) -> None:
    last, alone = {}, {}
    for broken in ("", "ahead"):
        preset = tiny(broken_causal_mask=broken, updates=40, validate_every=40)
        out = tmp_path / (broken or "right")
        *_, end = train(preset, out, data)
        last[broken], alone[broken] = end.nats, end.validation.scores.loss
        assert ("On purpose, a mistake" in (out / "card.md").read_text()) == bool(broken)
        checkpoint = open_checkpoint(out)
        if broken:
            assert checkpoint.training.update == 40  # the last weights
        ids = torch.tensor([[1, *checkpoint.target_tokenizer.ids("chat rouge")]])
        records = checkpoint.model(ids, ids).records("decoder")
        assert all(bool((record.weights_BHQK.triu(1) == 0).all()) for record in records)
    assert last["ahead"] < last[""] and alone["ahead"] > alone[""]


@pytest.mark.parametrize(("times", "is_said"), [(0.4, False), (45.0, True)])
def test_it_says_where_bfloat16_is_the_slower_precision(
    times: float, is_said: bool, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hardware, "bfloat16_over_float32", lambda device: times)
    for precision in ("bfloat16", "float32"):
        first = next(train(tiny(precision=precision), tmp_path / precision, data))
        said = [note for note in first.notes if "--precision float32" in note]
        assert [f"takes {times:.0f} times as long" in note for note in said] == [True] * (
            is_said and precision == "bfloat16"
        )


def test_notes_on_the_way_make_a_history_and_change_nothing(
    tmp_path: Path, data: Path, whole: Whole
) -> None:
    _, quiet = whole
    noting = train(tiny(), tmp_path / "noting", data, noted=(1, 4, 12))
    assert [next(noting).nats for _ in range(5)] == [nats for *_, nats in quiet[:5]]
    noting.close()  # and goes on later, as if nothing had happened
    assert losses(train(tiny(), tmp_path / "noting", data, noted=(1, 4, 12))) == quiet[5:]
    checkpoint = open_checkpoint(tmp_path / "noting")
    history = checkpoint.history
    assert isinstance(history, History)
    assert list(history.updates_N) == [0, 1, 4, 12]
    nats = [nats for *_, nats in quiet]
    for note, since in enumerate((nats[:1], nats[1:4], nats[4:]), start=1):
        assert history.learnt_N[note] == pytest.approx(sum(since) / len(since), rel=1e-6)
    assert history.copied_NLH is not None and history.copied_NLH.shape == (4, 1, 2)
    assert ((history.copied_NLH > 0) & (history.copied_NLH < 1)).all()  # an aligner finds links
    source, target = history.sentences[0]
    with torch.inference_mode():
        passed = checkpoint.model(torch.tensor([source]), torch.tensor([target[:-1]]))
    for site in ("encoder", "decoder", "cross"):
        weights_HQK = passed.records(site)[0].weights_BHQK[0]
        kept_HQK = history.weights[site][0][-1][0] / 255
        # The weights on disk are rounded to float16, and those that are noted to parts of 255.
        np.testing.assert_allclose(kept_HQK, weights_HQK, atol=0.5 / 255 + 2e-3)


def test_a_history_that_does_not_begin_with_nothing_learnt_is_refused(
    tmp_path: Path, data: Path
) -> None:
    begun = train(tiny(updates=8), tmp_path / "model", data)
    for _ in range(4):
        next(begun)
    begun.close()
    with pytest.raises(ConfigError, match="--history begins with a note of update 0"):
        next(train(tiny(updates=8), tmp_path / "model", data, noted=(2, 8)))


def test_a_training_that_is_carried_on_keeps_its_notes(tmp_path: Path, data: Path) -> None:
    list(train(tiny(updates=8), tmp_path / "model", data, noted=(1, 3, 8)))
    list(train(tiny(updates=12), tmp_path / "model", data, noted=(1, 5, 10, 12)))
    history = open_checkpoint(tmp_path / "model").history
    assert history is not None and list(history.updates_N) == [0, 1, 3, 8, 10, 12]
    with pytest.raises(ConfigError, match="has at most 64"):
        next(train(tiny(updates=80), tmp_path / "model", data, noted=range(1, 81)))


def test_equal_seeds_give_equal_losses(tmp_path: Path, data: Path) -> None:
    one, again, other = (
        losses(train(tiny(updates=3, seed=seed), tmp_path / name, data))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert one == again != other


def test_a_diverging_training_says_which_rate_to_lower(tmp_path: Path, data: Path) -> None:
    preset = tiny(learning_rate=1e30, warmup=1, clip=0.0)
    with pytest.raises(ConfigError, match=r"learning rate of .* is too high"):
        list(train(preset, tmp_path / "model", data))


def test_a_loss_that_is_no_number_never_reaches_the_weights(tmp_path: Path, data: Path) -> None:
    run = TrainingRun(
        tiny(learning_rate=1e30, warmup=1, clip=0.0), tmp_path / "model", data, "", ""
    )
    with pytest.raises(ConfigError, match="The loss of update"):
        for _ in range(12):
            run.step()
    assert all(parameter.isfinite().all() for parameter in run.model.parameters())


def test_sentence_pairs_need_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="--data"):
        next(train(tiny(), tmp_path / "model"))
    assert not list(tmp_path.iterdir())


def test_a_reserved_name_is_refused_before_anything_is_learnt(tmp_path: Path, data: Path) -> None:
    with pytest.raises(CheckpointError, match=r"names that end in \.training are reserved"):
        next(train(tiny(), tmp_path / "model.training", data))
    assert list(tmp_path.iterdir()) == [data]


def test_samples_that_are_too_long_give_way_to_what_the_model_reads(
    tmp_path: Path, data: Path
) -> None:
    valid = data / "valid.tsv"
    valid.write_text("one " * 20 + "\tun\n" + valid.read_text())
    preset = tiny(max_tokens=16, updates=4)
    preset = replace(preset, model=replace(preset.model, max_positions=16))
    *_, last = train(preset, tmp_path / "model", data)
    assert last.validation is not None and last.validation.exported
    sources = [source for source, _ in last.validation.samples]
    assert sources and all(len(source.split()) == 2 for source in sources)  # none has 20 words
    assert open_checkpoint(tmp_path / "model").training.update == 4


def test_a_model_that_reads_no_validation_pair_is_not_trained(tmp_path: Path, data: Path) -> None:
    (data / "valid.tsv").write_text("one " * 20 + "\tun\n")
    with pytest.raises(CorpusError, match="Every validation pair is longer than the 48 tokens"):
        next(train(tiny(), tmp_path / "model", data))


def test_two_trainings_into_one_folder_are_refused_by_name(tmp_path: Path, data: Path) -> None:
    first = train(tiny(), tmp_path / "model", data)
    next(first)
    with pytest.raises(ConfigError, match=r"Another training is writing into .*model\.training"):
        next(train(tiny(), tmp_path / "model", data))
    first.close()
    assert next(train(tiny(), tmp_path / "model", data)).update == 2


def test_a_system_without_locks_that_removes_no_open_file_trains_too(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Windows: no fcntl, and what is open cannot be removed."""

    def refused(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "used by another process", str(path))

    gc.collect()  # a training that another test left open removes its lock
    monkeypatch.setattr(state, "fcntl", None)
    monkeypatch.setattr(Path, "unlink", refused)
    *_, last = train(tiny(), tmp_path / "model", data)
    assert last.update == 12 and open_checkpoint(tmp_path / "model").training.update
    assert not list(training_folder(tmp_path / "model").glob("lock"))


# The command line


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    train_command.add_arguments(parser)
    return parser.parse_args(words)


def test_the_command_trains_and_its_command_line_is_in_the_checkpoint(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(PRESETS, "reverse-tiny", tiny())
    monkeypatch.chdir(data)
    words = ["--preset", "reverse-tiny", "--data", ".", "--out", str(tmp_path / "model")]
    assert train_command.run(parsed(*words, "--updates", "5", "--seed", "0")) == 0
    assert "Done" in capsys.readouterr().out
    training = open_checkpoint(tmp_path / "model").training
    assert training.config.seed == 0 and training.update in (4, 5)
    assert training.data == data.name
    assert f"--data {data.name} --out checkpoints/model" in training.command
    assert training.command.endswith("--updates 5 --seed 0")
    assert [search.width for search in training.evaluation.searches] == [1, 5]


def test_ctrl_c_keeps_everything_and_says_how_to_go_on(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def train_and_press(*args: object, **options: object) -> Iterator[Progress]:
        for progress in (steps := train(*args, **options)):  # type: ignore[arg-type]
            if progress.update == 2:
                signal.raise_signal(signal.SIGINT)
            try:
                yield progress
            except GeneratorExit:
                steps.close()
                raise

    monkeypatch.setitem(PRESETS, "reverse-tiny", tiny())
    monkeypatch.setattr("model_core.training.loop.train", train_and_press)
    words = ["--preset", "reverse-tiny", "--data", str(data), "--out", str(tmp_path / "model")]
    words += ["--device", "cpu"]
    before = signal.getsignal(signal.SIGINT)
    assert train_command.run(parsed(*words)) == 130
    assert signal.getsignal(signal.SIGINT) is before
    said = "To continue:\n    python -m model_core train " + shlex.join(words)
    assert said in capsys.readouterr().out
    state = json.loads((training_folder(tmp_path / "model") / "state.json").read_text())
    assert state["update"] == 2


def test_an_error_is_one_line_and_the_status_is_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--preset", "en-fr", "--out", str(tmp_path / "model")]) == 1
    assert "error: Name the folder with" in capsys.readouterr().err.splitlines()[-1]


def test_every_option_is_explained_and_is_a_setting() -> None:
    parser = argparse.ArgumentParser()
    train_command.add_arguments(parser)
    settings = set(vars(TrainConfig())) | set(vars(ModelConfig()))
    for action in parser._actions:
        assert action.help, action.dest
        known = settings | {"help", "preset", "data", "out", "threads", "device", "resume"}
        # What is written beside the checkpoint, what it begins with, and who looks on.
        known |= {"snapshots", "history", "begin", "watch", "log_dir", "progress"}
        assert action.dest in known, action.dest
