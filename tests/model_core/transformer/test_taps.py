"""A tap sees every intermediate result, and what it returns goes on."""

import re

import pytest
import torch

from model_core.transformer import taps
from model_core.transformer.taps import keeping
from tests.variants import SOURCE, TARGET, all_records, every_variant, ids, variant_model

EXACT = {"rtol": 0, "atol": 1e-12}


def tapped(model, tap):
    return model(ids(SOURCE), ids(TARGET), tap=tap)


@every_variant
def test_a_tap_that_returns_what_it_is_given_changes_no_bit(variant):
    model = variant_model(variant).float()
    plain, seen = model(ids(SOURCE), ids(TARGET)), tapped(model, keeping({}))
    assert torch.equal(seen.logits_BTV, plain.logits_BTV)
    for one, other in zip(
        plain.records("encoder") + all_records(plain),
        seen.records("encoder") + all_records(seen),
        strict=True,
    ):
        assert torch.equal(one.scores_BHQK, other.scores_BHQK)
        assert torch.equal(one.weights_BHQK, other.weights_BHQK)


def test_a_tap_is_given_every_name_that_the_module_lists():
    model, values = variant_model("paper"), {}
    tapped(model, keeping(values))
    attention, rest = (
        ("read", "scores", "weights", "dropped", "values", "heads", "made", "passed"),
        ("read", "hidden", "made", "passed"),
    )
    wanted = {"source.embedding", "source.sum", "target.embedding", "target.sum"}
    wanted |= {"encoder.memory", "decoder.output"}
    for stack, layers, sublayers in (("encoder", 2, ("self",)), ("decoder", 3, ("self", "cross"))):
        for n in range(1, layers + 1):
            wanted |= {f"{stack}.{n}.{sub}.{one}" for sub in sublayers for one in attention}
            wanted |= {f"{stack}.{n}.feed_forward.{one}" for one in rest}
    assert set(values) == wanted
    for word in {name.rsplit(".", 1)[1] for name in wanted}:
        assert re.search(rf"\.{word}\b", taps.__doc__), word


def test_the_values_are_those_of_the_pass_and_add_up():
    model, values = variant_model("pre-norm"), {}
    passed = tapped(model, keeping(values))
    assert torch.equal(values["encoder.memory"], model.encode(ids(SOURCE)).memory_BSD)
    for n, record in enumerate(passed.records("cross"), start=1):
        assert torch.equal(values[f"decoder.{n}.cross.weights"], record.weights_BHQK)
        assert torch.equal(values[f"decoder.{n}.cross.scores"], record.scores_BHQK)
        heads_BHQE = record.weights_BHQK @ record.v_BHKE
        torch.testing.assert_close(values[f"decoder.{n}.cross.heads"], heads_BHQE, **EXACT)
    stream_BTD = values["target.sum"]
    for n in range(1, len(model.decoder) + 1):
        for sublayer in ("self", "cross", "feed_forward"):
            name = f"decoder.{n}.{sublayer}"
            stream_BTD = stream_BTD + values[f"{name}.made"]  # pre-norm: the stream only adds up
            torch.testing.assert_close(values[f"{name}.passed"], stream_BTD, **EXACT)
    torch.testing.assert_close(model.logits(values["decoder.output"]), passed.logits_BTV)


@pytest.mark.parametrize("variant", ["paper", "rotary", "many-encoder-heads", "joined-heads"])
@pytest.mark.parametrize("site", ["encoder.2.self", "decoder.1.self", "decoder.3.cross"])
def test_a_head_set_to_zero_is_one_whose_output_columns_are_zero(variant, site):
    model = variant_model(variant)

    def without_head(name, value):
        if name != f"{site}.heads":
            return value
        value = value.clone()
        value[:, -1] = 0
        return value

    found, whole = tapped(model, without_head), model(ids(SOURCE), ids(TARGET))
    stack, n, kind = site.split(".")
    attention = getattr(getattr(model, stack)[int(n) - 1], f"{kind}_attention")
    last = slice((attention.H - 1) * attention.E, None)
    with torch.no_grad():
        if variant == "joined-heads":  # no output projection: the heads' values are the columns
            width = attention.H * attention.E
            values = slice(2 * width + last.start, None)
            attention.projection.weight[values] = 0
            attention.projection.bias[values] = 0
        else:
            attention.output.weight[:, last] = 0
    wanted = model(ids(SOURCE), ids(TARGET))
    torch.testing.assert_close(found.logits_BTV, wanted.logits_BTV, **EXACT)
    assert (found.logits_BTV - whole.logits_BTV).abs().max() > 1e-6


def test_what_is_recorded_is_what_was_used():
    model = variant_model("paper")

    def uniform(name, value):
        return torch.full_like(value, 1 / value.shape[-1]) if name.endswith("weights") else value

    values = {}
    passed = tapped(model, lambda name, value: keeping(values)(name, uniform(name, value)))
    for n, record in enumerate(passed.records("cross"), start=1):
        assert (record.weights_BHQK == 1 / len(SOURCE)).all()
        mean_BHQE = record.v_BHKE.mean(dim=2, keepdim=True).expand_as(record.q_BHQE)
        torch.testing.assert_close(values[f"decoder.{n}.cross.heads"], mean_BHQE, **EXACT)


def test_a_step_from_a_past_is_tapped_as_the_full_pass_is():
    model, whole, steps = variant_model("paper"), {}, []
    tapped(model, keeping(whole))
    encoded, past = model.encode(ids(SOURCE)), None
    for token in TARGET:
        steps.append({})
        past = model.decode(ids([token]), encoded, past, tap=keeping(steps[-1])).past
    for name in ("target.sum", "decoder.1.self.made", "decoder.3.cross.passed", "decoder.output"):
        stepped_BTD = torch.cat([values[name] for values in steps], dim=1)
        torch.testing.assert_close(stepped_BTD, whole[name], **EXACT)
