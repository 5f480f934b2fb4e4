"""python -m viz_app space FOLDER: write what a Hugging Face Space needs into a new folder.

The folder holds the program, its checkpoints, app.py, requirements.txt, packages.txt (the browser
that draws pictures) and a README.md whose first lines Spaces read. With --static it holds a site
instead, whose models run in the visitor's browser. Push it to a Space, or upload it with Hugging
Face's own client; nothing is sent from here.
"""

import argparse
import importlib.metadata
import shutil
from collections.abc import Sequence
from pathlib import Path

from model_core.atomic import naming
from model_core.errors import ServingError
from model_core.folders import CHECKPOINTS
from model_core.terminal import program, reporting_errors
from viz_app.commands import site
from viz_app.server.address import VARIABLE
from viz_app.server.trainings.runs import FOLDER as TRAININGS

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("model_core", "viz_app", "checkpoints", "LICENSE", "NOTICE")
# Both become one list: a Space reads its requirements.txt before the other files are there.
_LISTS = ("constraints.txt", "requirements.txt")
_CPU = "--extra-index-url https://download.pytorch.org/whl/cpu\n"  # torch without CUDA
_UNFINISHED = ".unfinished"  # all lies in it until all of it is there
_LEFT_OUT = ("__pycache__", "*.pyi", "*.training", ".*.saving", TRAININGS)

APP = '''"""What the Space runs: the demo, where Spaces expect it."""

import os
import sys

from viz_app.__main__ import main

os.environ.setdefault("FORWARDED_ALLOW_IPS", "*")  # nothing but the proxy of Spaces reaches it
OPTIONS = ["--demo", "--host", "0.0.0.0", "--port", "7860"]
if os.environ.get("VIZ_APP_AUTH"):  # with a password no other page may frame it
    OPTIONS += ["--framed-by", "https://huggingface.co"]

if __name__ == "__main__":
    sys.exit(main(OPTIONS))
'''
README = f"""---
title: Attention Visualiser
emoji: 🔍
colorFrom: indigo
colorTo: yellow
sdk: gradio
sdk_version: "{{gradio}}"
python_version: "3.11"
app_file: app.py
license: mit
short_description: Every head of every attention, step by step
---

# Attention Visualiser

Type a sentence, step its translation out token by token, and see every head of every attention in
an encoder-decoder Transformer. Nothing that is typed is kept or logged.

To let only some people in, set the secret `{VARIABLE}` to `USER:PASSWORD`.
"""
STATIC = """---
title: Attention Visualiser
emoji: 🔍
colorFrom: indigo
colorTo: yellow
sdk: static
app_file: index.html
license: mit
short_description: Every head of every attention, step by step
---

# Attention Visualiser

Type a sentence, step its translation out token by token, and see every head of every attention in
an encoder-decoder Transformer. The models run in the visitor's own browser: nothing that is typed
leaves it.
"""
# What Spaces install beside Python: what draws the pictures of an export, and letters for them.
PACKAGES = "chromium\nfonts-noto-cjk\nfonts-noto-color-emoji\n"
ATTRIBUTES = "*.safetensors filter=lfs diff=lfs merge=lfs -text\n"
STATIC_ATTRIBUTES = "*.bin filter=lfs diff=lfs merge=lfs -text\n"


def write_space(folder: Path) -> None:
    """Write the folder; ServingError where it holds something already, or the sources are away."""
    if not all((ROOT / name).exists() for name in (*COPIED, *_LISTS)):
        raise ServingError("A Space is written from the project's own folder. Run it there.")
    if not _is_new(folder):
        raise ServingError(f"{folder} is not empty. Name a new folder.")
    for name in COPIED:
        if folder.resolve().is_relative_to(ROOT / name):
            raise ServingError(f"{folder} is in {name}, which is copied into it. Name another.")
    part = folder / _UNFINISHED
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        _write(part)
        for one in sorted(part.iterdir()):
            one.rename(folder / one.name)
        part.rmdir()
    except BaseException:  # half a Space is none
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _is_new(folder: Path) -> bool:
    """Whether nothing is there, or no more than what a run that was killed left."""
    if not folder.exists():
        return True
    return folder.is_dir() and {one.name for one in folder.iterdir()} <= {_UNFINISHED}


def _write(folder: Path) -> None:
    ignore = shutil.ignore_patterns(*_LEFT_OUT)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=ignore, copy_function=_copy)
        else:
            _copy(source, folder / name)
    gradio = importlib.metadata.version("gradio")
    lists = "".join((ROOT / name).read_text(encoding="utf-8") for name in _LISTS)
    for name, text in (
        ("app.py", APP),
        ("requirements.txt", _CPU + lists),
        ("packages.txt", PACKAGES),
        ("README.md", README.format(gradio=gradio)),
        (".gitattributes", ATTRIBUTES),
    ):
        with naming(folder / name):
            (folder / name).write_text(text, encoding="utf-8")


def _copy(source: Path | str, target: Path | str) -> None:
    """Copy a file; the first that cannot be written ends it all."""
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise ServingError(f"{target} cannot be written: {error.strerror}.") from error


@reporting_errors
def run(words: Sequence[str]) -> int:
    """The exit status: 0, or 1 where the folder cannot be written."""
    parser = argparse.ArgumentParser(prog=f"{program('viz_app')} space", description=__doc__)
    parser.add_argument("folder", type=Path, help="a new folder")
    parser.add_argument(
        "--static",
        action="store_true",
        help="a Space without a server: the models run in the visitor's browser",
    )
    parsed = parser.parse_args(words)
    folder = parsed.folder
    if parsed.static:
        more = {"README.md": STATIC.encode(), ".gitattributes": STATIC_ATTRIBUTES.encode()}
        made = site.write(folder, CHECKPOINTS, more=more)
        print(f"{folder} is ready: {made}. Upload all of it to a Space whose SDK is static.")
        return 0
    write_space(folder)
    print(f"{folder} is ready. Upload all of it to a Space whose SDK is gradio.")
    return 0
