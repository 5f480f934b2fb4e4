"""Files that are not what they are said to be, tokenizers, special tokens, the command."""

import json
import re
import shlex
import shutil
import zipfile

import pytest
import safetensors.torch
import tokenizers
import torch
from tokenizers import models, pre_tokenizers, trainers
from torch import nn

from model_core import __main__ as program
from model_core.checkpoints.imports.importing import (
    LAYOUTS,
    guess_layout,
    import_checkpoint,
    read_imported,
)
from model_core.checkpoints.store import open_checkpoint
from model_core.decoding.cache import Cache
from model_core.decoding.library import Library
from model_core.decoding.tracer import Tracer
from model_core.errors import CheckpointBroken, CheckpointError, CheckpointMissing
from model_core.models.own import open_own
from model_core.values.importing import LAYOUT_NAMES, Hints, Named
from model_core.values.recipe import Recipe
from model_core.values.special import Special
from tests.conftest import ROOT
from tests.model_core.checkpoints.imports.post_norm import Convolutions, JoinedHeads, NoBias
from tests.model_core.checkpoints.imports.pre_norm import Annotated, Hkproj
from tests.model_core.checkpoints.imports.textbook import Textbook
from tests.model_core.checkpoints.imports.torchs import Torchs

README = (ROOT / "README.md").read_text(encoding="utf-8")
WORDS = ["the", "old", "cat", "sleeps", "on", "roof", "."]
SPECIALS = ["[UNK]", "[PAD]", "[SOS]", "[EOS]"]
V = len(SPECIALS + WORDS)
SIZES = {"Vs": V, "Vt": V, "D": 16, "depths": (1, 2), "heads": 2, "F": 12, "P": 20}
THEIRS = {
    "hkproj": lambda: Hkproj(**SIZES, pad=1, gains="each", cross="cross_attention_block"),
    "annotated": lambda: Annotated(**SIZES, pad=2),
    "convolutions": lambda: Convolutions(**SIZES, E=8),
    "joined-heads": lambda: JoinedHeads(**SIZES, sequential=False),
    "no-bias": lambda: NoBias(**SIZES),
    "textbook": lambda: Textbook(**SIZES, similarity="dot", hard=False, rotary=False),
    "torch": lambda: Torchs(**SIZES, first=False, activation="relu"),
}
TWO = Hints(heads=2)


