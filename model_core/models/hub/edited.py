"""What a person changes in the arithmetic of a model of `transformers`, as its passes are run.

An edit is a tap, another mask or no scale, inside the one function that attends; the weights are
shared with the model that is not edited.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from model_core.errors import RecipeError
from model_core.models.hub.families import Family
from model_core.transformer.edited import DIAGONALS, tap_of_parts
from model_core.transformer.masks import Mask, mask_from
from model_core.transformer.taps import Tap, chained, untapped
from model_core.values.anatomy import Anatomy
from model_core.values.edits import Edit, Edits
from model_core.values.trace import Site

_ZERO = (".position", ".bias", ".sin")  # what says where a token stands


@dataclass(frozen=True)
class Changes:
    """Edits as the function that attends carries them out."""

    edits: Edits = ()
    decoder_alone: bool = False  # whose source is the prompt

    @property
    def tap(self) -> Tap:
        """Hands on every intermediate result as the edits want it."""
        taps = [tap_of_parts(self.edits)]
        if "no-positions" in self.kinds:
            taps.append(_without_positions)
        if self.decoder_alone:
            taps += [_prompt_value_zero(e) for e in self.edits if e.kind == "zero-value"]
        return chained(*taps) if self.edits else untapped

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of edits there are."""
        return {edit.kind for edit in self.edits}

    @property
    def causal(self) -> str:
        """How the causal mask is broken; "" where it is not."""
        return next((edit.causal for edit in self.edits if edit.kind == "causal-mask"), "")

    @property
    def reads_whole(self) -> bool:
        """A row that sees later tokens changes with each of them."""
        return self.causal in ("none", "ahead")

    def mask(self, site: Site, own: Mask, queries: int) -> Mask | None:
        """The mask instead of the model's own, of the last `queries` rows; None: the own."""
        broken = self.causal if site == "decoder" else ""
        hidden = self._hidden(site)
        K = own.allowed_BQK.shape[-1]
        places = [token for token in hidden if token < K]
        if not broken and not places:
            return None
        allowed_BQK = own.allowed_BQK
        if broken:
            seen_QK = torch.ones(queries, K, dtype=torch.bool, device=allowed_BQK.device)
            if broken in DIAGONALS:
                seen_QK = seen_QK.tril(diagonal=K - queries + DIAGONALS[broken])
            # A pad is what no query may see; a step has none before it.
            real_B1K = allowed_BQK.any(dim=1, keepdim=True)
            allowed_BQK = seen_QK[None] if queries < K else seen_QK & real_B1K
        else:
            allowed_BQK = allowed_BQK.clone()
        allowed_BQK[..., places] = False
        return mask_from(f"{own.name}, changed", allowed_BQK)

    def _hidden(self, site: Site) -> list[int]:
        of_source = site in (("decoder",) if self.decoder_alone else ("encoder", "cross"))
        return [edit.token for edit in self.edits if edit.kind == "hide" and of_source]


NONE = Changes()


def possible(family: Family, scaled: bool, pads: bool) -> tuple[str, ...]:
    """The kinds of edits that can be made in a model of a family, and change something."""
    kinds = ["head-off", "sublayer-off", "hide", "zero-value"]
    kinds += ["no-scale"] if scaled else []
    kinds += ["no-positions"]
    kinds += ["no-pad-mask"] if pads and family.kind != "decoder" else []
    kinds += ["causal-mask"] if family.kind != "encoder" else []
    return tuple(kinds)


def checked(edits: Edits, anatomy: Anatomy, name: str) -> Changes:
    """The edits as changes; RecipeError for one that is not possible, or a place there is not."""
    for edit in edits:
        if edit.kind not in anatomy.edits:
            raise RecipeError(
                f"The edit {edit} is not possible in {name}.", "edit_impossible", edit=str(edit)
            )
        _check_place(edit, anatomy)
    return Changes(edits, anatomy.kind == "decoder")


def as_edited(anatomy: Anatomy, changes: Changes) -> Anatomy:
    """What an edited model is made of."""
    unusual = [*anatomy.unusual, *(["no_pad_mask"] if "no-pad-mask" in changes.kinds else [])]
    bare = "no-positions" in changes.kinds
    return replace(
        anatomy,
        unusual=tuple(unusual),
        positions="none" if bare else anatomy.positions,
    )


def _check_place(edit: Edit, anatomy: Anatomy) -> None:
    if not edit.site:
        return
    site = edit.site
    if edit.part:
        site = "cross" if edit.part == "cross" else edit.site
    found = anatomy.site(site) if anatomy.has(site) else None
    layers, heads = (found.layers, found.heads) if found else (0, 0)
    if edit.layer >= layers or edit.head >= heads:
        raise RecipeError(
            f"The edit {edit} names what there is not: {site} has {layers} layers of {heads} "
            "heads.",
            "edit_place",
            edit=str(edit),
            layers=layers,
            heads=heads,
        )


def _without_positions(name: str, value: Tensor) -> Tensor:
    if name.endswith(_ZERO):
        return torch.zeros_like(value)
    return torch.ones_like(value) if name.endswith(".cos") else value


def _prompt_value_zero(edit: Edit) -> Tap:
    def tap(name: str, value_BHKE: Tensor) -> Tensor:
        if not name.endswith(".self.values") or edit.token >= value_BHKE.shape[2]:
            return value_BHKE
        changed_BHKE = value_BHKE.clone()
        changed_BHKE[:, :, edit.token] = 0.0
        return changed_BHKE

    return tap
