"""A large made-up decoder: so many heads over so many tokens that the page gets them on demand."""

from typing import Any

import numpy as np

from model_core.values.anatomy import Anatomy, SiteAnatomy
from model_core.values.special import Special
from model_core.values.trace import AttentionRow, DecodeStep, Decoding, Tokens
from tests.made_up import END, PAD, START, WORDS, MadeUp, MadeUpState


class Large(MadeUp):
    """Its whole prompt is read at once; attention is random, causal, and sums to 1."""

    def __init__(self, layers: int = 12, heads: int = 12, most: int = 512):
        super().__init__("decoder", layers=layers, most=most, heads=heads)
        self.name = "large"
        self.anatomy = Anatomy(
            sites=(SiteAnatomy("decoder", layers, heads, heads, "target", "target", causal=True),),
            source_vocabulary=len(WORDS),
            target_vocabulary=len(WORDS),
            special=Special(PAD, START, END),
            max_positions=most,
            positions="none",
            lacking={"parameters": "own_weights"},
        )

    def start(self, source: Tokens, *_: Any) -> MadeUpState:
        T, site = len(source), self.anatomy.site("decoder")
        random = np.random.default_rng(0)
        steps_rows: list[list[AttentionRow]] = [[] for _ in range(T)]
        for _layer in range(site.layers):
            mass_HQK = random.random((site.heads, T, T), dtype=np.float32) ** 12
            mass_HQK *= np.tri(T, dtype=np.float32)
            weights_HQK = mass_HQK / mass_HQK.sum(axis=-1, keepdims=True)
            scores_HQK = np.log(np.maximum(weights_HQK, 1e-9))
            q_HQE = random.random((site.heads, T, 4), dtype=np.float32)
            for t in range(T):
                steps_rows[t].append(
                    AttentionRow(
                        q_HQE[:, t],
                        q_HQE[:, t],
                        q_HQE[:, t],
                        scores_HQK[:, t, : t + 1].copy(),
                        np.ones(t + 1, dtype=bool),
                        weights_HQK[:, t, : t + 1].copy(),
                    )
                )
        even_V = np.full(len(WORDS), -np.log(len(WORDS)), dtype=np.float32)
        steps = tuple(DecodeStep(t, even_V, tuple(rows), ()) for t, rows in enumerate(steps_rows))
        full = "limit" if self.anatomy.max_positions == T else None
        return MadeUpState(Decoding(source, source, (), (), steps, (), full, T))
