"""Stepping against the library's own `generate`, and what is recorded against its eager pass."""

import copy
import functools

import numpy as np
import pytest
import torch

from model_core.decoding.beam import search_from
from model_core.decoding.choosing import search_space
from model_core.decoding.tracer import Tracer
from model_core.errors import CheckpointError
from model_core.models.hub.families import FAMILIES
from model_core.models.hub.generating import ends_of, start_of
from model_core.models.hub.model import HubModel
from model_core.models.hub.words import Words
from model_core.values.edits import read_edits
from model_core.values.recipe import Recipe, Strategy
from tests.model_core.models.hub.tiny import eager
from tests.model_core.models.hub.tokenizing import tokenizer_of

GENERATING = [name for name, family in FAMILIES.items() if family.kind != "encoder"]
TEXTS = ("the old cat sleeps", "a warm roof", "x y z on q the p .")
STEPS = 12


def model_of(name, seed=0, generating=(), **more):
    """The library's own model, and ours of the same weights; nothing may change the usual ones."""
    return made(name, seed, generating, **more) if generating or more else usual(name, seed)


@functools.cache
def usual(name, seed):
    return made(name, seed)


def made(name, seed=0, generating=(), **more):
    own = eager(name, seed, **more)
    for setting, value in dict(generating).items():
        setattr(own.generation_config, setting, value)
    family = FAMILIES[name]
    words = Words(tokenizer_of(family.kind), family, start_of(own), ends_of(own))
    return own, HubModel(name, copy.deepcopy(own), family, words)


def generated(own, model, text, **how):
    source, said = model.source(text), own.generation_config
    found = own.generate(
        torch.tensor([source.ids]),
        max_new_tokens=STEPS,
        do_sample=False,
        suppress_tokens=[*model.anatomy.special.never, *(said.suppress_tokens or ())] or None,
        return_dict_in_generate=True,
        output_scores=True,
        **how,
    )
    prompt = 1 if model.family.kind == "encoder-decoder" else len(source)
    rows = [tuple(row[prompt:].tolist()) for row in found.sequences]
    return rows if "num_return_sequences" in how else rows[0], found.get("sequences_scores")


@functools.cache
def greedily(name):
    """What the library's own model writes for each text."""
    own, model = model_of(name)
    return [generated(own, model, text)[0] for text in TEXTS]


@pytest.mark.parametrize("name", GENERATING)
def test_stepping_takes_the_tokens_that_greedy_generation_takes(name):
    tracer = Tracer(model_of(name)[1])
    for text, wanted in zip(TEXTS, greedily(name), strict=True):
        recipe, decoding = tracer.extend(Recipe(name, text), STEPS)
        assert recipe.target_ids == wanted
        assert decoding.prompt == len(decoding.target) - len(recipe.target)


# Length penalty, early stopping, width: one of them for each model.
RULES = [
    (0.0, True, 3),
    (1.0, False, 2),
    (0.6, "never", 4),
    (2.0, True, 2),
    (2.0, "never", 7),
    (-1.5, False, 3),
]


@pytest.mark.parametrize(
    ("name", "seed", "rule"),
    [(name, n % 5, RULES[n % 6]) for n, name in enumerate(GENERATING)],
)
def test_a_beam_finds_what_the_beam_of_the_library_finds(name, seed, rule):
    """By the model's own settings, to the last token of every hypothesis."""
    alpha, early, width = rule
    own, model = model_of(name, seed, {"length_penalty": alpha, "early_stopping": early})
    end = model.anatomy.special.end
    for text in TEXTS[:2]:
        state = model.start(model.source(text))
        start, space = model.hypotheses(state), search_space(model, state, STEPS)
        (found,) = search_from(start, [STEPS], width, *space[2:])
        wanted, scores = generated(own, model, text, num_beams=width, num_return_sequences=width)
        for one, ids, score in zip(found, wanted, scores, strict=True):
            assert one.written == without_fill(ids, end)
            assert float(score) == pytest.approx(one.score, rel=1e-5)
    tracer = Tracer(model, most_steps=STEPS)
    recipe = Recipe(name, text, strategy=Strategy("beam", width=width))
    written, _ = tracer.extend(recipe, None)
    assert written.target_ids == without_fill(wanted[0], end)
    tree = tracer.tree(recipe, width)
    assert tree.tokens(tree.winner) == written.target_ids
    assert tree.rule.divisor(4) == 4**alpha


