"""What a preparation or a check found, as Markdown."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from model_core.training.data.cleaning import CleanedLines, LeftOut, SentencePair
from model_core.training.data.leaks import NEAR_FROM, Leak, same_words
from model_core.training.data.split import Split
from model_core.training.data.vocabulary import OFTEN, VocabularyAdvice, advise
from model_core.training.data.words import percentile, words

_PERCENTILES = (50, 90, 99, 100)
_NAMED = 5  # lines and leaks quoted of each kind; left_out.tsv has them all


def report(
    title: str,
    files: Mapping[str, CleanedLines],
    parts: Mapping[str, Sequence[SentencePair]],
    leaks: Sequence[Leak],
    folder: str,
    made: tuple[Split, int] | None = None,
) -> str:
    """The report on a folder with these parts; `made` is their split and its seed, where they
    were made here, and the leaks were then removed."""
    sources, targets = zip(*(pair.sides for pair in parts["train"]), strict=True)
    advice = advise(sources, targets)
    sections = [f"# {title}"]
    for name, cleaned in files.items():
        sections += [f"## {_code(name)}", "\n".join(_file_lines(cleaned))]
    if made:
        sections += ["## Split", _split_words(*made)]
    sections += ["## Leaks", "\n".join(_leak_lines(leaks, made is not None))]
    sections += ["## Lengths", "\n".join(_length_rows(parts))]
    sections += ["## Vocabulary", *_vocabulary_sections(advice)]
    sections += ["## To train on it", f"    {_train_command(advice, folder)}"]
    return "\n\n".join(sections) + "\n"


def _train_command(advice: VocabularyAdvice, folder: str) -> str:
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


def _file_lines(cleaned: CleanedLines) -> Iterator[str]:
    yield f"{len(cleaned.pairs):,} of {cleaned.lines:,} lines are usable."
    kinds: dict[str, list[LeftOut]] = {}
    for one in cleaned.left_out:
        kinds.setdefault(one.why.partition(": ")[0], []).append(one)
    for kind, ones in sorted(kinds.items(), key=lambda item: -len(item[1])):
        details = [(one.line, one.why.partition(": ")[2]) for one in ones[:_NAMED]]
        named = [f"line {line}" + (f" ({detail})" if detail else "") for line, detail in details]
        more = ", ..." if len(ones) > _NAMED else ""
        yield f"- left out, {kind}: {len(ones):,}; {', '.join(named)}{more}"
    for what, sides in cleaned.mended.items():
        yield f"- {what}: {sides:,} sides"


def _split_words(split: Split, seed: int) -> str:
    sources = len({same_words(pair.source) for pair in split.valid})
    return (
        f"{len(split.train):,} pairs to train on; {len(split.valid):,} pairs of {sources:,} "
        f"sources held out (seed {seed}). Pairs that share a side are one of "
        f"{split.clusters:,} clusters, the largest of {split.largest_cluster:,} pairs, "
        f"and no cluster is in both parts. {len(split.near):,} pairs within one word of "
        "a held-out side were removed from training."
    )


def _leak_lines(leaks: Sequence[Leak], removed: bool) -> Iterator[str]:
    if removed:
        yield (
            "None left: no validation side is in training, nor, in sentences of at least "
            f"{NEAR_FROM} words, one within one word of it.\n"
        )
    elif leaks:
        yield f"**Training pairs that give away a side of the validation part: {len(leaks):,}**\n"
    else:
        yield "None found."
    for how in ("verbatim", "near"):
        if found := [leak for leak in leaks if leak.how == how]:
            yield f"- {how}{' (removed)' if removed else ''}: {len(found):,}"
        for leak in found[:_NAMED]:
            text = _code(getattr(leak.pair, leak.side))
            held_out = _code(leak.held_out)
            yield f"  - line {leak.pair.line}, {leak.side}: {text} and held out {held_out}"
    yield (
        "\nCompared without case and punctuation; near means that one word was replaced, added or "
        f"left out in a sentence of at least {NEAR_FROM} words."
    )


def _length_rows(parts: Mapping[str, Sequence[SentencePair]]) -> Iterator[str]:
    columns = [*(f"{percent}%" for percent in _PERCENTILES[:-1]), "longest"]
    names = [f"{unit} {column}" for unit in ("words", "characters") for column in columns]
    yield _row("part", "side", "sentences", *names, "different words")
    yield "|" + "---|" * (4 + len(names))
    for part, pairs in parts.items():
        for side in ("source", "target"):
            texts = [getattr(pair, side) for pair in pairs]
            in_words = list(map(words, texts))  # characters, where a script writes no spaces
            numbers = [
                percentile(counts, percent)
                for counts in (sorted(map(len, in_words)), sorted(map(len, texts)))
                for percent in _PERCENTILES
            ]
            different = len({word for text in in_words for word in text})
            yield _row(part, side, f"{len(texts):,}", *map(str, numbers), f"{different:,}")


def _vocabulary_sections(advice: VocabularyAdvice) -> Iterable[str]:
    source, target = advice.kinds
    kinds = f"{source} for both sides" if source == target else f"{source} and {target}"
    yield (
        f"Advice: {kinds}, at most {advice.size:,} pieces. {advice.reason} 99% of the "
        f"sentences then have at most {advice.longest} tokens."
    )
    if advice.candidates:
        head = _row("pieces", f"occur {OFTEN} times", "tokens in a sentence, 50%", "99%")
        rows = [
            _row(f"{one.size:,}", f"{one.often:.0%}", *map(str, one.tokens))
            for one in advice.candidates
        ]
        yield "\n".join([head, "|---|---|---|---|", *rows])


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"
