"""The measures of every head against what a reader would count, one sentence at a time."""

import copy
import math
import re

import numpy as np
import pytest
import torch

from model_core.__main__ import main
from model_core.checkpoints.store import open_checkpoint
from model_core.decoding.tracer import Tracer
from model_core.errors import CorpusError
from model_core.models.own import OwnModel, open_own
from model_core.training.evaluation.hand_aligned import HandAligned
from model_core.training.evaluation.heads.corpus import HeadCorpus, corpus_file, head_corpus
from model_core.training.evaluation.heads.measuring import measure_heads
from model_core.transformer.masks import mask_from
from model_core.values.edits import read_edits
from model_core.values.head_measures import FAR, MEASURES, PLACES, WORDS
from model_core.values.recipe import Recipe
from model_core.values.words import words_of
from tests.made_up import MadeUp
from tests.tiny import tiny_checkpoint

PAIRS = (("The cat sleeps.", "Le chat dort."), ("old cat", "chat"), ("The roof.", "Le toit chaud."))
SPANS = ((0, 3), (4, 7), (8, 14)), ((0, 2), (3, 7), (8, 12))
ALIGNED = HandAligned(*PAIRS[0], *SPANS, frozenset({(0, 0), (1, 1), (2, 2)}), "everyday")
CORPUS = HeadCorpus("three pairs", PAIRS, (ALIGNED,))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return open_own_in(tmp_path_factory.mktemp("heads") / "tiny")


def open_own_in(folder):
    tiny_checkpoint(folder)
    return open_own(folder)


@pytest.fixture(scope="module")
def measured(model):
    return measure_heads(model, CORPUS)


def passes(model):
    """Each sentence alone: its tokens, its target, and the weights of each site (L, H, Q, K)."""
    for text, reference in PAIRS:
        source, target = model.source(text), model.target(reference)
        fed = (1, *target.ids[:-1])
        passed = model.full_pass([source.ids], [fed])
        weights = {
            site: np.stack([r.weights_BHQK[0].numpy() for r in passed.records(site)])
            for site in ("encoder", "decoder", "cross")
        }
        yield source, target, passed, weights


@pytest.mark.parametrize(
    "pair", [("en", "fr"), ("en", "de"), ("en", "zh"), ("zh", "en"), ("text", "reversed")]
)
def test_our_own_corpus_has_some_two_hundred_sentences_none_of_them_twice(pair):
    corpus = head_corpus(*pair)
    assert 190 <= len(corpus.sentences) <= 260
    assert len({source for source, _ in corpus.sentences}) == len(corpus.sentences)
    assert all(source and target for source, target in corpus.sentences)
    assert len(corpus.aligned) > 60
    for sentence, aligned in zip(corpus.sentences, corpus.aligned, strict=False):
        assert sentence == (aligned.source, aligned.target)


def test_other_languages_are_sent_to_a_file_and_a_bad_file_is_named(tmp_path):
    with pytest.raises(CorpusError, match="--sentences FILE"):
        head_corpus("en", "tlh")
    path = tmp_path / "mine.txt"
    for text, reason in (
        ("\n", "no sentences"),
        ("a\tb\nc\n", "some lines"),
        ("a\tb\nc\t \n", "some lines"),
        ("a\tb\n \tc\n", "nothing before"),
        (None, "read"),
    ):
        if text is None:
            path.write_bytes(b"\xff\xfe\xff")
        else:
            path.write_text(text)
        with pytest.raises(CorpusError, match=reason):
            corpus_file(path)


def test_entropy_distance_and_shares_are_means_over_all_rows(model, measured):
    for site in ("encoder", "decoder", "cross"):
        bits, mass, moments, before = [], 0, np.zeros(2), [0, 0]
        for _, _, _, weights in passes(model):
            weights_QK = weights[site][1, 1].astype(float)
            for q, row in enumerate(weights_QK):
                bits.append(-sum(w * math.log2(w) for w in row if w > 0))
                if np.count_nonzero(row) > 1:
                    mass += row.sum()
                    moments += [sum(w * (k - q) ** n for k, w in enumerate(row)) for n in (1, 2)]
                    if q > 0 and site != "cross":
                        before = [before[0] + row[q - 1], before[1] + 1]
        one = measured.sites[site]
        mean = moments[0] / mass
        assert one.measure_LH(site, "entropy")[1, 1] == pytest.approx(np.mean(bits), abs=1e-5)
        assert one.measure_LH(site, "distance")[1, 1] == pytest.approx(mean, abs=1e-5)
        reach = math.sqrt(moments[1] / mass - mean**2)
        assert one.measure_LH(site, "reach")[1, 1] == pytest.approx(reach, abs=1e-4)
        if site != "cross":
            wanted = before[0] / before[1]
            assert one.measure_LH(site, "previous")[1, 1] == pytest.approx(wanted, abs=1e-5)
        np.testing.assert_allclose(one.distances_LHN.sum(axis=2), 1, atol=1e-5)
        centre_N = np.arange(-FAR, FAR + 1)  # no sentence here is longer than that
        np.testing.assert_allclose(
            one.distances_LHN @ centre_N, one.measure_LH(site, "distance"), atol=1e-4
        )


