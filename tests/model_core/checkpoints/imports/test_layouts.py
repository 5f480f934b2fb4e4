"""Each layout against that architecture's own mathematics, on random weights, in float64."""

import pytest
import torch

from model_core.checkpoints.imports.importing import read_imported
from model_core.errors import CheckpointError
from model_core.values.importing import Hints
from tests.model_core.checkpoints.imports.post_norm import Convolutions, JoinedHeads, NoBias
from tests.model_core.checkpoints.imports.pre_norm import Annotated, Hkproj
from tests.model_core.checkpoints.imports.textbook import Textbook
from tests.model_core.checkpoints.imports.torchs import Torchs

SITES = ("encoder", "decoder", "cross")
SIZES = {"Vs": 31, "Vt": 29, "D": 24, "depths": (2, 3), "heads": 4, "F": 20, "P": 40}
# Unequal lengths; in the ids of each layout 9 and more is text.
SOURCE = ([9, 17, 30, 12, 11, 10], [13, 14, 15], [])
TARGET = ([9, 20, 28, 12], [13, 9], [21, 22, 23, 24])


def rows(*sentences, pad, longest=None):
    longest = longest or max(map(len, sentences))
    return torch.tensor([[*one, *[pad] * (longest - len(one))] for one in sentences])


def compared(theirs, tmp_path, hints=None, pad=0, source=SOURCE, target=TARGET, longest=None):
    """What a file of `theirs` gives, and the largest difference of logits and weights."""
    torch.manual_seed(5)
    theirs = theirs.double().eval()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.4)
        path = tmp_path / "theirs.pt"
        torch.save({"epoch": 3, "model_state_dict": theirs.state_dict()}, path)
        source_BS = rows(*source, pad=pad, longest=longest)
        target_BT = rows(*target, pad=pad, longest=longest)
        wanted_BTV, wanted = theirs(source_BS, target_BT)
        found = read_imported(path, hints=hints)
        ours = found.model(source_BS, target_BT)
    difference = [(ours.logits_BTV - wanted_BTV).abs().max()]
    if isinstance(theirs, Hkproj | Annotated):
        difference = [(ours.logits_BTV.log_softmax(-1) - wanted_BTV).abs().max()]
    for site in SITES:
        records = ours.records(site)
        assert len(records) == len(wanted[site]) > 0
        for record, weights in zip(records, wanted[site], strict=True):
            assert record.weights_BHQK.shape == weights.shape
            difference.append((record.weights_BHQK - weights).abs().max())
    return found, float(max(difference))


def hkproj(gains="each", cross="cross_attention_block"):
    return Hkproj(**SIZES, pad=1, gains=gains, cross=cross)


@pytest.mark.parametrize(
    ("gains", "cross", "norm"),
    [
        ("each", "cross_attention_block", "sample"),
        ("one", "cross_attention_block", "scalar"),
        ("one", "source_attention_block", "scalar"),
    ],
)
def test_hkproj(tmp_path, gains, cross, norm):
    found, difference = compared(hkproj(gains, cross), tmp_path, Hints(heads=4), pad=1)
    assert difference < 1e-9
    config = found.model.config
    assert found.layout.name == "hkproj" and config.norm == norm
    assert (config.max_positions, config.source_start_id) == (40, 2)
    assert {"hidden_score", "source_start", f"{norm}_norm"} == set(config.unusual)


def test_annotated(tmp_path):
    found, difference = compared(Annotated(**SIZES, pad=2), tmp_path, Hints(heads=4), pad=2)
    assert difference < 1e-9 and found.layout.name == "annotated"
    assert found.model.config.special.pad == 2


@pytest.mark.parametrize("E", [6, 10])
def test_convolutions(tmp_path, E):
    found, difference = compared(Convolutions(**SIZES, E=E), tmp_path, Hints(heads=4))
    assert difference < 1e-9 and found.layout.name == "convolutions"
    assert found.model.config.head_width == (0 if E == 6 else E)


@pytest.mark.parametrize("sequential", [False, True])
def test_joined_heads(tmp_path, sequential):
    theirs = JoinedHeads(**SIZES, sequential=sequential)
    # Its mask of minus infinity makes NaN of a source of pads alone.
    found, difference = compared(
        theirs, tmp_path, Hints(heads=4), source=SOURCE[:2], target=TARGET[:2]
    )
    assert difference < 1e-9 and found.layout.name == "joined-heads"


