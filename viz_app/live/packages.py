"""Which of our modules a browser needs, as one archive: what `inside` imports, wherever it does."""

import ast
import io
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIRST = "viz_app.live.inside"
# What answers of a browser never come to: servers, trainings, models of other libraries, and files
# whose pictures another browser draws.
_LEFT_OUT = (
    *("model_core.training", "model_core.checkpoints.imports", "model_core.models.download"),
    *("model_core.models.hub.loading", "viz_app.server.serving"),
    *("viz_app.server.trainings", "viz_app.files.animation", "viz_app.files.drawing"),
    *("viz_app.files.chromium", "viz_app.files.notebook", "viz_app.files.pack"),
    "viz_app.files.signed",
)
# What modules read beside them: words, colours, and lessons.
_READ = (
    "viz_app/values/*.json",
    *("viz_app/text/*.txt", "viz_app/rooms/*/words*.txt"),
    *("viz_app/lessons/*.txt", "viz_app/lessons/*.json"),
)
# Of what a page is made that is saved: its scripts, styles and faces.
_OF_PAGES = (
    "stage/**/*.js",
    "stage/**/*.css",
    "stage/**/*.woff2",
    "rooms/**/*.js",
    "rooms/**/*.css",
)


def imports(path: Path) -> set[str]:
    """The full names a file imports, those inside functions included."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@cache  # to read them all takes a third of a second, and they stay what they are
def archived() -> tuple[Path, ...]:
    """The files of our modules that a browser needs, sorted."""
    found: dict[str, Path] = {}
    left = [FIRST]
    while left:
        name = left.pop()
        path = _file_of(name)
        if name in found or path is None or name.startswith(_LEFT_OUT):
            continue
        found[name] = path
        left += [name.rpartition(".")[0], *imports(path)]
    return tuple(sorted(found.values()))


def _file_of(name: str) -> Path | None:
    """The file of a module of this project; None for any other name."""
    if name.partition(".")[0] not in ("model_core", "viz_app"):
        return None
    path = ROOT.joinpath(*name.split("."))
    places = (path / "__init__.py", path.with_suffix(".py"))
    return next((one for one in places if one.is_file()), None)


def page_archive() -> bytes:
    """An archive of what a page is made of that is saved as one file."""
    paths = [path for pattern in _OF_PAGES for path in sorted((ROOT / "viz_app").glob(pattern))]
    return together({path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths})


def archive(lessons: Mapping[str, bytes] | None = None) -> bytes:
    """The archive; the same for the same modules. `lessons` are files of more lessons, by name."""
    files = [*archived(), *(path for pattern in _READ for path in sorted(ROOT.glob(pattern)))]
    read = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in files}
    return together(read | {f"viz_app/lessons/{n}": text for n, text in (lessons or {}).items()})


def together(files: Mapping[str, bytes]) -> bytes:
    """An archive whose files are not compressed one by one: it is to be compressed as a whole."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()
