"""From the command to a page that answers, beside the time that importing gradio takes alone.

The two take turns, each in a process of its own, the app on a free port. A ratio is the median of
the rounds' ratios; the first round only fills the disk's cache. The model is opened after the page
answers, and how long that takes stands beside it; so does opening it once torch is imported.
"""

import json
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from benchmarks.result import Result, versions
from tests.process import free_port
from viz_app.menu.catalogue import DEFAULT_MODEL

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
GOAL = 1.3
OPENING_GOAL = 0.2  # seconds


def importing() -> float:
    """Seconds that `import gradio` takes, the start of Python included."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import gradio"], check=True, cwd=ROOT)
    return time.perf_counter() - began


def starting() -> tuple[float, float]:
    """Seconds until the page answers, and until the model is open too."""
    port = free_port()
    began = time.perf_counter()
    app = subprocess.Popen(
        [sys.executable, "-m", "viz_app", "--port", str(port)],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
    )
    try:
        while _read(port, "/") is None:
            if app.poll() is not None:
                raise RuntimeError(f"the app ended with status {app.returncode}")
            time.sleep(0.005)
        page = time.perf_counter() - began
        while not json.loads(_read(port, "/health") or "{}").get("ready"):
            time.sleep(0.02)
        return page, time.perf_counter() - began
    finally:
        app.terminate()
        app.wait(30)


def opening() -> float:
    """Seconds in which a model is opened, once torch is imported; as the app, with one thread."""
    import torch

    from model_core.checkpoints.store import open_checkpoint

    torch.set_num_threads(1)
    began = time.perf_counter()
    open_checkpoint(ROOT / "checkpoints" / DEFAULT_MODEL)
    return time.perf_counter() - began


def _read(port: int, path: str) -> bytes | None:
    try:
        answer: bytes = urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30).read()
        return answer
    except OSError:
        return None


def measure() -> list[Result]:
    """The ratio of the two, and what they are."""
    print(f"Start: {versions('gradio', 'torch')}")
    rounds = [(importing(), *starting()) for _ in range(ROUNDS + 1)][1:]
    gradio, page, model = (statistics.median(times) for times in zip(*rounds, strict=True))
    print(f"  import gradio {gradio:.2f} s, page {page:.2f} s, model {model:.2f} s")
    ratio = statistics.median(page / gradio for gradio, page, _ in rounds)
    opened = statistics.median([opening() for _ in range(ROUNDS + 1)][1:])
    return [
        Result("command to page / importing gradio", ratio, "at most", GOAL),
        Result("command to open model", model, "below", None, " s"),
        Result(f"opening {DEFAULT_MODEL}, torch imported", opened, "at most", OPENING_GOAL, " s"),
    ]
