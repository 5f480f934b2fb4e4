import base64
import json
import logging
import os
import re
import shutil
import threading

import pytest
import torch
import transformers
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.models.bert import modeling_bert

from model_core.errors import (
    CheckpointBroken,
    CheckpointError,
    CheckpointMissing,
    RecipeError,
    TokenizerError,
    VisualiserError,
)
from model_core.models.hub.attention import NAME
from model_core.models.hub.families import FAMILIES
from model_core.models.hub.folder import check_tokenizer, is_hub_folder, read_folder
from model_core.models.hub.loading import open_hub, quiet
from model_core.models.hub.model import HubModel
from model_core.models.hub.words import Words
from tests.model_core.models.hub.tiny import CONFIGS, VOCABULARY, eager
from tests.model_core.models.hub.tokenizing import tokenizer_of

PRECOMPILED = {"type": "Precompiled"}
SPLIT = {"type": "Split", "behavior": "Isolated", "invert": False}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A folder of `save_pretrained` with its tokenizer."""

    kept = {}

    def save(name, model=None):
        folder = tmp_path_factory.mktemp(name)
        if model is None and name in kept:
            return shutil.copytree(kept[name], folder, dirs_exist_ok=True)
        (model or eager(name)).save_pretrained(folder)
        tokenizer_of(FAMILIES[name].kind).save_pretrained(folder)
        if model is None:
            kept[name] = shutil.copytree(folder, tmp_path_factory.mktemp("kept") / name)
        return folder

    return save


@pytest.mark.parametrize("name", ["marian", "t5", "bert", "gpt2", "qwen2"])
def test_a_folder_opens_as_the_very_model_that_was_saved(saved, name):
    own = eager(name)
    folder = saved(name, own)
    assert is_hub_folder(folder)
    model = open_hub(folder, name)
    ids = list(model.source("the old cat sleeps").ids)
    target = [*(model.words.prompt() or (2,)), 5, 6]
    found = model.full_pass([ids], [target]).logits_BTV
    inputs = {"input_ids": torch.tensor([target if model.family.kind == "decoder" else ids])}
    if model.family.kind == "encoder-decoder":
        inputs["decoder_input_ids"] = torch.tensor([target])
    with torch.inference_mode():
        assert torch.equal(found, own(**inputs).logits)
    assert model.fingerprint == read_folder(folder).fingerprint
    assert model.facts["dtype"] == "float32"


def test_an_encoder_without_its_head_opens_and_predicts_nothing(saved):
    whole = eager("bert")
    folder = saved("bert", whole.base_model)
    model = open_hub(folder, "bare")
    assert not model.predicts
    passed = model.full_pass([(2, 5, 6, 1)], [()])
    assert passed.logits_BTV.shape == (1, 4, 0)


def test_sharded_weights_open_too(saved):
    own = eager("llama")
    folder = saved("llama", own)
    (folder / "model.safetensors").unlink()
    own.save_pretrained(folder, max_shard_size="5KB")
    assert not (folder / "model.safetensors").exists()
    assert len(read_folder(folder).weights) > 1
    assert open_hub(folder, "llama").anatomy.site("decoder").key_heads == 2


def test_pickled_weights_are_refused_by_name(saved):
    folder = saved("gpt2")
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04cos\nsystem\n")
    with pytest.raises(CheckpointError, match=r"pytorch_model\.bin.*hide programs"):
        open_hub(folder, "gpt2")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model_type": "xlnet"}, "type 'xlnet'"),
        ({"model_type": ["bert"]}, r"type \['bert'\]"),
        ({"reorder_and_upcast_attn": True}, "reorder_and_upcast_attn = True"),
        ({"n_layer": 10_000}, "at most 64 layers"),
        ({"add_cross_attention": True}, "add_cross_attention"),
    ],
)
def test_what_cannot_be_shown_is_refused_before_it_is_loaded(saved, change, reason):
    folder = saved("gpt2")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | change))
    with pytest.raises(CheckpointError, match=reason):
        read_folder(folder)


def test_a_header_that_promises_too_much_is_refused(saved):
    folder = saved("gpt2")
    header = json.dumps(
        {"a": {"dtype": "F32", "shape": [10**6, 10**6], "data_offsets": [0, 4]}}
    ).encode()
    length = len(header).to_bytes(8, "little")
    (folder / "model.safetensors").write_bytes(length + header + b"\0" * 4)
    with pytest.raises(CheckpointError, match=r"1,000,000,000,000 parameters; at most"):
        read_folder(folder)


def test_missing_tensors_and_damaged_files_are_named(saved):
    from safetensors.torch import load_file, save_file

    folder = saved("gpt2")
    weights = load_file(folder / "model.safetensors")
    dropped = next(name for name in weights if "c_attn.weight" in name)
    save_file(
        {name: value for name, value in weights.items() if name != dropped},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )
    with pytest.raises(CheckpointBroken, match="lacks 1 tensors of a gpt2 model"):
        open_hub(folder, "gpt2")
    (folder / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(CheckpointBroken, match="not a safetensors file"):
        open_hub(folder, "gpt2")
    with pytest.raises(CheckpointMissing):
        open_hub(folder / "nowhere", "gpt2")


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("tokenizer.json", {"normalizer": PRECOMPILED | {"precompiled_charsmap": "AAAA"}}, "read"),
        ("tokenizer.json", {"pre_tokenizer": SPLIT | {"pattern": {"Regex": "(a"}}}, "read"),
        ("config.json", {"n_head": "x"}, "n_head"),
        ("config.json", {"n_head": 0}, "loaded"),
    ],
)
def test_what_the_libraries_fail_on_is_named(saved, name, change, said):
    folder = saved("gpt2")
    values = json.loads((folder / name).read_text())
    (folder / name).write_text(json.dumps(values | change))
    with pytest.raises(VisualiserError, match=said):
        open_hub(folder, "gpt2")


@pytest.mark.parametrize(
    ("family", "change"),
    [
        ("marian", {"activation_dropout": -1}),
        ("marian", {"decoder_start_token_id": 99}),
        ("gpt2", {"n_head": -1}),
        ("gpt2", {"eos_token_id": -1}),
        ("bert", {"num_hidden_layers": -1}),
        ("bert", {"num_hidden_layers": 0}),
        ("t5", {"relative_attention_max_distance": -1}),
        ("t5", {"relative_attention_num_buckets": 10**9}),  # 16 GB, of a file of 80 kB
        ("llama", {"hidden_size": 10**18}),
    ],
)
def test_a_number_that_cannot_be_is_told_with_its_file(saved, family, change):
    folder = saved(family)
    values = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(values | change))
    (folder / "generation_config.json").unlink(missing_ok=True)
    with pytest.raises(CheckpointBroken, match=r"config\.json"):
        open_hub(folder, family)


@pytest.mark.parametrize("piece", ["fra_Latn", "[PAD]"])
def test_a_token_that_the_embedding_has_no_row_for_is_named(saved, piece):
    folder = saved("m2m_100")
    tokenizer = tokenizer_of("encoder-decoder")
    tokenizer.add_special_tokens({"additional_special_tokens": [piece]})
    tokenizer.save_pretrained(folder)
    with pytest.raises(CheckpointBroken, match=rf"{re.escape(piece)}. as token 60.* 60 rows"):
        open_hub(folder, "m2m_100")


def replaces(text, count=1):
    one = {"type": "Replace", "pattern": {"String": "a"}, "content": text}
    return {"type": "Sequence", "normalizers": [one] * count}


def charsmap(text):
    blob = (0).to_bytes(4, "little") + b"a\0" + text.encode() + b"\0"
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(blob).decode()}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"normalizer": replaces("a" * 1000)}, "1,001 characters"),
        ({"normalizer": replaces("aa", 16)}, "43,046,721 characters"),
        ({"normalizer": {"type": "Prepend", "prepend": "a" * 2000}}, "2,001 characters"),
        ({"normalizer": charsmap("a" * 5000)}, "5,000 characters"),
        ({"decoder": {"type": "Sequence", "decoders": [replaces("b" * 3000)]}}, "3,001 characters"),
        ({"post_processor": {"ids": [1] * 20_000}}, "characters around a text"),
        ({"added_tokens": [{"id": 5}] * 20_001}, "20,001 added tokens"),
        ({"added_tokens": 5}, "cannot be read"),
    ],
)
def test_a_tokenizer_by_which_a_text_grows_without_bound_is_refused(saved, change, said):
    folder = saved("gpt2")
    values = json.loads((folder / "tokenizer.json").read_text())
    (folder / "tokenizer.json").write_text(json.dumps(values | change))
    with pytest.raises(TokenizerError, match=said):
        open_hub(folder, "gpt2")


def test_a_folder_without_a_tokenizer_is_refused_and_says_how_to_save_it(saved):
    folder = saved("gpt2")
    (folder / "tokenizer.json").unlink()  # the library would make one up that knows no word
    with pytest.raises(TokenizerError, match=r"no tokenizer.*tokenizer\.save_pretrained"):
        open_hub(folder, "gpt2")


def test_sentencepiece_grows_a_text_no_more_than_it_says(tmp_path):
    def field(number, value):  # of a protocol buffer
        length, bits = b"", len(value)
        while bits > 127:
            length, bits = length + bytes([bits & 127 | 128]), bits >> 7
        return bytes([number << 3 | 2]) + length + bytes([bits]) + value

    for size in (900, 1100):
        blob = base64.b64decode(charsmap("a" * size)["precompiled_charsmap"])
        spec = field(1, b"nfkc") + b"\x18\x01" + field(2, blob)
        (tmp_path / "source.spm").write_bytes(field(1, b"piece") + field(3, spec))
        if size < 1000:
            check_tokenizer(tmp_path)
            continue
        with pytest.raises(TokenizerError, match=r"source\.spm .*1,100 characters"):
            check_tokenizer(tmp_path)
    with (tmp_path / "source.spm").open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(CheckpointBroken, match="at most 67,108,864 are read"):
        check_tokenizer(tmp_path)


def test_a_tokenizer_that_fails_on_a_text_is_named_and_reads_the_next(saved):
    folder = saved("gpt2")
    values = json.loads((folder / "tokenizer.json").read_text())
    values["pre_tokenizer"] = SPLIT | {"pattern": {"Regex": "(a|aa)+$"}}  # takes for ever
    (folder / "tokenizer.json").write_text(json.dumps(values))
    model = open_hub(folder, "gpt2")
    with pytest.raises(RecipeError, match="fails on this text"):
        model.source("a" * 40 + "b")
    assert model.source("the").ids


def test_of_a_readme_without_end_the_beginning_is_read(saved):
    folder = saved("gpt2")
    with (folder / "README.md").open("wb") as file:
        file.write(b"About this model.")
        file.truncate(30 * 10**9)
    assert open_hub(folder, "gpt2").card.startswith("About this model.")
    (folder / "README.md").unlink()
    os.mkfifo(folder / "README.md")
    assert open_hub(folder, "gpt2").card == ""


def test_weights_that_are_not_finite_are_refused_by_name():
    own = eager("gpt2")
    with torch.no_grad():
        own.transformer.h[1].mlp.c_fc.weight[0, 0] = float("nan")
    family = FAMILIES["gpt2"]
    with pytest.raises(CheckpointBroken, match=r"h\.1\.mlp\.c_fc\.weight .*not finite"):
        HubModel("gpt2", own, family, Words(tokenizer_of("decoder"), family, (), (1,)))


def test_a_model_that_attends_elsewhere_is_refused(monkeypatch):
    """Its layers go past the function that records: it is not shown as if it had no attention."""
    own = eager("gpt2")
    attention = own.transformer.h[1].attn
    monkeypatch.setattr(
        attention, "forward", lambda hidden_states, **_: (torch.zeros_like(hidden_states), None)
    )
    family = FAMILIES["gpt2"]
    with pytest.raises(CheckpointError, match="cannot be seen"):
        HubModel("gpt2", own, family, Words(tokenizer_of("decoder"), family, (), (1,)))


def test_a_model_whose_weights_are_no_plain_softmax_is_refused(monkeypatch):
    """Softcapping and the like: what is recorded must explain what was used."""
    own, family = eager("llama"), FAMILIES["llama"]
    words = Words(tokenizer_of("decoder"), family, (), (1,))
    attend = ALL_ATTENTION_FUNCTIONS[NAME]

    def capped(module, query, key, value, mask, **more):
        attend(module, query, key, value, mask, **more)
        return attend(module, query.tanh(), key, value, mask, **more)

    monkeypatch.setitem(ALL_ATTENTION_FUNCTIONS._global_mapping, NAME, capped)
    with pytest.raises(CheckpointError, match="cannot be seen"):  # it attends twice in a layer
        HubModel("llama", own, family, words)
    softmax = torch.Tensor.softmax
    monkeypatch.setitem(ALL_ATTENTION_FUNCTIONS._global_mapping, NAME, attend)
    monkeypatch.setattr(
        torch.Tensor,
        "softmax",
        lambda x, *a, **k: softmax(x if x.dtype == torch.float64 else 3 * (x / 3).tanh(), *a, **k),
    )
    with pytest.raises(CheckpointError, match="not the softmax"):
        HubModel("llama", own, family, words)


def test_a_term_of_attention_that_is_not_known_is_refused_by_name():
    """A cap on the scores: without it they would be wrong, and look right."""
    config = transformers.Gemma2Config(
        **CONFIGS["llama"], vocab_size=VOCABULARY, attn_logit_softcapping=0.5
    )
    own = transformers.Gemma2ForCausalLM(config)
    family = FAMILIES["llama"]
    with pytest.raises(CheckpointError, match="'softcap'"):
        HubModel("gemma2", own, family, Words(tokenizer_of("decoder"), family, (), (1,)))


@pytest.mark.parametrize("head", [True, False])
def test_a_model_whose_own_attention_makes_something_else_is_refused(monkeypatch, head):
    """Its weights are the softmax of what is recorded, and still not those of the library."""
    own, family = eager("bert"), FAMILIES["bert"]
    usual = modeling_bert.eager_attention_forward

    def capped(module, query, key, value, mask, scaling, **more):
        return usual(module, query, key, value, mask, scaling / 2, **more)

    monkeypatch.setattr(modeling_bert, "eager_attention_forward", capped)
    words = Words(tokenizer_of("encoder"), family, (), (1,))
    with pytest.raises(CheckpointError, match="library's own"):
        HubModel("bert", own if head else own.base_model, family, words)


def test_two_that_open_at_once_leave_the_library_as_loud_as_it_was():
    library, entered, leave = (
        logging.getLogger("transformers"),
        threading.Event(),
        threading.Event(),
    )
    before = library.level

    def other():
        with quiet():
            entered.set()
            leave.wait()

    one = threading.Thread(target=other)
    with quiet():
        one.start()
        entered.wait(0.1)  # it comes in here only where nothing holds it back
    leave.set()
    one.join()
    assert library.level == before
