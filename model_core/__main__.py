"""python -m model_core and what to do: translate, trace, evaluate, train and others."""

import argparse
import sys

from model_core.commands import importing, translate
from model_core.terminal import print_utf8, program, reporting_errors
from model_core.training.commands import (
    backtranslate,
    evaluate,
    guide,
    heads,
    mean,
    prepare,
    train,
)

_ABOUT = "What can be done with a model without a page."


@reporting_errors
def main(arguments: list[str] | None = None) -> int:
    """The exit status: 0, or 1 where a sentence or a file could not be used."""
    print_utf8()
    parsed = options().parse_args(arguments)
    status: int = parsed.run(parsed)
    return status


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program("model_core"), description=_ABOUT)
    commands = parser.add_subparsers(required=True, metavar="command")
    for group in (
        translate,
        importing,
        evaluate,
        heads,
        guide,
        mean,
        prepare,
        backtranslate,
        train,
    ):
        group.add_commands(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
