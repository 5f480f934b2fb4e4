"""`python -m model_core evaluate` and `align`: what a checkpoint reaches on validation data."""

import argparse
import dataclasses
import json
import os
from pathlib import Path

from model_core.config import TrainConfig, from_json
from model_core.corpus import Corpus, encode_pairs, read_corpus, reverse_corpus
from model_core.errors import CorpusError
from model_core.store import Checkpoint

_SAMPLES = 8
_LEXICON_PAIRS = 60_000  # enough for the words that validation sentences use


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a parser what both commands take besides the model."""
    parser.add_argument("--data", type=Path, help="folder with train.tsv and valid.tsv")


def evaluate(checkpoint: Checkpoint, parsed: argparse.Namespace) -> int:
    """Print the scores on the validation part and a few translations."""
    from model_core.evaluation import evaluate as score

    config = _trained(checkpoint)
    corpus = _corpus(config, parsed.data)
    evaluation = score(
        checkpoint.model,
        checkpoint.source_tokenizer,
        checkpoint.target_tokenizer,
        corpus.valid,
        config,
    )
    for name, value in dataclasses.asdict(evaluation.scores).items():
        if isinstance(value, float):
            print(f"{name} {value:.3f}")
    for example, output in list(zip(corpus.valid, evaluation.outputs, strict=True))[:_SAMPLES]:
        print(f"{example.source} -> {output} (reference: {example.references[0]})")
    return 0


def align(checkpoint: Checkpoint, parsed: argparse.Namespace) -> int:
    """Print how well each cross-attention head aligns words, best first; --write keeps the best."""
    from model_core.aligner import learn_aligner
    from model_core.alignment import head_error_rates, score_heads
    from model_core.hand_aligned import hand_aligned

    config = _trained(checkpoint)
    corpus = _corpus(config, parsed.data)
    model = checkpoint.config
    tokenizers = (checkpoint.source_tokenizer, checkpoint.target_tokenizer)
    ends = (model.start_id, model.end_id, model.max_positions)
    train = encode_pairs(corpus.train[:_LEXICON_PAIRS], *tokenizers, *ends)
    first = [(example.source, example.references[0]) for example in corpus.valid]
    aligner = learn_aligner(train, model.source_vocabulary, model.target_vocabulary)
    scores = score_heads(checkpoint.model, encode_pairs(first, *tokenizers, *ends), aligner)
    hand = hand_aligned(config.source_language, config.target_language)
    rates = head_error_rates(checkpoint.model, hand, *tokenizers) if hand else {}
    print("layer head  agreement  rows       entropy  on the end token  error rate")
    for s in scores:
        rate = f"{rates[s.rows][s.layer - 1, s.head - 1]:10.3f}" if rates else "         -"
        print(
            f"{s.layer:5} {s.head:4}  {s.agreement:9.3f}  {s.rows:9}  {s.entropy:7.2f}"
            f"  {s.end_mass:16.3f}  {rate}"
        )
    if hand:
        print(f"error rate: of word links in {len(hand)} sentences of our own, aligned by hand")
    if parsed.write:
        _keep(parsed.folder, dataclasses.asdict(scores[0]))
    return 0


def _trained(checkpoint: Checkpoint) -> TrainConfig:
    config = checkpoint.training.get("config")
    if not config:
        raise CorpusError(f"{checkpoint.name} does not say how it was trained.")
    return from_json(TrainConfig, config)


def _corpus(config: TrainConfig, data: Path | None) -> Corpus:
    if config.task == "reverse":
        return reverse_corpus(config.seed)
    if data is None:
        raise CorpusError("Name the folder with train.tsv and valid.tsv: --data DIR.")
    return read_corpus(data, config)


def _keep(folder: Path, head: dict[str, object]) -> None:
    """Write the head into config.json, where the page looks for the one to open with."""
    path = folder / "config.json"
    values = json.loads(path.read_text("utf-8"))
    values["training"]["alignment_head"] = head
    new = path.with_suffix(".new")
    new.write_text(json.dumps(values, indent=2, ensure_ascii=False) + "\n", "utf-8")
    os.replace(new, path)