def word_level():
    """A tokenizer as the tutorial of hkproj trains it."""
    made = tokenizers.Tokenizer(models.WordLevel(unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(special_tokens=SPECIALS, show_progress=False)
    made.train_from_iterator([" ".join(WORDS)] * 3, trainer)
    return made


@pytest.fixture
def tokenizer(tmp_path):
    path = tmp_path / "tokenizer_en.json"
    word_level().save(str(path))
    return path


def saved(tmp_path, theirs=None, name="theirs.pt", **changes):
    state = dict((theirs or THEIRS["hkproj"]()).state_dict()) | changes
    torch.save({key: value for key, value in state.items() if value is not None}, tmp_path / name)
    return tmp_path / name


def test_every_layout_has_its_name():
    assert tuple(LAYOUTS) == LAYOUT_NAMES


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_is_recognised_by_the_names_of_its_tensors(tmp_path, name):
    path = saved(tmp_path, THEIRS[name]())
    assert guess_layout(list(torch.load(path, weights_only=True))) == name
    wrong = "annotated" if name == "hkproj" else "hkproj"
    with pytest.raises(CheckpointBroken, match=f"not of the layout {wrong}.* the layout {name}"):
        read_imported(path, hints=Hints(wrong))


def test_torchs_transformer_may_have_any_name_and_a_name_too_many_is_told_whole(tmp_path):
    model, path = THEIRS["torch"](), tmp_path / "renamed.pt"
    theirs = model.state_dict()

    def renamed(names):
        pattern = re.compile("|".join(map(re.escape, names)))
        torch.save({pattern.sub(lambda one: names[one[0]], k): theirs[k] for k in theirs}, path)
        return path

    own = read_imported(saved(tmp_path, model)).model.state_dict()
    known = {
        "transformer.": "my.t.",
        "src_tok_emb.embedding": "src",
        "tgt_tok_emb.embedding": "trg",
    }
    again = read_imported(renamed(known)).model.state_dict()
    assert all(torch.equal(own[name], again[name]) for name in own)
    with pytest.raises(CheckpointBroken, match=r"nearest is torch.*'my\.own\.network\.inside\.\w+"):
        read_imported(renamed({"transformer.": "my.own.network.inside."}))
    torch.save({"banana": torch.ones(2)}, path)
    with pytest.raises(CheckpointBroken, match=r"It has 'banana'\. .* README"):
        read_imported(path)


def test_what_others_trained_has_no_kin_to_be_compared_with(tmp_path):
    for name in ("hkproj", "annotated"):
        import_checkpoint(saved(tmp_path, THEIRS[name]()), tmp_path / "all" / name, hints=TWO)
    assert Library(tmp_path / "all").comparable("hkproj") == ()


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_imported_opens_and_translates(tmp_path, name):
    made = import_checkpoint(saved(tmp_path, THEIRS[name]()), tmp_path / "made", hints=TWO)
    again = open_own(tmp_path / "made")
    assert again.config == made.config and again.config.encoder_heads == 2
    recipe = Recipe("made", "4 5 7 8 9")
    _, decoding = Tracer(again, Cache(0)).extend(recipe, None)
    assert decoding.finished is not None
    assert decoding.source.kinds.count("text") == 5
    _, begun = Tracer(again, Cache(0)).extend(recipe, 2)
    assert [choice.token for choice in begun.chosen] == [
        choice.token for choice in decoding.chosen[:2]
    ]


def test_words_are_tokens_and_others_are_unknown(tmp_path, tokenizer):
    made = import_checkpoint(saved(tmp_path), tmp_path / "made", [tokenizer], TWO)
    theirs = word_level()
    text = "the old dog sleeps."
    wanted = [theirs.token_to_id("[SOS]"), *theirs.encode(text).ids, theirs.token_to_id("[EOS]")]
    tokens = made.source_tokenizer.encode(text)
    assert list(tokens.ids) == wanted
    assert tokens.kinds[3] == "unknown" and text[slice(*tokens.spans[3])] == "dog"
    assert made.config.special == Special(pad=1, start=2, end=3, unknown=0, source_start=2)
    assert made.source_tokenizer is made.target_tokenizer


def test_a_state_dict_may_be_bare_wrapped_parallel_or_safetensors(tmp_path):
    state = THEIRS["hkproj"]().state_dict()
    torch.save(
        {"epoch": 1, "model_state_dict": state, "optimizer_state_dict": {}}, tmp_path / "a.pt"
    )
    torch.save({f"module.{name}": tensor for name, tensor in state.items()}, tmp_path / "b.pth")
    safetensors.torch.save_file(
        {name: tensor.clone() for name, tensor in state.items()}, tmp_path / "c.safetensors"
    )
    first, *others = (
        read_imported(tmp_path / name, hints=TWO) for name in ("a.pt", "b.pth", "c.safetensors")
    )
    for other in others:
        for name, tensor in first.model.state_dict().items():
            assert torch.equal(tensor, other.model.state_dict()[name])


class Owned:
    pass


def test_a_file_that_would_have_to_run_code_is_refused_by_name(tmp_path, monkeypatch):
    path = tmp_path / "whole.pt"
    torch.save(nn.Linear(2, 2), path)
    with pytest.raises(CheckpointBroken, match=r"holds torch\.nn\.modules\.linear\.Linear, which"):
        read_imported(path)
    torch.save({"model_state_dict": THEIRS["hkproj"]().state_dict(), "config": Owned()}, path)
    with pytest.raises(CheckpointBroken, match="Owned, which only running code"):
        read_imported(path)


@pytest.mark.parametrize("content", [b"", b"junk", b"PK\x03\x04junk", b"\x80\x02}q\x00."])
def test_a_file_that_is_no_state_dict_is_refused(tmp_path, content):
    path = tmp_path / "junk.pt"
    path.write_bytes(content)
    with pytest.raises(CheckpointBroken, match=r"junk\.pt"):
        read_imported(path)
    with pytest.raises(CheckpointMissing):
        read_imported(tmp_path / "none.pt")


def test_an_archive_that_grows_is_refused(tmp_path):
    path = saved(tmp_path)
    with (
        zipfile.ZipFile(path) as old,
        zipfile.ZipFile(tmp_path / "bomb.pt", "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in old.infolist():
            new.writestr(part.filename, old.read(part))
    with pytest.raises(CheckpointBroken, match="is compressed"):
        read_imported(tmp_path / "bomb.pt")


@pytest.mark.parametrize(
    ("more", "said"),
    [(9_000, "nearest is torch, which does not know"), (20_000, "20,006 tensors; at most")],
)
def test_a_file_of_very_many_names_is_told_what_is_wrong_with_it(tmp_path, more, said):
    state = Torchs(**SIZES, first=False, activation="relu").state_dict()
    state = dict(list(state.items())[:6]) | {f"x{n}": torch.zeros(1) for n in range(more)}
    safetensors.torch.save_file(state, tmp_path / "m.safetensors")
    with pytest.raises(CheckpointBroken, match=said):
        read_imported(tmp_path / "m.safetensors")


def test_a_tensor_larger_than_what_is_stored_of_it_is_refused(tmp_path):
    path = saved(tmp_path, **{"src_pos.pe": torch.zeros(1).expand(10**8)})
    with pytest.raises(CheckpointBroken, match=r"src_pos\.pe has more numbers than the file"):
        read_imported(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused_by_name(tmp_path, value):
    bad = torch.full((V,), value)
    path = saved(tmp_path, **{"projection_layer.proj.bias": bad})
    with pytest.raises(CheckpointBroken, match=r"projection_layer\.proj\.bias has weights that"):
        read_imported(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"encoder.layers.0.self_attention_block.w_k.weight": None},
            "no tensor for encoder.0.self",
        ),
        ({"decoder.layers.1.feed_forward_block.linear_1.bias": None}, "decoder.1.feed_forward"),
        ({"decoder.layers.3.residual_connections.0.norm.alpha": torch.ones(16)}, "decoder.2"),
        ({"tgt_embed.embedding.weight": torch.ones(V, 15)}, "has shape"),
        ({"projection_layer.proj.weight": None}, "no tensor for logits"),
        ({"surprise": torch.ones(2)}, "does not know 'surprise'"),
        ({"module.surprise": torch.ones(2), "surprise": torch.ones(2)}, "'surprise' twice"),
        ({"encoder.layers.0.self_attention_block.w_k.weight": torch.ones(16, 15)}, "have shapes"),
        ({"src_embed.embedding.weight": torch.ones(16)}, "source.embedding.weight"),
    ],
)
def test_a_file_that_lacks_something_or_has_too_much_is_refused_by_name(tmp_path, changes, message):
    with pytest.raises(CheckpointBroken, match=message):
        read_imported(saved(tmp_path, **changes), hints=Hints("hkproj", 2))


@pytest.mark.parametrize("part", ["WQ.weight", "U.weight", "v"])
def test_a_head_whose_parts_do_not_fit_is_refused_by_name(tmp_path, part):
    theirs = Textbook(**SIZES, similarity="additive", hard=False, rotary=False)
    name = f"encoder.layers.0.attention.heads.0.{part}"
    for wrong in (None, torch.ones(15, 15)) if part != "v" else (torch.ones(7),):
        with pytest.raises(CheckpointBroken, match=r"head 0|encoder\.0\.self\.additive"):
            read_imported(saved(tmp_path, theirs, **{name: wrong}), hints=TWO)


@pytest.mark.parametrize("positions", ["sinusoidal", "none"])
def test_a_file_without_a_table_of_positions_opens_and_says_what_was_taken(tmp_path, positions):
    settings = {} if positions == "sinusoidal" else {"positions": positions}
    path = saved(tmp_path, THEIRS["torch"](), **{"positional_encoding.pos_embedding": None})
    found = read_imported(path, hints=Hints(heads=2, settings=settings))
    assert found.model.config.positions == positions
    assert "no table of positions" in found.notes[0]
    assert "where the norm stands" in found.notes[1]  # no name of a tensor of torch says it


def test_heads_that_do_not_divide_are_refused(tmp_path):
    for heads in (3, 0, -2):
        said = f"16 rows of queries are not divisible by {heads} heads"
        with pytest.raises(CheckpointBroken, match=said):
            read_imported(saved(tmp_path), hints=Hints(heads=heads))


@pytest.mark.parametrize(
    ("vocabulary", "special"),
    [
        ({word: row for row, word in enumerate([*SPECIALS, *WORDS])}, Special(1, 2, 3, 0, 2)),
        (["<pad>", "<sos>", "<eos>", *WORDS, "more"], Special(0, 1, 2, None, 1)),
    ],
)
def test_a_plain_vocabulary_is_a_tokenizer_too(tmp_path, vocabulary, special):
    path = tmp_path / "vocab.json"
    path.write_text(json.dumps(vocabulary))
    found = read_imported(saved(tmp_path), [path], TWO)
    assert found.model.config.special == special
    assert found.tokenizers[0].decode(found.tokenizers[0].ids("the cat .")) == "the cat ."


@pytest.mark.parametrize(
    ("content", "named", "message"),
    [
        ("{", Named(), "is not JSON"),
        ("3", Named(), "neither a tokenizer nor an object"),
        (json.dumps([*"abcdefgh", "[PAD]", "[SOS]", "z"]), Named(), "with --end PIECE"),
        (json.dumps([*"abcdefgh", "[PAD]", "[SOS]", "z"]), Named(end="q"), "no piece 'q' for end"),
        (json.dumps(["[PAD]", "[SOS]", "[EOS]", "a"]), Named(), "has 4 pieces; the model has 11"),
        (json.dumps({"[PAD]": 0, "[SOS]": 1, "[EOS]": 7, "a": 3}), Named(), "has 4 pieces"),
        (json.dumps({"[PAD]": 0, "[SOS]": 1, "[EOS]": 2, "a": 10**30}), Named(), "tokenizer"),
        ('{"model": {"vocab": {}}, "added_tokens": 5}', Named(), "no list of tokens"),
    ],
)
def test_a_tokenizer_that_does_not_fit_is_refused(tmp_path, content, named, message):
    path = tmp_path / "vocab.json"
    path.write_text(content)
    with pytest.raises(CheckpointBroken, match=message):
        read_imported(saved(tmp_path), [path], Hints(heads=2, named=named))


def test_tokenizers_whose_special_tokens_differ_are_refused(tmp_path):
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    one.write_text(json.dumps([*SPECIALS, *WORDS]))
    two.write_text(json.dumps([*SPECIALS[::-1], *WORDS]))
    with pytest.raises(CheckpointBroken, match="special tokens must have the same ids"):
        read_imported(saved(tmp_path), [one, two], TWO)


def test_named_special_tokens_and_no_start_on_the_source(tmp_path):
    named = Named(pad="4", start="5", end="6", source_start=False)
    found = read_imported(saved(tmp_path), hints=Hints(heads=2, named=named))
    assert found.model.config.special == Special(4, 5, 6)
    assert found.tokenizers[0].encode("7 8").pieces == ("7", "8", "</s>")


def test_the_command_writes_a_checkpoint_and_says_what_is_unusual(tmp_path, tokenizer, capsys):
    path, out = saved(tmp_path), tmp_path / "mine"
    words = ["import", str(path), "--layout", "hkproj", "--heads", "2", "--out", str(out)]
    assert program.main([*words, "--tokenizer", str(tokenizer)]) == 0
    assert "layout hkproj" in (said := capsys.readouterr().out) and "Masks write −1e9" in said
    assert program.main(["info", str(out)]) == 0
    assert program.main([*words]) == 1  # the folder is there already
    assert "exists already" in capsys.readouterr().err
    other = [*words[:-1], str(tmp_path / "other")]
    assert program.main([*other, "--set", "norm_place=post"]) == 0
    assert open_checkpoint(tmp_path / "other").config.norm_place == "post"
    for wrong in ("surprise=1", "width", "norm_eps=small"):
        capsys.readouterr()
        assert program.main([*other[:-1], str(tmp_path / "third"), "--set", wrong]) == 1
        assert "norm_" in capsys.readouterr().err  # which field, or which there are
    with pytest.raises(CheckpointError):
        open_checkpoint(tmp_path / "third")


@pytest.mark.parametrize("language", ["README.md", "README.zh.md"])
def test_the_readme_names_every_layout_and_its_tensors(language):
    rows = re.findall(r"^\| `([\w-]+)` \|.*\|(.*)\|$", (ROOT / language).read_text(), re.MULTILINE)
    tensors = {name: cell for name, cell in rows if name in LAYOUTS}
    assert set(tensors) == set(LAYOUTS)
    for name, cell in tensors.items():
        known = " ".join(LAYOUTS[name].fields).replace("}{", "").replace("_emb|_embed", "_emb")
        for field in re.findall(r"`([^`]+)`", cell):
            parts = re.split(r"[_.]", field)
            assert all(part in known for part in parts), f"{name} maps no {field}"


def test_the_command_of_the_readme_runs(tmp_path, tokenizer, monkeypatch):
    line = re.search(r"^python -m model_core (import my-.*)$", README, re.MULTILINE)[1]
    saved(tmp_path, name="my-weights.pt")
    for name in ("my-en.json", "my-it.json"):
        shutil.copy(tokenizer, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert program.main([*shlex.split(line), "--heads", "2"]) == 0
    assert open_checkpoint("my-models/mine").config.unknown_id == 0