def test_no_bias(tmp_path):
    found, difference = compared(NoBias(**SIZES), tmp_path, Hints(heads=4), longest=7)
    assert difference < 1e-9 and found.layout.name == "no-bias"
    assert found.model.config.unusual[:3] == ("cross_queries", "joined", "no_pad_mask")


def test_no_bias_reads_a_shorter_target_filled_to_the_length_of_the_source(tmp_path):
    theirs = NoBias(**SIZES)
    found, _ = compared(theirs, tmp_path, Hints(heads=4), longest=7)
    source_BS = rows(SOURCE[0], pad=0)
    with torch.no_grad():
        wanted_BTV, _ = theirs(source_BS, rows(TARGET[0], pad=0, longest=6))
        assert torch.allclose(
            found.model(source_BS, rows(TARGET[0], pad=0)).logits_BTV, wanted_BTV[:, :4], atol=1e-9
        )


KINDS = ("scaled_dot", "dot", "additive", "bilinear")


def textbook(tmp_path, similarity, hard=False, rotary=False):
    theirs = Textbook(**SIZES, similarity=similarity, hard=hard, rotary=rotary)
    asked = {"attention": "hard" if hard else "soft"}
    if similarity == "dot":  # the names of the tensors say the others
        asked["similarity"] = similarity
    if rotary:
        asked["positions"] = "rotary"
    found, difference = compared(
        theirs, tmp_path, Hints(settings=asked), source=SOURCE[:2], target=TARGET[:2]
    )
    config = found.model.config
    assert found.layout.name == "textbook"
    assert (config.encoder_heads, config.similarity) == (4, similarity)
    assert ("rotation" in config.unusual) == rotary
    assert ("divisor" in config.unusual) == (similarity == "scaled_dot")
    return difference


@pytest.mark.parametrize(
    ("similarity", "hard"), [*((kind, False) for kind in KINDS), ("dot", True), ("bilinear", True)]
)
def test_textbook(tmp_path, similarity, hard):
    assert textbook(tmp_path, similarity, hard) < 1e-9


@pytest.mark.parametrize("similarity", ["scaled_dot", "dot", "bilinear"])
def test_textbook_with_rotary_positions(tmp_path, similarity):
    assert textbook(tmp_path, similarity, rotary=True) < 1e-6  # our table is in single precision


def test_textbook_turns_before_an_additive_similarity_which_is_not_supported(tmp_path):
    with pytest.raises(CheckpointError, match="W and U after a rotation are not supported"):
        textbook(tmp_path, "additive", rotary=True)


@pytest.mark.parametrize(
    ("theirs", "pad", "changes"),
    [
        (hkproj(), 1, {"hidden_score": "-inf"}),
        (hkproj(), 1, {"norm_eps": 1e-2}),
        (Convolutions(**SIZES, E=6), 0, {"scale_embedding": True}),
        (NoBias(**SIZES), 0, {"pad_mask": True}),
        (NoBias(**SIZES), 0, {"joined": "transposed"}),
        (NoBias(**SIZES), 0, {"cross_queries": "target"}),
        (
            Textbook(**SIZES, similarity="scaled_dot", hard=False, rotary=False),
            0,
            {"divisor": "head"},
        ),
        (
            Textbook(**SIZES, similarity="dot", hard=False, rotary=True),
            0,
            {"similarity": "dot", "positions": "rotary", "rotation": "forward"},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_every_switch_of_a_layout_matters(tmp_path, theirs, pad, changes):
    hints = Hints(heads=4, settings=changes)
    few = slice(2) if isinstance(theirs, Textbook) else slice(3)  # of pads alone it makes NaN
    found = compared(theirs, tmp_path, hints, pad, SOURCE[few], TARGET[few], longest=7)
    assert found[1] > 1e-3


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_torch(tmp_path, first, activation):
    theirs = Torchs(**SIZES, first=first, activation=activation)
    asked = {"norm_place": "pre" if first else "post", "activation": activation}
    # Of a source of pads alone torch makes NaN.
    found, difference = compared(
        theirs, tmp_path, Hints(heads=4, settings=asked), 1, SOURCE[:2], TARGET[:2]
    )
    assert difference < 1e-9 and found.layout.name == "torch"
    assert found.model.config.final_norm and not found.model.config.unusual[1:]
