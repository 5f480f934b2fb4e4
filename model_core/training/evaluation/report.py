"""What a full evaluation found, as plain values: what a card states and `evaluate` prints."""

from dataclasses import dataclass

from model_core.training.evaluation.metrics import Score

# What a report calls the examples that chose nothing, sentences and strings made by the program.
HELD_OUT = "the held-out half of valid.tsv"
HELD_OUT_STRINGS = "the held-out half of the strings"


@dataclass(frozen=True)
class LengthScore:
    """The scores of the sources of some lengths, in tokens without the end token."""

    shortest: int
    longest: int | None  # None: any length from `shortest` on
    sentences: int
    exact_match: float  # percent
    bleu: float | None
    chrf: float | None


@dataclass(frozen=True)
class SearchScore:
    """What the outputs of a beam of one width are worth; width 1 is greedy."""

    width: int
    exact_match: float  # percent of the outputs that equal a reference
    bleu: Score | None  # None for tasks on strings, and where sacrebleu is not installed
    chrf: Score | None
    by_length: tuple[LengthScore, ...]

    @property
    def name(self) -> str:
        return "greedy" if self.width == 1 else f"beam {self.width}"


@dataclass(frozen=True)
class HandRate:
    """An alignment error rate on the sentences of one kind that were aligned by hand."""

    kind: str  # "everyday" or "formal"
    pairs: int
    rate: float


@dataclass(frozen=True)
class HeadScore:
    """How one cross-attention head reads the references; layer and head are counted from 1."""

    layer: int
    head: int
    agreement: float  # share of aligned target tokens whose largest weight is on the aligner's word
    entropy: float  # bits, mean over rows
    end_mass: float  # mean weight on the source's end token, where words are written


@dataclass(frozen=True)
class AlignmentHead(HeadScore):
    """The cross-attention head that aligns words best."""

    taught: bool  # whether it was taught the links of that aligner
    rows: str = "predicted"  # a row is read as the token that it writes
    by_hand: tuple[HandRate, ...] = ()
    mean_of: tuple[tuple[int, int], ...] = ()  # layers and heads of those that were taught
    mean_by_hand: tuple[HandRate, ...] = ()  # of the mean of these heads' weights


BINS = 10  # by the probability given, of equal width


@dataclass(frozen=True)
class Calibration:
    """What the most probable token is given on average, and how often it is the reference's."""

    where: str  # "opening", the first token of every target, or "all"
    tokens: int
    given: float  # 0 to 1
    right: float  # 0 to 1
    error: float  # the expected calibration error, 0 to 1


@dataclass(frozen=True)
class Judged:
    """A sentence of our own, the greedy translation, and whether we accept it."""

    source: str
    output: str
    right: bool
    in_training: bool  # the source, to the last character


@dataclass(frozen=True)
class Report:
    """Everything that is measured on a checkpoint as it is stored."""

    part: str  # HELD_OUT, HELD_OUT_STRINGS, or the file that was translated
    sources: int
    sha256: str  # of the corpus
    alpha: float  # of the beam's length penalty
    loss: float  # nats per target token, teacher-forced, without label smoothing
    searches: tuple[SearchScore, ...]  # greedy first
    own: tuple[Judged, ...]
    alignment: AlignmentHead | None  # None for tasks on strings
    copied: tuple[tuple[float, ...], ...] | None  # per layer and head; tasks on strings
    calibration: tuple[Calibration, ...]  # none for tasks on strings
    samples: tuple[tuple[str, str, str], ...]  # source, output of the widest search, reference
