"""Target tokens learnt per second, against a plain loop around torch.nn.Transformer.

Both train a model of one size on the same pairs in the same run, on one thread, and take turns. The
plain loop shuffles the pairs, pads every sentence to the longest of the corpus, and computes in
float32. A third contestant is that loop with our batches, which tells what the batches alone gain.
Sentences are made up; their lengths are those of everyday sentences (Tatoeba, English to French).
Seconds are processor time: on one thread that is the time by the clock without other programs.
"""

import argparse
import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from benchmarks.baseline import Baseline
from benchmarks.result import Result, versions
from benchmarks.timing import Timing, ratio
from model_core.training.data.corpus import Batch, EncodedPair, make_batch
from model_core.training.run import TrainingRun
from model_core.values.presets import PRESETS, Preset

PAIRS, WORDS, LONGEST = 30_000, 12_000, 24  # of the corpus; different words; words in a sentence
UPDATES = 2  # of a turn
GOAL = 1.5

OURS = "ours"
OURS_WIDE = "ours, float32"
PLAIN = "torch.nn.Transformer, plain loop"
BATCHED = "torch.nn.Transformer, our batches"

Turn = Callable[[], int]  # does some work; of how many target tokens it was


def write_corpus(folder: Path, seed: int = 1) -> None:
    """Pairs of made-up sentences: half of the words of 6 at most, 90% of 10, 99% of 15."""
    rng = random.Random(seed)
    syllables = [a + b for a in "bcdfghjklmnprstvwz" for b in "aeiou"]
    words = ["".join(rng.choices(syllables, k=rng.randint(1, 4))) for _ in range(WORDS)]
    frequency = [1 / rank for rank in range(1, WORDS + 1)]  # Zipf's law
    lines = []
    for _ in range(PAIRS):
        length = max(1, min(LONGEST, round(rng.lognormvariate(1.8, 0.38))))
        source = rng.choices(words, frequency, k=length)
        target = [word[::-1] for word in source] + ["la"] * rng.randint(0, 2)
        lines.append(f"{' '.join(source)}.\t{' '.join(target)}.\n")
    (folder / "train.tsv").write_text("".join(lines[20:]))
    (folder / "valid.tsv").write_text("".join(lines[:20]))


def recipe(precision: str) -> Preset:
    """What both sides train: en-fr's, with dropout wherever torch's own layers have it."""
    preset = PRESETS["en-fr"]
    plain = {"guided_alignment": 0.0, "consistency": 0.0}  # the tutorials' loop has neither
    config = replace(preset.train, precision=precision, batch_tokens=2048, **plain)
    return replace(preset, model=replace(preset.model, dropout_feed_forward=0.1), train=config)


def our_run(data: Path, out: Path, precision: str) -> TrainingRun:
    """Our training, as `python -m model_core train` begins it."""
    return TrainingRun(recipe(precision), out, data, "en-fr", "")


def our_turn(run: TrainingRun) -> Turn:
    return lambda: sum(run.step()[3] for _ in range(UPDATES))


def plain_turn(run: TrainingRun, batches: Iterator[Batch]) -> Turn:
    """The loop of the tutorials, on the sizes, pairs and tokens of our run."""
    config = run.model.config
    torch.manual_seed(1)
    model = Baseline(config).train()
    model.logits = nn.Linear(config.width, config.target_vocabulary, bias=False)
    model.source.weight = model.logits.weight = model.target.weight  # as ours
    criterion = nn.CrossEntropyLoss(ignore_index=config.pad_id, label_smoothing=0.1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9)

    def turn() -> int:
        tokens = 0
        for _ in range(UPDATES):
            batch = next(batches)
            optimizer.zero_grad()
            logits_BTV = model(batch.source_BS, batch.target_BT)
            loss = criterion(logits_BTV.flatten(0, 1), batch.predicted_BT.flatten())
            loss.backward()
            optimizer.step()
            tokens += int((batch.predicted_BT != config.pad_id).sum())
        return tokens

    return turn


