import ast
import builtins
import errno
import hashlib
import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import model_core
from model_core.checkpoints import store
from model_core.checkpoints.folder import list_checkpoints
from model_core.checkpoints.store import open_checkpoint, save_checkpoint
from model_core.checkpoints.training import Training
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing
from model_core.tokenizer import Tokenizer
from tests.refusals import refusal
from tests.tiny import LINES, tiny_model
from tests.variants import SOURCE, TARGET, VARIANTS, every_variant, ids

TOKENIZER = Tokenizer.train(LINES, "bpe", 300)
CARD = "# A tiny model ✓\n"


def save(folder, model, card=CARD, **settings):
    save_checkpoint(
        folder, model, TOKENIZER, TOKENIZER, Training(preset="test", update=3), card, **settings
    )


@pytest.fixture
def folder(tmp_path):
    save(tmp_path / "tiny", tiny_model(target_vocabulary=TOKENIZER.size, source_vocabulary=300))
    return tmp_path / "tiny"


@every_variant
def test_a_saved_model_comes_back_bit_for_bit(variant, tmp_path):
    model = tiny_model(7, **VARIANTS[variant])
    save(tmp_path / "tiny", model)
    opened = open_checkpoint(tmp_path / "tiny")
    assert opened.config == model.config and opened.name == "tiny"
    assert opened.card == CARD and opened.training.to_json() == {"preset": "test", "update": 3}
    assert not opened.model.training
    with torch.no_grad():
        wanted, got = (m(ids(SOURCE), ids(TARGET)).logits_BTV for m in (model, opened.model))
    assert torch.equal(wanted, got)
    assert opened.source_tokenizer is opened.target_tokenizer
    assert opened.source_tokenizer.to_json() == TOKENIZER.to_json()


def test_two_tokenizers_come_back_each_on_its_side(tmp_path):
    characters = Tokenizer.train(LINES, "characters", 290)
    model = tiny_model(source_vocabulary=300, target_vocabulary=characters.size)
    save_checkpoint(tmp_path / "two", model, TOKENIZER, characters, Training(), "")
    opened = open_checkpoint(tmp_path / "two")
    assert opened.source_tokenizer.size == 300
    assert opened.target_tokenizer.size == characters.size
    assert not (tmp_path / "two" / "tokenizer.json").exists()


@pytest.mark.parametrize("precision", ["float16", "bfloat16"])
def test_half_precision_halves_the_file_and_opens_as_float32(folder, precision):
    model = open_checkpoint(folder).model
    whole = (folder / "model.safetensors").stat().st_size
    save(folder, model, precision=precision)
    assert (folder / "model.safetensors").stat().st_size < 0.6 * whole
    for name, tensor in open_checkpoint(folder).model.state_dict().items():
        assert tensor.dtype == torch.float32
        rounded = model.state_dict()[name].to(getattr(torch, precision)).float()
        assert torch.equal(tensor, rounded)


@pytest.mark.parametrize("tied", ["none", "target", "all"])
def test_a_tied_tensor_is_stored_once_and_is_one_again(tied, tmp_path):
    save(tmp_path / "tiny", tiny_model(tied=tied))
    stored = set(load_file(tmp_path / "tiny" / "model.safetensors"))
    assert ("logits.weight" in stored) == (tied == "none")
    assert ("source_embedding.weight" in stored) == (tied != "all")
    model = open_checkpoint(tmp_path / "tiny").model
    assert (model.logits.weight is model.target_embedding.weight) == (tied != "none")
    assert (model.source_embedding.weight is model.target_embedding.weight) == (tied == "all")


def test_a_name_with_a_trailing_slash_or_a_relative_one_is_that_of_the_folder(folder, monkeypatch):
    assert open_checkpoint(f"{folder}/").name == "tiny"
    monkeypatch.chdir(folder)
    assert open_checkpoint(".").name == "tiny"


def test_opening_leaves_the_random_state_alone(folder):
    torch.manual_seed(1)
    before = torch.get_rng_state()
    open_checkpoint(folder)
    assert torch.equal(torch.get_rng_state(), before)


