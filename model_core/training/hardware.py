"""The machine a training computes on: its memory, its speed, and its name in words."""

import os
import platform
import time
from pathlib import Path

import torch

from model_core.glibc import M_MMAP_THRESHOLD, M_TRIM_THRESHOLD, glibc

CPU = torch.device("cpu")
_SQUARE, _ROUNDS = 256, 5
_SLOW = 2  # times float32's, from which on a training says so


def keep_freed_memory() -> bool:
    """Let this process keep large blocks that torch frees, for the next update; whether it can.

    glibc gives blocks of some megabytes back at once, and the kernel has to clear each page again:
    up to a quarter of a training's time. Other C libraries are left as they are.
    """
    kept = glibc("mallopt", M_MMAP_THRESHOLD, 1 << 30)
    return bool(kept and glibc("mallopt", M_TRIM_THRESHOLD, (1 << 31) - 1))


def give_back_memory() -> None:
    """Give the system what is free now of the memory that is kept.

    Batches have many shapes, and what is free between blocks that are in use seldom fits the next
    one: without this the process grows by some gigabytes in a hundred updates.
    """
    glibc("malloc_trim", 0)


def bfloat16_over_float32(device: torch.device) -> float:
    """How many times as long a matrix product takes in bfloat16; far above 1 on a processor that
    has no instructions for it."""
    seconds = {}
    for precision in (torch.float32, torch.bfloat16):
        square = torch.ones(_SQUARE, _SQUARE, dtype=precision, device=device)
        taken = []
        for _ in range(_ROUNDS):
            began = time.perf_counter()
            (square @ square)[0, 0].item()  # waits for a GPU
            taken.append(time.perf_counter() - began)
        seconds[precision] = min(taken)
    return seconds[torch.bfloat16] / seconds[torch.float32]


def slow_bfloat16(device: torch.device) -> list[str]:
    """A note where products in bfloat16 are the slower ones, else none."""
    times = bfloat16_over_float32(device)
    note = (
        f"A matrix product in bfloat16 takes {times:.0f} times as long as one in float32 here: "
        "stop, and train with --precision float32, or auto, which takes the faster"
    )
    return [note] if times > _SLOW else []


def hardware() -> str:
    """The processor with the threads that torch uses of it, and the GPU where there is one."""
    threads = torch.get_num_threads()
    words = f"{_processor()}, {threads} of {os.cpu_count()} threads"
    if torch.cuda.is_available():
        words += f", {torch.cuda.get_device_name()}"
    return words


def _processor() -> str:
    """The processor's name, or its architecture where the system does not say."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names and names[0] else platform.processor() or platform.machine()
