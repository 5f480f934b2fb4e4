"""Counts how often both engines write the same: `python -m tests.live.greedy [--each N]`.

Sentences made of the words of the examples, N for each shipped model that translates, are
translated greedily by torch and by the array module. Ids have to be the same up to a place where
the two likeliest tokens are closer than NEAR: such ties are counted, anything else is named.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model_core.folders import CHECKPOINTS
from tests.live.asking import translations
from tests.live.comparing import NEAR
from viz_app.rooms.examples import EXAMPLES

MODELS = {"en-fr": "en", "en-de": "en", "en-zh": "en", "zh-en": "zh"}
Written = dict[str, Any]  # ids and margins, see asking.py


@dataclass
class Counts:
    """How many sentences were written alike, how many part at a tie, and those that part anywhere
    else."""

    same: int = 0
    ties: int = 0
    others: list[str] = field(default_factory=list)

    def add(self, sentence: str, one: Written, other: Written) -> None:
        if one["ids"] == other["ids"]:
            self.same += 1
            return
        pairs = zip(one["ids"], other["ids"], strict=False)
        at = next(n for n, (mine, its) in enumerate(pairs) if mine != its)
        if one["margins"][at] < NEAR:
            self.ties += 1
        else:
            self.others.append(sentence)


def made_up(language: str, count: int) -> list[str]:
    """Sentences of the words (Chinese: the parts) of the examples in a language."""
    draw = random.Random(7)
    texts = [text for (source, _), some in EXAMPLES.items() if source == language for text in some]
    if language == "zh":
        return ["".join(draw.choice(texts)[:7] for _ in range(2)) + "。" for _ in range(count)]
    words = " ".join(texts).split()
    return [" ".join(draw.choices(words, k=draw.randint(2, 9))) for _ in range(count)]


def by_arrays(asked: list[tuple[str, list[str]]]) -> list[list[Written]]:
    """What a process without torch writes."""
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "asked.json", Path(folder) / "answered.json"
        given.write_text(json.dumps({"asked": [], "translated": asked}), "utf-8")
        command = [sys.executable, "-m", "tests.live.asking", given, made]
        subprocess.run(command, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, check=True)
        found: list[list[Written]] = json.loads(made.read_text("utf-8"))["translations"]
        return found


def main(each: int) -> bool:
    """Whether all are the same but for ties."""
    from viz_app.server.service import Service

    service, ended = Service(CHECKPOINTS), True
    asked = [(model, made_up(language, each)) for model, language in MODELS.items()]
    for (model, sentences), found in zip(asked, by_arrays(asked), strict=True):
        counts, written = Counts(), translations(service, model, sentences)
        for sentence, one, other in zip(sentences, written, found, strict=True):
            counts.add(sentence, one, other)
        print(f"{model}: {counts.same} of {each} the same, {counts.ties} ties", *counts.others)
        ended = ended and not counts.others
    return ended


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.live.greedy", description=__doc__)
    parser.add_argument("--each", type=int, default=125, metavar="N")
    sys.exit(0 if main(parser.parse_args().each) else 1)