def moments_of(write, folder, copies):
    """What lies in a folder before each use of the file system by `write`, and amid each file.

    A process that is killed leaves one of these behind.
    """

    def keep():
        shutil.copytree(folder, copies / f"{len(list(copies.iterdir())):02}")

    def watched(real, halve=None):
        def call(*arguments, **settings):
            keep()
            if halve is not None:
                halve(*arguments)
                keep()
            return real(*arguments, **settings)

        return call

    write_bytes, remove = Path.write_bytes, shutil.rmtree

    def write_half(path, content):
        write_bytes(path, content[: len(content) // 2])

    copies.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.os, "fsync", watched(store.os.fsync))
        patch.setattr(Path, "rename", watched(Path.rename))
        patch.setattr(Path, "mkdir", watched(Path.mkdir))
        patch.setattr(store.shutil, "rmtree", watched(remove))
        patch.setattr(Path, "write_bytes", watched(write_bytes, write_half))
        write()
    keep()
    return sorted(copies.iterdir())


def test_a_save_that_does_not_fit_names_the_file_and_leaves_the_old_checkpoint(folder, monkeypatch):
    before = sorted(path.name for path in folder.parent.iterdir())
    write = Path.write_bytes

    def full(path, content):
        if path.suffix == ".safetensors":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left") as error:
        save(folder, tiny_model(2), card="new")
    assert error.value.filename.endswith(store.WEIGHTS)
    assert sorted(path.name for path in folder.parent.iterdir()) == before
    assert open_checkpoint(folder).card == CARD


def test_a_save_that_is_killed_leaves_the_old_checkpoint_or_the_new_one(tmp_path):
    old, new = tiny_model(1), tiny_model(2)
    root = tmp_path / "models"
    save(root / "tiny", old, card="old")
    outcomes = []
    for left in moments_of(lambda: save(root / "tiny", new, card="new"), root, tmp_path / "left"):
        assert list_checkpoints(left) == ["tiny"]
        opened = open_checkpoint(left / "tiny")
        wanted = {"old": old, "new": new}[opened.card].state_dict()
        for name, tensor in opened.model.state_dict().items():
            assert torch.equal(tensor, wanted[name])
        outcomes.append(opened.card)
        save(left / "tiny", new, card="newer")  # what is left over is in nobody's way
        assert open_checkpoint(left / "tiny").card == "newer"
        assert [path.name for path in left.iterdir()] == ["tiny"]
    assert len(outcomes) > 12 and outcomes == sorted(outcomes, reverse=True)
    assert set(outcomes) == {"old", "new"}


def test_everything_is_on_the_disk_before_the_folder_gets_its_name(tmp_path, monkeypatch):
    real_open, real_fsync, real_rename = store.os.open, store.os.fsync, Path.rename
    paths, events = {}, []

    def remember(path, flags, **named):
        handle = real_open(path, flags, **named)
        paths[handle] = Path(path).name
        return handle

    def flush(handle):
        events.append(paths[handle])
        real_fsync(handle)

    def rename(path, target):
        events.append(f"rename {path.name}")
        return real_rename(path, target)

    save(tmp_path / "tiny", tiny_model())
    monkeypatch.setattr(store.os, "open", remember)
    monkeypatch.setattr(store.os, "fsync", flush)
    monkeypatch.setattr(Path, "rename", rename)
    save(tmp_path / "tiny", tiny_model())
    files = {path.name for path in (tmp_path / "tiny").iterdir()}
    assert len(files) == 4
    *flushed, folder = events[: events.index("rename tiny")]
    assert set(flushed) == files and folder == "new"
    assert events[-4:] == ["rename tiny", ".tiny.saving", "rename new", tmp_path.name]


def test_opening_a_checkpoint_between_two_renames_writes_nothing(folder):
    (folder.parent / ".tiny.saving").mkdir()
    folder.rename(folder.parent / ".tiny.saving" / "old")
    before = sorted(folder.parent.rglob("*"))
    assert open_checkpoint(folder).name == "tiny"
    assert list_checkpoints(folder.parent) == ["tiny"]
    assert sorted(folder.parent.rglob("*")) == before


def test_unfinished_saves_and_trainings_are_not_listed(folder):
    shutil.copytree(folder, folder.with_name("other.training"))
    shutil.copytree(folder, folder.with_name(".other.saving") / "new")
    shutil.copytree(folder, folder.with_name("v1.5"))
    (folder.parent / "notes.txt").write_text("")
    (folder.parent / "empty").mkdir()
    assert list_checkpoints(folder.parent) == ["tiny", "v1.5"]
    assert list_checkpoints(folder.parent / "nowhere") == []


def change_config(folder, change):
    values = json.loads((folder / "config.json").read_text())
    change(values)
    (folder / "config.json").write_text(json.dumps(values))


def change_tensors(folder, change):
    path = folder / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path)
    agree(folder)


