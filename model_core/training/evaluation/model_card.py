"""The card of a trained model: what it is, what it learnt from, how good it is, how it was made.

The sections on what was measured are also what `python -m model_core evaluate` prints.
"""

from collections.abc import Iterable, Sequence

from model_core.checkpoints.snapshots import snapshot_name, snapshots_of
from model_core.checkpoints.training import Guidance, Training
from model_core.training.data.synthetic import TAG
from model_core.training.evaluation.metrics import RESAMPLES, tokens_of
from model_core.training.evaluation.report import BINS, HELD_OUT, HELD_OUT_STRINGS, Report
from model_core.training.evaluation.scores import Scores
from model_core.values.anatomy import head_name
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.evaluation import AlignmentHead, Calibration, LengthScore, SearchScore

# The dates of the exports that the prepared data folders were made from.
_TATOEBA_EXPORTS = {
    "tatoeba-en-fr": "2019-04-07",
    "tatoeba-en-de": "2018-05-13",
    "tatoeba-en-es": "2018-05-13",
    "tatoeba-en-zh": "2026-02-13",
}
_NOTHING = "-"  # in a table
_NOTED = (
    "Noted when it was tried, on all sources of validation unless it says otherwise; "
    "`card` does not measure this again."
)
_RECORDED = "Recorded by the training itself; `card` does not measure this again."
_WHICH = (
    '- held out: the first half of the sources in the order of SHA-256 of "held out: " + source'
)


def model_card(
    name: str,
    about: str,
    model: ModelConfig,
    config: TrainConfig,
    training: Training,
    scores: Scores | None,
    samples: Sequence[tuple[str, str]],
    report: Report | None = None,
) -> str:
    """The card as Markdown: with the report of a full evaluation, or with the scores so far."""
    sections = [
        f"# {name}",
        about,
        f"An encoder-decoder Transformer with {training.parameters:,} parameters: "
        f"{_shape(model, config)}. "
        f"Trained {_from(training)} for {training.update:,} updates. "
        f"The weights are {training.weights}.",
        "## Data",
        _data_line(config, training),
        *_synthetic(config, training),
        _chosen_by(config, training, scored=report is not None),
        *_taught(model, config, training),
    ]
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
    if training.notes:
        sections += ["## What was tried", _NOTED, *training.notes]
    if samples:
        lines = [f"- {_code(source)} → {_code(output)}" for source, output in samples]
        sections += ["## Samples", "\n".join(lines)]
    sections += [
        "## How it was made",
        _RECORDED,
        _made(config, training),
        f"    {training.command}",
    ]
    if training.begun:
        sections += [
            "Before that, the weights that it began with:",
            f"    {training.begun.command}",
        ]
    if training.snapshots:
        updates = ", ".join(f"{update:,}" for update in snapshots_of(training))
        first = snapshot_name(name, next(iter(snapshots_of(training))))
        sections.append(
            f"The weights after updates {updates} are kept beside these, in float16; each is a "
            f"model of its own, such as `{first}`."
        )
    if guidance := training.guidance:
        sections.append(f"After that, {guidance.seconds / 60:,.1f} minutes of one core:")
        sections.append(f"    {guidance.command}")
    return "\n\n".join(sections) + "\n"


def _shape(model: ModelConfig, config: TrainConfig) -> str:
    """Layers, widths, heads and vocabularies in words."""
    heads = f"{model.encoder_heads} heads"
    if model.decoder_heads != model.encoder_heads:
        heads = f"{model.encoder_heads} and {model.decoder_heads} heads"
    vocabulary = f"vocabulary {model.target_vocabulary:,}"
    if config.target_tokenizer != "same":
        vocabulary = f"vocabularies {model.source_vocabulary:,} and {model.target_vocabulary:,}"
    return (
        f"{model.encoder_layers}+{model.decoder_layers} layers, width {model.width}, {heads}, "
        f"feed-forward {model.feed_forward_width}, {vocabulary}"
    )


def _from(training: Training) -> str:
    """What the training began with."""
    if not (begun := training.begun):
        return "from nothing"
    return (
        f"from the weights of an earlier `{begun.name}` ({begun.fingerprint}), which had "
        f"{begun.updates:,} updates,"
    )


_SEEN = {
    "none": "every token of the target, those that it had to write included",
    "ahead": "one token too far: in each row the token that it had to write",
    "behind": "one token too few: not even the token that was fed",
}


