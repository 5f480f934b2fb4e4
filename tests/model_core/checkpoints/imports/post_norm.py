"""Three tutorials' post-norm Transformers, written anew with their names: logits and weights."""

import math

import torch
from torch import nn

from tests.model_core.checkpoints.imports.pre_norm import Positions, attend, table

SITES = ("encoder", "decoder", "cross")


class Recorded(nn.Module):
    """Keeps the weights of every attention in the order of the calls, by site."""

    def start(self):
        self.kept = {site: [] for site in SITES}
        return self.kept


def hidden_by(pad, source, target):
    """What is hidden in the encoder and in cross-attention, and in the decoder."""
    later = torch.ones(target.shape[1], target.shape[1]).triu(1).bool()
    return (source == pad).unsqueeze(1), (target == pad).unsqueeze(1) | later


# Convolutions


class ConvolvedHidden(nn.Module):
    def __init__(self, D, F):
        super().__init__()
        self.ff1, self.ff2 = nn.Conv1d(D, F, 1), nn.Conv1d(F, D, 1)
        self.layer_norm = nn.LayerNorm(D)

    def forward(self, x):
        made = self.ff2(torch.relu(self.ff1(x.transpose(1, 2)))).transpose(1, 2)
        return self.layer_norm(x + made)


class NormedAttention(nn.Module):
    def __init__(self, D, heads, E):
        super().__init__()
        self.heads = heads
        self.W_Q, self.W_K, self.W_V = (nn.Linear(D, heads * E, bias=False) for _ in range(3))
        self.fc = nn.Linear(heads * E, D, bias=False)
        self.layer_norm = nn.LayerNorm(D)

    def forward(self, x, memory, hidden, kept):
        q, k, v = self.W_Q(x), self.W_K(memory), self.W_V(memory)
        return self.layer_norm(x + self.fc(attend(q, k, v, hidden, self.heads, kept)))


class ConvolvedLayer(nn.Module):
    def __init__(self, D, heads, E, F, names):
        super().__init__()
        self.names = names
        for name in names:
            setattr(self, name, NormedAttention(D, heads, E))
        self.ffn = ConvolvedHidden(D, F)

    def forward(self, x, memory, hidden, kept):
        own, *cross = (getattr(self, name) for name in self.names)
        x = own(x, x, hidden[0], kept[0])
        if cross:
            x = cross[0](x, memory, hidden[1], kept[1])
        return self.ffn(x)


class Side(nn.Module):
    def __init__(self, name, V, D, P, layers):
        super().__init__()
        self.name = name
        setattr(self, name, nn.Embedding(V, D))
        self.positional_embedding = nn.Module()
        self.positional_embedding.register_buffer("pe", table(P, D).transpose(0, 1).contiguous())
        self.layers = nn.ModuleList(layers)

    def forward(self, ids, *rest):
        pe = self.positional_embedding.pe
        x = getattr(self, self.name)(ids).transpose(0, 1)
        x = (x + pe[: x.shape[0]]).transpose(0, 1)
        for layer in self.layers:
            x = layer(x, *rest)
        return x


class Convolutions(Recorded):
    def __init__(self, Vs, Vt, D, depths, heads, E, F, P):
        super().__init__()

        def layers(count, names):
            return [ConvolvedLayer(D, heads, E, F, names) for _ in range(count)]

        self.encoder = Side("source_embedding", Vs, D, P, layers(depths[0], ["encoder_self_attn"]))
        names = ["decoder_self_attn", "encoder_decoder_attn"]
        self.decoder = Side("target_embedding", Vt, D, P, layers(depths[1], names))
        self.projection = nn.Linear(D, Vt, bias=False)

    def forward(self, source, target):
        kept = self.start()
        hidden_s, hidden_t = hidden_by(0, source, target)
        memory = self.encoder(source, None, [hidden_s], [kept["encoder"]])
        out = self.decoder(target, memory, [hidden_t, hidden_s], [kept["decoder"], kept["cross"]])
        return self.projection(out), kept


# Joined heads


class SplitAttention(nn.Module):
    def __init__(self, D, heads):
        super().__init__()
        self.heads = heads
        self.W_q, self.W_k, self.W_v = (nn.Linear(D, D) for _ in range(3))

    def forward(self, x, memory, hidden, kept):
        q, k, v = (
            part.view(len(part), -1, self.heads, part.shape[-1] // self.heads).transpose(1, 2)
            for part in (self.W_q(x), self.W_k(memory), self.W_v(memory))
        )
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden.unsqueeze(1), -math.inf)
        kept.append(scores.softmax(-1))
        return (kept[-1] @ v).transpose(1, 2).reshape(x.shape)


class JoinedLayer(nn.Module):
    def __init__(self, D, heads, F, sequential, crosses):
        super().__init__()
        self.self_attn, self.norm1, self.norm2 = (
            SplitAttention(D, heads),
            nn.LayerNorm(D),
            nn.LayerNorm(D),
        )
        if crosses:
            self.cross_attn, self.norm3 = SplitAttention(D, heads), nn.LayerNorm(D)
        self.feed_forward = nn.Module()
        one, two = nn.Linear(D, F), nn.Linear(F, D)
        if sequential:
            self.feed_forward.ffn = nn.Sequential(one, nn.ReLU(), nn.Dropout(0.1), two)
        else:
            self.feed_forward.W_1, self.feed_forward.W_2 = one, two
        self.layers = lambda x: two(torch.relu(one(x)))

    def forward(self, x, memory, hidden, kept):
        x = self.norm1(x + self.self_attn(x, x, hidden[0], kept[0]))
        last = self.norm2
        if memory is not None:
            x = self.norm2(x + self.cross_attn(x, memory, hidden[1], kept[1]))
            last = self.norm3
        return last(x + self.layers(x))


