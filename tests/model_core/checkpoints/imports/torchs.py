"""torch.nn.Transformer as its tutorial on translation uses it, its own weights recorded."""

import math

import torch
from torch import nn

from tests.model_core.checkpoints.imports.post_norm import Recorded
from tests.model_core.checkpoints.imports.pre_norm import table


class Tokens(nn.Module):
    def __init__(self, V, D):
        super().__init__()
        self.embedding = nn.Embedding(V, D)


class Places(nn.Module):
    def __init__(self, P, D):
        super().__init__()
        self.register_buffer("pos_embedding", table(P, D).transpose(0, 1).contiguous())

    def forward(self, x):
        return x + self.pos_embedding[: x.shape[1], 0]


class Torchs(Recorded):
    def __init__(self, Vs, Vt, D, depths, heads, F, P, first, activation):
        super().__init__()
        self.D = D
        how = (D, heads, F, 0.0, activation)
        layer = nn.TransformerEncoderLayer(*how, batch_first=True, norm_first=first)
        encoder = nn.TransformerEncoder(layer, depths[0], nn.LayerNorm(D), False)
        self.transformer = nn.Transformer(
            D,
            heads,
            num_decoder_layers=depths[1],
            dim_feedforward=F,
            dropout=0.0,
            activation=activation,
            custom_encoder=encoder,
            batch_first=True,
            norm_first=first,
        )
        self.generator = nn.Linear(D, Vt)
        self.src_tok_emb, self.tgt_tok_emb = Tokens(Vs, D), Tokens(Vt, D)
        self.positional_encoding = Places(P, D)
        for name, module in self.transformer.named_modules():
            if isinstance(module, nn.MultiheadAttention):
                site = "cross" if "multihead" in name else name.split(".")[0]
                self.record(module, site)

    def record(self, module, site):
        def ask(_, arguments, settings):
            return arguments, settings | {"need_weights": True, "average_attn_weights": False}

        module.register_forward_pre_hook(ask, with_kwargs=True)
        module.register_forward_hook(lambda _, __, output: self.kept[site].append(output[1]))

    def eval(self):
        return self.train()  # without dropout; in evaluation torch takes a path without weights

    def forward(self, source, target):
        kept = self.start()
        later = torch.ones(target.shape[1], target.shape[1]).triu(1).bool()
        out = self.transformer(
            self.positional_encoding(self.src_tok_emb.embedding(source) * math.sqrt(self.D)),
            self.positional_encoding(self.tgt_tok_emb.embedding(target) * math.sqrt(self.D)),
            tgt_mask=later,
            src_key_padding_mask=source == 1,
            tgt_key_padding_mask=target == 1,
            memory_key_padding_mask=source == 1,
        )
        return self.generator(out), kept
