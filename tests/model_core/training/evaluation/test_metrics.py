import ast
import inspect
import sys

import pytest
import sacrebleu

from model_core.errors import VisualiserError
from model_core.training.evaluation import metrics
from model_core.training.evaluation.metrics import bleu_score, chrf_score, exact_match, tokens_of

OUTPUTS = ("The cat sits on the mat .", "It rains today.", "Yes, I know him well.")
REFERENCES = (
    ("The cat is on the mat.", "A cat sits on the mat."),
    ("It is raining today.",),
    ("Yes, I know him well.", "I know him well.", "Yes, him I know well."),
)


def test_bleu_is_what_sacrebleu_gives() -> None:
    outputs, references = OUTPUTS[:2], [right[:1] for right in REFERENCES[:2]]
    expected = sacrebleu.corpus_bleu(outputs, [[right[0] for right in references]], tokenize="13a")
    assert bleu_score(outputs, references, "13a").value == expected.score > 0


def test_bleu_counts_every_reference_of_every_sentence() -> None:
    streams = [
        [REFERENCES[0][0], REFERENCES[1][0], REFERENCES[2][0]],
        [REFERENCES[0][1], "", REFERENCES[2][1]],
        ["", "", REFERENCES[2][2]],
    ]
    expected = sacrebleu.corpus_bleu(OUTPUTS, streams)
    assert bleu_score(OUTPUTS, REFERENCES, "13a").value == expected.score
    first = [right[:1] for right in REFERENCES]
    assert expected.score > bleu_score(OUTPUTS, first, "13a").value


def test_chrf_is_what_sacrebleu_gives() -> None:
    expected = sacrebleu.corpus_chrf(OUTPUTS, [[right[0] for right in REFERENCES]])
    assert chrf_score(OUTPUTS, [right[:1] for right in REFERENCES]).value == expected.score


def test_chinese_is_scored_by_characters() -> None:
    outputs, references = ["我今天很高兴见到你。"], [("我今天很高兴看到你。",)]
    expected = sacrebleu.corpus_bleu(outputs, [[references[0][0]]], tokenize="zh")
    assert tokens_of("zh") == "zh" and tokens_of("fr") == "13a"
    found = bleu_score(outputs, references, "zh").value
    assert found == expected.score > bleu_score(outputs, references, "13a").value


def test_tokenised_text_is_scored_as_it_is_on_request(caplog: pytest.LogCaptureFixture) -> None:
    outputs = ["ein hund(1) läuft über den schnee ."] * 120
    references = [("ein hund (1) läuft über den schnee .",)] * 120
    streams = [[right[0] for right in references]]
    expected = sacrebleu.corpus_bleu(outputs, streams, tokenize="none", force=True)
    found = bleu_score(outputs, references, "none")
    assert found.value == expected.score != bleu_score(outputs, references, "13a").value
    assert "tok:none" in found.signature
    assert caplog.text == ""


def test_an_interval_is_that_of_sacrebleus_own_resamples_and_says_so() -> None:
    outputs, references = list(OUTPUTS) * 20, [right[:1] for right in REFERENCES] * 20
    streams = [[right[0] for right in references]]
    for found, metric in (
        (bleu_score(outputs, references, "13a", resamples=200), sacrebleu.BLEU()),
        (chrf_score(outputs, references, resamples=200), sacrebleu.CHRF()),
    ):
        expected = metric.corpus_score(outputs, streams, n_bootstrap=200)
        assert found.interval == pytest.approx(expected._ci, rel=1e-4) and found.interval > 0
        assert found.signature == str(metric.get_signature())
        assert "bs:200|seed:" in found.signature
    assert bleu_score(outputs, references, "13a").interval is None


def test_outputs_of_which_some_resamples_match_nothing_have_a_score_without_an_interval() -> None:
    outputs, references = ["zz", "zz", "ab"], [("ab",), ("cd",), ("ab",)]
    found = chrf_score(outputs, references, resamples=100)
    assert found.value == chrf_score(outputs, references).value > 0
    assert found.interval is None and "bs:" not in found.signature


def test_equal_sentences_have_an_interval_of_nothing() -> None:
    found = bleu_score(OUTPUTS[1:2] * 30, REFERENCES[1:2] * 30, "13a", resamples=100)
    assert found.interval == pytest.approx(0)


def test_exact_match_counts_any_reference() -> None:
    assert exact_match(OUTPUTS, REFERENCES) == pytest.approx(100 / 3)
    assert exact_match(["b"], [("a", "b")]) == 100


def test_without_sacrebleu_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(VisualiserError, match="pip install sacrebleu"):
        bleu_score(OUTPUTS, REFERENCES, "13a")


def test_nothing_of_sacrebleu_is_used_that_it_keeps_to_itself() -> None:
    parts = ast.walk(ast.parse(inspect.getsource(metrics)))
    names = [part.attr for part in parts if isinstance(part, ast.Attribute)]
    assert "corpus_score" in names and not [name for name in names if name.startswith("_")]