def _taught(model: ModelConfig, config: TrainConfig, training: Training) -> list[str]:
    """What the model was taught beside the translations, a paragraph each."""
    paragraphs = []
    if config.guided_alignment:
        paragraphs.append(
            "Guided alignment: while it was trained, the first two heads of cross-attention in "
            f"layer {max(model.decoder_layers - 1, 1)} were also taught an aligner's word links, "
            f"with weight {config.guided_alignment:g} in the loss (Garg et al. 2019)."
        )
    if guidance := training.guidance:
        names = " and ".join(head_name(layer, head) for layer, head in guidance.heads)
        paragraphs.append(
            f"Taught afterwards: cross-attention {names} learnt an aligner's word links from "
            f"{guidance.pairs:,} training pairs, each row that of the token it writes. "
            "Queries and keys learnt; the projection that joins the heads of a layer was then "
            "fitted so that the layer gives what it gave. " + _settled(guidance)
        )
    if config.consistency:
        paragraphs.append(
            "Every batch was read twice with dropout of its own, and the two readings were taught "
            f"to agree, with weight {config.consistency:g} in the loss (R-Drop, Liang et al. 2021)."
        )
    if config.broken_causal_mask:
        paragraphs.append(
            "On purpose, a mistake: while it was trained, decoder self-attention saw "
            f"{_SEEN[config.broken_causal_mask]}. The model itself has the right mask. The weights "
            "are the last ones, whatever they write."
        )
    return paragraphs


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
    if report.calibration:
        sections += [
            "### How far its probabilities can be trusted",
            _calibrated(report.calibration),
        ]
    if report.own:
        right = sum(one.right for one in report.own)
        judged = (("✗✓"[one.right], _code(one.source), _code(one.output)) for one in report.own)
        sections += [
            f"## {len(report.own)} sentences of our own, greedy: {right} right",
            _table(("", "source", "output"), judged),
            "✓ is one of the translations that we accept, letter case, spaces and punctuation "
            f"aside; ✗ is not. Sources that occur in training: "
            f"{sum(one.in_training for one in report.own)}.",
        ]
    if report.alignment:
        sections += ["## The head that aligns words", _alignment(report.alignment)]
        sections += filter(None, [where_trusted(report.alignment)])
    return sections