def test_a_row_that_writes_a_linked_word_counts_where_its_largest_weight_is_on_it(model, measured):
    source, target, _, weights = next(passes(model))
    hits_LH, linked = 0, 0
    for t, span in enumerate(target.spans[:-1]):
        words = [i for i, (a, b) in enumerate(SPANS[1]) if span and a <= span[0] < b]
        if not words:
            continue
        (word,) = words
        start, stop = SPANS[0][word]
        columns = [k for k, s in enumerate(source.spans) if s and start <= s[0] < stop]
        hits_LH = hits_LH + np.isin(weights["cross"][:, :, t].argmax(axis=-1), columns)
        linked += 1
    np.testing.assert_allclose(
        measured.sites["cross"].measure_LH("cross", "links"), hits_LH / linked, atol=1e-6
    )
    assert np.isnan(measured.sites["cross"].measure_LH("cross", "aligner")).all()


def test_the_word_that_was_fed_counts_in_the_row_after_the_one_that_writes_it(model, measured):
    source, target, _, weights = next(passes(model))
    hits_LH, linked = 0, 0
    for t, span in enumerate(target.spans[:-1]):
        for word, (start, stop) in enumerate(SPANS[1]):
            if not span or not start <= span[0] < stop:
                continue
            first, last = SPANS[0][word]
            columns = [k for k, s in enumerate(source.spans) if s and first <= s[0] < last]
            reading_LH = weights["cross"][:, :, t + 1].argmax(axis=-1)  # the row that reads it
            hits_LH = hits_LH + np.isin(reading_LH, columns)
            linked += 1
    fed_LH = measured.sites["cross"].measure_LH("cross", "fed")
    np.testing.assert_allclose(fed_LH, hits_LH / linked, atol=1e-6)


def test_the_darkest_word_is_the_needed_one_as_often_as_hiding_each_says(model, measured):
    hits_LH, rows = 0, 0
    for source, target, _, weights in passes(model):
        fed = (1, *target.ids[:-1])
        words = [word for word in words_of(source) if source.kinds[word[0]] == "text"]

        def scored(mask=None, source=source, fed=fed, target=target):
            masks = {} if mask is None else {"encoder": mask, "cross": mask}
            logits_TV = model.full_pass([source.ids], [fed], masks).logits_BTV[0].detach()
            return logits_TV.log_softmax(-1).numpy()[np.arange(len(target)), list(target.ids)]

        lost_TW = []
        for word in words:
            open_S = torch.tensor([k not in word for k in range(len(source))])
            lost_TW.append(scored() - scored(mask_from("hidden", open_S[None, None])))
        lost_TW = np.stack(lost_TW, axis=1)
        rest = [[k] for k in range(len(source)) if not any(k in word for word in words)]
        for t in range(len(target)):
            if lost_TW[t].max() <= 0:
                continue
            row_LHS = weights["cross"][:, :, t]
            amounts = [row_LHS[..., list(of)].sum(-1) for of in [*words, *rest]]
            hits_LH = hits_LH + (np.argmax(amounts, axis=0) == lost_TW[t].argmax())
            rows += 1
    needed_LH = measured.sites["cross"].measure_LH("cross", "needed")
    np.testing.assert_allclose(needed_LH, hits_LH / rows, atol=1e-6)


def test_the_head_most_like_another_has_the_largest_cosine(model, measured):
    for site in ("encoder", "decoder", "cross"):
        long = []
        for _, _, _, weights in passes(model):
            rows = np.count_nonzero(weights[site][0, 0] > 0, axis=-1) > 1
            long.append(weights[site][:, :, rows].reshape(-1, weights[site][0, 0][rows].size))
        heads_GN = np.concatenate(long, axis=1).astype(float)
        heads_GN /= np.linalg.norm(heads_GN, axis=1, keepdims=True)
        cosine_GG = heads_GN @ heads_GN.T - 2 * np.eye(len(heads_GN))
        one = measured.sites[site]
        assert one.like_LH.ravel().tolist() == cosine_GG.argmax(axis=1).tolist()
        likeness = one.measure_LH(site, "likeness").ravel()
        np.testing.assert_allclose(likeness, cosine_GG.max(axis=1), atol=1e-5)


