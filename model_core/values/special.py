"""The tokens that are no text, as a value: every checkpoint has its own."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Special:
    """Ids of the tokens that are no text; None where the model has no such token."""

    pad: int | None
    start: int | None  # of the target
    end: int | None
    unknown: int | None = None  # stands for what the vocabulary lacks
    source_start: int | None = None  # stands before the source

    @property
    def never(self) -> tuple[int, ...]:
        """The tokens that nothing chooses: pad and start, unless one of them is the end too."""
        found = {self.pad, self.start} - {None, self.end}
        return tuple(sorted(token for token in found if token is not None))


OURS = Special(pad=0, start=1, end=2)  # of every tokenizer that is trained here