def plain_batches(run: TrainingRun) -> Iterator[Batch]:
    """Random pairs for ever, in batches of as many as ours, padded to the longest of the corpus."""
    rng, pairs, pad = random.Random(1), run.pairs, run.model.config.pad_id
    size = round(len(pairs) / len(run.plan))
    S = max(len(pair.source) for pair in pairs)
    T = max(pair.predicted for pair in pairs)
    while True:
        batch = make_batch(rng.sample(pairs, size), pad)
        yield Batch(*(_padded(ids_BT, width, pad) for ids_BT, width in (
            (batch.source_BS, S), (batch.target_BT, T), (batch.predicted_BT, T)
        )))  # fmt: skip


def _padded(ids_BT: Tensor, width: int, pad: int) -> Tensor:
    return functional.pad(ids_BT, (0, width - ids_BT.shape[1]), value=pad)


def our_batches(run: TrainingRun) -> Iterator[Batch]:
    """The batches of our own training for ever."""
    while True:
        for rows in run.plan:
            yield make_batch([run.pairs[row] for row in rows], run.model.config.pad_id)


def take_turns(contestants: Mapping[str, Turn], rounds: int) -> dict[str, Timing]:
    """Milliseconds per thousand target tokens, after one round that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for counted in (False, *[True] * rounds):
        for name, turn in contestants.items():
            gc.collect()
            began = time.process_time()
            tokens = turn()
            if counted:
                times[name].append((time.process_time() - began) * 1e6 / tokens)
    return {name: Timing(tuple(values)) for name, values in times.items()}


def measure(rounds: int = 5, data: Path | None = None) -> list[Result]:
    """How many times as fast ours is, and where it comes from."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if data is None:
            write_corpus(folder)
        run = our_run(data or folder, folder / "quickest", "auto")
        wide = our_run(data or folder, folder / "float32", "float32")
        timings = take_turns(
            {
                OURS: our_turn(run),
                OURS_WIDE: our_turn(wide),
                BATCHED: plain_turn(run, our_batches(run)),
                PLAIN: plain_turn(run, plain_batches(run)),
            },
            rounds,
        )
    return [*_speeds(run, timings), *_parts(run, timings)]


def _speeds(run: TrainingRun, timings: Mapping[str, Timing]) -> Sequence[Result]:
    config, precision = run.model.config, run.position.precision
    print(
        f"Training: {config.encoder_layers}+{config.decoder_layers} layers, width {config.width}, "
        f"vocabulary {config.target_vocabulary:,}, {len(run.pairs):,} pairs, one thread, "
        f"{UPDATES} updates a turn; the quicker precision is {precision}."
    )
    print(f"Target tokens in a sentence: {_spread(run.pairs)}.")
    print(versions("torch"))
    for name, timing in timings.items():
        print(f"  {name:<36}{1e6 / timing.median:8,.0f} target tokens a second")
    gained = ratio(timings[PLAIN], timings[OURS])
    return [Result(f"training: {OURS} / {PLAIN}, tokens a second", gained, "at least", GOAL)]


def _parts(run: TrainingRun, timings: Mapping[str, Timing]) -> Iterator[Result]:
    """The factors of the gain."""
    steps = (
        ("batches of equal length", PLAIN, BATCHED),
        ("our model and loop, float32", BATCHED, OURS_WIDE),
        (f"precision ({run.position.precision})", OURS_WIDE, OURS),
    )
    for words, before, after in steps:
        gained = ratio(timings[before], timings[after])
        yield Result(f"training, gain of {words}", gained, "at least", None)


def _spread(pairs: Sequence[EncodedPair]) -> str:
    lengths = sorted(pair.predicted for pair in pairs)
    places = {"50%": 0.5, "90%": 0.9, "99%": 0.99}
    parts = [f"{name} at most {lengths[int(at * len(lengths))]}" for name, at in places.items()]
    return f"{', '.join(parts)}, longest {lengths[-1]}"


def main() -> int:
    """Measure by itself, on other pairs where --data names a folder."""
    from benchmarks.result import table

    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with train.tsv and valid.tsv")
    parser.add_argument("--rounds", type=int, default=5)
    parsed = parser.parse_args()
    results = measure(parsed.rounds, parsed.data)
    print(f"\n{table(results)}")
    return 0 if all(result.met is not False for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
