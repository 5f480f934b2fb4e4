"""What a full evaluation found, as plain values: what a checkpoint keeps and its card states."""

from dataclasses import dataclass
from typing import Annotated

from model_core.values.checked import Checked, Items, Within

Count = Annotated[int, Within(0)]
Place = Annotated[int, Within(1)]
Heads = tuple[Annotated[tuple[int, int], Within(1)], ...]  # layers and heads, counted from 1


@dataclass(frozen=True)
class Score(Checked):
    """A score in percent. With resamples, 95% of them lie within `interval` around their mean.

    Resamples are sacreBLEU's own bootstrap (Koehn 2004).
    """

    value: float
    interval: float | None  # half its width, in percent; None without resamples, or few outputs
    signature: str  # sacreBLEU's: everything that decides the value

    def __str__(self) -> str:
        return f"{self.value:.1f}" + ("" if self.interval is None else f" ± {self.interval:.1f}")


@dataclass(frozen=True)
class LengthScore(Checked):
    """The scores of the sources of some lengths, in tokens without the end token."""

    shortest: Place
    longest: int | None  # None: any length from `shortest` on
    sentences: Count
    exact_match: float  # percent
    bleu: float | None
    chrf: float | None


@dataclass(frozen=True)
class SearchScore(Checked):
    """What the outputs of a beam of one width are worth; width 1 is greedy."""

    width: Place
    exact_match: float  # percent of the outputs that equal a reference
    bleu: Score | None  # None for tasks on strings, and where sacrebleu is not installed
    chrf: Score | None
    by_length: tuple[LengthScore, ...]

    @property
    def name(self) -> str:
        return "greedy" if self.width == 1 else f"beam {self.width}"


@dataclass(frozen=True)
class HandRate(Checked):
    """An alignment error rate on the sentences of one kind that were aligned by hand."""

    kind: str  # "everyday" or "formal"
    pairs: Count
    rate: float


@dataclass(frozen=True)
class HeadScore(Checked):
    """How one cross-attention head reads the references; layer and head are counted from 1."""

    layer: Place
    head: Place
    agreement: float  # share of aligned target tokens whose largest weight is on the aligner's word
    entropy: float  # bits, mean over rows
    end_mass: float  # mean weight on the source's end token, where words are written


@dataclass(frozen=True)
class AlignmentHead(HeadScore):
    """The cross-attention head that aligns words best."""

    taught: bool  # whether it was taught the links of that aligner
    rows: str = "predicted"  # a row is read as the token that it writes
    by_hand: tuple[HandRate, ...] = ()
    mean_of: Heads = ()  # of those that were taught
    mean_by_hand: tuple[HandRate, ...] = ()  # of the mean of these heads' weights


@dataclass(frozen=True)
class Calibration(Checked):
    """What the most probable token is given on average, and how often it is the reference's."""

    where: str  # "opening", the first token of every target, or "all"
    tokens: Count
    given: float  # 0 to 1
    right: float  # 0 to 1
    error: float  # the expected calibration error, 0 to 1


@dataclass(frozen=True)
class Judged(Checked):
    """A sentence of our own, the greedy translation, and whether we accept it."""

    source: str
    output: str
    right: bool
    in_training: bool  # the source, to the last character


@dataclass(frozen=True)
class Evaluation(Checked):
    """Everything that is measured on a checkpoint as it is stored."""

    part: str  # what the sources are: the held-out half of which file, or the file itself
    sources: Count
    sha256: str  # of the corpus
    alpha: float  # of the beam's length penalty
    loss: float  # nats per target token, teacher-forced, without label smoothing
    searches: tuple[SearchScore, ...]  # greedy first
    own: tuple[Judged, ...]
    alignment: AlignmentHead | None = None  # None for tasks on strings
    # Per layer and head, the weight on the token to copy; tasks on strings.
    copied: tuple[Annotated[tuple[float, ...], Items(100)], ...] | None = None
    calibration: tuple[Calibration, ...] = ()  # none for tasks on strings
