"""The words for what heads do, on weights that were made to do it."""

import numpy as np
import pytest

from model_core.values.anatomy import SiteAnatomy
from model_core.values.roles import Role, roles_of
from model_core.values.trace import Tokens
from tests.made_up import MadeUp

SITES: dict[str, SiteAnatomy] = {one.site: one for one in MadeUp("encoder-decoder").anatomy.sites}
SOURCE = "▁The ▁cat ▁sleep s ▁on ▁it . </s>"
TARGET = "<s> ▁Le ▁chat ▁dort ▁sur ▁lui ."


def tokens(text, pads=0):
    pieces = (*text.split(), *["<pad>"] * pads)
    kinds = {"<s>": "special", "</s>": "special", "<pad>": "pad"}
    return Tokens(
        tuple(range(len(pieces))),
        pieces,
        tuple(piece.lstrip("▁") for piece in pieces),
        tuple(kinds.get(piece, "text") for piece in pieces),
        (None,) * len(pieces),
    )


def looking(Q, K, column, share=0.94, causal=False):
    """Weights (Q, K) with a share on the column of each row, the rest evenly on what is open."""
    weights_QK = np.zeros((Q, K))
    for q in range(Q):
        keys = q + 1 if causal else K
        at = min(max(column(q), 0), keys - 1)
        weights_QK[q, :keys] = 1.0 if keys == 1 else (1 - share) / (keys - 1)
        if keys > 1:
            weights_QK[q, at] = share
    return weights_QK


def named(site, heads_QK, aligner_QK=None, queries=None, keys=None):
    queries = queries or tokens(SOURCE if site == "encoder" else TARGET)
    keys = keys or tokens(TARGET if site == "decoder" else SOURCE)
    return roles_of(SITES[site], queries, keys, [np.stack(heads_QK)], aligner_QK)[0]


def words(*given, **more):
    return [role.word for role in named(*given, **more)]


def test_a_head_is_called_by_the_place_it_looks_at():
    at = [lambda q: q - 1, lambda q: q, lambda q: q + 1, lambda q: 0, lambda q: 7, lambda q: 6]
    heads = [looking(8, 8, column) for column in at]
    assert words("encoder", heads) == ["previous", "itself", "next", "first", "end", "marks"]
    heads = [looking(7, 7, column, causal=True) for column in (at[0], at[1], at[3])]
    assert words("decoder", heads) == ["previous", "itself", "start"]


def test_without_a_place_a_head_is_sharp_or_spread():
    even, scattered = np.full((8, 8), 1 / 8), looking(8, 8, lambda q: (3 * q + 2) % 8, 0.9)
    assert words("encoder", [even, scattered]) == ["spread", "sharp"]
    weak = looking(8, 8, lambda q: q - 1, 0.3)
    assert words("encoder", [weak]) == ["spread"]


def test_a_place_that_even_attention_would_fill_as_well_gives_no_word():
    short = np.full((2, 3), 1 / 3)  # its diagonal is nearly all of the map
    keys = tokens("▁a ▁b </s>")
    assert words("cross", [short], queries=tokens("<s> ▁x"), keys=keys) == ["spread"]


def test_the_aligning_head_says_which_word_is_written():
    order = [0, 1, 2, 5, 4, 6, 7]  # the source token of what each step writes
    aligner_QK = looking(7, 8, lambda q: order[q])
    written, fed, coming = (
        looking(7, 8, lambda q, turn=turn: order[min(max(q + turn, 0), 6)]) for turn in (0, -1, 1)
    )
    other_piece = looking(7, 8, lambda q: 3 if order[q] == 2 else order[q])
    heads = [written, fed, coming, other_piece]
    assert words("cross", heads, aligner_QK) == ["written", "fed", "coming", "written"]
    assert words("cross", heads[:1]) == ["diagonal"]  # nobody says what is written


def test_an_aligning_head_that_looks_nowhere_names_no_word():
    heads = [looking(7, 8, lambda q: min(q, 7))]
    assert words("cross", heads, np.full((7, 8), 1 / 8)) == ["sharp"]


def test_reading_from_the_end_has_a_word():
    keys, queries = tokens("a b c d e f </s>"), tokens("<s> f e d c b a")
    backwards = looking(7, 7, lambda q: 5 - q if q < 6 else 6)
    assert words("cross", [backwards], queries=queries, keys=keys) == ["backwards"]


def head(**more):
    """A head that looks at the previous token, and gives shares to keys beside: k7=0.3."""
    weights_QK = looking(8, 8, lambda q: q - 1, 1.0)
    for q in range(1, 8):
        weights_QK[q, q - 1] = 1 - sum(more.values())
        for key, share in more.items():
            weights_QK[q, int(key[1:])] += share
    return weights_QK


def test_heads_with_one_word_get_a_second_where_they_differ():
    plain, to_end, to_cat = head(), head(k7=0.3), head(k1=0.3)
    assert named("encoder", [plain, to_end, to_cat]) == [
        Role("previous", "only"),  # it looks at nothing else
        Role("previous", "end"),
        Role("previous", None, 1),
    ]
    assert named("encoder", [to_end]) == [Role("previous")]  # nobody to be told from
    assert named("encoder", [head(k7=0.1, k1=0.05)]) == [Role("previous", "only")]
    assert named("encoder", [to_end, to_end]) == [Role("previous"), Role("previous")]


def test_heads_that_differ_in_the_same_get_another_second_each_where_they_have_one():
    most, both = head(k7=0.3), head(k7=0.25, k1=0.2)
    assert named("encoder", [head(), most, both]) == [
        Role("previous", "only"),
        Role("previous", "end"),
        Role("previous", None, 1),  # it looks at the end more than at the cat, and less than `most`
    ]
    almost = head(k7=0.25)
    assert named("encoder", [head(), most, almost])[2] == Role("previous", "end")


def test_a_little_more_than_the_others_is_a_second_word_and_hardly_more_is_none():
    assert named("encoder", [head(), head(k7=0.1)])[1] == Role("previous", "end")
    assert named("encoder", [head(), head(k7=0.04)])[1] == Role("previous", "only")


def test_layers_are_told_apart_whether_they_are_looked_at_together_or_not(monkeypatch):
    at = [lambda q: q - 1, lambda q: q, lambda q: 7, lambda q: q - 1]
    layers = [np.stack([looking(8, 8, one, share) for one in at]) for share in (0.6, 0.9, 0.4)]
    source = tokens(SOURCE)
    each = [roles_of(SITES["encoder"], source, source, [layer])[0] for layer in layers]
    assert roles_of(SITES["encoder"], source, source, layers) == each
    monkeypatch.setattr("model_core.values.roles._AT_ONCE", 1)
    assert roles_of(SITES["encoder"], source, source, layers) == each


def test_a_row_with_one_key_tells_nothing():
    assert named("decoder", [np.ones((1, 1))], queries=tokens("<s>"), keys=tokens("<s>")) == [
        Role(None)
    ]


@pytest.mark.parametrize("pads", [1, 3])
def test_pads_change_no_word(pads):
    heads = [looking(8, 8, lambda q: q - 1), looking(8, 8, lambda q: 7), np.full((8, 8), 1 / 8)]
    wider = [np.pad(weights_QK, ((0, pads), (0, pads))) for weights_QK in heads]
    padded = tokens(SOURCE, pads)
    assert named("encoder", wider, queries=padded, keys=padded) == named("encoder", heads)
