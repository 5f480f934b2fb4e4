"""Edits of models of `transformers`, each against the library's own model changed by hand."""

import copy
import zlib

import numpy as np
import pytest
import torch
from torch import nn

from model_core.models.hub.attention import sublayers
from model_core.models.hub.families import FAMILIES
from model_core.values.edits import read_edits
from tests.model_core.models.hub.test_model import TEXTS, model_of

FEW = ("marian", "t5", "distilbert", "gpt2", "llama")
NEAR = {"atol": 2e-4, "rtol": 1e-4}


def passes(name, edit, change, more=None, means=None, **inputs):
    """Logits of the edited model, of the library's changed by `change`, and of it unchanged."""
    own, model = model_of(name, **(more or {}))
    source = model.source(TEXTS[0]).ids
    target = (*(model.words.prompt() or source[:1]), 7, 9, 12, 8)
    edited = model.edited(read_edits([edit] if isinstance(edit, str) else edit), means)
    found = edited.full_pass([source], [target]).logits_BTV
    kind = model.anatomy.kind
    given = {"input_ids": torch.tensor([target if kind == "decoder" else source])}
    if kind == "encoder-decoder":
        given["decoder_input_ids"] = torch.tensor([target])
    with torch.inference_mode():
        plain = own(**given).logits
        twin = copy.deepcopy(own)
        change(twin)
        wanted = twin(**given, **inputs).logits
    return found, wanted, plain


def same(found, wanted, plain):
    np.testing.assert_allclose(found, wanted, **NEAR)
    assert not torch.allclose(wanted, plain, atol=1e-3)


