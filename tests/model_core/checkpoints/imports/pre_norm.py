"""Two tutorials' pre-norm Transformers, written anew with their names: logits and weights."""

import math

import torch
from torch import nn

MINUS = -1e9


def table(P, D):
    """Sines and cosines in single precision, as the tutorials compute them."""
    positions = torch.arange(0, P, dtype=torch.float).unsqueeze(1)
    rates = torch.exp(torch.arange(0, D, 2).float() * (-math.log(10000.0) / D))
    made = torch.zeros(P, D)
    made[:, 0::2], made[:, 1::2] = torch.sin(positions * rates), torch.cos(positions * rates)
    return made.unsqueeze(0)


def attend(q, k, v, hidden, heads, kept):
    """Split into heads, softmax with -1e9 where hidden, join; `kept` gets the weights."""
    q, k, v = (x.view(len(x), -1, heads, x.shape[-1] // heads).transpose(1, 2) for x in (q, k, v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(hidden.unsqueeze(1), MINUS).softmax(dim=-1)
    kept.append(weights)
    return (weights @ v).transpose(1, 2).flatten(2)


class Positions(nn.Module):
    def __init__(self, P, D):
        super().__init__()
        self.register_buffer("pe", table(P, D))

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


class SampleNorm(nn.Module):
    def __init__(self, size, gain, bias):
        super().__init__()
        self.names = gain, bias
        for name in self.names:
            setattr(self, name, nn.Parameter(torch.randn(size)))

    def forward(self, x):
        gain, bias = (getattr(self, name) for name in self.names)
        return gain * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) + bias


class Attention(nn.Module):
    """hkproj: w_q, w_k, w_v, w_o; annotated: linears.0 to 3."""

    def __init__(self, D, heads, listed):
        super().__init__()
        self.heads, self.listed, self.kept = heads, listed, []
        made = [nn.Linear(D, D) for _ in range(4)]
        if listed:
            self.linears = nn.ModuleList(made)
        else:
            self.w_q, self.w_k, self.w_v, self.w_o = made

    def forward(self, q, k, v, hidden):
        layers = self.linears if self.listed else (self.w_q, self.w_k, self.w_v, self.w_o)
        q, k, v = (layer(x) for layer, x in zip(layers, (q, k, v), strict=False))
        return layers[3](attend(q, k, v, hidden, self.heads, self.kept))


class Hidden(nn.Module):
    def __init__(self, D, F, one, two):
        super().__init__()
        self.names = one, two
        setattr(self, one, nn.Linear(D, F))
        setattr(self, two, nn.Linear(F, D))

    def forward(self, x):
        one, two = (getattr(self, name) for name in self.names)
        return two(torch.relu(one(x)))


class Around(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.norm = norm

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))


class Stack(nn.Module):
    def __init__(self, layers, norm):
        super().__init__()
        self.layers, self.norm = nn.ModuleList(layers), norm

    def forward(self, x, *rest):
        for layer in self.layers:
            x = layer(x, *rest)
        return self.norm(x)


class Layer(nn.Module):
    """A layer of either stack under the names of one of the tutorials."""

    def __init__(self, names, attentions, hidden, arounds):
        super().__init__()
        self.names = names
        for name, part in zip(names, (*attentions, hidden, nn.ModuleList(arounds)), strict=True):
            setattr(self, name, part)

    def forward(self, x, own_hidden, memory=None, memory_hidden=None):
        own, *cross, feed_forward, arounds = (getattr(self, name) for name in self.names)
        arounds = list(arounds)
        x = arounds[0](x, lambda y: own(y, y, y, own_hidden))
        if cross:
            x = arounds[1](x, lambda y: cross[0](y, memory, memory, memory_hidden))
        return arounds[-1](x, feed_forward)


class Embedding(nn.Module):
    def __init__(self, V, D, name):
        super().__init__()
        self.name, self.D = name, D
        setattr(self, name, nn.Embedding(V, D))

    def forward(self, ids):
        return getattr(self, self.name)(ids) * math.sqrt(self.D)


class Project(nn.Module):
    def __init__(self, D, V):
        super().__init__()
        self.proj = nn.Linear(D, V)

    def forward(self, x):
        return torch.log_softmax(self.proj(x), dim=-1)


class PreNorm(nn.Module):
    """`pad` is hidden; the answer holds log-probabilities."""

    def run(self, source, target, parts):
        (embed_s, place_s), (embed_t, place_t), project = parts
        hidden_s = (source == self.pad).unsqueeze(1)
        T = target.shape[1]
        later = torch.ones(T, T).triu(1).bool()
        hidden_t = (target == self.pad).unsqueeze(1) | later
        memory = self.encoder(place_s(embed_s(source)), hidden_s)
        out = self.decoder(place_t(embed_t(target)), hidden_t, memory, hidden_s)
        weights = {
            "encoder": _kept(self.encoder, 0),
            "decoder": _kept(self.decoder, 0),
            "cross": _kept(self.decoder, 1),
        }
        return project(out), weights


def _kept(stack, place):
    """The weights that the attention at a place of each layer kept."""
    return [layer.get_submodule(layer.names[place]).kept[-1] for layer in stack.layers]


class Hkproj(PreNorm):
    def __init__(self, Vs, Vt, D, depths, heads, F, P, pad, gains, cross):
        super().__init__()
        self.pad = pad

        def norm():
            return SampleNorm(D if gains == "each" else 1, "alpha", "bias")

        def layer(names, attentions):
            made = [Attention(D, heads, False) for _ in range(attentions)]
            return Layer(
                names,
                made,
                Hidden(D, F, "linear_1", "linear_2"),
                [Around(norm()) for _ in range(attentions + 1)],
            )

        ends = ("feed_forward_block", "residual_connections")
        own = "self_attention_block"
        self.encoder = Stack([layer((own, *ends), 1) for _ in range(depths[0])], norm())
        self.decoder = Stack([layer((own, cross, *ends), 2) for _ in range(depths[1])], norm())
        self.src_embed, self.tgt_embed = (
            Embedding(Vs, D, "embedding"),
            Embedding(Vt, D, "embedding"),
        )
        self.src_pos, self.tgt_pos = Positions(P, D), Positions(P + 3, D)
        self.projection_layer = Project(D, Vt)

    def forward(self, source, target):
        sides = (self.src_embed, self.src_pos), (self.tgt_embed, self.tgt_pos)
        return self.run(source, target, (*sides, self.projection_layer))


class Annotated(PreNorm):
    def __init__(self, Vs, Vt, D, depths, heads, F, P, pad):
        super().__init__()
        self.pad = pad

        def norm():
            return SampleNorm(D, "a_2", "b_2")

        def layer(names, attentions):
            return Layer(
                names,
                [Attention(D, heads, True) for _ in range(attentions)],
                Hidden(D, F, "w_1", "w_2"),
                [Around(norm()) for _ in range(attentions + 1)],
            )

        ends = ("feed_forward", "sublayer")
        self.encoder = Stack([layer(("self_attn", *ends), 1) for _ in range(depths[0])], norm())
        self.decoder = Stack(
            [layer(("self_attn", "src_attn", *ends), 2) for _ in range(depths[1])], norm()
        )
        self.src_embed = nn.Sequential(Embedding(Vs, D, "lut"), Positions(P, D))
        self.tgt_embed = nn.Sequential(Embedding(Vt, D, "lut"), Positions(P, D))
        self.generator = Project(D, Vt)

    def forward(self, source, target):
        return self.run(source, target, (self.src_embed, self.tgt_embed, self.generator))
