import dataclasses

import pytest

from model_core.values.config import ModelConfig
from model_core.values.presets import PRESETS

# What each model of the family has otherwise than reverse-sinusoidal.
CHANGES = {
    "reverse-learned": {"positions"},
    "reverse-rotary": {"positions"},
    "reverse-no-positions": {"positions"},
    "reverse-dot": {"similarity"},
    "reverse-additive": {"similarity"},
    "reverse-bilinear": {"similarity"},
    "reverse-post-norm": {"norm_place", "final_norm"},
    "reverse-four-heads": {"decoder_heads"},
}
TUTORIALS = [name for name in PRESETS if name.startswith("tutorial-")]
SIZES = {
    "width",
    "encoder_layers",
    "decoder_layers",
    "encoder_heads",
    "decoder_heads",
    "head_width",
    "feed_forward_width",
    "max_positions",
}


def differing(one: ModelConfig, other: ModelConfig) -> set[str]:
    names = (field.name for field in dataclasses.fields(one))
    return {name for name in names if getattr(one, name) != getattr(other, name)}


@pytest.mark.parametrize("name", CHANGES)
def test_a_member_of_the_family_differs_in_what_its_name_says(name: str) -> None:
    first, member = PRESETS["reverse-sinusoidal"], PRESETS[name]
    assert differing(first.model, member.model) == CHANGES[name]
    assert first.train == member.train and member.group


def test_without_warm_up_is_the_post_norm_model_at_the_full_rate_from_the_first_update() -> None:
    first, full = PRESETS["reverse-post-norm"], PRESETS["reverse-no-warm-up"]
    assert full.model == first.model
    assert full.train == dataclasses.replace(first.train, warmup_from=1.0)


def test_the_leak_is_in_the_training_and_not_in_the_model() -> None:
    first, leaking = PRESETS["reverse-sinusoidal"], PRESETS["reverse-leak"]
    assert leaking.model == first.model
    assert leaking.train == dataclasses.replace(first.train, broken_causal_mask="ahead")


@pytest.mark.parametrize("name", TUTORIALS)
def test_a_small_tutorial_differs_from_the_tutorial_in_size_alone(name: str) -> None:
    small, large = PRESETS[name], PRESETS[name.removeprefix("tutorial-")]
    assert differing(small.model, large.model) <= SIZES
    assert small.train == PRESETS["reverse-sinusoidal"].train and small.group == "tutorials"


def test_five_tutorials_have_a_small_model() -> None:
    assert len(TUTORIALS) == 5
