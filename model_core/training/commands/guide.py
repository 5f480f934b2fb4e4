"""`python -m model_core guide`: a copy of a checkpoint with a head that aligns words."""

import argparse
import dataclasses
import random
import re
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

from model_core.commands.options import add_model, model_folder
from model_core.errors import VisualiserError
from model_core.training.commands.evaluate import trained_config, write_card
from model_core.values.anatomy import head_name

if TYPE_CHECKING:
    from model_core.checkpoints.store import Checkpoint
    from model_core.training.data.corpus import EncodedPair
    from model_core.training.evaluation.aligner import Aligner
    from model_core.training.evaluation.alignment import Head

_LEXICON_PAIRS = 50_000  # what the aligner learns from
_PAIRS = 12_000  # of them, what the heads learn from


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Give the program this command."""
    guide = commands.add_parser("guide", help="teach a head of a checkpoint to align words")
    add_model(guide)
    guide.add_argument("--data", type=Path, required=True, help="folder with train.tsv, valid.tsv")
    guide.add_argument("-o", "--out", type=Path, required=True, help="folder of the new one")
    guide.add_argument(
        "--heads",
        nargs="+",
        metavar="L3H5",
        help="default: the one of the last layer that aligns best already",
    )
    guide.set_defaults(run=run)


def run(parsed: argparse.Namespace) -> int:
    """0 when the new checkpoint is written and measured."""
    from model_core.checkpoints.folder import check_replaceable, fingerprint
    from model_core.checkpoints.history import write_history
    from model_core.checkpoints.snapshots import snapshot_files
    from model_core.checkpoints.store import open_checkpoint, save_checkpoint
    from model_core.checkpoints.training import Guidance
    from model_core.training.data.corpus import encode_pairs, read_corpus
    from model_core.training.evaluation.aligner import learn_aligner, with_links
    from model_core.training.guidance import SETTLING, UPDATES, check_teachable, teach
    from model_core.training.hardware import hardware
    from model_core.training.notes import NoteTaker
    from model_core.values.history import History

    began = time.process_time()
    check_replaceable(parsed.out)
    heads = _given(parsed.heads or [])
    checkpoint = open_checkpoint(folder := model_folder(parsed))
    check_teachable(checkpoint.config, heads)
    earlier = snapshot_files(folder, checkpoint.training)
    config, tokenizers = trained_config(checkpoint), checkpoint.tokenizers
    if config.is_of_strings:
        raise VisualiserError(f"{checkpoint.name} does not translate, so it has no words to align.")
    model = checkpoint.config
    corpus = read_corpus(parsed.data, config)
    rest = (tokenizers, model, config.max_tokens)
    encoded = encode_pairs(corpus.train, *rest)
    some = random.Random(config.seed).sample(encoded, min(_LEXICON_PAIRS, len(encoded)))
    aligner = learn_aligner(some, model.source_vocabulary, model.target_vocabulary)
    pairs = tuple(with_links(some[:_PAIRS], aligner))
    valid = encode_pairs(((one.source, one.references[0]) for one in corpus.valid), *rest)
    heads = heads or [_best(checkpoint, valid, aligner)]
    names = [head_name(layer, head) for layer, head in heads]
    print("Teaching", " and ".join(names), flush=True)
    teach(checkpoint.model, pairs, heads, config.seed)
    command = ["python", "-m", "model_core", "guide", checkpoint.name]
    command += ["--data", parsed.data.absolute().name, "-o", f"checkpoints/{parsed.out.name}"]
    if parsed.heads:
        command += ["--heads", *names]
    guidance = Guidance(
        command=shlex.join(command),
        heads=tuple(heads),
        pairs=len(pairs),
        updates=UPDATES,
        settling=SETTLING,
        seconds=round(time.process_time() - began, 1),
        hardware=hardware(),
    )
    # What was measured of the weights before is not true of these.
    known = dataclasses.replace(
        checkpoint.training, scores=None, evaluation=None, alignment_head=None, guidance=guidance
    )
    save_checkpoint(parsed.out, checkpoint.model, *tokenizers, known, "", config.stored, earlier)
    if isinstance(checkpoint.history, History):
        print("Noting what its heads read now.", flush=True)
        notes = NoteTaker(checkpoint.model, tokenizers, corpus, encoded, config)
        taught = notes.guided(
            checkpoint.history, checkpoint.model, UPDATES + SETTLING, fingerprint(parsed.out)
        )
        write_history(parsed.out, taught)
    print("Measuring it for its card.", flush=True)
    write_card(parsed.out, parsed.data)
    return 0


def _given(words: list[str]) -> "list[Head]":
    heads = []
    for word in words:
        named = re.fullmatch(r"L(\d+)H(\d+)", word)
        if named is None:
            raise VisualiserError(f"{word} names no head. Write layer and head, such as L3H5.")
        heads.append((int(named[1]), int(named[2])))
    return heads


def _best(checkpoint: "Checkpoint", valid: "tuple[EncodedPair, ...]", aligner: "Aligner") -> "Head":
    """The head of the last layer that agrees best with the aligner already."""
    from model_core.training.evaluation.alignment import score_heads

    scores = score_heads(checkpoint.model, valid, aligner)
    last = checkpoint.config.decoder_layers
    return next((s.layer, s.head) for s in scores if s.layer == last)
