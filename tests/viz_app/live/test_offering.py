"""What a server offers to browsers: models of which weights, and none that is too large."""

import json

from model_core.checkpoints.folder import fingerprint, workplace
from tests.tiny import tiny_checkpoint
from viz_app.live import offering
from viz_app.live.offering import offered
from viz_app.version import VERSION


def test_every_small_model_that_can_be_read_is_offered_with_the_fingerprint_that_the_menu_has(
    tmp_path, monkeypatch
):
    for name in ("killed", "large", "small"):
        tiny_checkpoint(tmp_path / name)
    place = workplace(tmp_path / "killed")  # of a save, which left the old one aside
    place.mkdir()
    (tmp_path / "killed").rename(place / "old")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    (tmp_path / "large" / "notes.txt").write_bytes(b" " * 10**6)
    monkeypatch.setattr(offering, "MOST_BYTES", 10**6)
    about, files = offered(tmp_path, "demo")
    pieces = json.loads(files["pieces.json"])
    assert about["fingerprints"] == {
        "killed": fingerprint(place / "old"),
        "small": fingerprint(tmp_path / "small"),
    }
    assert [*pieces["models"]] == [*about["sizes"]["models"]] == ["killed", "small"]
    assert about["version"] == pieces["version"] == VERSION and about["limits"] == "demo"
    assert "compare" in about["others"] and "masks" not in about["others"]
