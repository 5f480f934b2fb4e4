"""python -m viz_app.live FOLDER: what a browser needs to run the app by itself."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from model_core.atomic import naming
from model_core.folders import CHECKPOINTS
from model_core.terminal import print_utf8, reporting_errors
from viz_app.live.compiling import modules
from viz_app.live.pieces import live_files


@reporting_errors
def run(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m viz_app.live", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the pieces are written")
    parser.add_argument(
        "--checkpoints", type=Path, default=CHECKPOINTS, help="models (default: %(default)s)"
    )
    parser.add_argument(
        "--model", action="append", metavar="NAME", help="these alone; can be given again"
    )
    parsed = parser.parse_args(arguments)
    files = live_files(parsed.checkpoints, parsed.model, modules())
    parsed.folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        with naming(parsed.folder / name):
            (parsed.folder / name).write_bytes(content)
    size = sum(map(len, files.values())) / 2**20
    print(f"{parsed.folder}: {len(files)} files, {size:.1f} MB")
    return 0


if __name__ == "__main__":
    print_utf8()
    sys.exit(run(sys.argv[1:]))