class JoinedHeads(Recorded):
    def __init__(self, Vs, Vt, D, depths, heads, F, P, sequential):
        super().__init__()
        self.D = D
        self.src_embedding, self.tgt_embedding = nn.Embedding(Vs, D), nn.Embedding(Vt, D)
        self.positional_encoding = Positions(P, D)
        self.encoder, self.decoder = nn.Module(), nn.Module()
        for stack, depth, crosses in ((self.encoder, 0, False), (self.decoder, 1, True)):
            stack.layers = nn.ModuleList(
                JoinedLayer(D, heads, F, sequential, crosses) for _ in range(depths[depth])
            )
        self.fc_out = nn.Linear(D, Vt)

    def forward(self, source, target):
        kept, (hidden_s, hidden_t) = self.start(), hidden_by(0, source, target)
        memory = self.positional_encoding(self.src_embedding(source) * math.sqrt(self.D))
        for layer in self.encoder.layers:
            memory = layer(memory, None, [hidden_s], [kept["encoder"]])
        x = self.positional_encoding(self.tgt_embedding(target) * math.sqrt(self.D))
        for layer in self.decoder.layers:
            x = layer(x, memory, [hidden_t, hidden_s], [kept["decoder"], kept["cross"]])
        return self.fc_out(x), kept


# No bias


class ItsAttention(nn.Module):
    def __init__(self, D, heads):
        super().__init__()
        self.heads = heads
        for name in ("q_mat", "k_mat", "v_mat", "concat_mat"):
            setattr(self, name, nn.Linear(D, D, bias=False))

    def forward(self, queries, keys, values, masked, kept):
        D = queries.shape[-1]
        q, k, v = (
            mat(x).view(len(x), -1, self.heads, D // self.heads).transpose(1, 2)
            for mat, x in ((self.q_mat, queries), (self.k_mat, keys), (self.v_mat, values))
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if masked:  # the mask has the shape of the scores
            scores = scores.masked_fill(torch.ones(scores.shape).triu(1) == 1, -1e9)
        kept.append(scores.softmax(-1))
        return self.concat_mat((kept[-1] @ v).contiguous().view(len(q), -1, D))


class AddNorm(nn.Module):
    def __init__(self, D):
        super().__init__()
        self.layer_norm = nn.LayerNorm(D)

    def forward(self, x, made):
        return self.layer_norm(made + x)


class ItsLayer(nn.Module):
    def __init__(self, D, heads, F, crosses):
        super().__init__()
        if crosses:
            self.mask_attention, self.add_norm_3 = ItsAttention(D, heads), AddNorm(D)
        self.attention, self.add_norm_1, self.add_norm_2 = (
            ItsAttention(D, heads),
            AddNorm(D),
            AddNorm(D),
        )
        self.feed_forward = nn.Module()
        self.feed_forward.net = nn.Sequential(nn.Linear(D, F), nn.ReLU(), nn.Linear(F, D))

    def forward(self, x, memory, kept):
        if memory is None:
            x = self.add_norm_1(x, self.attention(x, x, x, False, kept["encoder"]))
            return self.add_norm_2(x, self.feed_forward.net(x))
        x = self.add_norm_1(x, self.mask_attention(x, x, x, True, kept["decoder"]))
        x = self.add_norm_2(x, self.attention(memory, memory, x, False, kept["cross"]))
        return self.add_norm_3(x, self.feed_forward.net(x))


class NoBias(Recorded):
    def __init__(self, Vs, Vt, D, depths, heads, F, P):
        super().__init__()
        self.input_embedding, self.output_embedding = nn.Embedding(Vs, D), nn.Embedding(Vt, D)
        for name in ("in_position_encoder", "out_position_encoder"):
            setattr(self, name, nn.Module())
            getattr(self, name).register_buffer("PositionEncoding", table(P, D))
        self.encoder, self.decoder = nn.Module(), nn.Module()
        for stack, depth, crosses in ((self.encoder, 0, False), (self.decoder, 1, True)):
            stack.layers = nn.ModuleList(
                ItsLayer(D, heads, F, crosses) for _ in range(depths[depth])
            )
        self.linear = nn.Linear(D, Vt)

    def embedded(self, ids, embedding, places):
        one_hot = nn.functional.one_hot(ids, len(embedding.weight)).to(embedding.weight.dtype)
        return one_hot @ embedding.weight + places.PositionEncoding[:, : ids.shape[1]]

    def forward(self, source, target):
        kept = self.start()
        memory = self.embedded(source, self.input_embedding, self.in_position_encoder)
        for layer in self.encoder.layers:
            memory = layer(memory, None, kept)
        x = self.embedded(target, self.output_embedding, self.out_position_encoder)
        for layer in self.decoder.layers:
            x = layer(x, memory, kept)
        return self.linear(x), kept
