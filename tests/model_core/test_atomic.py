"""A file that is being written is the old one until the new one is whole."""

import errno
from pathlib import Path

import pytest

from model_core import atomic
from model_core.atomic import replace_file, replace_files
from model_core.decoding.tracer import Tracer
from model_core.errors import ExportError
from model_core.models.own import OwnModel
from model_core.values.decoding_file import write_json, write_npz
from model_core.values.recipe import Recipe
from viz_app.commands.export import write_file


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture(params=[Killed(), OSError(errno.ENOSPC, "No space left on device")], ids=str)
def half_written(monkeypatch, request):
    """Every file is written up to its middle, and then the process is killed or the disk full."""
    write = Path.write_bytes

    def dying(path, content):
        write(path, content[: len(content) // 2])
        raise request.param

    monkeypatch.setattr(Path, "write_bytes", dying)


def json_of_a_decoding(path, tiny):
    tracer = Tracer(OwnModel(tiny))
    write_json(path, *tracer.extend(Recipe("tiny", "cat"), 1), "")


def npz_of_a_decoding(path, tiny):
    tracer = Tracer(OwnModel(tiny))
    write_npz(path, *tracer.extend(Recipe("tiny", "cat"), 1), "")


def export(path, tiny):
    write_file(path, b"new" * 1000)


@pytest.mark.parametrize("writer", [json_of_a_decoding, npz_of_a_decoding, export])
def test_a_file_stands_until_the_new_one_is_whole(tmp_path, half_written, tiny, writer):
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.write(b"old")
    with pytest.raises((Killed, OSError, ExportError)):
        writer(path, tiny)
    assert path.read_bytes() == b"old"


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(path, content):
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        replace_files({tmp_path / "a": b"", tmp_path / "b": b""})
    assert not list(tmp_path.iterdir())


def test_a_link_goes_on_to_lead_to_the_file(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    replace_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"new"


def test_a_device_is_written_to(monkeypatch):
    monkeypatch.setattr(atomic.os, "replace", lambda *_: pytest.fail("a device was replaced"))
    replace_file(Path("/dev/null"), b"new")
