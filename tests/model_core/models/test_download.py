import http.server
import json
import threading

import numpy as np
import pytest
import safetensors.numpy

from model_core.errors import CheckpointError, CheckpointMissing
from model_core.models.download import check_listing, fetch


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No network, and nothing in the cache."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """The files of the one model of a hub on this machine; the cache is empty."""
    from huggingface_hub import constants

    files, commit = {"config.json": b'{"model_type": "gpt2"}'}, "a" * 40
    weights = {"wte.weight": np.zeros((2, 2), np.float32)}
    files |= {"model.safetensors": safetensors.numpy.save(weights), "pytorch_model.bin": b"x"}

    class Hub(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path.partition("?")[0].rpartition("/")[2]
            sizes = [{"rfilename": one, "size": len(content)} for one, content in files.items()]
            tree = [{"type": "file", "path": one["rfilename"], "oid": "b"} | one for one in sizes]
            said = tree if "/tree/" in self.path else {"id": "me/it", "siblings": sizes}
            if isinstance(said, dict):
                said["sha"] = commit
            content = files.get(name) or json.dumps(said).encode()
            self.send_response(200 if "me/it" in self.path else 404)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("ETag", f'"{name}"')
            self.send_header("X-Repo-Commit", commit)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(content)

        do_HEAD = do_GET

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    soon = (0.01,)  # seconds after which it looks whether it is to end
    threading.Thread(target=server.serve_forever, args=soon, daemon=True).start()
    place = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", place)
    template = place + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    yield files
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("name", ["hf:me/it", "hf:me/it@v1"])
def test_what_was_fetched_once_is_there_without_a_network(hub, monkeypatch, name):
    from huggingface_hub import constants

    folder = fetch(name)
    assert {path.name for path in folder.iterdir()} == {"config.json", "model.safetensors"}
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert fetch(name) == folder


@pytest.mark.parametrize("config", [b"{", b"3", b'{"model_type": "unheard-of"}'])
def test_a_configuration_that_is_none_is_named_before_weights_are_fetched(hub, tmp_path, config):
    hub["config.json"] = config
    with pytest.raises(CheckpointError, match=r"JSON|unheard-of") as told:
        fetch("hf:me/it")
    assert not isinstance(told.value, CheckpointMissing)
    assert not [*tmp_path.rglob("*.safetensors")]


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
