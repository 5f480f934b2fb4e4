"""What edits make of the masks of a model, our own or of `transformers`."""

import math
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from model_core.transformer.masks import Mask, mask_from
from model_core.values.edits import Edits
from model_core.values.trace import Site

FINITE = -1e9  # what an edit puts in the place of a hidden score


@dataclass(frozen=True)
class MaskEdits:
    """The edits that change masks. `source_is_prompt`: of a model whose target begins with it."""

    edits: Edits = ()
    source_is_prompt: bool = False

    def __call__(self, own: Mask, site: Site, queries: int) -> Mask:
        """The mask in the place of a model's own, of the last `queries` rows; or the own itself."""
        broken = self._causal if site == "decoder" else ""
        places = [token for token in self._hidden(site) if token < own.allowed_BQK.shape[-1]]
        score = FINITE if self.is_finite else own.hidden_score
        if not broken and not places and score == own.hidden_score:
            return own
        allowed_BQK = _causal(broken, own.allowed_BQK, queries) if broken else own.allowed_BQK
        if places:
            allowed_BQK = allowed_BQK.clone()
            allowed_BQK[..., places] = False
        return mask_from(f"{own.name}, changed", allowed_BQK, score)

    def without_rows(self, mask: Mask, real_BQ: Tensor) -> Mask:
        """The mask that hides the rows of pads too; `real_BQ` says which queries are none."""
        if not self.hides_rows or bool(real_BQ.all()):
            return mask
        allowed_BQK = mask.allowed_BQK & real_BQ[:, :, None]
        return mask_from(f"{mask.name} and rows", allowed_BQK, mask.hidden_score)

    def sees_later(self, hidden_score: float = -math.inf) -> bool:
        """Whether a row of the decoder changes with the tokens that come after it.

        Where a hidden score is finite, a row that may see nothing attends evenly to all there are.
        """
        empty_rows = self._causal == "behind" and (self.is_finite or math.isfinite(hidden_score))
        return self._causal in ("none", "ahead") or empty_rows

    @cached_property
    def is_finite(self) -> bool:
        """Whether a hidden score is a number."""
        return any(edit.kind == "finite-mask" for edit in self.edits)

    @cached_property
    def _causal(self) -> str:
        """How the causal mask is broken; "" where it is not."""
        return next((edit.causal for edit in self.edits if edit.kind == "causal-mask"), "")

    @cached_property
    def hides_rows(self) -> bool:
        """Whether the rows of pads see nothing."""
        return any(edit.kind == "pads-rows" for edit in self.edits)

    @cached_property
    def _tokens(self) -> tuple[int, ...]:
        return tuple(edit.token for edit in self.edits if edit.kind == "hide")

    def _hidden(self, site: Site) -> tuple[int, ...]:
        """The tokens of the source that no query of a site may see."""
        of_source = ("decoder",) if self.source_is_prompt else ("encoder", "cross")
        return self._tokens if site in of_source else ()


def _causal(broken: str, allowed_BQK: Tensor, queries: int) -> Tensor:
    """A causal mask, broken; what a window hides stays hidden, and so does a pad."""
    K = allowed_BQK.shape[-1]
    seen_B1K = allowed_BQK.any(dim=1, keepdim=True)  # a pad is what no query may see
    if broken == "none":  # a step has no pad before it
        return (seen_B1K | (queries < K)).expand(-1, queries, -1)
    places_K = torch.arange(K, device=allowed_BQK.device)
    after_QK = places_K - places_K[K - queries :, None]  # by how much, of the last queries
    if broken == "ahead":
        return allowed_BQK | ((after_QK == 1) & seen_B1K)
    return allowed_BQK & (after_QK < 0)
