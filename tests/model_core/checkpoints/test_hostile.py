"""Folders from elsewhere: a named error at once, in bounded memory."""

import json
import os
import signal

import pytest

from model_core.checkpoints import store
from model_core.checkpoints.folder import fingerprint, most_parameters, read_config, weights_limit
from model_core.checkpoints.store import open_checkpoint
from model_core.errors import CheckpointBroken
from tests.model_core.checkpoints.test_store import agree, broken, change_config, save
from tests.tiny import tiny_config, tiny_model
from tests.variants import VARIANTS

FILES = ("config.json", "tokenizer.json", "model.safetensors", "card.md")


@pytest.fixture
def folder(tmp_path):
    save(tmp_path / "tiny", tiny_model())
    return tmp_path / "tiny"


@pytest.fixture(autouse=True)
def never_for_ever():
    """Waiting for ever is a failure, not a test run without an end."""

    def stop(*_):
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def named_pipe(path):
    os.mkfifo(path)


def endless_device(path):
    path.symlink_to("/dev/zero")


def silent_device(path):
    path.symlink_to("/dev/tty")


def sparse(path):
    with path.open("wb") as file:
        file.truncate(30 * 2**30)


@pytest.mark.parametrize("put", [named_pipe, endless_device, silent_device, sparse])
def test_what_is_no_file_of_that_size_is_named_at_once(folder, put):
    for name in FILES:

        def in_place(folder, name=name):
            (folder / name).unlink()
            put(folder / name)

        assert name in broken(folder, in_place)


@pytest.mark.parametrize("put", [named_pipe, endless_device, sparse])
def test_the_menu_asks_nothing_of_what_is_no_file(folder, put):
    (folder / "config.json").unlink()
    put(folder / "config.json")
    for asked in (fingerprint, read_config):
        with pytest.raises(CheckpointBroken, match=r"config\.json"):
            asked(folder)


@pytest.mark.parametrize(("name", "most"), [("config.json", 2), ("tokenizer.json", 32)])
def test_lists_in_lists_are_not_read_beyond_a_few_mib(folder, name, most):
    (folder / name).write_bytes(b"[" + b"[]," * (most * 350_000) + b"[]]")
    with pytest.raises(CheckpointBroken, match=rf"bytes; at most {most * 2**20:,} are read"):
        open_checkpoint(folder)


def test_a_file_that_says_nothing_about_its_size_is_read_up_to_the_limit(folder):
    (folder / "card.md").unlink()
    (folder / "card.md").symlink_to("/proc/self/mem")  # regular, of size 0
    with pytest.raises(CheckpointBroken, match=r"card\.md"):
        open_checkpoint(folder)


def test_the_bound_of_the_size_is_close_above_the_size():
    for variant, changes in VARIANTS.items():
        model = tiny_model(**changes)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        assert parameters <= most_parameters(model.config) <= 4 * parameters, variant
    config = tiny_config()  # weights of twice the precision are under the limit
    assert 8 * most_parameters(config) < weights_limit(config) < 8 * most_parameters(config) + 2**21


def test_a_header_that_asks_for_more_than_the_file_holds_is_named(folder):
    header = json.dumps({"x": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}})
    content = len(header).to_bytes(8, "little") + header.encode()
    (folder / "model.safetensors").write_bytes(content)
    agree(folder)
    with pytest.raises(CheckpointBroken, match="truncated"):
        open_checkpoint(folder)


def test_a_config_far_larger_than_its_weights_is_named_before_memory_is_taken(folder, monkeypatch):
    def taken(config):
        raise AssertionError("a model of that size is built")

    def enlarge(config):
        config["model"].update(feed_forward_width=65536, encoder_layers=48)

    monkeypatch.setattr(store, "Transformer", taken)
    change_config(folder, enlarge)
    with pytest.raises(CheckpointBroken, match=r"config\.json asks for a model of up to 1\d\d,"):
        open_checkpoint(folder)