def without_fill(ids, *ends):
    """A sequence as it was written, without what fills it up behind its end."""
    return ids[: min(ids.index(end) for end in ends if end in ids) + 1] if {*ends} & {*ids} else ids


# What changes what a model writes, each in a model in which it does.
SETTINGS = [
    ("t5", {"eos_token_id": [1, 7, 9, 12]}),
    ("llama", {"eos_token_id": [7, 1, 9, 12, 20]}),
    ("gpt2", {"repetition_penalty": 1.7, "min_new_tokens": 6}),
    (
        "marian",
        {"bad_words_ids": [[41, 42], *([n] for n in range(5, 40))], "renormalize_logits": True},
    ),
    ("marian", {"forced_eos_token_id": 1, "max_length": STEPS + 1, "min_length": 4}),
    (
        "marian",
        {"forced_eos_token_id": 1, "max_new_tokens": STEPS, "max_length": 4, "min_length": 4},
    ),
    ("bart", {"no_repeat_ngram_size": 2, "min_length": 6, "length_penalty": 2.0}),
    ("pegasus", {"encoder_no_repeat_ngram_size": 2, "encoder_repetition_penalty": 20.0}),
    ("qwen2", {"suppress_tokens": [5, 6, 7, 8], "begin_suppress_tokens": [9, 10, 11]}),
    ("mt5", {"exponential_decay_length_penalty": (2, 1.8), "sequence_bias": [[[6], -4.0]]}),
    ("m2m_100", {"forced_bos_token_id": 7, "begin_suppress_tokens": [*range(8, 40)]}),
]


@pytest.mark.parametrize(("name", "settings"), SETTINGS)
def test_the_models_own_settings_rule_as_they_do_in_the_library(name, settings):
    own, model = model_of(name, 1, settings)
    _, bare = model_of(name, 1)
    ends, given = model.anatomy.special.ends, "forced_bos_token_id" in settings
    differ = []
    for text in TEXTS[::2]:
        for width, strategy in ((1, Strategy()), (3, Strategy("beam", width=3))):
            recipe = Recipe(name, text, strategy=strategy)
            written, _ = Tracer(model, most_steps=STEPS - given).extend(recipe, None)
            (wanted,) = generated(own, model, text, num_beams=width, num_return_sequences=1)[0]
            assert written.target_ids == without_fill(wanted, *ends)[given:]
            plain, _ = Tracer(bare, most_steps=STEPS - given).extend(recipe, None)
            differ.append(plain.target_ids != written.target_ids)
    assert any(differ)
    quiet = not settings.keys() - {"eos_token_id", "bad_words_ids", "renormalize_logits"}
    assert model.anatomy.unusual == (() if quiet else ("own_settings",))
    state = model.start(model.source(TEXTS[0]))
    for end in ends:  # forced or drawn, too
        assert model.advance(state, end, "sampled").decoding.finished == "end"


def test_a_search_in_a_model_that_sees_the_future_obeys_its_settings_too():
    _, model = model_of("marian", 1, {"bad_words_ids": [[n] for n in range(5, 40)]})
    edits = read_edits(["causal-mask:none"])
    recipe = Recipe("marian", TEXTS[0], strategy=Strategy("beam", width=3), edits=edits)
    written, _ = Tracer(model, most_steps=STEPS, edits=edits).extend(recipe, None)
    assert written.target_ids and not {*written.target_ids} & {*range(5, 40)}


@pytest.mark.parametrize(
    "settings",
    [
        {"bad_words_ids": [[10**9]]},
        {"bad_words_ids": [[5]] * 2000},
        {"repetition_penalty": "much"},
        {"suppress_tokens": "all"},
        {"no_repeat_ngram_size": {"n": 2}},
    ],
)
def test_settings_that_cannot_be_carried_out_are_refused(settings):
    with pytest.raises(CheckpointError, match=r"^marian (has .* cannot be used|forbids)"):
        model_of("marian", 0, settings)


