"""python -m viz_app site FOLDER: write pages that need no server.

The folder holds a page for every example of every model, with every step, head and number, the
rooms, and an index in English and Chinese. On any host of plain files the pages also compute: the
models run in the visitor's own browser. Opened from a disk or a USB stick, they show what was
recorded.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from model_core.folders import CHECKPOINTS
from model_core.terminal import program, reporting_errors
from model_core.values.recipe import Recipe

if TYPE_CHECKING:
    from model_core.errors import VisualiserError
    from viz_app.site.building import SiteSentence


def options() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    parser = argparse.ArgumentParser(prog=f"{program('viz_app')} site", description=__doc__)
    add = parser.add_argument
    add("folder", type=Path, help="a new folder, or one that this command wrote")
    add(
        "--examples",
        type=Path,
        metavar="FILE",
        help="more sentences, one per line; before one, the name of its model and a tab "
        "(default: the model that the page opens on)",
    )
    add("--lessons", type=Path, metavar="FOLDER", help="lessons of your own beside the others")
    add("--live", metavar="URL", help="where the app runs; the pages lead there")
    add(
        "--recorded",
        action="store_true",
        help="only what is recorded: nothing computes in the pages, and the folder is smaller",
    )
    add("--checkpoints", type=Path, default=CHECKPOINTS, help="models (default: %(default)s)")
    return parser


def announced(these: list[tuple[Recipe, str]]) -> Iterator[tuple[Recipe, str]]:
    """The same; a line says which model's pages are being made."""
    pages = Counter(recipe.model for recipe, _ in these)
    names = list(pages)
    for recipe, text in these:
        if names and recipe.model == names[0]:
            name = names.pop(0)
            number = f"{len(pages) - len(names)} of {len(pages)}"
            count = f"{pages[name]} page" + ("" if pages[name] == 1 else "s")
            print(f"{name} ({number}): {count}", flush=True)
        yield recipe, text


def _left_out(model: str, error: "VisualiserError") -> None:
    print(f"{model} is left out. {error}", flush=True)


def write(
    folder: Path,
    checkpoints: Path,
    sentences: Iterable["SiteSentence"] = (),
    live: str | None = None,
    recorded: bool = False,
    more: Mapping[str, bytes] | None = None,
    taught: Path | None = None,
) -> str:
    """Write the site, and `more` files beside its index; how many there are, and how large.

    `taught` is a folder of lessons beside those of the program.

    ExportError where the folder holds what this program did not write.
    """
    from viz_app.lessons.lesson import lesson_files, more_lessons
    from viz_app.live.compiling import modules
    from viz_app.live.pieces import Pieces
    from viz_app.site.building import site_files, write_site, written_before

    written_before(folder)  # before anything is computed
    from model_core.decoding.library import Library  # imports torch

    # With a few threads each, calls take longer where a machine has other work.
    library = Library(checkpoints, threads=1, on_failure=_left_out)
    lessons = () if taught is None else more_lessons(taught)
    read = {} if taught is None else lesson_files(taught)
    pieces = None if recorded else Pieces.of(checkpoints, modules=modules(read))
    files = site_files(library, sentences, live, announced, pieces, lessons) | dict(more or {})
    write_site(folder, files)
    return f"{len(files)} files, {sum(map(len, files.values())) / 1e6:.1f} MB"


@reporting_errors
def run(words: Sequence[str]) -> int:
    """The exit status: 0, or 1 where the site cannot be written."""
    parsed = options().parse_args(words)
    from model_core.checkpoints.folder import list_checkpoints
    from viz_app.site.building import checked_live, read_sentences

    live = None if parsed.live is None else checked_live(parsed.live)
    sentences = []
    if parsed.examples is not None:
        sentences = read_sentences(parsed.examples, list_checkpoints(parsed.checkpoints))
    how = (sentences, live, parsed.recorded)
    made = write(parsed.folder, parsed.checkpoints, *how, taught=parsed.lessons)
    remedy = (
        "Open its index.html." if parsed.recorded else "Put all of it on a host of plain files."
    )
    print(f"{parsed.folder} is ready: {made}. {remedy}")
    return 0