def _notes(report: Report) -> list[str]:
    """What the scores are of and how they were computed."""
    lines = [
        f"- {report.sources:,} sources, all references; loss {report.loss:.3f} nats per token",
        *([_WHICH] if report.part in (HELD_OUT, HELD_OUT_STRINGS) else []),
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
    if report.copied is not None:
        lines.append(_copied(report.copied))
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


_PLACES = {"opening": "the opening token", "all": "any token"}


def _calibrated(found: Sequence[Calibration]) -> str:
    words = "Shown a source and what a reference has before a token, which token is most probable? "
    for one in found:
        words += (
            f"At {_PLACES[one.where]} ({one.tokens:,}) it is given {one.given:.1%} on average and "
            f"is the reference's {one.right:.1%} of the time; expected calibration error "
            f"{one.error:.3f}. "
        )
    return words + f"The error is over {BINS} bins of equal width (Guo et al. 2017)."


def _alignment(head: AlignmentHead) -> str:
    words = (
        f"Cross-attention, layer {head.layer}, head {head.head}; a row is read as the token that "
        f"it writes. {head.agreement:.1%} of the target tokens have their largest weight where "
        "an aligner links them: the model of fast_align with its diagonal prior (Dyer et al. "
        "2013, lambda 4), in both directions, learnt from training pairs. "
    )
    if head.taught:
        words += (
            "This head was taught the links of that same aligner, so the share says how well it "
            "learnt them and not how good they are; the error rate by hand is the number that "
            "counts. "
        )
    words += f"Entropy {head.entropy:.2f} bits; {head.end_mass:.1%} of the weight is on the end "
    words += "token where words are written."
    if head.by_hand:
        rates = ", ".join(f"{one.rate:.3f} ({one.kind}, {one.pairs} pairs)" for one in head.by_hand)
        words += f" Alignment error rate on sentences of our own, aligned by hand: {rates}."
    if len(head.mean_of) > 1 and head.mean_by_hand:
        names = " and ".join(head_name(layer, number) for layer, number in head.mean_of)
        rates = ", ".join(f"{one.rate:.3f} ({one.kind})" for one in head.mean_by_hand)
        words += f" The mean of the heads {names}: {rates}."
    return words


_KINDS = {"everyday": "everyday sentences, such as it learnt from", "formal": "formal ones"}


def where_trusted(head: AlignmentHead) -> str:
    """On which text this head's links can be trusted; "" where no text was aligned by hand."""
    if not head.by_hand:
        return ""
    said = " ".join(
        f"On {_KINDS[one.kind]}, about {100 * one.rate:.0f} of 100 links are wrong: "
        f"{_believed(one.rate)}."
        for one in head.by_hand
    )
    return (
        f"For which text its picture can be trusted. {said} Parliament, news and long sentences "
        "are farther from what it learnt and were not measured here: do not trust it there."
    )


def _believed(rate: float) -> str:
    if rate < 0.15:
        return "trust it"
    return "check a link before you believe it" if rate < 0.3 else "do not trust it"


def _data_line(config: TrainConfig, training: Training) -> str:
    if config.is_of_strings:
        return "Random strings of lower-case letters and digits, made by the program."
    if training.data in _TATOEBA_EXPORTS:
        names = " ".join((training.data, *training.synthetic))
        dates = {date for name, date in _TATOEBA_EXPORTS.items() if name in names}
        return (
            "Trained on sentences from Tatoeba (https://tatoeba.org), CC BY 2.0 FR, by way of "
            f"manythings.org/anki, export{'s' * (len(dates) > 1)} of {' and '.join(sorted(dates))}."
        )
    return (
        f"Trained on the pairs of the folder `{training.data}`; look up their licence before "
        "sharing it."
    )


def _synthetic(config: TrainConfig, training: Training) -> list[str]:
    """What it learnt from beside the pairs of the data folder."""
    besides = (
        [
            f"Of each pair with the name of a person or a place on both sides it also read "
            f"{config.names} {'copies' if config.names > 1 else 'copy'} with another name, drawn "
            "from a list."
        ]
        if config.names
        else []
    )
    if config.phrases:
        besides.append(
            f"It also read {config.phrases:,} pairs drawn from a phrasebook of our own, none of "
            "which shares a side with validation or with the sentences of our own below."
        )
    if not training.synthetic:
        return besides
    pairs = sum(training.synthetic.values())
    origins = "; ".join(f"{count:,}: {origin}" for origin, count in training.synthetic.items())
    often = f"read {config.repeated} times" if config.repeated > 1 else "read once"
    return [
        *besides,
        f"{pairs:,} more pairs are synthetic: of each, a model wrote one side ({origins}). In "
        f"training the source of such a pair began with the tag `{TAG}`; in each epoch they were "
        f"read once and the pairs of people {often}.",
    ]


def _chosen_by(config: TrainConfig, training: Training, scored: bool) -> str:
    """What the weights were learnt from, what chose them, and whether the scores are of that."""
    sources = "strings" if config.is_of_strings else "sources"
    words = (
        f"{training.training_pairs:,} training pairs. Training never saw the sources of "
        f"validation; {training.validation_sources:,} of these decided which weights were kept."
    )
    words = words.replace("sources", sources)
    if not scored:
        return words
    if training.held_out_sources:
        words += f" The scores are of {training.held_out_sources:,} others."
        if training.begun and not training.begun.held_out_sources:
            words += (
                " These were among the sources that chose the weights it began with, so the scores "
                "may flatter the model a little."
            )
        return words
    return words + (
        " The half that the scores are of was among them: this training is older than the rule "
        "that holds it out, so the scores may flatter the model a little."
    )


def _settled(guidance: Guidance) -> str:
    """What else changed after heads were taught."""
    last = max(layer for layer, _ in guidance.heads)
    if not guidance.settling:
        return "Nothing else changed: the other heads read as translation taught them."
    return (
        f"Last, for {guidance.settling} updates, the values, this projection and the feed-forward "
        f"of layer {last} learnt to predict what the model predicted before. The queries and keys "
        "of the other heads are those that translation taught them."
    )


def _made(config: TrainConfig, training: Training) -> str:
    minutes = f"{training.seconds / 60:,.0f}"
    time = f"{minutes} minute{'' if minutes == '1' else 's'} by the clock"
    if training.core_seconds >= 60:
        time += f", {training.core_seconds / 60:,.0f} of one core"
    elif training.core_seconds:
        time += f", {training.core_seconds:.0f} seconds of one core"
    lines = [
        f"- {training.hardware or 'hardware not recorded'}; torch {training.torch}, "
        f"matrix products in {training.precision}",
        f"- {time}, {training.update:,} updates, "
        f"{training.epochs} epochs, {training.target_tokens:,} target tokens; seed {config.seed}",
        f"- sha256 of the data {training.data_sha256}",
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
    if scores.copied is not None:
        lines.append(_copied(scores.copied))
    return lines


def _copied(weights: Sequence[Sequence[float]]) -> str:
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
