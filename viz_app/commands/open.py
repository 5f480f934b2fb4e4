"""python -m viz_app open FILE: attention weights of a .npz or .json file as a page.

The file holds attention, or encoder, decoder and cross, each (L, H, Q, K) or less; rows and columns
are their labels. The page is written beside it and opened in the browser; nothing is served.
"""

import argparse
import sys
import warnings
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from model_core.errors import VisualiserError
from model_core.terminal import program, reporting_errors


def options() -> argparse.ArgumentParser:
    """What can be said on the command line."""
    parser = argparse.ArgumentParser(prog=f"{program('viz_app')} open", description=__doc__)
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a .npz or .json file of attention weights")
    add("-o", "--out", type=Path, metavar="PAGE", help="write the page there, and open no browser")
    add("--language", choices=("en", "zh"), help="of the page (default: the browser's)")
    return parser


@reporting_errors
def run(words: Sequence[str]) -> int:
    """Write the page and open it; 1 where the file cannot be shown."""
    from viz_app.files.arrays import read_arrays
    from viz_app.files.notebook import show

    parsed = options().parse_args(words)
    page: Path = parsed.out or parsed.file.with_suffix(".html")
    if page.suffix.lower() != ".html":
        raise VisualiserError(f"{page.name} must end in .html: a page is what is written.")
    if parsed.out is None and page.exists():
        raise VisualiserError(f"{page} is there already. Choose another place with -o.")
    arrays, rows, columns = read_arrays(parsed.file)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shown = show(
            **arrays,
            rows=rows,
            columns=columns,
            name=parsed.file.stem[:200],
            language=parsed.language,
        )
    for one in caught:
        print(f"warning: {one.message}", file=sys.stderr)
    shown.save(page)
    print(f"Wrote {page}.")
    if parsed.out is None:
        webbrowser.open(page.resolve().as_uri())
    return 0
