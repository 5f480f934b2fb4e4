"""python -m model_core and what to do: translate, trace, evaluate, train and others."""

import argparse
import os
import sys

from model_core.commands import evaluate, guide, heads, importing, prepare, train, translate
from model_core.errors import VisualiserError
from model_core.terminal import print_utf8


def main(arguments: list[str] | None = None) -> int:
    """The exit status: 0, or 1 where a sentence or a file could not be used.

    What was wrong is on standard error.
    """
    print_utf8()
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
    for group in (translate, importing, evaluate, heads, guide, prepare, train):
        group.add_commands(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