def test_guidance_is_not_followed_and_that_is_said():
    _, model = model_of("gpt2", 0, {"guidance_scale": 1.5, "repetition_penalty": 1.5})
    assert model.anatomy.unusual == ("own_settings", "no_guidance")
    assert model_of("gpt2", 0, {"guidance_scale": 1.0})[1].anatomy.unusual == ()


def test_a_language_that_is_forced_counts_as_a_token_that_was_written():
    own, model = model_of("m2m_100", 1, {"length_penalty": 1.0, "forced_bos_token_id": 7})
    state = model.start(model.source(TEXTS[0]))
    assert state.decoding.target.ids == (1, 7)
    space = search_space(model, state, STEPS)
    (found,) = search_from(space.start, [STEPS - 1], 4, *space[2:])
    wanted, scores = generated(own, model, TEXTS[0], num_beams=4, num_return_sequences=4)
    for one, ids, score in zip(found, wanted, scores, strict=True):
        assert (7, *one.written) == without_fill(ids, 1)
        assert float(score) == pytest.approx(one.score, rel=1e-5)


@pytest.mark.parametrize("penalty", [1e300, 10**400, float("nan"), "much", [1]])
def test_a_penalty_that_is_no_number_within_bounds_is_refused(penalty):
    with pytest.raises(CheckpointError, match="length_penalty = "):
        model_of("marian", 0, {"length_penalty": penalty})


def test_what_the_models_write_has_some_variety():
    """Else the tests of greedy generation and of the beam would say little."""
    written = [tokens for name in GENERATING for tokens in greedily(name)]
    assert sum(len(set(tokens)) > 3 for tokens in written) > len(written) / 2
    assert any(tokens[-1] == 1 for tokens in written)


@pytest.mark.parametrize("name", [n for n, f in FAMILIES.items() if f.kind == "encoder"])
def test_an_encoder_alone_has_no_steps_and_is_finished(name):
    own, model = model_of(name)
    source = model.source(TEXTS[0], pads=2)
    state = model.start(source)
    decoding = state.decoding
    assert (decoding.prompt, len(decoding.steps), decoding.finished) == (0, 0, "end")
    assert [one.site for one in model.anatomy.sites] == ["encoder"]
    mask_BS = torch.tensor([[int(kind != "pad") for kind in source.kinds]])
    wanted = own(torch.tensor([source.ids]), attention_mask=mask_BS, output_attentions=True)
    for layer, weights_BHQK in enumerate(wanted.attentions):
        found = decoding.trace("encoder", layer)
        assert np.array_equal(found.weights_HQK, weights_BHQK[0].detach().numpy())
        assert not found.weights_HQK[:, :, -2:].any()
    logits_BSV = model.full_pass([source.ids], [()]).logits_BTV
    assert torch.equal(logits_BSV, wanted.logits)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_batch_of_unequal_rows_is_the_padded_batch_of_the_library(name):
    own, model = model_of(name)
    sources = [model.source(text).ids for text in TEXTS]
    targets = [(*(model.words.prompt() or (2,)), *range(5, 9 - row)) for row in range(3)]
    passed = model.full_pass(sources, targets)
    first = targets if model.family.kind == "decoder" else sources
    inputs = {}
    for side, rows in (("", first), ("decoder_", targets)):
        longest = max(map(len, rows))
        padded = [[*row, *[0] * (longest - len(row))] for row in rows]
        allowed = [[1] * len(row) + [0] * (longest - len(row)) for row in rows]
        inputs[f"{side}input_ids"] = torch.tensor(padded)
        inputs[f"{side}attention_mask"] = torch.tensor(allowed)
    if model.family.kind != "encoder-decoder":
        inputs = {key: value for key, value in inputs.items() if not key.startswith("decoder_")}
    with torch.inference_mode():
        wanted = own(**inputs)
    assert torch.equal(passed.logits_BTV, wanted.logits)
