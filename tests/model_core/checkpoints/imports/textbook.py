"""The article's Transformer, written anew with its names: a loop over heads, its formulas."""

import math

import torch
from torch import nn

from tests.model_core.checkpoints.imports.post_norm import Recorded, hidden_by
from tests.model_core.checkpoints.imports.pre_norm import Positions


def turned(x):
    """Each row vector x_m times R_m, pair by pair, R_k = [[cos, sin], [-sin, cos]] transposed."""
    d = x.shape[-1]
    made = torch.zeros_like(x)
    for m in range(x.shape[1]):
        for i in range(d // 2):
            w = 1 / 10000 ** (2 * i / d)
            cos, sin = math.cos(w * m), math.sin(w * m)
            R = torch.tensor([[cos, sin], [-sin, cos]], dtype=x.dtype).T
            made[:, m, 2 * i : 2 * i + 2] = x[:, m, 2 * i : 2 * i + 2] @ R
    return made


class AttentionHead(nn.Module):
    def __init__(self, D, E, similarity, hard, rotary):
        super().__init__()
        self.WQ, self.WK, self.WV = (nn.Linear(D, E) for _ in range(3))
        if similarity in ("additive", "bilinear"):
            self.W = nn.Linear(E, E, bias=False)
        if similarity == "additive":
            self.U = nn.Linear(E, E)
            self.v = nn.Parameter(torch.randn(E))
        self.similarity, self.hard, self.rotary = similarity, hard, rotary

    def forward(self, query, memory, hidden):
        Q, K, V = self.WQ(query), self.WK(memory), self.WV(memory)
        if self.rotary:
            Q, K = turned(Q), turned(K)
        if self.similarity == "additive":
            sums = self.W(Q).unsqueeze(2) + self.U(K).unsqueeze(1)
            scores = torch.tanh(sums) @ self.v
        elif self.similarity == "bilinear":
            scores = self.W(Q) @ K.mT
        else:
            scaled = self.similarity == "scaled_dot"
            scores = Q @ K.mT / (math.sqrt(query.size(-1)) if scaled else 1)
        scores = scores.masked_fill(hidden, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        if self.hard:  # the one value whose key is most alike
            weights = torch.zeros_like(scores).scatter(-1, scores.argmax(-1, keepdim=True), 1.0)
        return weights @ V, weights


class Attention(nn.Module):
    def __init__(self, D, heads, *how):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(D, D // heads, *how) for _ in range(heads))
        self.output_linear = nn.Linear(D, D)

    def forward(self, x, memory, hidden, kept):
        made, weights = zip(*(head(x, memory, hidden) for head in self.heads), strict=True)
        kept.append(torch.stack(weights, dim=1))
        return self.output_linear(torch.cat(made, dim=-1))


class Layer(nn.Module):
    def __init__(self, D, heads, F, crosses, similarity, hard, rotary):
        super().__init__()
        self.attention = Attention(D, heads, similarity, hard, rotary)
        self.layer_norm_1, self.layer_norm_2 = nn.LayerNorm(D), nn.LayerNorm(D)
        if crosses:
            self.cross_attention = Attention(D, heads, similarity, hard, False)
            self.layer_norm_3 = nn.LayerNorm(D)
        self.feed_forward = nn.Sequential(nn.Linear(D, F), nn.ReLU(), nn.Linear(F, D))

    def forward(self, x, memory, hidden, kept):
        x = self.layer_norm_1(x + self.attention(x, x, hidden[0], kept[0]))
        last = self.layer_norm_2
        if memory is not None:
            x = self.layer_norm_2(x + self.cross_attention(x, memory, hidden[1], kept[1]))
            last = self.layer_norm_3
        return last(x + self.feed_forward(x))


class Textbook(Recorded):
    def __init__(self, Vs, Vt, D, depths, heads, F, P, similarity, hard, rotary):
        super().__init__()
        self.source_embedding, self.target_embedding = nn.Embedding(Vs, D), nn.Embedding(Vt, D)
        self.positions = nn.Identity() if rotary else Positions(P, D)
        self.encoder, self.decoder = nn.Module(), nn.Module()
        for stack, depth, crosses in ((self.encoder, 0, False), (self.decoder, 1, True)):
            stack.layers = nn.ModuleList(
                Layer(D, heads, F, crosses, similarity, hard, rotary) for _ in range(depths[depth])
            )
        self.output = nn.Linear(D, Vt)

    def forward(self, source, target):
        kept, (hidden_s, hidden_t) = self.start(), hidden_by(0, source, target)
        memory = self.positions(self.source_embedding(source))
        for layer in self.encoder.layers:
            memory = layer(memory, None, [hidden_s], [kept["encoder"]])
        x = self.positions(self.target_embedding(target))
        for layer in self.decoder.layers:
            x = layer(x, memory, [hidden_t, hidden_s], [kept["decoder"], kept["cross"]])
        return self.output(x), kept
