"""What a full evaluation found, as plain values: what a card states and `evaluate` prints."""

from dataclasses import dataclass

from model_core.metrics import Score
from model_core.trace import Site


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
    bleu: Score | None  # None for the reverse task, and where sacrebleu is not installed
    chrf: Score | None
    by_length: tuple[LengthScore, ...]

    @property
    def name(self) -> str:
        return "greedy" if self.width == 1 else f"beam {self.width}"


@dataclass(frozen=True)
class AlignmentHead:
    """The cross-attention head that aligns words best; layer and head are counted from 1."""

    layer: int
    head: int
    agreement: float  # share of target tokens whose largest weight is where the aligner links them
    rows: str  # "fed" or "predicted": the reading of the rows under which that holds
    entropy: float  # bits, mean over rows
    end_mass: float  # mean weight on the source's end token
    error_rate: float | None = None  # of word links, on sentences of our own aligned by hand
    hand_aligned: int = 0  # how many


@dataclass(frozen=True)
class HeadHabit:
    """What one head does whatever the sentence; `head_report.py` defines the three habits."""

    site: Site
    layer: int  # counted from 1, as the head
    head: int
    from_uniform: float  # share of the weight that would have to move to make every row even
    on_one_token: float  # mean share of the weight that one token gets from all rows
    token: str  # the one that this most often is
    from_copied: float  # share that would have to move to make it the nearest of the heads before
    copied: tuple[int, int] | None  # layer and head of that one, None for the first head
    habit: str  # "uniform", "parked", "copy" or "none"


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

    part: str  # the file that was translated
    sources: int
    sha256: str  # of the corpus
    alpha: float  # of the beam's length penalty
    loss: float  # nats per target token, teacher-forced, without label smoothing
    searches: tuple[SearchScore, ...]  # greedy first
    heads: tuple[HeadHabit, ...]
    own: tuple[Judged, ...]
    alignment: AlignmentHead | None  # None for the reverse task
    anti_diagonal: tuple[tuple[float, ...], ...] | None  # per layer and head; reverse task
    samples: tuple[tuple[str, str, str], ...]  # source, output of the widest search, reference
