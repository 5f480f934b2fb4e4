"""One training: model, optimizer and position, what an update does to them, what is written."""

import copy
import dataclasses
import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy
import torch

from model_core.checkpoints.history import write_history
from model_core.checkpoints.snapshots import check_size, snapshot_file
from model_core.checkpoints.store import Checkpoint, fingerprint_of, save_checkpoint, weights_file
from model_core.checkpoints.training import Begun, Training
from model_core.errors import ConfigError
from model_core.tokenizer import Tokenizer, Tokenizers
from model_core.training.data.corpus import Corpus, corpus_of, make_batch, plan_batches
from model_core.training.data.synthetic import NOTHING_SYNTHETIC, Synthetic, read_synthetic
from model_core.training.dataset import learn_tokenizers, pairs_to_learn
from model_core.training.evaluation.model_card import model_card
from model_core.training.evaluation.scores import Scores, evaluate, reference_pairs, translate
from model_core.training.hardware import CPU, hardware, slow_bfloat16
from model_core.training.loss import (
    alignment_loss,
    disagreement,
    learning_rate,
    smoothed_cross_entropy,
)
from model_core.training.notes import Glance, NoteTaker
from model_core.training.state import Position, TrainingFolder, Weights, set_weights, weights_of
from model_core.transformer.edited import edited
from model_core.transformer.transformer import Transformer
from model_core.values.config import ModelConfig, TrainConfig
from model_core.values.edits import Edit
from model_core.values.history import MOST_NOTES, History
from model_core.values.presets import Preset

_SAMPLES = {
    "en": (
        "Where is the nearest station?",
        "I have not eaten since this morning.",
        "The old cat sleeps on the warm roof.",
    ),
    "text": ("hello", "attention", "0123456789"),
}


@dataclass(frozen=True, eq=False)
class Validation:
    """What a validation point found: the better of the current weights and of their average."""

    scores: Scores
    averaged: bool
    exported: bool  # the best so far, so the checkpoint holds these weights now
    samples: tuple[tuple[str, str], ...]  # (source, output)


def training_folder(out: Path) -> Path:
    """Where the state of the training that writes the checkpoint `out` is kept."""
    if out.name in ("", ".."):
        raise ConfigError(
            f"A checkpoint has the name of its folder, and {out} has none. Give --out a name."
        )
    return out.with_name(out.name + ".training")


