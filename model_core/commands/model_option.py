"""The checkpoint that a command is about: a name or a folder, with or without --model."""

import argparse
from pathlib import Path

CHECKPOINTS = Path(__file__).resolve().parents[2] / "checkpoints"


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add MODEL and --model, of which exactly one has to be given; `model_folder` reads it."""
    named = parser.add_mutually_exclusive_group(required=True)
    words = "a name under checkpoints/, or a folder"
    named.add_argument("name", nargs="?", metavar="MODEL", help=words)
    named.add_argument("--model", help="the same, written as an option")


def model_folder(parsed: argparse.Namespace) -> Path:
    """The folder of the checkpoint that was named."""
    model = parsed.model or parsed.name
    return Path(model) if Path(model).is_dir() else CHECKPOINTS / model
