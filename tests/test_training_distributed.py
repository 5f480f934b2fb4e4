"""Several processes on the CPU, started as torchrun starts them, train one model."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from model_core.errors import ConfigError
from model_core.presets import Preset
from model_core.store import open_checkpoint
from model_core.training import train
from model_core.workers import Workers, workers
from tests.tiny_training import losses, tiny, write_words

ROOT = Path(__file__).resolve().parent.parent

# One of the processes; the first prints its losses, and dies where it is told to.
SCRIPT = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path

from model_core.training import train
from model_core.workers import workers
from tests.test_training_distributed import preset

out, data, dropout, guided, kill = sys.argv[1:]
with workers("cpu") as us:
    run = train(preset(float(dropout), float(guided)), Path(out), Path(data), workers=us)
    for progress in run:
        if us.first:
            print(progress.update, progress.loss.hex(), progress.nats.hex(), flush=True)
        if us.first and progress.update == int(kill):
            os.kill(os.getpid(), signal.SIGKILL)
"""


def preset(dropout: float, guided: float = 0.0, batch_tokens: int = 40) -> Preset:
    """A preset of small batches, in some of which one process has nothing to read."""
    made = tiny(batch_tokens=batch_tokens, guided_alignment=guided, validate_every=6)
    names = ("embedding", "attention", "feed_forward", "residual")
    return replace(
        made, model=replace(made.model, **{f"dropout_{name}": dropout for name in names})
    )


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_words(tmp_path_factory.mktemp("data") / "words")


def torchrun(*command: object) -> subprocess.CompletedProcess[str]:
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    return subprocess.run(
        [*launcher, "--nproc-per-node", "2", *map(str, command)],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def two_processes(
    out: Path, data: Path, dropout: float, guided: float = 0.0, kill: int = 0
) -> list[tuple[int, float, float]]:
    script = out.with_suffix(".py")
    script.write_text(SCRIPT)
    run = torchrun(script, out, data, dropout, guided, kill)
    assert (run.returncode == 0) == (kill == 0), run.stderr
    rows = [line.split() for line in run.stdout.splitlines()]
    return [(int(u), float.fromhex(loss), float.fromhex(nats)) for u, loss, nats in rows]


def test_two_processes_lose_what_one_loses_with_the_doubled_batch(
    tmp_path: Path, data: Path
) -> None:
    two = two_processes(tmp_path / "two", data, dropout=0.0, guided=0.5)
    one = losses(train(preset(0.0, 0.5, batch_tokens=80), tmp_path / "one", data))
    assert len(one) == 12
    for (update, *both), (other, *alone) in zip(two, one, strict=True):
        assert update == other and both == pytest.approx(alone, rel=1e-4)
    scores = [open_checkpoint(tmp_path / name).training["scores"] for name in ("one", "two")]
    assert scores[1]["loss"] == pytest.approx(scores[0]["loss"], rel=1e-3)


def test_two_processes_go_on_after_kill_9_to_the_last_bit(tmp_path: Path, data: Path) -> None:
    before = two_processes(tmp_path / "model", data, dropout=0.1, kill=11)
    after = two_processes(tmp_path / "model", data, dropout=0.1)
    assert [update for update, *_ in after] == list(range(7, 13))  # all was kept at 6
    assert before[6:] == after[:5]


def test_the_command_speaks_and_writes_once(tmp_path: Path, data: Path) -> None:
    words = ["--preset", "own-pair", "--data", data, "--out", tmp_path / "model"]
    words += ["--width", 16, "--feed-forward-width", 16, "--encoder-layers", 1]
    words += ["--decoder-layers", 1, "--encoder-heads", 2, "--decoder-heads", 2]
    words += ["--vocabulary", 300, "--updates", 2, "--warmup", 1, "--device", "cpu"]
    run = torchrun("-m", "model_core", "train", *words)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("Done: ") == 1 and run.stdout.count("update 2: loss") == 1
    training = open_checkpoint(tmp_path / "model").training
    assert training["processes"] == 2
    assert training["command"].startswith("torchrun --nproc-per-node 2 -m model_core train --")
    with pytest.raises(ConfigError, match="processes was 2 and is now 1"):
        next(train(preset(0.0), tmp_path / "model", data))


def test_every_row_of_a_batch_is_read_by_exactly_one_process() -> None:
    for count in (1, 2, 3, 5):
        shares = [Workers(rank, count).share(range(7)) for rank in range(count)]
        assert sorted(row for share in shares for row in share) == list(range(7))
        assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_each_process_draws_its_own_random_numbers_and_draws_them_again() -> None:
    def drawn(rank: int, update: int) -> list[float]:
        Workers(rank, 2).seed_update(1, update)
        return torch.rand(3).tolist()

    assert drawn(0, 5) == drawn(0, 5)
    assert drawn(0, 5) != drawn(1, 5) != drawn(1, 6)


def test_one_process_goes_on_with_torchs_own_random_numbers() -> None:
    before = torch.get_rng_state()
    Workers().seed_update(1, 5)
    assert torch.equal(before, torch.get_rng_state())


def test_a_gpu_that_is_not_there_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    with pytest.raises(ConfigError, match=r"torch sees 0.*--device cpu"), workers("cuda"):
        pass
