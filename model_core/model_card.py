"""The card of a trained model: what it is, what it learnt from, how good it is, how it was made.

The sections on what was measured are also what `python -m model_core evaluate` prints.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from model_core.config import ModelConfig, TrainConfig
from model_core.evaluation import Scores
from model_core.metrics import RESAMPLES, tokens_of
from model_core.report import AlignmentHead, HeadHabit, Judged, LengthScore, Report, SearchScore
from model_core.trace import SITES

# The dates of the exports that the prepared data folders were made from.
_TATOEBA_EXPORTS = {
    "tatoeba-en-fr": "2019-04-07",
    "tatoeba-en-de": "2018-05-13",
    "tatoeba-en-es": "2018-05-13",
    "tatoeba-en-zh": "2026-02-13",
}
_NOTHING = "-"  # in a table


def model_card(
    name: str,
    about: str,
    model: ModelConfig,
    config: TrainConfig,
    training: Mapping[str, Any],
    scores: Scores | None,
    samples: Sequence[tuple[str, str]],
    report: Report | None = None,
) -> str:
    """The card as Markdown: with the report of a full evaluation, or with the scores so far."""
    heads = f"{model.encoder_heads} heads"
    if model.decoder_heads != model.encoder_heads:
        heads = f"{model.encoder_heads} and {model.decoder_heads} heads"
    vocabulary = f"vocabulary {model.target_vocabulary:,}"
    if config.target_tokenizer != "same":
        vocabulary = f"vocabularies {model.source_vocabulary:,} and {model.target_vocabulary:,}"
    shape = (
        f"{model.encoder_layers}+{model.decoder_layers} layers, width {model.width}, {heads}, "
        f"feed-forward {model.feed_forward_width}, {vocabulary}"
    )
    sections = [
        f"# {name}",
        about,
        f"An encoder-decoder Transformer with {training['parameters']:,} parameters: {shape}. "
        f"Trained from nothing for {training['update']:,} updates. "
        f"The weights are {training['weights']}.",
        "## Data",
        _data_line(config, training["data"]),
        f"{training['training_pairs']:,} training pairs; {training['validation_sources']:,} "
        "validation sources that training never saw.",
    ]
    if config.guided_alignment:
        sections.append(
            f"Guided alignment: the first two heads of cross-attention in layer "
            f"{max(model.decoder_layers - 1, 1)} were also taught an aligner's word links, with "
            f"weight {config.guided_alignment:g} in the loss (Garg et al. 2019). The other heads "
            "are what translation made of them."
        )
    if config.consistency:
        sections.append(
            "Every batch was read twice with dropout of its own, and the two readings were taught "
            f"to agree, with weight {config.consistency:g} in the loss (R-Drop, Liang et al. 2021)."
        )
    if report:
        sections += report_sections(report)
    elif scores:
        sections += [
            "## Scores on the validation part, greedy",
            "\n".join(_score_lines(scores, config)),
            "`python -m model_core card` measures the rest.",
        ]
    else:
        sections += ["Not measured yet: `python -m model_core card` does it."]
    if training.get("notes"):
        sections += ["## What was tried", *training["notes"]]
    if samples:
        lines = [f"- {_code(source)} → {_code(output)}" for source, output in samples]
        sections += ["## Samples", "\n".join(lines)]
    sections += ["## How it was made", _made(config, training), f"    {training['command']}"]
    return "\n\n".join(sections) + "\n"


def report_sections(report: Report) -> list[str]:
    """What was measured, as the paragraphs of the card."""
    sections = [
        f"## Scores on {report.part}",
        _table(("search", "BLEU", "chrF", "exact match"), map(_search_row, report.searches)),
        "\n".join(_notes(report)),
        f"### By the length of the source, {report.searches[-1].name}",
        _table(
            ("tokens", "sentences", "BLEU", "chrF", "exact match"),
            map(_length_row, report.searches[-1].by_length),
        ),
    ]
    if report.own:
        right = sum(one.right for one in report.own)
        sections += [
            f"## {len(report.own)} sentences of our own, greedy: {right} right",
            _table(("", "source", "output"), map(_judged_row, report.own)),
            "✓ is one of the translations that we accept, letter case, spaces and punctuation "
            f"aside; ✗ is not. Sources that occur in training: "
            f"{sum(one.in_training for one in report.own)}.",
        ]
    if report.alignment:
        sections += ["## The head that aligns words", _alignment(report.alignment)]
    sections += [
        "## What heads do whatever the sentence",
        _table(
            ("site", "heads", "uniform", "parked on one token", "copies", "none of these"),
            (_habit_row(site, report.heads) for site in SITES),
        ),
        "\n".join(_habit_lines(report.heads)),
    ]
    return sections


def _notes(report: Report) -> list[str]:
    """What the scores are of and how they were computed."""
    lines = [
        f"- {report.sources:,} sources, all references; loss {report.loss:.3f} nats per token",
        f"- sha256 of the data {report.sha256}",
    ]
    last = report.searches[-1]
    if last.width > 1:
        lines.append(f"- beam: scores are log-probabilities over ((5 + length) / 6)^{report.alpha}")
    scores = [score for score in (last.bleu, last.chrf) if score]
    if any(score.interval is not None for score in scores):
        lines.append(f"- ±: 95% of {RESAMPLES:,} bootstrap resamples of the sources")
    names = ("BLEU", "chrF")
    lines += [f"- {n} `{score.signature}`" for n, score in zip(names, scores, strict=False)]
    if report.anti_diagonal is not None:
        lines.append(_anti_diagonal(report.anti_diagonal))
    return lines


def _search_row(search: SearchScore) -> tuple[str, ...]:
    bleu, chrf = (str(score) if score else _NOTHING for score in (search.bleu, search.chrf))
    return search.name, bleu, chrf, f"{search.exact_match:.1f}%"


def _length_row(score: LengthScore) -> tuple[str, ...]:
    to = "or more" if score.longest is None else f"to {score.longest}"
    bleu, chrf = (
        _NOTHING if value is None else f"{value:.1f}" for value in (score.bleu, score.chrf)
    )
    exact = f"{score.exact_match:.1f}%"
    return f"{score.shortest} {to}", f"{score.sentences:,}", bleu, chrf, exact


def _judged_row(one: Judged) -> tuple[str, ...]:
    return "✓" if one.right else "✗", _code(one.source), _code(one.output)


def _alignment(head: AlignmentHead) -> str:
    reading = "fed in" if head.rows == "fed" else "predicted"
    words = (
        f"Cross-attention, layer {head.layer}, head {head.head}, rows read by the token {reading}: "
        f"{head.agreement:.1%} of the target tokens have their largest weight where an aligner "
        "that never saw the model (IBM model 1, both directions) links them. "
        f"Entropy {head.entropy:.2f} bits; {head.end_mass:.1%} of the weight is on the end token."
    )
    if head.error_rate is not None:
        words += (
            f" Alignment error rate {head.error_rate:.3f} on {head.hand_aligned} sentences of our "
            "own, aligned by hand."
        )
    return words


def _habit_row(site: str, heads: Sequence[HeadHabit]) -> tuple[str, ...]:
    habits = [head.habit for head in heads if head.site == site]
    counts = (habits.count(habit) for habit in ("uniform", "parked", "copy", "none"))
    return site, str(len(habits)), *map(str, counts)


def _habit_lines(heads: Sequence[HeadHabit]) -> list[str]:
    """The heads with a habit, one by one, the head nearest to a habit that none has, the terms."""
    lines = [f"- {_habit_of(head, head.habit)}" for head in heads if head.habit != "none"]
    nearest = {
        "uniform": min(heads, key=lambda head: head.from_uniform),
        "parked": max(heads, key=lambda head: head.on_one_token),
        "copy": min(heads, key=lambda head: head.from_copied),
    }
    had = {head.habit for head in heads}
    lines += [f"- nearest: {_habit_of(head, h)}" for h, head in nearest.items() if h not in had]
    lines.append(
        "- a head is counted where less than a fifth of its weight would have to move to make "
        "every row even, to put a sentence's weight on one token, or to make it another head of "
        "that site; with the first reference of each source forced"
    )
    return lines


def _habit_of(head: HeadHabit, habit: str) -> str:
    """How far a head has this habit, in words."""
    place = f"{head.site} {head.layer}.{head.head}"
    if habit == "uniform":
        return f"{place} is uniform but for {head.from_uniform:.0%} of its weight"
    if habit == "parked":
        return f"{place} has {head.on_one_token:.0%} on one token, most often {_code(head.token)}"
    copied = ".".join(map(str, head.copied or ()))
    return f"{place} is {head.site} {copied} but for {head.from_copied:.0%} of its weight"


def _data_line(config: TrainConfig, data: str) -> str:
    if config.task == "reverse":
        return "Random strings of lower-case letters and digits, made by the program."
    if data in _TATOEBA_EXPORTS:
        return (
            "Trained on sentences from Tatoeba (https://tatoeba.org), CC BY 2.0 FR, "
            f"by way of manythings.org/anki, export of {_TATOEBA_EXPORTS[data]}."
        )
    return f"Trained on the pairs of the folder `{data}`; look up their licence before sharing it."


def _made(config: TrainConfig, training: Mapping[str, Any]) -> str:
    minutes = training["seconds"] / 60
    lines = [
        f"- {training.get('hardware', 'hardware not recorded')}; torch {training['torch']}, "
        f"matrix products in {training['precision']}",
        f"- {minutes:,.0f} minutes, {training['update']:,} updates, {training['epochs']} epochs, "
        f"{training['target_tokens']:,} target tokens; seed {config.seed}",
        f"- sha256 of the data {training['data_sha256']}",
    ]
    return "\n".join(lines)


def _score_lines(scores: Scores, config: TrainConfig) -> list[str]:
    lines = []
    if scores.bleu is not None and scores.chrf is not None:
        tokens = tokens_of(config.target_language)
        lines.append(f"- BLEU {scores.bleu:.1f} (sacreBLEU {tokens}, all references)")
        lines.append(f"- chrF {scores.chrf:.1f}")
    lines.append(f"- exact match {scores.exact_match:.1f}%")
    lines.append(f"- loss {scores.loss:.3f} nats per token")
    if scores.anti_diagonal is not None:
        lines.append(_anti_diagonal(scores.anti_diagonal))
    return lines


def _anti_diagonal(weights: Sequence[Sequence[float]]) -> str:
    best = max(
        (weight, layer + 1, head + 1)
        for layer, heads in enumerate(weights)
        for head, weight in enumerate(heads)
    )
    return (
        f"- cross-attention weight on the token to copy: {best[0]:.2f} on average, "
        f"in layer {best[1]}, head {best[2]}"
    )


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The table without the columns in which nothing was measured."""
    columns = zip(names, *rows, strict=True)
    kept = [column for column in columns if set(column[1:]) != {_NOTHING}]
    lines = [*zip(*kept, strict=True)]
    lines.insert(1, ("---",) * len(kept))
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _code(text: str) -> str:
    """The text to the letter, within a cell of a table too."""
    text = " ".join(text.replace("`", "'").replace("|", "¦").split())
    return f"`{text}`" if text else "(nothing)"
