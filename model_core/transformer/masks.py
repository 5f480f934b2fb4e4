"""Which query may attend to which key, as named values. True = may attend, everywhere."""

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Mask:
    """A named mask; `&` combines two and keeps a finite `hidden_score` of either.

    Both flags are known when it is made, so that attention need not look.
    """

    name: str
    allowed_BQK: Tensor  # bool; B and Q may be 1 where every sentence or every query shares a row
    hides_nothing: bool
    has_empty_rows: bool = False  # some query may attend to no key at all
    # What takes the place of a hidden score. Tutorials write -1e9, which turns a row without any
    # allowed key into uniform attention; only their own models and a lesson about that should.
    hidden_score: float = -math.inf

    def take(self, rows_B: Tensor) -> "Mask":
        """The mask of these sentences, each with a row of its own here."""
        return mask_from(self.name, self.allowed_BQK[rows_B], self.hidden_score)

    def part(self, queries: int, keys: int) -> "Mask":
        """The mask of the first queries and the first keys."""
        return mask_from(self.name, self.allowed_BQK[:, :queries, :keys], self.hidden_score)

    def to(self, device: torch.device) -> "Mask":
        """The same mask on a device."""
        return replace(self, allowed_BQK=self.allowed_BQK.to(device))

    def __and__(self, other: "Mask") -> "Mask":
        name = f"{self.name} and {other.name}"
        hidden_score = max(self.hidden_score, other.hidden_score)
        if self.hides_nothing or other.hides_nothing:
            kept, gone = (other, self) if self.hides_nothing else (self, other)
            shape = torch.broadcast_shapes(kept.allowed_BQK.shape, gone.allowed_BQK.shape)
            allowed_BQK = kept.allowed_BQK.expand(shape)
            flags = kept.hides_nothing, kept.has_empty_rows
            return Mask(name, allowed_BQK, *flags, hidden_score)
        return mask_from(name, self.allowed_BQK & other.allowed_BQK, hidden_score)


def mask_from(name: str, allowed_BQK: Tensor, hidden_score: float = -math.inf) -> Mask:
    """A mask made of any boolean tensor; the flags are read off it."""
    hides_nothing = bool(allowed_BQK.all())
    has_empty_rows = not hides_nothing and not bool(allowed_BQK.any(dim=-1).all())
    return Mask(name, allowed_BQK, hides_nothing, has_empty_rows, hidden_score)


def pad_mask(ids_BK: Tensor, pad_id: int) -> Mask:
    """The (B, 1, K) mask that hides every key which is a pad."""
    return mask_from("pad", (ids_BK != pad_id).unsqueeze(1))


def causal_mask(T: int, past: int = 0, device: torch.device | None = None) -> Mask:
    """The (1, T, past + T) mask that hides every key after its query.

    Row t belongs to absolute position past + t (Vaswani et al. 2017, section 3.2.3).
    """
    allowed_QK = torch.ones(T, past + T, dtype=torch.bool, device=device)
    if T > 1:
        allowed_QK = allowed_QK.tril(diagonal=past)
    return Mask("causal", allowed_QK.unsqueeze(0), hides_nothing=T == 1)
