"""python -m model_core and what to do: translate, trace, evaluate, train and others."""

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from model_core import evaluate_command, prepare_command, train_command
from model_core.dump import write_json, write_npz
from model_core.errors import VisualiserError
from model_core.evaluate_command import folder_of
from model_core.recipe import Recipe, Strategy
from model_core.store import open_checkpoint
from model_core.strategy_options import add_strategy, strategy_of
from model_core.trace import Decoding
from model_core.tracer import Tracer


def main(arguments: list[str] | None = None) -> int:
    """The exit status: 0, or 1 where a sentence or a file could not be used.

    What was wrong is on standard error.
    """
    parsed = _parser().parse_args(arguments)
    try:
        return parsed.run(parsed)
    except VisualiserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more
        return 0
    except OSError as error:
        place = error.filename2 or error.filename
        print(f"error: {f'{place}: ' if place else ''}{error.strerror or error}.", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model_core", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    translate = commands.add_parser(
        "translate", help="translate one text, or standard input line by line"
    )
    _add_model(translate)
    translate.add_argument(
        "--text", help="one sentence; without it, one sentence a line from standard input"
    )
    add_strategy(translate)
    translate.set_defaults(run=_translate)
    trace = commands.add_parser(
        "trace", help="write a whole decoding, every array of it, to a file"
    )
    _add_model(trace)
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
    _add_model(info)
    info.set_defaults(run=_info)
    evaluate_command.add_commands(commands)
    prepare = commands.add_parser("prepare", help="a training folder from a file of pairs")
    prepare_command.add_arguments(prepare)
    prepare.set_defaults(run=prepare_command.run)
    train = commands.add_parser("train", help="train a checkpoint, or go on with one")
    train_command.add_arguments(train)
    train.set_defaults(run=train_command.run)
    return parser


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", required=True, help="a name under checkpoints/, or a folder")


def _open(model: str) -> Tracer:
    return Tracer(open_checkpoint(folder_of(model)), cache_bytes=0)


def _decode(
    tracer: Tracer, text: str, pads: int, strategy: Strategy
) -> tuple[Recipe, Decoding, str]:
    recipe = Recipe(tracer.checkpoint.name, text.strip(), (), pads, strategy)
    recipe, decoding = tracer.extend(recipe, None)
    return recipe, decoding, tracer.text(decoding)


def _translate(parsed: argparse.Namespace) -> int:
    strategy, tracer, status = strategy_of(parsed), _open(parsed.model), 0
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
    recipe, decoding, text = _decode(_open(parsed.model), parsed.text, parsed.pads, strategy)
    try:
        writers[parsed.out.suffix](parsed.out, recipe, decoding, text)
    except OSError as error:
        raise VisualiserError(f"{parsed.out} cannot be written: {error.strerror}.") from error
    print(text)
    return 0


def _info(parsed: argparse.Namespace) -> int:
    checkpoint = _open(parsed.model).checkpoint
    parameters = sum(p.numel() for p in checkpoint.model.parameters())
    print(f"{checkpoint.name}: {parameters:,} parameters")
    for name, value in vars(checkpoint.config).items():
        print(f"  {name} = {value}")
    print(checkpoint.card)
    return 0


if __name__ == "__main__":
    sys.exit(main())