def test_a_mean_is_that_of_the_weighted_sums_of_the_values(model, measured):
    made = [
        np.einsum("hqk,hke->hqe", r.weights_BHQK[0].double(), r.v_BHKE[0].double())
        for _, _, passed, _ in passes(model)
        for r in [passed.records("cross")[2]]
    ]
    mean_HE = np.concatenate(made, axis=1).mean(axis=1)
    np.testing.assert_allclose(measured.sites["cross"].means_LHE[2], mean_HE, atol=1e-6)


def test_the_sentences_named_for_a_head_are_those_with_most_of_what_its_word_says(model, measured):
    one = measured.sites["encoder"]
    names = ("spread", "sharp", *PLACES["encoder"])
    for at in np.ndindex(*one.word_LH.shape):
        word = WORDS["encoder"][one.word_LH[at]]
        amounts = one.amount_LHC[at][one.best_LHC[at] >= 0]
        assert (np.diff(amounts) <= 0).all() and 1 <= len(amounts) <= len(PAIRS)
        if word == "sharp":
            weights = list(passes(model))[one.best_LHC[at][0]][3]["encoder"][at]
            assert amounts[0] == pytest.approx(weights.max(axis=-1).mean(), abs=1e-5)
    assert set(names) >= {*PLACES["encoder"]}


@pytest.mark.parametrize("kind", ["zero", "mean"])
def test_an_effect_is_the_loss_of_a_model_that_was_changed_by_hand(model, measured, kind):
    changed = copy.deepcopy(model.transformer)
    attention, E = changed.decoder[1].cross_attention, changed.decoder[1].cross_attention.E
    with torch.no_grad():
        own_DE = attention.output.weight[:, 2 * E : 3 * E]
        if kind == "mean":
            mean_E = torch.from_numpy(measured.sites["cross"].means_LHE[1, 2].copy())
            attention.output.bias += own_DE @ mean_E
        own_DE.zero_()
    losses = {}
    for name, each in (("before", model.transformer), ("after", changed)):
        nats, count, exact = 0.0, 0, 0
        for source, target, _, _ in passes(model):
            fed = torch.tensor([[1, *target.ids[:-1]]])
            logits_TV = each(torch.tensor([source.ids]), fed).logits_BTV[0].detach()
            wanted = torch.tensor(target.ids)
            nats += float(torch.nn.functional.cross_entropy(logits_TV, wanted, reduction="sum"))
            exact += bool((logits_TV.argmax(dim=-1) == wanted).all())
            count += len(target)
        losses[name] = nats / count, exact / len(PAIRS)
    assert measured.loss == pytest.approx(losses["before"][0], abs=1e-5)
    assert measured.exact == losses["before"][1]
    one = measured.sites["cross"]
    wanted = losses["after"][0] - losses["before"][0]
    assert one.measure_LH("cross", f"loss_{kind}")[1, 2] == pytest.approx(wanted, abs=1e-5)


def test_exact_is_what_greedy_decoding_writes(model):
    """The targets are what the model writes itself, so all are exact until a head is off."""
    corpus = HeadCorpus("sources", tuple((source, "") for source, _ in PAIRS))
    found = measure_heads(model, corpus)
    assert (found.targets, found.exact) == ("written", 1.0)

    def written(tracer):
        return [tracer.extend(Recipe("tiny", source), None)[0].target_ids for source, _ in PAIRS]

    whole = written(Tracer(model))
    for at in ((0, 0), (1, 2), (2, 3)):
        edits = read_edits([f"head-off:cross.{at[0] + 1}.{at[1] + 1}"])
        without = written(Tracer(OwnModel(model.checkpoint, edits)))
        exact = np.mean([one == other for one, other in zip(whole, without, strict=True)])
        change = found.sites["cross"].measure_LH("cross", "exact_zero")[at]
        assert change == pytest.approx(exact - 1, abs=1e-6)


