"""python -m viz_app site FOLDER: write static pages that need no server.

The folder holds a page for every example of every model, with every step, head and number, the
rooms, and an index in English and Chinese. Open its index.html, put it on any static host, or on a
USB stick.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from model_core.folders import CHECKPOINTS
from model_core.terminal import program, telling
from model_core.values.recipe import Recipe


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
    add("--live", metavar="URL", help="where the app runs, for what needs a model")
    add("--checkpoints", type=Path, default=CHECKPOINTS, help="models (default: %(default)s)")
    return parser


def _announced(these: list[tuple[Recipe, str]]) -> Iterator[tuple[Recipe, str]]:
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


@telling
def run(words: Sequence[str]) -> int:
    """The exit status: 0, or 1 where the site cannot be written."""
    parsed = options().parse_args(words)
    from model_core.checkpoints.folder import list_checkpoints
    from viz_app.site.building import (
        checked_live,
        read_sentences,
        site_files,
        write_site,
        written_before,
    )

    written_before(parsed.folder)  # before anything is computed
    live = None if parsed.live is None else checked_live(parsed.live)
    sentences = []
    if parsed.examples is not None:
        sentences = read_sentences(parsed.examples, list_checkpoints(parsed.checkpoints))
    from model_core.decoding.library import Library  # imports torch

    # With a few threads each, calls take longer where a machine has other work.
    library = Library(parsed.checkpoints, threads=1)
    files = site_files(library, sentences, live, _announced)
    write_site(parsed.folder, files)
    size = sum(map(len, files.values())) / 1e6
    print(f"{parsed.folder} is ready: {len(files)} files, {size:.1f} MB. Open its index.html.")
    return 0
