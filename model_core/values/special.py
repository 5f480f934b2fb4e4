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
    more_ends: tuple[int, ...] = ()  # tokens that end a target besides `end`

    @property
    def named(self) -> dict[str, int | None]:
        """The tokens by their names; those besides have none."""
        return {name: token for name, token in vars(self).items() if name != "more_ends"}

    @property
    def ends(self) -> tuple[int, ...]:
        """The tokens that end a target."""
        return () if self.end is None else (self.end, *self.more_ends)

    @property
    def never(self) -> tuple[int, ...]:
        """The tokens that nothing chooses: pad and start, unless one of them is an end too."""
        found = {self.pad, self.start} - {None, *self.ends}
        return tuple(sorted(token for token in found if token is not None))


OURS = Special(pad=0, start=1, end=2)  # of every tokenizer that is trained here