@pytest.mark.parametrize("kind", ["encoder-decoder", "decoder", "encoder"])
def test_a_model_of_any_kind_is_measured_as_far_as_it_allows(kind):
    model = MadeUp(kind)
    found = measure_heads(model, HeadCorpus("mine", (("the old cat", ""), ("a dog sleeps", ""))))
    assert set(found.sites) == {one.site for one in model.anatomy.sites}
    targets = {"encoder-decoder": "written", "decoder": "text", "encoder": "none"}
    assert found.targets == targets[kind]
    assert math.isnan(found.loss)
    for site, one in found.sites.items():
        assert one.measures_LHM.shape == (2, 4, len(MEASURES[site])) and one.means_LHE is None
        assert np.isfinite(one.measure_LH(site, "entropy")).all()
        assert np.isnan(one.measure_LH(site, "loss_zero")).all()


def test_the_command_writes_a_file_with_which_a_head_can_be_at_its_mean(tmp_path, capsys):
    before = tiny_checkpoint(tmp_path / "tiny")
    assert "head-mean" not in OwnModel(before).anatomy.edits
    texts = tmp_path / "mine.tsv"
    texts.write_text("\n".join("\t".join(pair) for pair in PAIRS))
    assert main(["heads", str(tmp_path / "tiny"), "--sentences", str(texts)]) == 0
    (told,) = re.findall(r"half of the heads cost less than (\S+) nats", capsys.readouterr().out)
    model = OwnModel(open_checkpoint(tmp_path / "tiny"))
    sites = model.heads.sites.items()
    added = np.concatenate([one.measure_LH(site, "loss_zero").ravel() for site, one in sites])
    assert told == f"{np.median(added):.2g}"
    assert "head-mean" in model.anatomy.edits
    assert model.heads.corpus == "mine.tsv" and model.heads.sentences == PAIRS
    edited = model.edited(read_edits(["head-mean:cross.2.3"]))
    source, fed = model.source("The cat"), (1, 5, 6)
    made = {}
    edited.full_pass([source.ids], [fed], tap=lambda name, value: made.setdefault(name, value))
    mean_E = model.heads.sites["cross"].means_LHE[1, 2]
    assert (made["decoder.2.cross.heads"][0, 2].numpy() == mean_E).all()


@pytest.mark.parametrize("name", ["marian", "gpt2"])
def test_a_model_of_transformers_loses_what_its_edited_passes_lose(name):
    from tests.model_core.models.hub.test_model import TEXTS, model_of  # which loads transformers

    _, model = model_of(name)
    found = measure_heads(model, HeadCorpus("mine", tuple((text, "") for text in TEXTS[:2])))
    edited = model.edited(read_edits(["head-off:decoder.2.3"]))
    losses, read = [], []
    for each in (model, edited):
        nats, count = 0.0, 0
        for text, _ in found.sentences:
            source, prompt = model.source(text), model.start(model.source(text)).decoding.target
            target = source.ids[1:]
            if name == "marian":
                target = Tracer(model).extend(Recipe("tiny", text), None)[0].target_ids
            fed = (*prompt.ids, *target[:-1]) if name == "marian" else source.ids
            read += [([source.ids], [fed])] if each is model else []
            logits_TV = each.full_pass([source.ids], [fed]).logits_BTV[0]
            for t, token in enumerate(target):
                row = t + (len(prompt) - 1 if name == "marian" else 0)
                nats -= float(logits_TV[row].log_softmax(dim=-1)[token])
            count += len(target)
        losses.append(nats / count)
    assert found.loss == pytest.approx(losses[0], abs=1e-4)
    lost = found.sites["decoder"].measure_LH("decoder", "loss_zero")[1, 2]
    assert lost == pytest.approx(losses[1] - losses[0], abs=1e-4)
    # With its mean in its place the head is lost less far; the mean is that of all rows that count.
    one = found.sites["decoder"]
    made = []
    for rows in read:
        kept = {}
        model.full_pass(*rows, tap=lambda at, v, kept=kept: kept.setdefault(at, v))
        made.append(kept["decoder.2.self.heads"][0, 2])
    np.testing.assert_allclose(one.means_LHE[1, 2], torch.cat(made).mean(dim=0), atol=1e-5)
    at_mean = model.edited(
        read_edits(["head-mean:decoder.2.3"]),
        {site: s.means_LHE for site, s in found.sites.items()},
    )
    kept = {}
    at_mean.full_pass([(5, 6)], [(5, 6)], tap=lambda at, v: kept.setdefault(at, v))
    assert (kept["decoder.2.self.heads"][0, 2].numpy() == one.means_LHE[1, 2]).all()
    assert np.isfinite(one.measure_LH("decoder", "loss_mean")).all()