class TrainingRun:
    """The part of a training that changes. It begins where the folder of an earlier run ended."""

    def __init__(
        self,
        preset: Preset,
        out: Path,
        data: Path | None,
        name: str,
        command: str,
        device: torch.device = CPU,
        kept: Sequence[int] = (),
        begin: Checkpoint | None = None,
        noted: Sequence[int] = (),
    ):
        self.preset, self.config, self.begin = preset, preset.train, begin
        self.kept = tuple(kept)  # updates whose weights go into the checkpoint as snapshots
        self.noted = tuple(noted)  # updates after which it is noted how the model does
        self.out, self.name, self.command = out, name or out.name, command
        self.device = device
        self.data = data.absolute().name if data else self.config.task
        self.corpus = corpus_of(self.config, data)
        self.synthetic = _synthetic(self.config, data, self.corpus)
        settings = _settings(preset, self.corpus, self.synthetic)
        settings["begin"] = begin.fingerprint if begin else ""
        self.folder = TrainingFolder(training_folder(out))
        known = self.folder.read_position(settings)
        self.tokenizers = self._tokenizers(is_fresh=known is None)
        sizes = tuple(tokenizer.size for tokenizer in self.tokenizers)
        architecture = dataclasses.replace(
            preset.model, source_vocabulary=sizes[0], target_vocabulary=sizes[1]
        )
        self.pairs, self.read = pairs_to_learn(
            self.corpus, self.synthetic, self.tokenizers, architecture, self.config
        )
        torch.manual_seed(self.config.seed)
        self.model = Transformer(architecture).train()
        if begin:
            _check_alike(architecture, begin)
            self.model.load_state_dict(begin.model.state_dict())
        # Raises now, not at the first validation point, where no validation pair can be read.
        reference_pairs(self.model, self.tokenizers, self.corpus.valid)
        self.average = copy.deepcopy(self.model).eval()  # always on the CPU
        self.model.to(device)
        broken = self.config.broken_causal_mask  # while it learns, and only then
        mistakes = (Edit("causal-mask", causal=broken),) if broken else ()
        self.learning = edited(self.model, mistakes)  # shares every weight
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(),
            lr=self.config.learning_rate,
            betas=self.config.betas,
            eps=1e-9,
            weight_decay=self.config.weight_decay,
            fused=True,
        )
        self.snapshots: dict[int, Weights] = {}
        self.plan = self._plan(0)
        if known is None:
            self.position = Position(settings, self._precision())
        else:
            self.position = known
            self.snapshots = self.folder.restore(known, self.model, self.optimizer)
            self.plan = self._plan(known.epoch)
        self._check_kept()
        if noted:
            self._check_noted()
        self.counted = time.process_time()  # what of the processor's time is in the position

    @property
    def is_validation_point(self) -> bool:
        update = self.position.update
        return update % self.config.validate_every == 0 or update == self.config.updates

    @property
    def is_noted(self) -> bool:
        """Whether a note was taken after the last update."""
        return self.position.update in self.noted

    @cached_property
    def notes_of(self) -> NoteTaker:
        """What takes notes, and looks at what heads read in between."""
        people = self.pairs[: self.read]  # what people wrote, so that others can learn it anew
        return NoteTaker(self.average, self.tokenizers, self.corpus, people, self.config)

    def glance(self) -> Glance:
        """What heads read now in one sentence."""
        return self.notes_of.glance(self.learning)

    def history(self, fingerprint: str = "") -> History:
        """The notes so far, from update 0 on; `fingerprint` is of the weights."""
        return self.notes_of.history(self.folder.notes(self.position.update), fingerprint)

    def step(self) -> tuple[float, float, float, int]:
        """One update; its loss, the cross-entropy alone, learning rate and target tokens."""
        at = self.position
        rows = self.plan[at.batch]
        rate = learning_rate(at.update + 1, self.config)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        if self.device.type != "cpu":  # whose random numbers the training folder does not keep
            sequence = numpy.random.SeedSequence((self.config.seed, at.update))
            torch.manual_seed(int(sequence.generate_state(1)[0]))
        loss, nats = self._backward(rows, at.precision == "bfloat16")
        if not math.isfinite(loss):
            raise ConfigError(
                f"The loss of update {at.update + 1} is {loss}. "
                f"The learning rate of {rate:.1e} is too high; lower it."
            )
        if self.config.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        tokens = sum(self.pairs[row].predicted for row in rows)
        epoch, number = (
            (at.epoch, at.batch + 1) if at.batch + 1 < len(self.plan) else (at.epoch + 1, 0)
        )
        if epoch != at.epoch:
            self.plan = self._plan(epoch)
        self.position = dataclasses.replace(
            at,
            update=at.update + 1,
            epoch=epoch,
            batch=number,
            target_tokens=at.target_tokens + tokens,
            nats=at.nats + nats,
            since_note=at.since_note + 1,
        )
        if self.is_noted:
            self._note(rate)
        if self.position.update in self.kept:
            content = weights_file(self.out, self.model, "float16")
            self.folder.keep(snapshot_file(self.position.update), content)
        return loss, nats, rate, tokens

    def validate(self) -> Validation:
        """Score the weights and the average of the last; export the better if it is the best."""
        began = time.perf_counter()
        update = self.position.update
        self.snapshots[update] = weights_of(self.model)
        for old in sorted(self.snapshots)[: -self.config.average_last]:
            del self.snapshots[old]
        on_cpu = self.device.type == "cpu"
        newest = self.model if on_cpu else copy.deepcopy(self.model).to("cpu")
        candidates = [(self._evaluate(newest), newest)]
        if len(self.snapshots) > 1:
            kept = self.snapshots.values()
            means = {n: torch.stack([s[n] for s in kept]).mean(dim=0) for n in next(iter(kept))}
            set_weights(self.average, means)
            candidates.append((self._evaluate(self.average), self.average))
        scores, model = max(candidates, key=lambda candidate: candidate[0].rank)
        rank, best = scores.rank, self.position.best_rank
        exported = best is None or rank > best
        if self.config.broken_causal_mask:  # what it writes alone says nothing of what it learnt
            exported = True
        samples = self._samples(model)
        self.position = dataclasses.replace(
            self.position,
            snapshots=tuple(sorted(self.snapshots)),
            best_rank=rank if exported else best,
        )
        self.add_seconds(time.perf_counter() - began)
        if exported:
            self._export(model, scores, samples)
        return Validation(scores, model is self.average, exported, samples)

    def notes(self) -> tuple[str, ...]:
        """What was read, what of it is not used and why, and in which precision it is learnt."""
        bad, long = self.corpus.bad_lines, len(self.corpus.train) - self.read
        notes = [
            f"{self.read:,} training pairs, {len(self.corpus.valid):,} validation sources, "
            f"{len(self.corpus.held_out):,} more held out for the card; "
            f"matrix products in {self.position.precision}"
        ]
        if self.position.precision == "bfloat16":
            notes += slow_bfloat16(self.device)
        for origin, count in self.synthetic.origins.items():
            notes.append(f"{count:,} synthetic pairs: {origin}")
        if bad:
            notes.append(f"{len(bad):,} lines cannot be used; the first is {bad[0]}")
        if self.corpus.left_out:
            notes.append(
                f"{self.corpus.left_out:,} training pairs are duplicates, further translations "
                "of one source, or share a side with a validation pair: left out"
            )
        if long:
            notes.append(f"{long:,} pairs longer than {self.config.max_tokens} tokens: left out")
        return tuple(notes)

    def add_seconds(self, seconds: float) -> None:
        """Count this as time of work by the clock, and what the processor worked since the last."""
        now = time.process_time()
        self.position = dataclasses.replace(
            self.position,
            seconds=self.position.seconds + seconds,
            core_seconds=self.position.core_seconds + now - self.counted,
        )
        self.counted = now

    def save(self) -> None:
        """Keep everything that is needed to go on."""
        self.folder.write(self.position, self.model, self.optimizer, self.snapshots)

    def _check_kept(self) -> None:
        """Raise ConfigError where the snapshots are too large, or one cannot be made any more."""
        check_size(len(self.kept), sum(one.numel() for one in self.model.parameters()))
        passed = (update for update in self.kept if update <= self.position.update)
        kept = self.folder.folder
        missed = next((one for one in passed if not (kept / snapshot_file(one)).exists()), None)
        if missed is not None:
            raise ConfigError(
                f"--snapshots names update {missed:,}, which this training has passed without "
                "keeping it. Leave it out, or train anew with another --out."
            )

    def _check_noted(self) -> None:
        """Take the first note, of the weights before any update.

        A training that goes on keeps the notes that it has, also where it was to end earlier.

        Raises ConfigError where there is none of update 0, or where they become too many.
        """
        update = self.position.update
        there = self.folder.notes(update)
        if update == 0:
            content = self.notes_of.note(self.model, self.learning, math.nan, 0.0)
            self.folder.keep_note(0, content)
        elif 0 not in there:
            raise ConfigError(
                "--history begins with a note of update 0, which this training has passed without "
                "it. Leave it out, or train anew with another --out."
            )
        count = len(there) + sum(one > update for one in self.noted)
        if count > MOST_NOTES:
            raise ConfigError(
                f"There are {len(there)} notes of this training already; with those of --history "
                f"it would have {count}, and a history has at most {MOST_NOTES}. Lower --history."
            )

    def _note(self, rate: float) -> None:
        at = self.position
        learnt = at.nats / at.since_note
        content = self.notes_of.note(self.model, self.learning, learnt, rate)
        self.folder.keep_note(at.update, content)
        self.position = dataclasses.replace(at, nats=0.0, since_note=0)

    def _backward(self, rows: Sequence[int], narrow: bool) -> tuple[float, float]:
        """Compute gradients; the loss, and in nats the cross-entropy alone."""
        readings = 2 if self.config.consistency else 1
        pad_id, smoothing = self.model.config.pad_id, self.config.label_smoothing
        batch = make_batch([self.pairs[row] for row in rows] * readings, pad_id).to(self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=narrow):
            passed = self.learning(batch.source_BS, batch.target_BT)
        logits_NV, target_N = passed.logits_BTV.flatten(0, 1), batch.predicted_BT.flatten()
        loss, nats = smoothed_cross_entropy(logits_NV, target_N, smoothing, pad_id)
        if readings == 2:
            loss = loss + self.config.consistency * disagreement(logits_NV, target_N, pad_id)
        if batch.links_BT is not None:
            guided = passed.records("cross")[max(self.model.config.decoder_layers - 2, 0)]
            misread = alignment_loss(guided.weights_BHQK, batch.links_BT)
            loss = loss + self.config.guided_alignment * misread
        loss.backward()
        return loss.item(), nats.item()

    def _precision(self) -> Literal["float32", "bfloat16"]:
        """The precision of matrix products: as configured, or what is faster here, now."""
        if self.config.precision != "auto":
            return self.config.precision
        generator = torch.get_rng_state()
        seconds = {}
        for precision in ("float32", "bfloat16"):
            self._backward(self.plan[0], precision == "bfloat16")
            began = time.perf_counter()
            for rows in self.plan[:3]:
                self._backward(rows, precision == "bfloat16")
            seconds[precision] = time.perf_counter() - began
        self.optimizer.zero_grad(set_to_none=True)
        torch.set_rng_state(generator)
        return "bfloat16" if seconds["bfloat16"] < seconds["float32"] else "float32"

    def _plan(self, epoch: int) -> tuple[Any, ...]:
        return plan_batches(self.pairs, self.config.batch_tokens, self.config.seed, epoch)

    def _samples(self, model: Transformer) -> tuple[tuple[str, str], ...]:
        """Three sources, in the model's language where it has one, and their outputs."""
        known = _SAMPLES.get(self.config.source_language, ())
        sources = (*known, *(example.source for example in self.corpus.valid))
        longest = model.config.max_positions - 1  # without the end token
        readable = (s for s in sources if len(self.tokenizers[0].ids(s)) <= longest)
        chosen = tuple(itertools.islice(readable, 3))
        outputs = translate(model, self.tokenizers, chosen)
        return tuple(zip(chosen, outputs, strict=True))

    def _evaluate(self, model: Transformer) -> Scores:
        return evaluate(model, self.tokenizers, self.corpus.valid, self.config)

    def _tokenizers(self, is_fresh: bool) -> Tokenizers:
        """Those kept in the folder, or new ones; one object where both sides share it."""
        if self.begin:
            return self.begin.tokenizers
        is_shared = self.config.target_tokenizer == "same"
        names = (
            ["tokenizer.json"] if is_shared else ["source_tokenizer.json", "target_tokenizer.json"]
        )
        if not is_fresh:
            kept = [Tokenizer.from_json(self.folder.read_text(name)) for name in names]
            return kept[0], kept[-1]
        learnt = learn_tokenizers(self.corpus, self.synthetic, self.config)
        for name, tokenizer in zip(names, learnt, strict=False):
            self.folder.keep(name, tokenizer.to_json().encode())
        return learnt

    def _export(
        self, model: Transformer, scores: Scores, samples: Sequence[tuple[str, str]]
    ) -> None:
        at, last = self.position, len(self.snapshots)
        averaged = model is self.average
        training = Training(
            preset=self.name,
            command=self.command,
            data=self.data,
            data_sha256=self.corpus.checksum,
            training_pairs=self.read,
            begun=_begun(self.begin) if self.begin else None,
            synthetic=self.synthetic.origins,
            synthetic_sha256=self.synthetic.checksum,
            validation_sources=len(self.corpus.valid),
            held_out_sources=len(self.corpus.held_out),
            parameters=sum(parameter.numel() for parameter in model.parameters()),
            weights=f"the average of {last} validation points"
            if averaged
            else f"those of update {at.update}",
            update=at.update,
            epochs=round(at.epoch + at.batch / len(self.plan), 2),
            target_tokens=at.target_tokens,
            seconds=round(at.seconds, 1),
            core_seconds=round(at.core_seconds, 1),
            precision=at.precision,
            threads=torch.get_num_threads(),
            device=self.device.type,
            torch=str(torch.__version__),
            hardware=hardware(),
            scores=dataclasses.asdict(scores),
            config=self.config,
        )
        about = self.preset.about
        card = model_card(
            self.out.name, about, model.config, self.config, training, scores, samples
        )
        earlier = {
            one: self.folder.read(snapshot_file(one)) for one in self.kept if one < at.update
        }
        save_checkpoint(
            self.out, model, *self.tokenizers, training, card, self.config.stored, earlier
        )
        if self.noted:
            fingerprint = fingerprint_of(self.out, model, self.config.stored)
            write_history(self.out, self.history(fingerprint))


