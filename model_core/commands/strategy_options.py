"""The options of a command line that say how tokens are chosen."""

import argparse

from model_core.errors import RecipeError
from model_core.values.recipe import Strategy

_DRAWING = ("temperature", "top_k", "top_p", "seed")


def add_strategy(parser: argparse.ArgumentParser) -> None:
    """Add --beam, --sample and how to sample."""
    group = parser.add_argument_group("how tokens are chosen (default: the best, one by one)")
    group.add_argument("--beam", type=int, metavar="N", help="search with N hypotheses, 1 to 16")
    group.add_argument("--sample", action="store_true", help="draw them")
    group.add_argument("--temperature", type=float, help="of --sample; below 1 sharpens")
    group.add_argument("--top-k", type=int, metavar="K", help="of --sample: the K most probable")
    group.add_argument(
        "--top-p", type=float, metavar="P", help="of --sample: the fewest with the mass P"
    )
    group.add_argument("--seed", type=int, help="of --sample: the same seed, the same draw")


def strategy_of(parsed: argparse.Namespace) -> Strategy:
    """The strategy; RecipeError where the options contradict each other or are out of range."""
    drawing = {name: getattr(parsed, name) for name in _DRAWING}
    drawing = {name: value for name, value in drawing.items() if value is not None}
    if parsed.sample and parsed.beam is not None:
        raise RecipeError("--sample draws and --beam searches; choose one of them.")
    if drawing and not parsed.sample:
        option = next(iter(drawing)).replace("_", "-")
        raise RecipeError(f"--{option} only applies to sampling; add --sample, or leave it out.")
    if parsed.beam is not None:
        return Strategy("beam", width=parsed.beam)
    return Strategy("sample", **drawing) if parsed.sample else Strategy()
