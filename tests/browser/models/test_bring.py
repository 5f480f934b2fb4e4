"""Opening a model by its path, by hand: what is refused, what is in the menu from then on."""

import pytest
import torch
from playwright.sync_api import expect

from tests.model_core.checkpoints.imports.post_norm import NoBias
from tests.model_core.checkpoints.imports.test_importing import SIZES, saved, word_level
from tests.serving import serve
from tests.tiny import tiny_checkpoint
from viz_app.text import WORDS

SHUT = "!document.querySelector('dialog.bring[open]')"


@pytest.fixture(scope="module")
def local_app(tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    tiny_checkpoint(root / "tiny", max_positions=40)
    with serve(root, opens_paths=True) as served:
        yield served


def bring(stage, **fields):
    stage.page.locator("select.model").select_option("own:")
    for name, value in fields.items():
        stage.page.fill(f".bring [name={name}]", str(value))
    stage.page.click("[data-act=bring]")


def test_a_state_dict_is_opened_and_stays_in_the_menu(local_app, look, tmp_path):
    path, words = saved(tmp_path), tmp_path / "words.json"
    word_level().save(str(words))
    stage = look(local_app)
    before = stage.drawn()["recipe"]
    (tmp_path / "whole.pt").write_bytes(b"junk")
    bring(stage, path=tmp_path / "whole.pt")
    told = stage.page.locator(".bring-status.alarm")
    told.wait_for()
    assert "whole.pt is truncated or not a file that torch saved" in told.inner_text()
    assert stage.drawn()["recipe"] == before
    stage.page.keyboard.press("Escape")

    stage.page.route("**/stage/answer", lambda route: route.fulfill(body="null"))
    bring(stage, path=path)
    expect(told).to_have_text(WORDS["en"]["error_network"])
    expect(stage.page.locator("[data-act=bring]")).to_be_enabled()
    stage.page.unroute_all()
    stage.page.keyboard.press("Escape")

    bring(stage, path=path, tokenizers=words, heads=2, settings="norm_eps=0.001")
    stage.page.wait_for_function(SHUT)
    name = local_app[1].added[-1]["name"]
    stage.page.wait_for_function(
        f"document.querySelector('.stage-host').stage.drawn().recipe?.model === {name!r}"
    )
    drawn = stage.type_source("the old dog sleeps")
    assert drawn["source_labels"] == ["start", "the", "old", "unknown", "sleeps", "end"]
    stage.page.click("[data-tool=card]")
    said = stage.page.locator(".card-unusual").inner_text()
    for code in ("hidden_score", "sample_norm", "source_start"):
        assert WORDS["en"][f"unusual_{code}"] in said
    stage.page.keyboard.press("Escape")

    stage.page.reload()  # its address holds the model
    assert stage.drawn()["recipe"] == drawn["recipe"]

    # Another, which reads its target whole, translates.
    torch.manual_seed(0)
    bring(stage, path=saved(tmp_path, NoBias(**SIZES), "whole.pt"), heads=2)
    stage.page.wait_for_function(SHUT)
    drawn = stage.drawn("drawn.recipe.model === 'whole'")
    assert drawn["steps"] <= len(drawn["source_labels"])
    assert drawn["source_labels"][-1] == "end" and drawn["message"] is None