def agree(folder):
    """Let config.json say the SHA-256 of the weights that are there now."""
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    change_config(folder, lambda config: config.update(weights_sha256=digest))


def broken(folder, change, kind=CheckpointBroken):
    """What opening says of a copy that was changed so."""
    with tempfile.TemporaryDirectory() as copies:
        shutil.copytree(folder, Path(copies) / "tiny")
        change(Path(copies) / "tiny")
        told = refusal(open_checkpoint, Path(copies) / "tiny")
    assert isinstance(told, kind), told
    return str(told)


def test_truncated_weights_are_named(folder):
    for length in (0, 1, 7, 8, 9, 200, 5000, -1000, -1):
        for checksum in (True, False):

            def shorten(folder, length=length, checksum=checksum):
                weights = folder / "model.safetensors"
                weights.write_bytes(weights.read_bytes()[:length])
                if not checksum:
                    agree(folder)

            assert "model.safetensors is truncated" in broken(folder, shorten), length


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors", "card.md"])
def test_a_file_that_is_missing_or_a_folder_or_no_text_is_named(folder, name):
    def in_place(folder):
        (folder / name).unlink()
        (folder / name).mkdir()

    assert name in broken(folder, lambda folder: (folder / name).unlink(), CheckpointMissing)
    assert name in broken(folder, in_place)
    if name != "model.safetensors":
        binary = broken(folder, lambda folder: (folder / name).write_bytes(b"\xff\xfe\xfa"))
        assert "not UTF-8" in binary


def test_there_is_no_checkpoint_where_there_is_no_folder(folder):
    for path in (folder.with_name("other"), folder / "card.md"):
        with pytest.raises(CheckpointMissing, match="There is no checkpoint"):
            open_checkpoint(path)


def test_a_config_that_cannot_be_used_is_named(folder):
    for change, message in (
        (lambda c: c.update(surprise=1), "keys format, weights_sha256, model and training"),
        (lambda c: c.pop("training"), "keys format, weights_sha256, model and training"),
        (lambda c: c.pop("weights_sha256"), "keys format, weights_sha256, model and training"),
        (lambda c: c.update(training=[]), "Training must be a JSON object"),
        (lambda c: c["training"].update(surprise=1), "Training does not know 'surprise'"),
        (lambda c: c.update(format=99), "format 99"),
        (lambda c: c.update(format="1"), "format '1'"),
        (lambda c: c.update(model=None), "ModelConfig must be a JSON object"),
        (lambda c: c["model"].update(surprise=1), "does not know 'surprise'"),
        (lambda c: c["model"].update(width="24"), "width is '24'"),
        (lambda c: c["model"].update(width=True), "width is True"),
        (lambda c: c["model"].update(width=10**400), "width"),
        (lambda c: c["model"].update(width=8192, encoder_layers=48), "at most 1,000,000,000"),
        (lambda c: c.update(weights_sha256=7), "weights_sha256 must be 64 hexadecimal digits"),
        (lambda c: c["model"].update(norm_eps=float("nan")), "norm_eps is nan"),
        (lambda c: c["model"].update(dropout_residual=float("inf")), "dropout_residual is inf"),
        (lambda c: c["model"].update(positions="spiral"), "positions is 'spiral'"),
        (lambda c: c["model"].update(positions=["rotary"]), "positions is"),
        (lambda c: c["model"].update(end_id=300), "three different ids inside both vocabularies"),
        (lambda c: c["model"].update(unknown_id="3"), "unknown_id is '3'"),
        (lambda c: c["model"].update(source_start_id=True), "source_start_id is True"),
        (lambda c: c["model"].update(unknown_id=0), "that is not the pad or the end"),
        (lambda c: c["model"].update(encoder_heads=5), "not divisible"),
        (lambda c: c["model"].update(target_vocabulary=301), "300 pieces; config.json says 301"),
        (lambda c: c["model"].update(decoder_layers=4), "lacks"),
        (lambda c: c["model"].update(decoder_layers=2), "unknown tensors"),
        (lambda c: c["model"].update(feed_forward_width=33), "config.json asks for"),
        (lambda c: c["model"].update(tied="all"), "unknown tensors"),
    ):
        assert message in broken(
            folder, lambda folder, change=change: change_config(folder, change)
        )
    for text in ("", "{", "[" * 100_000, '{"format": 1' + "0" * 5000 + "}", "null"):
        told = broken(folder, lambda folder, text=text: (folder / "config.json").write_text(text))
        assert "config.json" in told


