"""A made-up model of each kind behind the protocol: random numbers, but attention that adds up.

Queries, keys and values of a token depend on the token, its place and the layer alone, so that
steps and a full pass agree, and a later token changes nothing before it.
"""

import copy
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from model_core.errors import DecodingFinished, RecipeError, SourceTooLong
from model_core.models.protocol import Model, State
from model_core.transformer.attention import AttentionRecord
from model_core.transformer.masks import Mask, mask_from, pad_mask
from model_core.transformer.passes import EncoderPass, FullPass, Keep, whole
from model_core.transformer.taps import Tap, untapped
from model_core.values.anatomy import Anatomy, ModelKind, SiteAnatomy, check_edits
from model_core.values.edits import Edits
from model_core.values.recipe import Choice, How, Settings
from model_core.values.special import Special
from model_core.values.trace import AttentionRow, AttentionTrace, DecodeStep, Decoding, Site, Tokens

PAD, START, END = 0, 1, 2
_TEXT = """<pad> <s> </s> the a cat dog roof warm old new sleeps sings on under red blue and I you
we they see hear very soon never again one two three . , ! ? more less here there"""
WORDS = _TEXT.split()
E = 4  # width of a head


def numbers(*about: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Random numbers that are the same whenever they are about the same."""
    seed = zlib.crc32(repr(about).encode())
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@dataclass(frozen=True, eq=False)
class MadeUpState:
    decoding: Decoding

    def grew_from(self, earlier: "MadeUpState") -> bool:
        steps = earlier.decoding.steps
        return self.decoding.steps[len(steps) - 1 : len(steps)] == steps[-1:]

    def pieces(self, newest_only: bool) -> Iterator[tuple[int, int]]:
        steps = self.decoding.steps[-1:] if newest_only else self.decoding.steps
        yield from ((id(step), step.nbytes) for step in steps)


class Stepped:
    """Hypotheses that are advanced one after the other: right for any model, in its own time."""

    ruled = False

    def __init__(self, model: Model, states: Sequence[State]):
        self._model, self._states = model, tuple(states)

    @property
    def logits_NV(self) -> torch.Tensor:
        rows = [state.decoding.step.log_probabilities_V for state in self._states]
        return torch.from_numpy(np.stack(rows))

    def fed(self, rows: Sequence[int], tokens: Sequence[int]) -> "Stepped":
        pairs = zip(rows, tokens, strict=True)
        made = [self._model.advance(self._states[row], token, "beam") for row, token in pairs]
        return Stepped(self._model, made)


class MadeUp:
    """A model of any kind, with fewer key heads than query heads and a bias where it is asked."""

    def __init__(
        self, kind: ModelKind, layers: int = 2, biased: bool = False, most: int = 24, heads: int = 4
    ):
        self.name, self.fingerprint = f"made-up-{kind}", "00000000"
        self.languages, self.facts, self.training = ("en", ""), {}, None
        self._biased = biased
        self.edits: dict[str, Any] = {}
        shapes: dict[Site, tuple[Any, Any, bool]] = {
            "encoder": ("source", "source", False),
            "decoder": ("target", "target", True),
            "cross": ("target", "source", False),
        }
        known: dict[ModelKind, tuple[Site, ...]] = {
            "encoder-decoder": ("encoder", "decoder", "cross"),
            "decoder": ("decoder",),
            "encoder": ("encoder",),
        }
        self.anatomy = Anatomy(
            sites=tuple(
                SiteAnatomy(site, layers, heads, heads // 2, *shapes[site]) for site in known[kind]
            ),
            source_vocabulary=len(WORDS),
            target_vocabulary=len(WORDS),
            special=Special(PAD, START, END),
            max_positions=most,
            positions="none",
            edits=("no-pad-mask",) if kind == "encoder" else ("no-pad-mask", "causal-mask"),
            lacking={"parameters": "own_weights"},
        )
        self.opens_on = {"site": known[kind][-1], "layer": 0, "head": 1, "rows": "fed"}

    def edited(self, edits: Edits, means: Any = None) -> "MadeUp":
        """A model that has no pad mask, or a broken causal one where it is read in one pass."""
        check_edits(edits, self.anatomy, False)
        made = copy.copy(self)
        made.edits = {edit.kind: edit for edit in edits}
        unusual = ("no_pad_mask",) if "no-pad-mask" in made.edits else ()
        made.anatomy = replace(self.anatomy, unusual=unusual)
        return made

    def placed(self, rows: Any, positions: bool = True, double: bool = False) -> "MadeUp":
        """Itself: the rooms that would place its tokens are refused."""
        return self

    def source(self, text: str, pads: int = 0, settings: Settings = ()) -> Tokens:
        names = text.split()
        ids = [3 + zlib.crc32(word.encode()) % (len(WORDS) - 3) for word in names]
        ids = [WORDS.index(w) if w in WORDS[3:] else i for w, i in zip(names, ids, strict=True)]
        if self.anatomy.kind == "decoder":
            return self.labels([START, *ids])
        return self.labels([*ids, END, *[PAD] * pads])

    def target(self, text: str, settings: Settings = ()) -> Tokens:
        return self.labels([*(WORDS.index(word) for word in text.split()), END])

    def labels(self, ids: Sequence[int]) -> Tokens:
        texts = tuple(WORDS[token] for token in ids)
        kinds = tuple("pad" if i == PAD else "special" if i < 3 else "text" for i in ids)
        return Tokens(tuple(ids), texts, texts, kinds, (None,) * len(texts))

    def text(self, ids: Sequence[int]) -> str:
        return " ".join(WORDS[token] for token in ids if token > END)

    def source_text(self, ids: Sequence[int]) -> str:
        return self.text(ids)

    def start(self, source: Tokens, settings: Settings = ()) -> MadeUpState:
        SourceTooLong.check(len(source), self.anatomy.max_positions)
        anatomy, traces = self.anatomy, []
        if anatomy.has("encoder"):
            traces = [self._trace("encoder", layer, source, source) for layer in self._layers()]
        prompt = {"encoder": self.labels([]), "decoder": source}.get(
            anatomy.kind, self.labels([START])
        )
        steps = [self._step(source, prompt.ids[: t + 1]) for t in range(len(prompt))]
        cross = self._layers() if anatomy.has("cross") else ()
        return MadeUpState(
            Decoding(
                source=source,
                target=prompt,
                encoder=tuple(traces),
                cross_keys=tuple(
                    tuple(self._of("cross", part, layer, source.ids) for part in ("k", "v"))
                    for layer in cross
                ),
                steps=tuple(steps),
                chosen=(),
                finished=None if steps else "end",
                prompt=len(prompt),
            )
        )

    def advance(self, state: MadeUpState, token: int, how: How = "forced") -> MadeUpState:
        before = state.decoding
        if before.finished is not None:
            raise DecodingFinished("The text reached its end. Go back to change it.", "ended")
        if token in self.anatomy.special.never or not 0 <= token < len(WORDS):
            raise RecipeError(f"Token {token} cannot be chosen.")
        target = before.target + self.labels([token])
        chosen = (*before.chosen, Choice(token, how))
        if token == END:
            return MadeUpState(replace(before, target=target, chosen=chosen, finished="end"))
        steps = (*before.steps, self._step(before.source, target.ids))
        full = "limit" if len(target) == self.anatomy.max_positions else None
        return MadeUpState(
            replace(before, target=target, chosen=chosen, steps=steps, finished=full)
        )

    def hypotheses(self, state: MadeUpState) -> Stepped:
        return Stepped(self, [state])

    def full_pass(
        self,
        sources: Sequence[Sequence[int]],
        targets: Sequence[Sequence[int]],
        masks: Mapping[Site, Mask] | None = None,
        tap: Tap = untapped,
        keep: Keep = whole,
        encoded: EncoderPass | None = None,
    ) -> FullPass:
        sides = {"source": [list(r) for r in sources], "target": [list(r) for r in targets]}
        records: dict[Site, tuple[AttentionRecord, ...]] = {}
        for one in self.anatomy.sites:
            rows, columns = sides[one.rows], sides[one.columns]
            mask = (masks or {}).get(one.site) or self._mask(one, columns)
            records[one.site] = tuple(
                self._record(one.site, layer, rows, columns, mask) for layer in self._layers()
            )
        read = sides[self.anatomy.predicting]
        first = [()] * len(read) if self.anatomy.predicting == "source" else sides["source"]
        logits = [
            [self.logits(source, row[: t + 1]) for t in range(len(row))]
            for source, row in zip(first, read, strict=True)
        ]
        return FullPass(torch.tensor(np.array(logits)), records).kept(keep)

    def _mask(self, one: SiteAnatomy, columns: list[list[int]]) -> Mask:
        is_open = "no-pad-mask" in self.edits
        pads = pad_mask(torch.tensor(columns), -1 if is_open else PAD)
        if not one.causal:
            return pads
        T, broken = len(columns[0]), self.edits.get("causal-mask")
        reach = {"none": T, "ahead": 1, "behind": -1}[broken.causal] if broken else 0
        return mask_from("causal", torch.ones(1, T, T, dtype=torch.bool).tril(reach)) & pads

    def _layers(self) -> range:
        return range(self.anatomy.sites[0].layers)

    def _of(self, site: Site, part: str, layer: int, ids: Sequence[int]) -> np.ndarray:
        found = self.anatomy.site(site)
        heads = found.heads if part == "q" else found.key_heads
        rows = [numbers(site, part, layer, t, i, shape=(heads, E)) for t, i in enumerate(ids)]
        return np.stack(rows, axis=1)

    def _attended(
        self,
        site: Site,
        layer: int,
        queries: Sequence[int],
        keys: Sequence[int],
        mask_QK: np.ndarray,
    ) -> dict[str, np.ndarray | None]:
        """q, k, v, scores, bias and weights of one sentence."""
        q_HQE, k_GKE, v_GKE = (
            self._of(site, part, layer, ids)
            for part, ids in (("q", queries), ("k", keys), ("v", keys))
        )
        shared = q_HQE.shape[0] // k_GKE.shape[0]
        scores_HQK = q_HQE @ k_GKE.repeat(shared, axis=0).transpose(0, 2, 1) / math.sqrt(E)
        bias_HQK = None
        if self._biased:
            apart_QK = np.abs(np.subtract.outer(np.arange(len(queries)), np.arange(len(keys))))
            slopes_H = 2.0 ** -np.arange(1, len(q_HQE) + 1)
            bias_HQK = (-slopes_H[:, None, None] * apart_QK).astype(np.float32)
        biased_HQK = scores_HQK if bias_HQK is None else scores_HQK + bias_HQK
        hidden_HQK = np.where(mask_QK, biased_HQK, -np.inf)
        top_HQ1 = np.where(mask_QK.any(-1), hidden_HQK.max(-1), 0)[..., None]
        mass_HQK = np.exp(hidden_HQK - top_HQ1)
        total_HQ1 = mass_HQK.sum(-1, keepdims=True)
        weights_HQK = np.divide(
            mass_HQK, total_HQ1, out=np.zeros_like(mass_HQK), where=total_HQ1 > 0
        )
        return {"q": q_HQE, "k": k_GKE, "v": v_GKE, "scores": scores_HQK, "bias": bias_HQK,
                "weights": weights_HQK}  # fmt: skip

    def _record(
        self, site: Site, layer: int, rows: list[list[int]], columns: list[list[int]], mask: Mask
    ) -> AttentionRecord:
        Q, K = len(rows[0]), len(columns[0])
        allowed_BQK = mask.allowed_BQK.expand(len(rows), Q, K).numpy()
        made = [
            self._attended(site, layer, *pair, mask_QK)
            for *pair, mask_QK in zip(rows, columns, allowed_BQK, strict=True)
        ]
        stacked = {
            name: None if made[0][name] is None else torch.tensor(np.stack([m[name] for m in made]))
            for name in made[0]
        }
        return AttentionRecord(
            stacked["q"], stacked["k"], stacked["v"], stacked["scores"],
            mask_from(mask.name, torch.tensor(allowed_BQK)), stacked["weights"], stacked["bias"],
        )  # fmt: skip

    def _trace(self, site: Site, layer: int, queries: Tokens, keys: Tokens) -> AttentionTrace:
        mask_QK = np.tile(np.array(keys.ids) != PAD, (len(queries), 1))
        made = self._attended(site, layer, queries.ids, keys.ids, mask_QK)
        return AttentionTrace(
            site, layer, queries, keys, made["q"], made["k"], made["v"], made["scores"], mask_QK,
            made["weights"], made["bias"],
        )  # fmt: skip

    def _step(self, source: Tokens, fed: Sequence[int]) -> DecodeStep:
        logits_V = self.logits(source.ids, fed).astype(np.float64)
        log_probabilities_V = logits_V - np.log(np.exp(logits_V).sum())

        def row(site: Site, layer: int, keys: Sequence[int]) -> AttentionRow:
            mask_QK = np.tile(np.array(keys) != PAD, (len(fed), 1))
            made = self._attended(site, layer, fed, keys, mask_QK)
            last = {name: None if one is None else one[:, -1] for name, one in made.items()}
            grows = site == "decoder"
            return AttentionRow(
                last["q"], last["k"] if grows else None, last["v"] if grows else None,
                last["scores"], mask_QK[-1], last["weights"], last["bias"],
            )  # fmt: skip

        has_cross = self.anatomy.has("cross")
        return DecodeStep(
            index=len(fed) - 1,
            log_probabilities_V=log_probabilities_V.astype(np.float32),
            decoder_rows=tuple(row("decoder", layer, fed) for layer in self._layers()),
            cross_rows=tuple(
                row("cross", layer, source.ids) for layer in (self._layers() if has_cross else ())
            ),
        )

    def logits(self, source: Sequence[int], fed: Sequence[int]) -> np.ndarray:
        read = [i for i in source if i != PAD] if self.anatomy.has("cross") else ()
        logits_V = 2 * numbers("logits", tuple(read), tuple(fed), shape=(len(WORDS),))
        logits_V[[PAD, START]] -= 6
        return logits_V
