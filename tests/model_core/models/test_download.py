import pytest

from model_core.errors import CheckpointError, CheckpointMissing
from model_core.models.download import check_listing, fetch


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No network, and nothing in the cache."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))


def test_without_a_network_the_message_says_what_to_do(offline):
    with pytest.raises(CheckpointMissing, match=r"cannot be reached.*Go online once, or give"):
        fetch("hf:nobody/nothing-of-the-kind")


@pytest.mark.parametrize("name", ["hf:", "hf:../etc", "hf:a/b/c", "hf:a b", "hf:a/..", "hf:a?b"])
def test_a_name_that_is_none_asks_nobody(name, monkeypatch):
    import huggingface_hub

    def asked(*_, **__):
        raise AssertionError("it was asked for")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", asked)
    with pytest.raises(CheckpointMissing, match="no name of a model"):
        fetch(name)


def test_what_is_fetched_is_safetensors_of_a_size_that_can_be_opened():
    shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    listed = {"config.json": 1, "model.safetensors.index.json": 1, "pytorch_model.bin": 9}
    assert check_listing("hf:a", {**listed, **dict.fromkeys(shards, 5)}) == shards
    both = {**listed, "model.safetensors": 5, **dict.fromkeys(shards, 5)}
    assert check_listing("hf:a", both) == ["model.safetensors"]
    with pytest.raises(CheckpointError, match="can hide programs"):
        check_listing("hf:a", listed)
    with pytest.raises(CheckpointError, match=r"90\.0 GB of weights; at most 8 GB"):
        check_listing("hf:a", {"config.json": 1, "model.safetensors": 90 * 10**9})
    with pytest.raises(CheckpointError, match=r"no config\.json"):
        check_listing("hf:a", {"model.safetensors": 5})
