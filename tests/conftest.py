"""What every test runs under, and the tiny checkpoints they share."""

import fcntl
import gc
import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # torch is for those who run tests: the process that deals them out needs none
    from model_core.checkpoints.store import Checkpoint
    from viz_app.server.service import Service

ROOT = Path(__file__).resolve().parents[1]  # of the repository
CHECKPOINTS = ROOT / "checkpoints"
RECORDED = ("first-look", "shift", "query-key-value", "one-head")  # lessons of a site
LONGEST = ("test_memory.py", "test_lesson.py")  # tests that take as long as hundreds of others


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole", action="store_true", help="all that tests otherwise take in turns: far longer"
    )


def pytest_configure() -> None:
    """Before any test imports gradio, whose clients would report that they are used, or torch."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["OMP_NUM_THREADS"] = "1"  # tiny models only get slower with more, in programs too


def pytest_collection() -> None:
    """What is imported stays: the garbage collector need not look through it while it grows."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes by far the longest begins first: at the end the other processes would wait."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Nor need it look at what was imported while tests run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # small models are gone before it looks for cycles
    gc.enable()


@pytest.fixture(autouse=True)
def _seed() -> None:
    import torch

    torch.default_generator.manual_seed(0)  # torch's own asks for every accelerator there is


@pytest.fixture(scope="session", autouse=True)
def _never_flush() -> Iterator[None]:
    """What tests save need not outlive a power cut; that it is flushed is still counted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield


@pytest.fixture(scope="session")
def models_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A folder with one tiny checkpoint that differs so, for servers; nothing may change it."""
    from tests.tiny import tiny_checkpoint

    @cache
    def folder(**changes: Any) -> Path:
        root = tmp_path_factory.mktemp("models")
        tiny_checkpoint(root / "tiny", **changes)
        return root

    return folder


@pytest.fixture(scope="session")
def models(models_of: Callable[..., Path]) -> Path:
    """The usual one."""
    return models_of()


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> "Checkpoint":
    """A tiny checkpoint as it is opened by the app; nothing may change it."""
    from tests.tiny import tiny_checkpoint

    return tiny_checkpoint(tmp_path_factory.mktemp("checkpoints") / "tiny")


@pytest.fixture(scope="session")
def made_once(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Callable[[str, Callable[[Path], None]], Path]:
    """`made_once(name, make)` is what `make(path)` writes; of several processes the first makes it.

    Nothing may change it.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent

    def made(name: str, make: Callable[[Path], None]) -> Path:
        folder = shared / name
        folder.mkdir(exist_ok=True)
        with open(folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / "made").exists():
                make(folder / "unfinished")
                (folder / "unfinished").rename(folder / "made")
        return folder / "made"

    return made


@pytest.fixture(scope="session")
def compiled_modules(made_once: Callable[[str, Callable[[Path], None]], Path]) -> bytes:
    """Our modules as a browser compiles them, by the Chromium of the tests."""
    from tests.browser.chromium import find_chromium
    from viz_app.live.compiling import compiled
    from viz_app.live.packages import archive

    def make(path: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CHROMIUM", str(find_chromium()))
            path.write_bytes(compiled(archive()))

    return made_once("modules", make).read_bytes()


@pytest.fixture(scope="session")
def recorded_site(
    made_once: Callable[[str, Callable[[Path], None]], Path], pytestconfig: pytest.Config
) -> Path:
    """A site that computes nothing, of en-fr and the sentences of four lessons, which lead into
    every room; with --whole of all lessons that it alone plays. Its models are beside it."""
    from model_core.decoding.library import Library
    from viz_app.lessons.lesson import own_lessons
    from viz_app.lessons.needed import needed
    from viz_app.lessons.recording import sentences_of
    from viz_app.rooms.examples import EXAMPLES
    from viz_app.site.building import site_files, write_site

    model = "en-fr"
    lessons = [one for one in own_lessons() if model in one.models]
    here = [one for one in lessons if needed(one, model) == {model}]
    if not pytestconfig.getoption("--whole"):
        here = [one for one in here if one.name in RECORDED]
    texts = {text for one in here for text in sentences_of(one, model)}

    def make(path: Path) -> None:
        shutil.copytree(CHECKPOINTS / model, path / "models" / model)
        with pytest.MonkeyPatch.context() as patch:  # pages without lessons show nothing new
            patch.setitem(EXAMPLES, ("en", "fr"), tuple(sorted(texts)))
            write_site(path / "of mine", site_files(Library(path / "models", threads=1)))

    return made_once("recorded", make) / "of mine"


@pytest.fixture(scope="session")
def app() -> "Iterator[tuple[str, Service]]":
    """The address of a running app with the bundled checkpoints, and the service behind it."""
    from tests.serving import serve  # which loads gradio, for those who ask

    with serve(CHECKPOINTS) as served:
        yield served


@pytest.fixture(scope="session")
def bundled() -> "Service":
    """What answers with the bundled checkpoints in the process of the tests."""
    from viz_app.server.service import Service

    return Service(CHECKPOINTS)