def _begun(begin: Checkpoint) -> Begun:
    """What is known of a checkpoint that a training begins with."""
    known = begin.training
    return Begun(begin.name, begin.fingerprint, known.update, known.held_out_sources, known.command)


def _check_alike(architecture: ModelConfig, begin: Checkpoint) -> None:
    """Raise ConfigError where a model has other parts than the one that a training begins with."""
    wanted, has = dataclasses.asdict(architecture), dataclasses.asdict(begin.config)
    for name, value in wanted.items():
        if value != has[name] and not name.startswith("dropout_"):
            raise ConfigError(
                f"{name} is {value}, and that of {begin.name}, with which the training begins, is "
                f"{has[name]}. Only dropout may differ."
            )


def _synthetic(config: TrainConfig, data: Path | None, corpus: Corpus) -> Synthetic:
    """The synthetic pairs to learn from; none where the settings name no file."""
    if not config.synthetic or data is None:
        return NOTHING_SYNTHETIC
    return read_synthetic(data / config.synthetic, config, corpus)


def _settings(preset: Preset, corpus: Corpus, synthetic: Synthetic) -> dict[str, Any]:
    """What must not change between the parts of one training; when it ends, and how, may."""
    settings = dataclasses.asdict(preset.train) | {
        "data_sha256": corpus.checksum,
        "synthetic_sha256": synthetic.checksum,
    }
    del settings["updates"], settings["cooldown"]
    for field, value in dataclasses.asdict(preset.model).items():
        settings[f"model {field}"] = value
    return settings
