"""The machine that a number was measured on, in words."""

import os
import platform
from pathlib import Path

import torch


def hardware() -> str:
    """The processor with the threads that torch uses of it, and the GPU where there is one."""
    threads = torch.get_num_threads()
    words = f"{_processor()}, {threads} of {os.cpu_count()} threads"
    if torch.cuda.is_available():
        words += f", {torch.cuda.get_device_name()}"
    return words


def _processor() -> str:
    """The processor's name, or its architecture where the system does not tell the name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names and names[0] else platform.processor() or platform.machine()
