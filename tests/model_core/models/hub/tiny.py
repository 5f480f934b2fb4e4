"""Small models of every architecture of the table, with random weights of a seed.

The library itself is loaded with the first of them: that takes longer than most tests.
"""

import copy

import torch

from model_core.models.hub.families import FAMILIES
from tests.model_core.models.hub.tokenizing import tokenizer_of

VOCABULARY = 60
_BART = {
    "d_model": 16,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 24,
    "decoder_ffn_dim": 24,
    "max_position_embeddings": 40,
    "pad_token_id": 0,
    "eos_token_id": 1,
    "bos_token_id": 2,
    "decoder_start_token_id": 0,
    "forced_eos_token_id": None,
}
_T5 = {  # as deep on both sides: the library's own generate() fails where they differ
    "d_model": 16,
    "d_kv": 6,
    "d_ff": 24,
    "num_layers": 3,
    "num_heads": 4,
    "relative_attention_num_buckets": 8,
    "relative_attention_max_distance": 12,
    "decoder_start_token_id": 0,
}
_BERT = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 24,
    "max_position_embeddings": 40,
}
_LLAMA = {
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "intermediate_size": 24,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 2,
    "eos_token_id": 1,
}
CONFIGS = {
    "marian": _BART | {"static_position_embeddings": True},
    "bart": _BART | {"decoder_start_token_id": 1, "forced_bos_token_id": None},
    "mbart": _BART | {"decoder_start_token_id": 1},
    "m2m_100": _BART | {"decoder_start_token_id": 1},
    "pegasus": _BART,
    "t5": _T5 | {"tie_word_embeddings": True},  # it scales what it predicts from, then
    "mt5": _T5 | {"feed_forward_proj": "gated-gelu"},
    "bert": _BERT,
    "roberta": _BERT | {"pad_token_id": 0},
    "xlm-roberta": _BERT | {"pad_token_id": 0},
    "camembert": _BERT | {"pad_token_id": 0},
    "distilbert": {
        "dim": 16,
        "n_layers": 2,
        "n_heads": 4,
        "hidden_dim": 24,
        "max_position_embeddings": 40,
    },
    "gpt2": {
        "n_embd": 16,
        "n_layer": 3,
        "n_head": 4,
        "n_positions": 64,
        "bos_token_id": 1,
        "eos_token_id": 1,
    },
    "llama": _LLAMA,
    "mistral": _LLAMA | {"sliding_window": 5},
    "qwen2": _LLAMA | {"num_key_value_heads": 1},
    "qwen3": _LLAMA,
}
CLASSES = {
    "encoder-decoder": "AutoModelForSeq2SeqLM",
    "decoder": "AutoModelForCausalLM",
    "encoder": "AutoModelForMaskedLM",
}


def config_of(name, **more):
    from transformers import AutoConfig

    more = {"vocab_size": VOCABULARY, "tie_word_embeddings": False} | CONFIGS[name] | more
    return AutoConfig.for_model(name, **more)


def of_config(kind, config):
    """The library's own model of that kind, attending by its own function."""
    import transformers

    return getattr(transformers, CLASSES[kind]).from_config(config, attn_implementation="eager")


def eager(name, seed=0, **more):
    """The same in evaluation mode, of a family."""
    torch.default_generator.manual_seed(seed)
    model = of_config(FAMILIES[name].kind, config_of(name, **more))
    with torch.no_grad():  # larger than they are made, so that what it writes has some variety
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                tokens = "embed_tokens" in name or "shared" in name or "wte" in name
                scale = 2.0 if tokens else 0.5 if parameter.dim() > 1 else 0.05
                parameter.add_(torch.randn_like(parameter) * scale)
        if model.get_output_embeddings() is not None:
            model.get_output_embeddings().weight[1] *= 2  # the end comes up now and then
    return model.eval()


def recorded(model):
    """The same weights, attending by the function that records."""
    from model_core.models.hub.attention import record_modules

    twin = copy.deepcopy(model)
    record_modules(twin, FAMILIES[twin.config.model_type])
    return twin


def saved_hub(folder, name, seed=0, **more):
    """The folder, in which `save_pretrained` has written such a model with its tokenizer."""
    eager(name, seed, **more).save_pretrained(folder)
    tokenizer_of(FAMILIES[name].kind).save_pretrained(folder)
    return folder