@pytest.mark.parametrize("name", FEW)
def test_a_head_that_is_off_is_one_whose_columns_of_the_output_are_zero(name):
    site = list(FAMILIES[name].paths)[-1]

    def change(twin):
        output = sublayers(twin, FAMILIES[name])[site][1].output
        heads = twin.config.num_attention_heads if site == "encoder" else 4
        wide = output.weight if "gpt2" in name else output.weight.T
        wide.data[wide.shape[0] // heads : 2 * wide.shape[0] // heads] = 0

    same(*passes(name, f"head-off:{site}.2.2", change))


@pytest.mark.parametrize("name", FEW)
def test_a_hidden_word_is_one_that_the_mask_leaves_out(name):
    side = 4 if FAMILIES[name].kind == "decoder" else len(model_of(name)[1].source(TEXTS[0]))
    mask_BS = torch.ones(1, 5 if FAMILIES[name].kind == "decoder" else side, dtype=torch.long)
    mask_BS[0, 1] = 0
    same(*passes(name, "hide:2", lambda twin: None, attention_mask=mask_BS))


@pytest.mark.parametrize("name", [name for name in FEW if name != "t5"])
def test_without_its_scale_a_model_multiplies_scores_by_one(name):
    def change(twin):
        for found in sublayers(twin, FAMILIES[name]).values():
            for each in found:
                each.attention.scaling = 1.0

    same(*passes(name, "no-scale", change))


@pytest.mark.parametrize("name", FAMILIES)
def test_without_positions_what_says_where_a_token_stands_is_nothing(name):
    def change(twin):
        for module in twin.modules():
            kind = type(module).__name__
            if (
                "Positional" in kind
                or hasattr(module, "position_embeddings")
                or kind == "GPT2Model"
            ):
                table = getattr(module, "position_embeddings", getattr(module, "wpe", module))
                held = table.weights if hasattr(table, "weights") else table.weight.data
                held.zero_()
            if hasattr(module, "relative_attention_bias"):
                module.relative_attention_bias.weight.data.zero_()
            if hasattr(module, "inv_freq"):
                module.inv_freq.zero_()

    same(*passes(name, "no-positions", change))


@pytest.mark.parametrize("name", FEW)
def test_a_sublayer_that_is_off_adds_nothing(name):
    stack = "encoder" if "encoder" in FAMILIES[name].paths else "decoder"

    def change(twin):
        output = sublayers(twin, FAMILIES[name])[stack][1].output
        for parameter in output.parameters():
            parameter.data.zero_()

    same(*passes(name, f"sublayer-off:{stack}.2.self", change))


def test_a_value_of_zero_adds_nothing_and_keeps_its_weight():
    same(*passes("marian", "zero-value:2.encoder.1.1", one_head))
    _, model = model_of("gpt2")
    target = [(5, 6, 7, 8)]
    edited = model.edited(read_edits(["zero-value:2"])).full_pass([()], target)
    plain = model.full_pass([()], target)
    first, second = (each.records("decoder")[0].weights_BHQK for each in (edited, plain))
    assert torch.equal(first, second) and not torch.equal(edited.logits_BTV, plain.logits_BTV)


def one_head(twin):
    """The value of the second token in the first head of the first layer is zero."""
    value = twin.model.encoder.layers[0].self_attn.v_proj

    def zeroed(_, __, made):
        made = made.clone()
        made[:, 1, : made.shape[-1] // 2] = 0
        return made

    value.register_forward_hook(zeroed)


def test_which_edits_there_are_is_said_and_each_changes_something():
    for name in ("marian", "t5", "llama", "bert"):
        _, model = model_of(name)
        kinds = model.anatomy.edits
        assert ("no-scale" in kinds) == (name != "t5")
        assert ("causal-mask" in kinds) == (name != "bert")
        assert {"no-pad-mask", "pads-rows"} <= {*kinds}
        assert ("dropout" in kinds) == (name != "llama")
        assert ("encoder-layer" in kinds) == (name in ("marian", "t5"))
        assert not {"head-mean", "no-embedding-scale"} & {*kinds}
        assert isinstance(model.network, nn.Module) and not model.changes.edits


@pytest.mark.parametrize("name", FEW)
def test_a_head_at_its_mean_hands_on_the_mean_at_every_place(name):
    _, model = model_of(name)
    at, (site, H) = 1, (model.anatomy.sites[-1].site, model.anatomy.sites[-1].heads)
    E = model.full_pass([(5, 6)], [(5, 6)]).records(site)[0].v_BHKE.shape[-1]
    means_LHE = np.random.default_rng(0).normal(size=(3, H, E)).astype(np.float32)

    def change(twin):
        def mean(_, args):
            joined = args[0].clone()
            joined[..., E : 2 * E] = torch.from_numpy(means_LHE[at, 1])
            return (joined,)

        sublayers(twin, FAMILIES[name])[site][at].output.register_forward_pre_hook(mean)

    same(*passes(name, f"head-mean:{site}.2.2", change, means={site: means_LHE}))


@pytest.mark.parametrize("name", ["marian", "bart", "mbart", "m2m_100", "pegasus"])
def test_without_its_scale_an_embedding_is_what_the_table_has(name):
    def change(twin):
        for module in twin.modules():
            if hasattr(module, "embed_scale"):
                assert module.embed_scale == 4
                module.embed_scale = 1.0

    same(*passes(name, "no-embedding-scale", change, {"scale_embedding": True}))
    edited = model_of(name, scale_embedding=True)[1].edited(read_edits(["no-embedding-scale"]))
    assert not edited.facts["scaled_embedding"]


@pytest.mark.parametrize("name", ["marian", "t5", "mbart", "pegasus"])
def test_the_encoder_read_early_is_a_shorter_encoder(name):
    def change(twin):
        encoder = twin.get_encoder()
        layers = "block" if name == "t5" else "layers"
        setattr(encoder, layers, getattr(encoder, layers)[:1])

    same(*passes(name, "encoder-layer:1", change))


@pytest.mark.parametrize("name", FEW)
def test_heads_that_are_not_transposed_are_read_as_they_lie(name):
    def change(twin):
        for site, found in sublayers(twin, FAMILIES[name]).items():
            H = next(one.heads for one in model_of(name)[1].anatomy.sites if one.site == site)

            def lie(_, args, H=H):
                B, Q, C = args[0].shape
                return (args[0].view(B, Q, H, C // H).transpose(1, 2).reshape(B, Q, C),)

            for each in found:
                each.output.register_forward_pre_hook(lie)

    same(*passes(name, "no-transpose", change))


@pytest.mark.parametrize("name", ["marian", "t5"])
def test_vectors_that_are_not_transposed_are_split_as_they_lie(name):
    names = {"marian": ("q_proj", "k_proj", "v_proj"), "t5": ("q", "k", "v")}[name]

    def change(twin):
        for site, found in sublayers(twin, FAMILIES[name]).items():
            H = next(one.heads for one in model_of(name)[1].anatomy.sites if one.site == site)

            def lie(_, args, made, H=H):
                B, T, C = made.shape
                return made.view(B, H, T, C // H).transpose(1, 2).reshape(B, T, C)

            for each in found:
                for part in names:
                    getattr(each.attention, part).register_forward_hook(lie)

    same(*passes(name, "no-split-transpose", change))


@pytest.mark.parametrize("name", ["bert", "gpt2"])
def test_a_finite_mask_makes_a_row_that_sees_nothing_see_everything(name):
    """What the library does with an additive mask of -1e9; a row that sees something is as ever."""
    T = 5
    if name == "bert":
        hidden = [f"hide:{at + 1}" for at in range(len(model_of(name)[1].source(TEXTS[0])))]
        mask = torch.full((1, 1, len(hidden), len(hidden)), -1e9)
    else:
        hidden = ["causal-mask:behind"]
        mask = torch.full((T, T), -1e9).triu(0)[None, None]
    same(*passes(name, [*hidden, "finite-mask"], lambda twin: None, attention_mask=mask))


@pytest.mark.parametrize("name", FAMILIES)
def test_dropout_falls_where_the_library_drops_and_by_its_rates(name, monkeypatch):
    rates = {
        setting: 0.1 + 0.05 * n for n, setting in enumerate({*FAMILIES[name].dropout.values()})
    }
    layers = {"encoder_layerdrop": 0.0, "decoder_layerdrop": 0.0} if name == "m2m_100" else {}
    _, model = model_of(name, **rates)
    names, seen = [], dict(FAMILIES[name].dropout)

    def end_of(tap):
        return next((e for e in seen if f".{tap}".endswith(f".{e}")), None)

    def noted(tap, value):
        if end_of(tap):
            names.append(tap)
        return value

    source = model.source(TEXTS[0]).ids
    target = (*(model.words.prompt() or source[:1]), 7, 9, 12, 8)
    model.full_pass([source], [target], tap=noted)
    left = iter(names)

    def dropout(value, p=0.5, training=True, inplace=False):
        if not training or not p:
            return value
        tap = next(left)
        assert p == rates[seen[end_of(tap)]]
        drawn = []
        for place in range(value.shape[-2]):
            random = np.random.default_rng([3, zlib.crc32(tap.encode()), place])
            whole = value.dim() == 3
            shape = value.shape[-1:] if whole else (value.shape[-1], value.shape[1])
            drawn.append(((random.random(shape) >= p) / (1 - p)).T)
        return value * torch.from_numpy(np.stack(drawn, axis=-2)).to(value)

    def change(twin):
        twin.train()
        monkeypatch.setattr(nn.functional, "dropout", dropout)

    try:
        found, wanted, plain = passes(name, "dropout:3", change, rates | layers)
    finally:
        monkeypatch.undo()
    same(found, wanted, plain)
    assert next(left, None) is None
