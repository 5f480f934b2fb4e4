"""`python -m model_core import`: imports a checkpoint of other from-scratch code."""

import argparse
from pathlib import Path

from model_core.errors import CheckpointError
from model_core.values.config import UNUSUAL
from model_core.values.importing import LAYOUT_NAMES, Hints, Named, setting


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    parser = commands.add_parser("import", help="a checkpoint of other from-scratch code as ours")
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a state dict: .pt, .safetensors")
    add("--out", type=Path, required=True, help="folder of the new checkpoint")
    add("--layout", help=f"whose code it is: {', '.join(LAYOUT_NAMES)} (default: by its names)")
    add(
        "--tokenizer",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="tokenizer or vocabulary as JSON; twice: of the source, then of the target",
    )
    add("--heads", type=int, help="of attention (default: 8, or as the file says)")
    add(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="what the file does not say, such as norm_place=pre (fields of ModelConfig)",
    )
    special = parser.add_argument_group("special tokens, as pieces or ids").add_argument
    for name in ("pad", "start", "end", "unknown"):
        special(f"--{name}", metavar="TOKEN")
    special(
        "--source-start",
        choices=("yes", "no"),
        help="whether the start token stands before the source (default: as in the layout)",
    )


def run(args: argparse.Namespace) -> int:
    """0; CheckpointError says what does not fit."""
    # This imports torch.
    from model_core.checkpoints.imports.importing import import_checkpoint

    if args.out.exists() and any(args.out.iterdir() if args.out.is_dir() else [args.out]):
        raise CheckpointError(f"{args.out} exists already. Choose another folder.")
    starts = None if args.source_start is None else args.source_start == "yes"
    named = Named(args.pad, args.start, args.end, args.unknown, starts)
    hints = Hints(args.layout, args.heads, dict(map(setting, args.set)), named)
    made = import_checkpoint(args.file, args.out, args.tokenizer, hints)
    print(f"{args.out}: {made.training.weights}; {made.training.parameters:,} parameters")
    for note in (*made.training.notes, *(UNUSUAL[code] for code in made.config.unusual)):
        print(f"  {note}")
    return 0
