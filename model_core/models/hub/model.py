"""A model of `transformers` behind the protocol: what it reads, what it predicts, what it did.

Every pass goes through the library's own code with the attention function that records.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.modeling_outputs import BaseModelOutput

from model_core.checkpoints.history import no_history
from model_core.errors import CheckpointBroken, CheckpointError
from model_core.models.hub.attention import NAME, Recorder, name_modules, record_modules, sublayers
from model_core.models.hub.caching import Memory, cache_of, called_in, read_by
from model_core.models.hub.edited import NONE, AttentionEdits, as_edited, possible
from model_core.models.hub.families import Family
from model_core.models.hub.generating import processors_of
from model_core.models.hub.insides import HubInsides
from model_core.models.hub.looking import anatomy_of, example_of, facts_of, heads_of, rates_of
from model_core.models.hub.stream import (
    added_table,
    distance_bias,
    head,
    moving,
    show_stream,
    stacks,
)
from model_core.models.hub.words import Words, no_pads
from model_core.models.insides import DistanceBias
from model_core.models.rows import encoder_trace
from model_core.models.state import Fed, Rules
from model_core.models.stepping import SourceRead, Stepping
from model_core.transformer.key_values import KeyValues
from model_core.transformer.masks import Mask
from model_core.transformer.padding import pad_rows
from model_core.transformer.passes import DecoderPast, EncoderPass, FullPass, Keep, nothing
from model_core.transformer.taps import Tap
from model_core.values.anatomy import check_edits
from model_core.values.edits import Edit, Edits
from model_core.values.head_measures import HeadMeasures
from model_core.values.history import History
from model_core.values.recipe import Settings
from model_core.values.trace import Side, Site, Tokens, copied


class HubModel(Stepping):
    """One of the architectures in `families`: a loaded network, which is prepared for it.

    Raises CheckpointError where it cannot be shown.
    """

    training = None  # it was trained elsewhere
    languages = ("", "")  # where a model has several, they are settings

    def __init__(
        self,
        name: str,
        network: PreTrainedModel,
        family: Family,
        words: Words,
        fingerprint: str = "",
        card: str = "",
        folder: Path | None = None,
    ):
        network.eval().requires_grad_(False)
        for site, layers in sublayers(network, family).items():
            if not layers:
                raise CheckpointBroken(f"{name}: by its config.json the {site} has no layer.")
        record_modules(network, family)
        show_stream(network, family)
        self.folder = folder
        self.name, self.family, self.words = name, family, words
        self.fingerprint, self.card = fingerprint, card
        self.predicts = network.get_output_embeddings() is not None
        self._put_around(network)
        self._layers: dict[Site, int] = {
            site: len(found) for site, found in self._sublayers.items()
        }
        self.changes, self._has_cross = NONE, "cross" in family.paths
        self.anatomy = anatomy_of(name, network, family, words, self)
        self._known = AttentionEdits(
            (), family.kind == "decoder", self._means(), rates_of(network, family)
        )
        edits = possible(family, self.anatomy, self.facts, self._known)
        self.anatomy = self._whole = replace(self.anatomy, edits=edits)

    def _put_around(self, network: PreTrainedModel) -> None:
        self.network = network
        self._sublayers = sublayers(network, self.family)
        self._stacks = stacks(network, self.family)
        self._predicting = list(self._stacks.values())[-1]

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return cast(torch.device, self.network.device)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is known of it, by the names of `ModelConfig` where that has them too."""
        first = self.anatomy.sites[0].site
        known = facts_of(self.network, self.family, self._sublayers, self._predicting)
        divided = self.insides(first, 0).divisor != 1
        return known | {
            "similarity": "scaled_dot" if divided else "dot",
            "scaled_embedding": known["scaled_embedding"]
            and "no-embedding-scale" not in self.changes.kinds,
            "positions": self.anatomy.positions,
            "example": example_of(self.family.kind, self.words, self.predicts),
        }

    @property
    def opens_on(self) -> Mapping[str, Any]:
        """The middle layer of the first site: no head of a foreign model is known to be good."""
        first = self.anatomy.first_site
        return {"site": first.site, "layer": first.layers // 2, "head": 0, "rows": "fed"}

    @property
    def heads(self) -> HeadMeasures:
        """What its folder says of its heads now; CheckpointError names the command."""
        return heads_of(self.folder, self.name, self.anatomy.sites, self.fingerprint)

    @property
    def history(self) -> History:
        """Nothing: it was trained elsewhere."""
        raise no_history(self.name)

    def _means(self) -> dict[Site, Tensor]:
        """What each head makes on average, where that was measured."""
        try:
            sites = self.heads.sites
        except CheckpointError:
            return {}
        return _tensors({site: one.means_LHE for site, one in sites.items()})

    def edited(self, edits: Edits, means: Mapping[Site, np.ndarray] | None = None) -> "HubModel":
        """The model with these edits and no others, around the very same weights.

        `means` take the place of those in its folder. Raises RecipeError for an edit that the model
        does not allow, or a place there is not.
        """
        made = copy.copy(self)
        known = self._known if means is None else replace(self._known, means=_tensors(means))
        check_edits(edits, self._whole, bool(known.means))
        made.changes = replace(known, edits=edits)
        made.anatomy = as_edited(self._whole, made.changes)
        return made

    def placed(
        self, rows: Sequence[int] | None, positions: bool = True, double: bool = False
    ) -> "HubModel":
        """The model that takes source token t for one at position rows[t], by default t."""
        bare = Edit("no-positions")
        made = copy.copy(self)
        if not positions and bare not in self.changes.edits:
            made = self.edited((*self.changes.edits, bare))
        if double:
            made._put_around(copy.deepcopy(self.network).double())
            name_modules(made.network, self.family)
        if rows is not None:
            side, modules = next(iter(made._stacks.items()))
            moved = moving(made.network, self.family, side, modules, rows)
            made.changes = replace(made.changes, moving=moved)
        return made

    def source(self, text: str, pads: int = 0, settings: Settings = ()) -> Tokens:
        """The text as the model reads it; of a decoder-only model it is the prompt."""
        return self.words.source(text, pads, settings)

    def source_text(self, ids: Sequence[int]) -> str:
        """Source tokens as plain text."""
        return self.words.text(ids, "source")

    def target(self, text: str, settings: Settings = ()) -> Tokens:
        """A text as the model would write it, without the prompt; the end token comes last."""
        return self.words.target(text, settings)

    def labels(self, ids: Sequence[int]) -> Tokens:
        """Target tokens with their labels."""
        return self.words.labels(ids)

    def text(self, ids: Sequence[int]) -> str:
        """Target tokens as plain text."""
        return self.words.text(ids)

    def _prompt(self, source: Tokens, settings: Settings) -> Tokens:
        if self.family.kind == "encoder":
            return self.labels([])
        return self.words.given(self.words.prompt(settings) if self._has_cross else source.ids)

    def _read(self, source: Tokens) -> SourceRead:
        if self.family.kind == "decoder":
            if "pad" in source.kinds:
                raise no_pads()
            return SourceRead(Memory())
        changes, keep = self._changes([source.ids]), partial(encoder_trace, source)
        with Recorder(changes=changes, keep=keep) as recorder:
            if self._has_cross:
                ids_BS, real_BS = self._padded([source.ids])
                allowed_BS = self._attended(real_BS)
                made = self.network.get_encoder()(ids_BS, attention_mask=allowed_BS)
                no_cross = (KeyValues(),) * self._layers["decoder"]
                encoded = Memory(made.last_hidden_state, allowed_BS, no_cross)
                masked: tuple[tuple[int, np.ndarray], ...] = ()
            else:
                made, encoded = self.network(**self._inputs([source.ids], [])), Memory()
                masked = self._masked(source, made)
        return SourceRead(encoded, self._kept(recorder, "encoder"), masked)

    def _masked(self, source: Tokens, made: Any) -> tuple[tuple[int, np.ndarray], ...]:
        """What an encoder alone predicts in the place of each mask."""
        if not self.predicts:
            return ()
        places = [at for at, token in enumerate(source.ids) if token == self.words.mask]
        return tuple((at, copied(made.logits[0, at].log_softmax(dim=-1))) for at in places)

    def _rules(self, source: Tokens) -> Rules | None:
        return processors_of(self.network, self.words.ends, source.ids) or None

    def insides(self, site: Site, layer: int) -> HubInsides:
        """The arithmetic around the attention of a site in a layer, counted from 0."""
        scaled = "no-scale" not in self.changes.kinds
        # Edited, it turns nothing.
        turns = None if "no-positions" in self.changes.kinds else self._predicting.turns
        return HubInsides(self._sublayers[site][layer], self.family.pre, scaled, turns)

    def table(self, side: Side) -> Tensor | None:
        """What is added to the embeddings of a side, by place; None where nothing is."""
        # A source that is a prompt is how the target begins.
        return added_table(self._stacks.get(side, self._predicting), self.family)

    def frequencies(self) -> Tensor | None:
        """By how much each pair of dimensions is rotated from place to place, in radians."""
        turns = self._predicting.turns
        return None if turns is None else cast(Tensor, turns.inv_freq).double()

    def bias(self, side: Side) -> DistanceBias | None:
        """T5's, which all layers of a stack share."""
        return distance_bias(self.network, self.family, side)

    @torch.inference_mode()
    def lens(self, stream_SD: Tensor) -> Tensor:
        """The logits (S, V) if the model stopped at these vectors: final norm and projection."""
        norm = self._predicting.final_norm
        return head(self.network, self.family, stream_SD if norm is None else norm(stream_SD))

    def _pass(
        self,
        sources: Sequence[Sequence[int]],
        targets: Sequence[Sequence[int]],
        masks: Mapping[Site, Mask],
        tap: Tap,
        keep: Keep,
        encoded: EncoderPass | None,  # none is kept
    ) -> FullPass:
        changes = self._changes(sources, targets)
        with Recorder(masks, tap, changes, keep=keep) as recorder:
            made_BTX = self.network(**self._inputs(sources, targets))[0]
        logits_BTV = made_BTX if self.predicts else made_BTX[..., :0]
        logits_BTV = logits_BTV if logits_BTV.dtype == torch.float64 else logits_BTV.float()
        return FullPass(logits_BTV, {site: self._kept(recorder, site) for site in self._layers})

    @torch.inference_mode()
    def made(
        self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]], attention: str
    ) -> Tensor:
        """The logits of a pass, or the last vectors, by the attention function of this name."""
        self.network.set_attn_implementation(attention)
        try:
            return cast(Tensor, self.network(**self._inputs(sources, targets))[0])
        finally:
            self.network.set_attn_implementation(NAME)

    def _inputs(
        self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
    ) -> dict[str, Any]:
        """What the library's pass over these ids is called with."""
        ids_BT, real_BT = self._padded(targets if self.family.kind == "decoder" else sources)
        inputs: dict[str, Any] = {"input_ids": ids_BT, "attention_mask": self._attended(real_BT)}
        inputs |= self._types(ids_BT, real_BT)
        if self._has_cross:
            target_BT, real_BT = self._padded(targets, start=1)
            read_BT = self._attended(real_BT)
            inputs |= {"decoder_input_ids": target_BT, "decoder_attention_mask": read_BT}
        if self.family.kind != "encoder":
            inputs["use_cache"] = False
        return inputs

    def _feed(
        self, ids_NT: Tensor, encoded: Memory, past: DecoderPast, keep: Keep = nothing
    ) -> Fed:
        cache = cache_of(encoded, past)
        inputs: dict[str, Any] = {called_in(type(self.network).forward): cache, "use_cache": True}
        if encoded.cross is None:
            inputs["input_ids"] = ids_NT
        else:
            inputs["decoder_input_ids"] = ids_NT
            inputs["encoder_outputs"] = BaseModelOutput(last_hidden_state=encoded.memory_BSD)
            inputs["attention_mask"] = encoded.allowed_BS
        with Recorder(changes=self.changes, first=past.length, keep=keep) as recorder:
            logits_NTV = self.network(**inputs).logits
        kept: dict[Site, tuple[Any, ...]] = {
            "decoder": self._kept(recorder, "decoder"),
            "cross": self._kept(recorder, "cross"),
        }
        encoded, grown = read_by(cache, encoded)
        return Fed(logits_NTV, kept, encoded, past if self.anatomy.reads_whole else grown)

    def _kept(self, recorder: Recorder, site: Site) -> tuple[Any, ...]:
        """What was kept at a site, one per layer; CheckpointError where a layer is missing."""
        return recorder.kept(site, self._layers.get(site, 0))

    def _padded(self, rows: Sequence[Sequence[int]], start: int = 0) -> tuple[Tensor, Tensor]:
        """Rows of ids as one tensor, and which are no pads; the first `start` never are."""
        pad, ends = self.words.pad, self.words.ends
        ids_BT = pad_rows(rows, pad or 0)
        places_T = torch.arange(ids_BT.shape[1])
        allowed_BT = places_T < torch.tensor([[len(row)] for row in rows])
        if pad is not None and pad not in ends:  # an end that is a pad too is read
            allowed_BT = allowed_BT & ((ids_BT != pad) | (places_T < start))
        return ids_BT.to(self.device), allowed_BT.long().to(self.device)

    def _types(self, ids_BS: Tensor, allowed_BS: Tensor) -> dict[str, Tensor]:
        """Which of two sentences a token is of: the second is what stands behind a separator."""
        separator = self.words.separator
        if getattr(self.network.config, "type_vocab_size", 1) < 2 or separator is None:
            return {}
        ends_BS = (ids_BS == separator).long()
        behind_BS = (ends_BS.cumsum(dim=1) - ends_BS > 0) & (allowed_BS > 0)
        return {"token_type_ids": behind_BS.long()}

    def _attended(self, real_BT: Tensor) -> Tensor:
        """Which tokens are keys: those that are no pads, unless an edit lets pads in."""
        return torch.ones_like(real_BT) if self.changes.opens_pads else real_BT

    def _changes(
        self, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]] = ()
    ) -> AttentionEdits:
        """The edits of a pass; they know its rows of pads where they hide these."""
        if "pads-rows" not in self.changes.kinds:
            return self.changes
        real: dict[Site, Tensor] = {}
        if self.family.kind != "decoder":
            real["encoder"] = self._padded(sources)[1] > 0
        if targets and self.family.kind != "encoder":
            real["decoder"] = self._padded(targets, start=int(self._has_cross))[1] > 0
            real["cross"] = real["decoder"]
        return replace(self.changes, real_rows=real)


def _tensors(means: Mapping[Site, np.ndarray | None]) -> dict[Site, Tensor]:
    return {site: torch.tensor(one) for site, one in means.items() if one is not None}
