"""Options that several commands have: which checkpoint, and how tokens are chosen."""

import argparse
from pathlib import Path
from typing import Any

from model_core.checkpoints.snapshots import find_folder
from model_core.errors import RecipeError, VisualiserError
from model_core.folders import HUB
from model_core.values.edits import KINDS, read_edits
from model_core.values.recipe import DRAWING, Recipe, Settings, Strategy, strategy_of


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add MODEL and --model, of which exactly one has to be given; `model_folder` reads it."""
    named = parser.add_mutually_exclusive_group(required=True)
    words = "a name under checkpoints/, a folder, or hf:NAME of the Hugging Face Hub"
    named.add_argument("name", nargs="?", metavar="MODEL", help=words)
    named.add_argument("--model", help="the same, written as an option")


def model_folder(parsed: argparse.Namespace) -> Path:
    """The folder of the checkpoint that was named; `folder@400` is a snapshot of it."""
    return find_folder(_named(parsed))


def model_at(parsed: argparse.Namespace) -> str | Path:
    """Where the model that was named lies: hf:NAME, or a folder."""
    model = _named(parsed)
    return model if model.startswith(HUB) else model_folder(parsed)


def _named(parsed: argparse.Namespace) -> str:
    """The model as it was typed; VisualiserError for no letter at all."""
    model: str = parsed.name if parsed.model is None else parsed.model
    if not model:
        raise VisualiserError("The model has no name. Write one, or a path.")
    return model


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add --device and --set, for models of the library transformers."""
    group = parser.add_argument_group("models of the library transformers")
    add_device(group)
    add_settings(group)


def add_device(parser: argparse._ActionsContainer) -> None:
    """Add --device."""
    parser.add_argument(
        "--device",
        choices=("auto", "cpu", "cuda", "mps"),
        default="auto",
        help="where models of the library transformers compute (default: a GPU if there is one)",
    )


def add_settings(group: Any) -> None:
    """Add --set, which may be given several times."""
    group.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what the model lets you set, such as to=fra_Latn; `info` lists it",
    )


def settings_of(parsed: argparse.Namespace) -> Settings:
    """What --set said; RecipeError where it is not NAME=VALUE."""
    said = {}
    for each in parsed.set:
        name, equals, value = each.partition("=")
        if not equals:
            raise RecipeError(f"--set {each} must be NAME=VALUE, such as to=fra_Latn.")
        said[name] = value
    return tuple(sorted(said.items()))


def add_edits(parser: argparse.ArgumentParser) -> None:
    """Add --edit, which may be given several times."""
    kinds = ", ".join(
        "|".join(f"{kind}:{form}" for form in one.forms) or kind for kind, one in KINDS.items()
    )
    parser.add_argument(
        "--edit",
        action="append",
        default=[],
        metavar="EDIT",
        help=f"change the model's arithmetic, counted from 1: {kinds}",
    )


def add_strategy(parser: argparse.ArgumentParser) -> None:
    """Add --beam, --sample and how to sample."""
    group = parser.add_argument_group("how tokens are chosen (default: the best, one by one)")
    add = group.add_argument
    add("--beam", type=int, metavar="N", help="search with N hypotheses, 1 to 16")
    add("--sample", action="store_true", help="draw them; so does any of the following")
    add("--temperature", type=float, help="below 1 sharpens (default: 1)")
    add("--top-k", type=int, metavar="K", help="of the K most probable")
    add("--top-p", type=float, metavar="P", help="of the fewest with the mass P")
    add("--seed", type=int, help="the same seed, the same draw")


def recipe_said(parsed: argparse.Namespace, model: str, text: str) -> Recipe:
    """The recipe of a text, with the pads and all else that the options say of how it is read."""
    how = strategy_said(parsed), settings_of(parsed), read_edits(parsed.edit)
    return Recipe(model, text.strip(), (), parsed.pads, *how)


def strategy_said(parsed: argparse.Namespace) -> Strategy:
    """The strategy; RecipeError where the options contradict each other or are out of range."""
    drawing = {name: getattr(parsed, name) for name in DRAWING}
    return strategy_of(parsed.beam, drawing, parsed.sample)
