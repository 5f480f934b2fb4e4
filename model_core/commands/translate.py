"""`python -m model_core translate`, `trace` and `info`: what one checkpoint makes of a text."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from model_core.checkpoints.store import open_checkpoint
from model_core.commands.options import add_model, add_strategy, model_folder, strategy_of
from model_core.decoding.tracer import Tracer
from model_core.errors import VisualiserError
from model_core.models.own import open_own
from model_core.values.decoding_file import write_json, write_npz
from model_core.values.recipe import Recipe, Strategy
from model_core.values.trace import Decoding


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program these three commands."""
    translate = commands.add_parser(
        "translate", help="translate one text, or standard input line by line"
    )
    add_model(translate)
    translate.add_argument(
        "--text", help="one sentence; without it, one sentence a line from standard input"
    )
    add_strategy(translate)
    translate.set_defaults(run=_translate)
    trace = commands.add_parser(
        "trace", help="write a whole decoding, every array of it, to a file"
    )
    add_model(trace)
    trace.add_argument("--text", required=True, help="one sentence")
    trace.add_argument(
        "--pads", type=int, default=0, help="pads appended to the source (default: 0)"
    )
    add_strategy(trace)
    trace.add_argument(
        "-o", "--out", type=Path, required=True, help="a path ending in .json or .npz"
    )
    trace.set_defaults(run=_trace)
    info = commands.add_parser("info", help="what a checkpoint is made of")
    add_model(info)
    info.set_defaults(run=_info)


def _open(parsed: argparse.Namespace) -> Tracer:
    return Tracer(open_own(model_folder(parsed)), cache_bytes=0)


def _decode(
    tracer: Tracer, text: str, pads: int, strategy: Strategy
) -> tuple[Recipe, Decoding, str]:
    recipe = Recipe(tracer.model.name, text.strip(), (), pads, strategy)
    recipe, decoding = tracer.extend(recipe, None)
    return recipe, decoding, tracer.text(decoding)


def _translate(parsed: argparse.Namespace) -> int:
    strategy, tracer, status = strategy_of(parsed), _open(parsed), 0
    lines = _lines_of_input() if parsed.text is None else [parsed.text]
    for number, line in enumerate(lines, start=1):
        text = ""
        try:
            if line.strip():
                text = _decode(tracer, line, 0, strategy)[2]
        except VisualiserError as error:
            print(f"line {number}: {error}", file=sys.stderr)
            status = 1
        # One line in, one line out, whatever happens and whatever the model says.
        print(" ".join(text.splitlines()), flush=True)
    return status


def _lines_of_input() -> Iterator[str]:
    """The lines of standard input as UTF-8; a byte that is not becomes a lone surrogate."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", errors="surrogateescape")


def _trace(parsed: argparse.Namespace) -> int:
    writers = {".json": write_json, ".npz": write_npz}
    if parsed.out.suffix not in writers:
        raise VisualiserError(f"{parsed.out} ends in neither .json nor .npz.")
    strategy = strategy_of(parsed)
    recipe, decoding, text = _decode(_open(parsed), parsed.text, parsed.pads, strategy)
    try:
        writers[parsed.out.suffix](parsed.out, recipe, decoding, text)
    except OSError as error:
        raise VisualiserError(f"{parsed.out} cannot be written: {error.strerror}.") from error
    print(text)
    return 0


def _info(parsed: argparse.Namespace) -> int:
    checkpoint = open_checkpoint(model_folder(parsed))
    parameters = sum(p.numel() for p in checkpoint.model.parameters())
    print(f"{checkpoint.name}: {parameters:,} parameters")
    for name, value in vars(checkpoint.config).items():
        print(f"  {name} = {value}")
    print(checkpoint.card)
    return 0
