"""Our own Transformer behind the protocol."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from model_core.checkpoints.heads import no_folder
from model_core.checkpoints.store import Checkpoint, open_checkpoint
from model_core.checkpoints.training import Training
from model_core.models.full_pass import full_pass
from model_core.models.insides import OwnInsides
from model_core.models.state import Batched, State
from model_core.models.stepping import advance, start
from model_core.transformer.edited import edited
from model_core.transformer.layers import DecoderLayer, EncoderLayer
from model_core.transformer.masks import Mask
from model_core.transformer.passes import EncoderPass, FullPass, Keep, whole
from model_core.transformer.taps import Tap, untapped
from model_core.transformer.transformer import Transformer
from model_core.transformer.variants import repositioned, without_positions
from model_core.values.anatomy import Anatomy, anatomy_of, facts_of, what_is_set
from model_core.values.config import ModelConfig
from model_core.values.edits import Edits, possible
from model_core.values.head_measures import HeadMeasures
from model_core.values.recipe import How, Settings
from model_core.values.trace import Side, Site, Tokens


class OwnModel:
    """A checkpoint as a model, see `Model`. Studies find its parameters in `transformer`."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        edits: Edits = (),
        means: Mapping[Site, np.ndarray] | None = None,
    ):
        self.checkpoint = checkpoint
        self.name = checkpoint.name
        known = self._means if means is None else self._tensors(means)
        self.transformer: Transformer = edited(checkpoint.model, edits, known)

    def edited(self, edits: Edits, means: Mapping[Site, np.ndarray] | None = None) -> "OwnModel":
        """This checkpoint with these edits and no others, around the very same weights.

        `means` take the place of those in its folder. Raises RecipeError for an edit that the model
        does not allow.
        """
        return OwnModel(self.checkpoint, edits, means)

    def placed(
        self, rows: Sequence[int] | None, positions: bool = True, double: bool = False
    ) -> "OwnModel":
        made, transformer = copy.copy(self), self.transformer
        if not positions:
            transformer = self._without_positions
        if double:
            transformer = copy.deepcopy(transformer).double()
        made.transformer = transformer if rows is None else repositioned(transformer, rows)
        return made

    @cached_property
    def _without_positions(self) -> Transformer:
        return without_positions(self.transformer)

    @cached_property
    def anatomy(self) -> Anatomy:
        edits = possible(self.checkpoint.config, with_means=bool(self._means))
        made, whole = anatomy_of(self.config), self.transformer.reads_whole
        return replace(made, edits=edits, reads_whole=whole)

    @property
    def heads(self) -> HeadMeasures:
        found = self.checkpoint.heads
        if isinstance(found, HeadMeasures):
            return found
        raise found or no_folder(self.name)

    @cached_property
    def _means(self) -> dict[Site, torch.Tensor]:
        """What each head makes on average, where that was measured."""
        if not isinstance(self.checkpoint.heads, HeadMeasures):
            return {}
        sites = self.checkpoint.heads.sites.items()
        return self._tensors({site: one.means_LHE for site, one in sites})

    def _tensors(self, means: Mapping[Site, np.ndarray | None]) -> dict[Site, torch.Tensor]:
        device, dtype = self.checkpoint.model.device, next(self.checkpoint.model.parameters()).dtype
        return {
            site: torch.tensor(one, dtype=dtype, device=device)
            for site, one in means.items()
            if one is not None
        }

    @property
    def config(self) -> ModelConfig:
        """Its whole configuration."""
        return self.transformer.config

    @property
    def fingerprint(self) -> str:
        return self.checkpoint.fingerprint

    @property
    def facts(self) -> Mapping[str, Any]:
        """Its configuration by the names of the fields."""
        return facts_of(self.config)

    @property
    def opens_on(self) -> Mapping[str, Any]:
        """The head that aligns words best, or one of the last layer of cross-attention."""
        return self.checkpoint.training.opens_on(self.config)

    @property
    def training(self) -> Training:
        return self.checkpoint.training

    @property
    def languages(self) -> tuple[str, str]:
        return self.checkpoint.training.languages

    def source(self, text: str, pads: int = 0, settings: Settings = ()) -> Tokens:
        """The text as the encoder reads it, with its end token and pads; nothing can be set."""
        what_is_set(self.anatomy.controls, settings)
        return self.checkpoint.source_tokenizer.encode(text, pads)

    def target(self, text: str, settings: Settings = ()) -> Tokens:
        return self.checkpoint.target_tokenizer.encode(text)

    def labels(self, ids: Sequence[int]) -> Tokens:
        return self.checkpoint.target_tokenizer.tokens(ids)

    def text(self, ids: Sequence[int]) -> str:
        return self.checkpoint.target_tokenizer.decode(ids)

    def source_text(self, ids: Sequence[int]) -> str:
        return self.checkpoint.source_tokenizer.decode(ids)

    def start(self, source: Tokens, settings: Settings = ()) -> State:
        return start(self.transformer, source, self.checkpoint.target_tokenizer)

    def advance(self, state: State, token: int, how: How = "forced") -> State:
        return advance(self.transformer, state, self.checkpoint.target_tokenizer, token, how)

    def insides(self, site: Site, layer: int) -> OwnInsides:
        if site == "encoder":
            encoding = cast(EncoderLayer, self.transformer.encoder[layer])
            return OwnInsides(encoding.self_attention, encoding.around_self)
        decoding = cast(DecoderLayer, self.transformer.decoder[layer])
        if site == "cross":
            return OwnInsides(decoding.cross_attention, decoding.around_cross)
        return OwnInsides(decoding.self_attention, decoding.around_self)

    def table(self, side: Side) -> Tensor | None:
        added = self.transformer.source_positions
        return (added if side == "source" else self.transformer.target_positions).table_PD

    def frequencies(self) -> Tensor | None:
        if self.config.positions != "rotary":
            return None
        E = self.config.width_of_head(self.config.encoder_heads)
        sense = 1 if self.config.rotation == "forward" else -1
        return sense * 10000.0 ** (-torch.arange(0, E, 2, dtype=torch.float64) / E)

    def bias(self, side: Side) -> None:
        """Nothing is added by distance."""

    @torch.inference_mode()
    def lens(self, stream_SD: Tensor) -> Tensor:
        """The logits (S, V) if the decoder stopped here: its final norm and the projection."""
        return self.transformer.logits(self.transformer.decoder_norm(stream_SD))

    def hypotheses(self, state: State) -> Batched:
        logits_V = state.decoding.step.log_probabilities_V
        logits_NV = torch.tensor(logits_V, device=self.transformer.device).unsqueeze(0)
        return Batched.of_ours(self.transformer, state.encoded, state.past, logits_NV)

    def full_pass(
        self,
        sources: Sequence[Sequence[int]],
        targets: Sequence[Sequence[int]],
        masks: Mapping[Site, Mask] | None = None,
        tap: Tap = untapped,
        keep: Keep = whole,
        encoded: EncoderPass | None = None,
    ) -> FullPass:
        passed = full_pass(self.transformer, sources, targets, masks, tap, encoded)
        return passed.kept(keep)


def open_own(folder: Path | str) -> OwnModel:
    """The model of a checkpoint folder; raises what `open_checkpoint` raises."""
    return OwnModel(open_checkpoint(folder))
