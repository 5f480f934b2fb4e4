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
from model_core.checkpoints.history import no_history
from model_core.checkpoints.store import Checkpoint, open_checkpoint
from model_core.checkpoints.training import Training
from model_core.models.insides import OwnInsides
from model_core.models.rows import encoder_trace
from model_core.models.state import Fed
from model_core.models.stepping import SourceRead, Stepping
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.edited import edited
from model_core.transformer.layers import DecoderLayer, EncoderLayer
from model_core.transformer.masks import Mask
from model_core.transformer.padding import pad_rows
from model_core.transformer.passes import DecoderPast, EncoderPass, FullPass, Keep, nothing
from model_core.transformer.taps import Tap
from model_core.transformer.transformer import Transformer
from model_core.transformer.variants import repositioned, without_positions
from model_core.values.anatomy import anatomy_of, facts_of, what_is_set
from model_core.values.config import ModelConfig
from model_core.values.edits import Edits, possible
from model_core.values.head_measures import HeadMeasures
from model_core.values.history import History
from model_core.values.recipe import Settings
from model_core.values.trace import Side, Site, Tokens


class OwnModel(Stepping):
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
        noted = isinstance(checkpoint.history, History)
        self.anatomy = replace(
            anatomy_of(self.config, noted=noted),
            edits=possible(checkpoint.config, with_means=bool(self._means)),
            reads_whole=self.transformer.reads_whole,
        )

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

    @property
    def heads(self) -> HeadMeasures:
        found = self.checkpoint.heads
        if isinstance(found, HeadMeasures):
            return found
        raise found or no_folder(self.name)

    @property
    def history(self) -> History:
        found = self.checkpoint.history
        if isinstance(found, History):
            return found
        raise found or no_history(self.name)

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

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.transformer.device

    def _prompt(self, source: Tokens, settings: Settings) -> Tokens:
        return self.labels([self.config.start_id])

    def _read(self, source: Tokens) -> SourceRead:
        encoded = self.transformer.encode(self._ids(source.ids))
        traces = tuple(
            encoder_trace(source, "encoder", layer, record)
            for layer, record in enumerate(encoded.records)
        )
        return SourceRead(replace(encoded, records=()), traces)  # the traces have copies

    def _feed(
        self, ids_NT: Tensor, encoded: EncoderPass, past: DecoderPast, keep: Keep = nothing
    ) -> Fed:
        return fed(self.transformer, ids_NT, encoded, past, keep)

    def _pass(
        self,
        sources: Sequence[Sequence[int]],
        targets: Sequence[Sequence[int]],
        masks: Mapping[Site, Mask],
        tap: Tap,
        keep: Keep,
        encoded: EncoderPass | None,
    ) -> FullPass:
        model, pad = self.transformer, self.config.pad_id
        source_BS, target_BT = (pad_rows(rows, pad).to(self.device) for rows in (sources, targets))
        encoded = encoded or model.encode(source_BS, masks.get("encoder"), tap)
        crossing = replace(encoded, mask=masks.get("cross") or model.source_mask(source_BS))
        decoded = model.decode(target_BT, crossing, mask=masks.get("decoder"), tap=tap)
        return FullPass.of(encoded, decoded).kept(keep)

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


def fed(
    model: Transformer,
    ids_NT: Tensor,
    encoded: EncoderPass,
    past: DecoderPast,
    keep: Keep = nothing,
) -> Fed:
    """What the model makes of T tokens more in every row; of all there are, if it reads whole."""
    passed = model.decode(ids_NT, encoded, past)
    records: dict[Site, Sequence[AttentionRecord]] = {
        "decoder": passed.self_records,
        "cross": passed.cross_records,
    }
    kept = {
        site: [keep(site, layer, record) for layer, record in enumerate(found)]
        for site, found in records.items()
    }
    return Fed(passed.logits_BTV, kept, encoded, past if model.reads_whole else passed.past)


def open_own(folder: Path | str) -> OwnModel:
    """The model of a checkpoint folder; raises what `open_checkpoint` raises."""
    return OwnModel(open_checkpoint(folder))