def test_a_tokenizer_of_another_size_or_none_is_named(folder):
    other = Tokenizer.train(LINES, "bpe", 280)
    (folder / "tokenizer.json").write_text(other.to_json())
    with pytest.raises(CheckpointBroken, match=r"280 pieces; config\.json says 300"):
        open_checkpoint(folder)
    (folder / "tokenizer.json").write_text(other.to_json()[:-300])
    with pytest.raises(CheckpointBroken, match=r"tokenizer\.json: The tokenizer cannot be read"):
        open_checkpoint(folder)


def test_tensors_that_do_not_fit_are_named(folder):
    for change, message in (
        (lambda t: t.pop("logits.weight"), r"lacks 1 tensors, the first is logits\.weight"),
        (lambda t: t.update(extra=torch.zeros(1)), "1 unknown tensors, the first is extra"),
        (lambda t: t.update({"logits.weight": torch.zeros(24, 300)}), r"\(24, 300\).*\(300, 24\)"),
    ):
        told = broken(folder, lambda folder, change=change: change_tensors(folder, change))
        assert re.search(message, told)


def test_a_checkpoint_opens_with_pickle_out_of_reach(folder, monkeypatch):
    real = builtins.__import__

    def refusing(name, *arguments, **settings):
        assert name.split(".")[0] not in ("pickle", "_pickle", "dill", "cloudpickle"), name
        return real(name, *arguments, **settings)

    for name in ("load", "loads", "Unpickler", "_Unpickler"):
        monkeypatch.setattr(f"pickle.{name}", lambda *_: pytest.fail("something was unpickled"))
    monkeypatch.setattr(builtins, "__import__", refusing)
    assert open_checkpoint(folder).name == "tiny"


def test_only_a_checkpoint_or_an_empty_folder_is_replaced(tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    save(work, tiny_model())
    save(work, tiny_model())
    (work / "config.json").unlink()
    before = sorted(work.iterdir())
    with pytest.raises(CheckpointError, match="work holds something that is no checkpoint"):
        save(work, tiny_model())
    assert sorted(work.iterdir()) == before and list(tmp_path.iterdir()) == [work]


def test_nothing_in_the_package_can_unpickle():
    package = Path(model_core.__file__).parent
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            where = f"{path.name}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                names = []
            for name in names:
                root = name.split(".")[0]
                assert root not in ("pickle", "cPickle", "dill", "joblib", "shelve", "marshal"), (
                    where
                )
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                # What other code trained is read in one file, and only as tensors.
                apart = path.parts[-2:] == ("imports", "reading.py")
                if apart and called == "torch.load":
                    keywords = {each.arg: ast.unparse(each.value) for each in node.keywords}
                    assert keywords["weights_only"] == "True", where
                    continue
                assert called not in ("torch.load", "torch.save", "eval", "exec"), where
                assert not called.startswith("pickle."), where
                for keyword in node.keywords:
                    if keyword.arg == "allow_pickle":
                        assert ast.unparse(keyword.value) == "False", where
