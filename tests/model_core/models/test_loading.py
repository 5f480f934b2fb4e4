import sys

import pytest
import torch

from model_core.__main__ import main
from model_core.errors import CheckpointError, CheckpointMissing, ConfigError, RecipeError
from model_core.models.loading import device_named, open_model
from model_core.models.own import OwnModel
from model_core.values.recipe import Recipe
from tests.model_core.models.hub.tiny import saved_hub
from tests.model_core.models.hub.tokenizing import tokenizer_of
from tests.tiny import tiny_checkpoint


@pytest.fixture
def tiny_folder(tmp_path):
    tiny_checkpoint(tmp_path / "own" / "tiny")
    return tmp_path / "own" / "tiny"


@pytest.fixture
def saved(tmp_path):
    return saved_hub(tmp_path / "tiny-marian", "marian")


def test_a_folder_of_ours_and_one_of_transformers_open_alike(saved, tiny_folder):
    ours, theirs = open_model(tiny_folder), open_model(saved, device="cpu")
    assert isinstance(ours, OwnModel) and theirs.name == "tiny-marian"
    for model in (ours, theirs):
        assert model.anatomy.kind == "encoder-decoder"


def test_without_the_library_the_message_says_what_to_install(saved, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    for where in (saved, "hf:nobody/nothing"):
        with pytest.raises(CheckpointError, match=r"pip install -r requirements-hub\.txt"):
            open_model(where)


def test_a_device_that_is_not_there_is_named():
    assert device_named("cpu") == "cpu"
    assert device_named("auto") in ("cpu", "cuda", "mps")
    with pytest.raises(ConfigError, match=r"torch sees no tpu.*Choose one of auto"):
        device_named("tpu")


def test_a_gpu_that_is_not_there_is_an_error_with_a_remedy(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ConfigError, match=r"no cuda.*Choose one of auto, cpu"):
        device_named("cuda", among=("cuda", "cpu"))


@pytest.mark.parametrize(("found", "device"), [(True, "cuda"), (False, "cpu")])
def test_auto_is_a_gpu_where_there_is_one(found, device, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: found)
    assert device_named("auto", among=("cuda", "cpu")) == device


def test_the_commands_translate_and_describe_such_a_folder(saved, capsys):
    assert main(["translate", "--model", str(saved), "--text", "the old cat"]) == 0
    said = capsys.readouterr().out.strip()
    assert said and set(said.split()) <= set(tokenizer_of("encoder-decoder").get_vocab())
    assert main(["info", "--model", str(saved), "--device", "cpu"]) == 0
    said = capsys.readouterr().out
    assert "decoder: 3 layers, 4 heads" in said and "dtype = float32" in said
    assert main(["translate", str(saved), "--text", "the", "--set", "to=fra"]) == 1
    assert "no setting 'to'" in capsys.readouterr().err


def test_our_own_models_have_nothing_to_set(tiny_folder):
    model = open_model(tiny_folder)
    with pytest.raises(RecipeError, match="no setting 'to'"):
        model.source("a", settings=(("to", "fra"),))
    with pytest.raises(CheckpointMissing):
        open_model(tiny_folder / "nowhere")


def test_every_family_goes_through_the_library(saved):
    from model_core.decoding.library import Library

    library = Library(saved.parent, device="cpu")
    assert library.names() == ["tiny-marian"]
    recipe, decoding = library.extend(Recipe("tiny-marian", "the cat"), 3)
    assert len(recipe.target) == 3 and len(decoding.steps) == 4


def test_a_library_fetches_from_the_hub_only_where_it_may(saved, monkeypatch):
    """A visitor's recipe names a model; it must never start a download."""
    from model_core.decoding.library import Library
    from model_core.models import download

    asked = []

    def fetch(name):
        asked.append(name)
        return saved

    monkeypatch.setattr(download, "fetch", fetch)
    with pytest.raises(CheckpointMissing):
        Library(saved.parent, device="cpu").tracer("hf:some/model")
    assert asked == []
    tracer = Library(saved.parent, device="cpu", fetches=True).tracer("hf:some/model")
    assert asked == ["hf:some/model"] and tracer.model.name == "hf:some/model"
