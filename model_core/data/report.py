"""What a preparation or a check found, as JSON and as Markdown made from it."""

import dataclasses
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from model_core.data.cleaning import CleanedLines, Pair
from model_core.data.leaks import NEAR_FROM, Leak, same_words
from model_core.data.split import PERCENTILES, Split, lengths
from model_core.data.vocabulary import OFTEN, VocabularyAdvice

Facts = dict[str, Any]

_NAMED = 5  # lines and leaks quoted of each kind; left_out.tsv has them all
_LENGTH_COLUMNS = [*(f"{percent}%" for percent in PERCENTILES[:-1]), "longest"]


def file_facts(name: str, cleaned: CleanedLines) -> Facts:
    """What became of the lines of one file."""
    kinds: dict[str, list[Facts]] = {}
    for one in cleaned.left_out:
        kind, _, detail = one.why.partition(": ")
        kinds.setdefault(kind, []).append({"line": one.line, "detail": detail})
    return {
        "name": name,
        "lines": cleaned.lines,
        "usable": len(cleaned.pairs),
        "left_out": {
            kind: {"lines": len(ones), "first": ones[:_NAMED]} for kind, ones in kinds.items()
        },
        "mended_sides": cleaned.mended,
    }


def part_facts(pairs: Sequence[Pair]) -> Facts:
    """How large a part is and how long its sentences are."""
    return {
        "pairs": len(pairs),
        "sources": len({same_words(pair.source) for pair in pairs}),
        "source": dataclasses.asdict(lengths(pair.source for pair in pairs)),
        "target": dataclasses.asdict(lengths(pair.target for pair in pairs)),
    }


def leak_facts(leaks: Sequence[Leak]) -> Facts:
    """How many training pairs give away a validation side, and the first of each kind."""
    return {
        how: {
            "pairs": sum(leak.how == how for leak in leaks),
            "first": [
                {
                    "line": leak.pair.line,
                    "side": leak.side,
                    "training": getattr(leak.pair, leak.side),
                    "validation": leak.held_out,
                }
                for leak in [leak for leak in leaks if leak.how == how][:_NAMED]
            ],
        }
        for how in ("verbatim", "near")
    }


def split_facts(split: Split, seed: int) -> Facts:
    """How the parts were made."""
    return {
        "seed": seed,
        "clusters": split.clusters,
        "largest_cluster_pairs": split.largest_cluster,
        "near_pairs_removed": len(split.near),
    }


def vocabulary_facts(advice: VocabularyAdvice) -> Facts:
    """The advice with its reason."""
    return dataclasses.asdict(advice)


def train_command(advice: VocabularyAdvice, folder: str) -> str:
    """The command that trains on this folder as advised; the reader fills in names."""
    words = ["--preset", "own-pair", "--data", folder, "--out", "checkpoints/NAME"]
    words += ["--source-language", "XX", "--target-language", "YY"]
    words += ["--vocabulary", str(advice.size)]
    source, target = advice.kinds
    if not advice.shared:
        words += ["--tokenizer", source, "--target-tokenizer", target, "--tied", "target"]
    elif source != "bpe":
        words += ["--tokenizer", source]
    return "python -m model_core train " + shlex.join(words)


def markdown(facts: Facts) -> str:
    """The report for people."""
    sections = [f"# {facts['title']}"]
    for file in facts["files"]:
        sections += [f"## {_code(file['name'])}", "\n".join(_file_lines(file))]
    if "split" in facts:
        sections += ["## Split", _split_words(facts)]
    sections += ["## Leaks", "\n".join(_leak_lines(facts["leaks"], "split" in facts))]
    sections += ["## Lengths", "\n".join(_length_rows(facts["parts"]))]
    sections += ["## Vocabulary", *_vocabulary_sections(facts["vocabulary"])]
    sections += ["## To train on it", f"    {facts['train_command']}"]
    return "\n\n".join(sections) + "\n"


def _file_lines(file: Facts) -> Iterable[str]:
    yield f"{file['usable']:,} of {file['lines']:,} lines are usable."
    for kind, found in sorted(file["left_out"].items(), key=lambda item: -item[1]["lines"]):
        named = [
            f"line {one['line']}" + (f" ({one['detail']})" if one["detail"] else "")
            for one in found["first"]
        ]
        more = ", ..." if found["lines"] > len(named) else ""
        yield f"- left out, {kind}: {found['lines']:,}; {', '.join(named)}{more}"
    for what, sides in file["mended_sides"].items():
        yield f"- {what}: {sides:,} sides"


def _split_words(facts: Facts) -> str:
    made, train, valid = facts["split"], facts["parts"]["train"], facts["parts"]["valid"]
    return (
        f"{train['pairs']:,} pairs to train on; {valid['pairs']:,} pairs of {valid['sources']:,} "
        f"sources held out (seed {made['seed']}). Pairs that share a side are one of "
        f"{made['clusters']:,} clusters, the largest of {made['largest_cluster_pairs']:,} pairs, "
        f"and no cluster is in both parts. {made['near_pairs_removed']:,} pairs within one word of "
        "a held-out side were removed from training."
    )


def _leak_lines(leaks: Facts, removed: bool) -> Iterable[str]:
    total = sum(found["pairs"] for found in leaks.values())
    if removed:
        yield (
            "None left: no validation side is in training, nor, in sentences of at least "
            f"{NEAR_FROM} words, one within one word of it.\n"
        )
    elif total:
        yield f"**Training pairs that give away a side of the validation part: {total:,}**\n"
    else:
        yield "None found."
    for how, found in leaks.items():
        if found["pairs"]:
            gone = " (removed)" if removed else ""
            yield f"- {how}{gone}: {found['pairs']:,}"
        for one in found["first"]:
            yield (
                f"  - line {one['line']}, {one['side']}: {_code(one['training'])} and held out "
                f"{_code(one['validation'])}"
            )
    yield (
        "\nCompared without case and punctuation; near means that one word was replaced, added or "
        f"left out in a sentence of at least {NEAR_FROM} words."
    )


def _length_rows(parts: Facts) -> Iterable[str]:
    yield (
        "| part | side | sentences | "
        + " | ".join(
            f"{unit} {column}" for unit in ("words", "characters") for column in _LENGTH_COLUMNS
        )
        + " | different words |"
    )
    yield "|" + "---|" * (4 + 2 * len(_LENGTH_COLUMNS))
    for part, about in parts.items():
        for side in ("source", "target"):
            found = about[side]
            numbers = [*found["words"], *found["characters"]]
            cells = " | ".join(str(number) for number in numbers)
            yield (
                f"| {part} | {side} | {found['sentences']:,} | {cells} | "
                f"{found['different_words']:,} |"
            )


def _vocabulary_sections(advice: Facts) -> Iterable[str]:
    source, target = advice["kinds"]
    kinds = f"{source} for both sides" if source == target else f"{source} and {target}"
    yield (
        f"Advice: {kinds}, at most {advice['size']:,} pieces. {advice['reason']} 99% of the "
        f"sentences then have at most {advice['longest']} tokens."
    )
    if advice["candidates"]:
        rows = [
            f"| pieces | occur {OFTEN} times | tokens in a sentence, 50% | 99% |",
            "|---|---|---|---|",
        ]
        rows += [
            f"| {one['size']:,} | {one['often']:.0%} | {one['tokens'][0]} | {one['tokens'][1]} |"
            for one in advice["candidates"]
        ]
        yield "\n".join(rows)


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"
