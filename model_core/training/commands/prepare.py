"""`python -m model_core prepare`: a training folder from a file of pairs, or a check of one."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from model_core.atomic import replace_files
from model_core.errors import CorpusError
from model_core.training.data.cleaning import LeftOut, PairLimits, SentencePair, clean_file
from model_core.training.data.leaks import find_leaks
from model_core.training.data.report import report
from model_core.training.data.split import MOST_HELD_OUT, split

_WRITTEN = "left_out.tsv"  # marks a folder that was written here and may be written again


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    parser, default = (
        commands.add_parser("prepare", help="a training folder from a file"),
        PairLimits(),
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("pairs", nargs="?", type=Path, help="UTF-8 file, one pair per line, tabs")
    add("--out", type=Path, help="folder for train.tsv, valid.tsv and the report")
    add(
        "--check",
        type=Path,
        metavar="DIR",
        help="look at its train.tsv and valid.tsv; write nothing",
    )
    add(
        "--valid",
        type=int,
        default=0,
        help=f"sources to hold out (default: {MOST_HELD_OUT}, or 5%% where that is less)",
    )
    for side, column in (("source", default.source_column), ("target", default.target_column)):
        add(
            f"--{side}-column",
            type=int,
            default=column,
            help="counted from 0 (default: %(default)s)",
        )
    add(
        "--longest",
        type=int,
        default=default.longest,
        help="words on a side, or characters without spaces (default: %(default)s)",
    )
    add(
        "--ratio",
        type=float,
        default=default.ratio,
        help="by which lengths may differ from the usual (default: %(default)s)",
    )
    add("--seed", type=int, default=1, help="of the split (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """0, or 1 where a check found a leak."""
    limits = PairLimits(args.source_column, args.target_column, args.longest, args.ratio)
    if args.check:
        if args.pairs or args.out:
            raise CorpusError("--check looks at a folder and takes neither a file nor --out.")
        return _check(args.check, limits)
    if not args.pairs or not args.out:
        raise CorpusError("Name a file of pairs and --out, or a folder with --check.")
    if args.valid < 0:
        raise CorpusError(f"--valid is {args.valid}; it must be 0, which is the default, or more.")
    return _prepare(args.pairs, args.out, limits, args.valid, args.seed)


def _prepare(file: Path, out: Path, limits: PairLimits, valid: int, seed: int) -> int:
    if (out / "train.tsv").exists() and not (out / _WRITTEN).exists():
        raise CorpusError(
            f"{out} holds a train.tsv that was not prepared here. Choose another --out, or look at "
            "it with --check."
        )
    cleaned = clean_file(file, limits)
    made = split(cleaned.pairs, valid, seed)
    parts = {"train": made.train, "valid": made.valid}
    title, files = f"Preparation of {file.name}", {file.name: cleaned}
    text = report(title, files, parts, made.near, str(out), (made, seed))
    near = [
        LeftOut(leak.pair.line, f"near a held-out {leak.side}: {leak.held_out}", _row(leak.pair))
        for leak in made.near
    ]
    left_out = sorted((*cleaned.left_out, *near), key=lambda one: one.line)
    contents = {
        "report.md": text,
        _WRITTEN: _lines(f"{one.line}\t{one.why}\t{one.text}" for one in left_out),
        **{f"{name}.tsv": _lines(map(_row, pairs)) for name, pairs in parts.items()},
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        replace_files({out / name: content.encode() for name, content in contents.items()})
    except OSError as error:
        raise CorpusError(f"{out} cannot be written: {error.strerror}.") from error
    print(text)
    print(
        f"{out} holds train.tsv, valid.tsv, this report and left_out.tsv with every line left out."
    )
    return 0


def _check(folder: Path, limits: PairLimits) -> int:
    train, valid = (clean_file(folder / f"{name}.tsv", limits) for name in ("train", "valid"))
    leaks = find_leaks(train.readable, valid.readable)
    files = {"train.tsv": train, "valid.tsv": valid}
    parts = {"train": train.pairs, "valid": valid.pairs}
    print(report(f"Check of {folder}", files, parts, leaks, str(folder)))
    return 1 if leaks else 0


def _row(pair: SentencePair) -> str:
    return "\t".join(pair.sides)


def _lines(rows: Iterable[str]) -> str:
    return "".join(f"{row}\n" for row in rows)
