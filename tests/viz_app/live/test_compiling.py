"""Modules that the browser's interpreter gets compiled, and what is done where nothing compiles."""

import dataclasses
import io
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from types import CodeType

import pytest

from model_core.errors import ExportError
from viz_app.live import compiler, written
from viz_app.live.compiling import compiled, modules
from viz_app.live.packages import ROOT, archive, together
from viz_app.server.ending import OUTLIVING, leave
from viz_app.server.local import Local

MODULE = b'''
"""A module."""


class Kept:
    """A class."""


def half(x):
    """A function that documents itself."""
    assert x % 2 == 0
    return x // 2


def empty():
    """Nothing else."""
'''
FILES = {"halves/__init__.py": MODULE, "halves/words.txt": b'"""not a module"""'}
OF_THE_BROWSER = (3571).to_bytes(2, "little") + b"\r\n"  # what Python 3.13 begins a module with


def contents(given):
    with zipfile.ZipFile(io.BytesIO(given)) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_a_compiled_module_does_what_its_source_does(tmp_path, monkeypatch):
    path = tmp_path / "made.zip"
    path.write_bytes(compiler.compiled(together(FILES)))
    monkeypatch.syspath_prepend(path)
    monkeypatch.delitem(sys.modules, "halves", raising=False)
    import halves

    assert halves.__file__.endswith("__init__.pyc")
    assert halves.half(6) == 3 and halves.empty() is None
    with pytest.raises(AssertionError):
        halves.half(3)
    assert halves.Kept.__doc__ == "A class."  # dataclasses would make up another
    assert halves.half.__doc__ is None and b"documents itself" not in path.read_bytes()
    assert contents(path.read_bytes())["halves/words.txt"] == FILES["halves/words.txt"]


def test_a_browser_compiles_them_for_itself(compiled_modules):
    made = contents(compiled_modules)
    assert made["viz_app/live/inside.pyc"][:4] == OF_THE_BROWSER
    assert "viz_app/text/engine.txt" in made and not any(name.endswith(".py") for name in made)
    assert written.FILE.relative_to(ROOT).as_posix() in made


def test_what_dataclasses_write_is_compiled_no_second_time(tmp_path, monkeypatch):
    ran, run = [], exec
    monkeypatch.setattr(dataclasses, "exec", exec, raising=False)  # as before, in the end
    monkeypatch.setattr(written, "FILE", tmp_path / "written.bin")

    def made():
        @dataclasses.dataclass(frozen=True)
        class Pair:
            one: int
            other: str = "b"

        return Pair(1)

    written.FILE.write_bytes(written.recorded(made))
    written.use()
    monkeypatch.setattr("builtins.exec", lambda what, *names: ran.append(what) or run(what, *names))
    assert repr(made()).endswith("Pair(one=1, other='b')") and isinstance(ran[0], CodeType)
    dataclasses.make_dataclass("Other", ["one"])  # which is not known
    assert isinstance(ran[-1], str)


def test_where_no_browser_compiles_the_sources_are_taken_and_a_line_says_why(monkeypatch, capsys):
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    running = threading.enumerate()
    assert modules() == archive()
    assert not {*threading.enumerate()} - {*running}  # nothing serves them any more
    (line,) = capsys.readouterr().out.splitlines()
    assert "later" in line and "/nowhere/chromium" in line


@pytest.mark.parametrize(
    ("program", "why", "seconds"), [("true", "ended", 60.0), ("sleep 60", "nothing", 0.3)]
)
def test_a_browser_that_tells_nothing_is_given_up(tmp_path, monkeypatch, program, why, seconds):
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\nexec {program}\n")
    browser.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(browser))
    with pytest.raises(ExportError, match=why):
        compiled(together(FILES), seconds)
    assert not OUTLIVING


def test_a_process_that_leaves_ends_the_browser_that_compiles_and_leaves_no_folder(
    tmp_path, monkeypatch
):
    browser, folder, ended = tmp_path / "browser", tmp_path / "temporary", []
    browser.write_text("#!/bin/sh\nexec sleep 600\n")
    browser.chmod(0o755)
    folder.mkdir()
    monkeypatch.setenv("CHROMIUM", str(browser))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr("os._exit", ended.append)
    Local()
    with ThreadPoolExecutor() as threads:
        compiling = threads.submit(compiled, together(FILES))
        while len(OUTLIVING) < 2 and not compiling.done():
            time.sleep(0.01)
        leave()
        with pytest.raises(ExportError, match="ended"):
            compiling.result()
    assert ended == [0] and not OUTLIVING and not [*folder.iterdir()]
