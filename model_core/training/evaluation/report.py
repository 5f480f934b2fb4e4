"""The report of a full evaluation: what a checkpoint keeps of it, and samples."""

from dataclasses import dataclass

from model_core.values.evaluation import Evaluation

# What a report calls the examples that chose nothing, sentences and strings made by the program.
HELD_OUT = "the held-out half of valid.tsv"
HELD_OUT_STRINGS = "the held-out half of the strings"

BINS = 10  # of a calibration, by the probability given, of equal width


@dataclass(frozen=True)
class Report(Evaluation):
    """What was measured, with sentences of the held-out part, which no checkpoint keeps."""

    samples: tuple[tuple[str, str, str], ...] = ()  # source, output of the widest search, reference
