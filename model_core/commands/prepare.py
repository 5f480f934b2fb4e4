"""`python -m model_core prepare`: a training folder from a file of pairs, or a check of one."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from model_core.atomic import replace_files
from model_core.data import report
from model_core.data.cleaning import CleanedLines, LeftOut, Limits, Pair, clean_file
from model_core.data.leaks import find_leaks
from model_core.data.split import MOST_HELD_OUT, split
from model_core.data.vocabulary import VocabularyAdvice, advise
from model_core.errors import CorpusError

_WRITTEN = "report.json"  # marks a folder that was written here and may be written again


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    prepare = commands.add_parser("prepare", help="a training folder from a file of pairs")
    add_arguments(prepare)
    prepare.set_defaults(run=run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give the parser this command's options."""
    default = Limits()
    parser.add_argument("pairs", nargs="?", type=Path, help="UTF-8 file, one pair a line, tabs")
    parser.add_argument("--out", type=Path, help="folder for train.tsv, valid.tsv and the report")
    parser.add_argument(
        "--check",
        type=Path,
        metavar="DIR",
        help="look at its train.tsv and valid.tsv; write nothing",
    )
    parser.add_argument(
        "--valid",
        type=int,
        default=0,
        help=f"sources to hold out (default: {MOST_HELD_OUT}, or 5%% where that is less)",
    )
    for side, column in (("source", default.source_column), ("target", default.target_column)):
        parser.add_argument(
            f"--{side}-column",
            type=int,
            default=column,
            help="counted from 0 (default: %(default)s)",
        )
    parser.add_argument(
        "--longest",
        type=int,
        default=default.longest,
        help="words on a side, or characters without spaces (default: %(default)s)",
    )
    parser.add_argument(
        "--ratio",
        type=float,
        default=default.ratio,
        help="by which lengths may differ from the usual (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the split (default: %(default)s)")


def run(args: argparse.Namespace) -> int:
    """0, or 1 where a check found a leak."""
    limits = Limits(args.source_column, args.target_column, args.longest, args.ratio)
    if args.check:
        if args.pairs or args.out:
            raise CorpusError("--check looks at a folder and takes neither a file nor --out.")
        return _check(args.check, limits)
    if not args.pairs or not args.out:
        raise CorpusError("Name a file of pairs and --out, or a folder with --check.")
    if args.valid < 0:
        raise CorpusError(f"--valid is {args.valid}; it must be 0, which is the default, or more.")
    return _prepare(args.pairs, args.out, limits, args.valid, args.seed)


def _prepare(file: Path, out: Path, limits: Limits, valid: int, seed: int) -> int:
    if (out / "train.tsv").exists() and not (out / _WRITTEN).exists():
        raise CorpusError(
            f"{out} holds a train.tsv that was not prepared here. Choose another --out, or look at "
            "it with --check."
        )
    cleaned = clean_file(file, limits)
    parts = split(cleaned.pairs, valid, seed)
    advice = _advise(parts.train)
    facts = {
        "title": f"Preparation of {file.name}",
        "limits": vars(limits),
        "files": [report.file_facts(file.name, cleaned)],
        "split": report.split_facts(parts, seed),
        "leaks": report.leak_facts(parts.near),
        "parts": {
            "train": report.part_facts(parts.train),
            "valid": report.part_facts(parts.valid),
        },
        "vocabulary": report.vocabulary_facts(advice),
        "train_command": report.train_command(advice, str(out)),
    }
    near = [
        LeftOut(leak.pair.line, f"near a held-out {leak.side}: {leak.held_out}", _row(leak.pair))
        for leak in parts.near
    ]
    left_out = sorted((*cleaned.left_out, *near), key=lambda one: one.line)
    text = report.markdown(facts)
    _write(
        out,
        {
            _WRITTEN: json.dumps(facts, indent=1, ensure_ascii=False) + "\n",
            "report.md": text,
            "train.tsv": _lines(map(_row, parts.train)),
            "valid.tsv": _lines(map(_row, parts.valid)),
            "left_out.tsv": _lines(f"{one.line}\t{one.why}\t{one.text}" for one in left_out),
        },
    )
    print(text)
    print(
        f"{out} holds train.tsv, valid.tsv, this report and left_out.tsv with every line left out."
    )
    return 0


def _check(folder: Path, limits: Limits) -> int:
    parts: dict[str, CleanedLines] = {
        name: clean_file(folder / f"{name}.tsv", limits) for name in ("train", "valid")
    }
    leaks = find_leaks(parts["train"].readable, parts["valid"].readable)
    advice = _advise(parts["train"].pairs)
    facts = {
        "title": f"Check of {folder}",
        "files": [report.file_facts(f"{name}.tsv", part) for name, part in parts.items()],
        "leaks": report.leak_facts(leaks),
        "parts": {name: report.part_facts(part.pairs) for name, part in parts.items()},
        "vocabulary": report.vocabulary_facts(advice),
        "train_command": report.train_command(advice, str(folder)),
    }
    print(report.markdown(facts))
    return 1 if leaks else 0


def _advise(pairs: Iterable[Pair]) -> VocabularyAdvice:
    sources, targets = zip(*(pair.sides for pair in pairs), strict=True)
    return advise(sources, targets)


def _row(pair: Pair) -> str:
    return "\t".join(pair.sides)


def _lines(rows: Iterable[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def _write(folder: Path, files: dict[str, str]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_files({folder / name: text.encode() for name, text in files.items()})
    except OSError as error:
        raise CorpusError(f"{folder} cannot be written: {error.strerror}.") from error
