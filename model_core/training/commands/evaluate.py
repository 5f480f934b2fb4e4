"""`python -m model_core evaluate`, `align` and `card`: checkpoints, measured.

Checkpoints are measured as they are stored. `card` and `align --write` replace files of the
checkpoint's folder; nothing else here writes to it.
"""

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model_core.atomic import replace_files
from model_core.checkpoints.folder import read_text, standing
from model_core.checkpoints.store import Checkpoint, open_checkpoint
from model_core.checkpoints.training import Training
from model_core.commands.options import add_model, model_folder
from model_core.decoding.beam import ALPHA
from model_core.errors import CheckpointError, CorpusError, VisualiserError
from model_core.training.data.corpus import corpus_of, with_examples
from model_core.training.evaluation.metrics import BLEU_TOKENS
from model_core.values.config import TrainConfig
from model_core.values.presets import PRESETS

if TYPE_CHECKING:
    from model_core.training.evaluation.report import Report


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program these three commands."""
    evaluate = commands.add_parser("evaluate", help="everything a card states, measured again")
    add_model(evaluate)
    _add_data(evaluate)
    add = evaluate.add_argument
    add("--beam", type=int, metavar="N", default=5, help="width of the beam (default: 5)")
    add(
        "--length-penalty",
        type=float,
        metavar="ALPHA",
        default=ALPHA,
        help=f"0 or more; the larger, the longer the outputs (default: {ALPHA})",
    )
    add("--file", metavar="NAME", help="a file of the data folder instead of valid.tsv")
    add(
        "--tokenize",
        choices=BLEU_TOKENS,
        help="how BLEU splits texts (default: zh for Chinese, else 13a); none takes them as they "
        "are, for text that is tokenised already",
    )
    add("--json", action="store_true", help="print all of it as JSON")
    evaluate.set_defaults(run=_evaluate)
    card = commands.add_parser("card", help="measure a checkpoint and write its card anew")
    add_model(card)
    _add_data(card)
    card.add_argument(
        "--note",
        action="append",
        default=[],
        metavar="TEXT",
        help="what was tried, a paragraph of the card; give it again for another. They replace "
        "those of before",
    )
    card.set_defaults(run=_card)
    align = commands.add_parser("align", help="which cross-attention heads align words")
    add_model(align)
    _add_data(align)
    align.add_argument("--write", action="store_true", help="keep the best head in config.json")
    align.set_defaults(run=_align)


def write_card(folder: Path, data: Path | None, notes: Sequence[str] = ()) -> "Report":
    """Measure the checkpoint in `folder`; its card and its config.json then state what was found.

    config.json also keeps the best alignment head, which the page opens with, and the notes, which
    take the place of those it had; without any it keeps them.
    """
    from model_core.training.evaluation.full import evaluate_fully
    from model_core.training.evaluation.model_card import model_card

    _check_writable(folder)
    checkpoint = open_checkpoint(folder)
    config = trained_config(checkpoint)
    report = evaluate_fully(checkpoint, corpus_of(config, data), config)
    # Without sentences of the validation part, which are others' to give away.
    found = sorted(dataclasses.asdict(report).items())
    measured: dict[str, Any] = {"evaluation": {k: v for k, v in found if k != "samples"}}
    if report.alignment:
        measured["alignment_head"] = dataclasses.asdict(report.alignment)
    if notes:
        measured["notes"] = list(notes)
    preset = PRESETS.get(checkpoint.training.preset)
    about = preset.about if preset else ""
    if preset and preset.group:
        measured["group"] = preset.group
    training = Training.from_json(checkpoint.training.to_json() | measured)
    card = model_card(checkpoint.name, about, checkpoint.config, config, training, None, (), report)
    _keep(folder, measured, card)
    return report


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="folder with train.tsv and valid.tsv")


def _evaluate(parsed: argparse.Namespace) -> int:
    from model_core.training.evaluation.full import evaluate_fully
    from model_core.training.evaluation.model_card import report_sections

    if parsed.beam < 1:
        raise VisualiserError(f"--beam is {parsed.beam}; a beam has a width of 1 or more.")
    if not 0 <= parsed.length_penalty <= 10:
        raise VisualiserError(
            f"--length-penalty is {parsed.length_penalty}; it must lie in 0 to 10."
        )
    checkpoint = open_checkpoint(model_folder(parsed))
    config = trained_config(checkpoint)
    if parsed.file and config.is_of_strings:
        raise VisualiserError(
            f"{checkpoint.name} is for strings that the program makes. Leave out --file."
        )
    corpus, part = corpus_of(config, parsed.data), None
    if parsed.file:
        corpus, part = with_examples(corpus, parsed.data / parsed.file, config), parsed.file
    report = evaluate_fully(
        checkpoint, corpus, config, parsed.beam, parsed.tokenize, part, parsed.length_penalty
    )
    if parsed.json:
        print(json.dumps(dataclasses.asdict(report), indent=2, ensure_ascii=False))
        return 0
    print("\n\n".join(report_sections(report)))
    print("\n## Samples\n")
    for source, output, reference in report.samples:
        print(f"- {source} -> {output} (reference: {reference})")
    known = checkpoint.training.data_sha256 or report.sha256
    if part is None and report.sha256 != known:
        print(
            f"note: {checkpoint.name} was trained with other data: sha256 {known}", file=sys.stderr
        )
    return 0


def _card(parsed: argparse.Namespace) -> int:
    folder = model_folder(parsed)
    write_card(folder, parsed.data, parsed.note)
    print(read_text(folder, "card.md"), end="")
    return 0


def _align(parsed: argparse.Namespace) -> int:
    """Print how well each cross-attention head aligns words, best first; --write keeps the best."""
    from model_core.training.evaluation.full import alignment_head

    folder = model_folder(parsed)
    if parsed.write:
        _check_writable(folder)
    checkpoint = open_checkpoint(folder)
    config = trained_config(checkpoint)
    best, scores, rates_LH = alignment_head(checkpoint, corpus_of(config, parsed.data), config)
    print("layer head  agreement  entropy  on the end token  error rate")
    for s in scores:
        rate = "         -" if rates_LH is None else f"{rates_LH[s.layer - 1, s.head - 1]:10.3f}"
        print(
            f"{s.layer:5} {s.head:4}  {s.agreement:9.3f}  {s.entropy:7.2f}  {s.end_mass:16.3f}"
            f"  {rate}"
        )
    if best.by_hand:
        count = sum(one.pairs for one in best.by_hand)
        print(f"error rate: of word links in {count} sentences of our own, by hand")
    if parsed.write:
        _keep(folder, {"alignment_head": dataclasses.asdict(best)})
    return 0


def trained_config(checkpoint: Checkpoint) -> TrainConfig:
    """How the checkpoint was trained; raises CorpusError where it does not say."""
    if checkpoint.training.config is None:
        raise CorpusError(f"{checkpoint.name} does not say how it was trained.")
    return checkpoint.training.config


def _keep(folder: Path, values: dict[str, Any], card: str | None = None) -> None:
    """Write these into what config.json says about the training, and the card with them."""
    place = standing(folder)
    config = json.loads((place / "config.json").read_text("utf-8"))
    config["training"] |= values
    text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
    files = {place / "config.json": text.encode()}
    if card is not None:
        files[place / "card.md"] = card.encode()
    replace_files(files)


def _check_writable(folder: Path) -> None:
    """Raise before anything is measured for a folder into which it could not be written."""
    place = standing(folder)
    if not os.access(place, os.W_OK):
        raise CheckpointError(f"{place} cannot be written. Copy the checkpoint to where you may.")
