"""What a person changes in the arithmetic of a model of `transformers`, as its passes are run.

An edit is a tap, another mask, no scale, or another layer that is read, inside the functions that
record; the weights are shared with the model that is not edited.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from model_core.models.hub.families import Family
from model_core.transformer.edited import Around, Means, tap_of
from model_core.transformer.edited_masks import MaskEdits
from model_core.transformer.masks import Mask
from model_core.transformer.taps import Tap, chained, untapped
from model_core.values.anatomy import Anatomy
from model_core.values.edits import KINDS, OF_PADS, Edit, Edits
from model_core.values.trace import Site

_ZERO = (".position", ".bias", ".sin")  # what says where a token stands


@dataclass(frozen=True, eq=False)
class AttentionEdits:
    """Edits as the function that attends carries them out."""

    edits: Edits = ()
    decoder_alone: bool = False  # whose source is the prompt
    means: Means = field(default_factory=dict)
    rates: Mapping[str, float] = field(default_factory=dict)  # as `Around` has them
    moving: Tap = untapped  # puts the tokens of the source, which are read first, in other places
    real_rows: Mapping[Site, Tensor] = field(default_factory=dict)  # (B, Q), which are no pads

    def tap(self, first: int) -> Tap:
        """Hands on every intermediate result as the edits want it.

        `first` is the position of the first token of the target that is read now.
        """
        moving = untapped if first else self.moving
        if not self.edits:
            return moving
        taps = [moving, tap_of(self.edits, Around(self.means, self.rates, first))]
        if "no-positions" in self.kinds:
            taps.append(_without_positions)
        if self.decoder_alone:
            taps += [_prompt_value_zero(e) for e in self.edits if e.kind == "zero-value"]
        return chained(*taps)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of edits there are."""
        return frozenset(edit.kind for edit in self.edits)

    @property
    def opens_pads(self) -> bool:
        """Whether pads are keys like others."""
        return not self.kinds.isdisjoint(OF_PADS)

    @property
    def reads_whole(self) -> bool:
        """A row that sees later tokens, or shares its heads with them, changes with each of them.

        Where heads are split or joined as they lie, that is every row.
        """
        as_they_lie = not self.kinds.isdisjoint(("no-split-transpose", "no-transpose"))
        return self._masks.sees_later() or as_they_lie

    def mask(self, site: Site, own: Mask, queries: int) -> Mask:
        """The mask in the place of the model's own, of the last `queries` rows; or the own."""
        mask = self._masks(own, site, queries)
        rows_BQ = self.real_rows.get(site)
        return mask if rows_BQ is None else self._masks.without_rows(mask, rows_BQ)

    @cached_property
    def _masks(self) -> MaskEdits:
        return MaskEdits(self.edits, source_is_prompt=self.decoder_alone)


NONE = AttentionEdits()


def possible(
    family: Family, anatomy: Anatomy, facts: Mapping[str, Any], changes: AttentionEdits
) -> tuple[str, ...]:
    """The kinds of edits that can be made in a model, and change something.

    `facts` are those of the model; `changes` has its means and its rates of dropout.
    """
    of_encoder = anatomy.site("encoder") if anatomy.has("encoder") else None
    lacking = {
        "head-mean": not changes.means,
        "no-scale": facts["similarity"] != "scaled_dot",
        "no-embedding-scale": not facts["scaled_embedding"],
        "no-pad-mask": anatomy.special.pad is None,
        "pads-rows": anatomy.special.pad is None,
        "causal-mask": family.kind == "encoder",
        "no-split-transpose": anatomy.positions == "rotary",
        "dropout": not any(changes.rates.values()),
        "encoder-layer": not anatomy.has("cross") or of_encoder is None or of_encoder.layers == 1,
    }
    return tuple(kind for kind in KINDS if not lacking.get(kind, False))


def as_edited(anatomy: Anatomy, changes: AttentionEdits) -> Anatomy:
    """What an edited model is made of."""
    codes = {
        "no_pad_mask": OF_PADS,
        "hidden_score": ("finite-mask",),
        "joined": ("no-transpose",),
        "split": ("no-split-transpose",),
        "unscaled_embedding": ("no-embedding-scale",),
    }
    unusual = [code for code, kinds in codes.items() if not changes.kinds.isdisjoint(kinds)]
    return replace(
        anatomy,
        unusual=(*anatomy.unusual, *unusual),
        reads_whole=changes.reads_whole,
        positions="none" if "no-positions" in changes.kinds else anatomy.positions,
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
