import dataclasses
import json
import re

import pytest
import sacrebleu

from model_core.__main__ import main
from model_core.checkpoints.folder import list_checkpoints, read_config
from model_core.checkpoints.store import open_checkpoint
from model_core.folders import CHECKPOINTS
from model_core.training.commands.evaluate import write_card
from model_core.training.data.corpus import read_corpus, string_corpus
from model_core.training.evaluation.full import evaluate_fully
from model_core.training.evaluation.model_card import report_sections, where_trusted
from model_core.training.evaluation.scores import evaluate, translate
from model_core.values.config import TrainConfig
from tests.tiny import small_corpus, trained_checkpoint


@pytest.fixture
def trained(tmp_path):
    """A tiny checkpoint that says how it was trained, and a data folder for it."""
    return trained_checkpoint(tmp_path / "tiny", logits_bias=True), small_corpus(tmp_path / "DIR")


def folder_of(trained):
    return str(trained[1].parent / "tiny")


def test_evaluate_prints_every_number_of_the_card_again(trained, capsys):
    assert main(["card", folder_of(trained), "--data", str(trained[1])]) == 0
    card = capsys.readouterr().out
    assert card == open_checkpoint(folder_of(trained)).card
    assert main(["evaluate", folder_of(trained), "--data", str(trained[1])]) == 0
    printed = capsys.readouterr().out.splitlines()
    measured = card[card.index("## Scores") : card.index("## How it was made")].splitlines()
    assert len(measured) > 30 and printed[: len(measured) - 1] == measured[:-1]


def test_the_report_holds_what_the_functions_of_validation_give(trained, capsys):
    checkpoint, data = trained
    command = ["evaluate", "--model", folder_of(trained), "--data", str(data), "--json"]
    assert main([*command, "--beam", "3", "--length-penalty", "2"]) == 0
    report = json.loads(capsys.readouterr().out)
    tokenizers = (checkpoint.source_tokenizer, checkpoint.target_tokenizer)
    examples = read_corpus(data, TrainConfig()).held_out
    scores = evaluate(checkpoint.model, tokenizers, examples, TrainConfig())
    greedy, beam = report["searches"]
    assert (greedy["width"], beam["width"]) == (1, 3)
    assert report["loss"] == pytest.approx(scores.loss)
    assert greedy["bleu"]["value"] == scores.bleu and greedy["chrf"]["value"] == scores.chrf
    outputs = translate(checkpoint.model, tokenizers, [e.source for e in examples], 3, 2.0)
    references = [[e.references[0] for e in examples]]
    assert beam["chrf"]["value"] == sacrebleu.corpus_chrf(outputs, references).score
    assert beam["bleu"]["interval"] is not None and "bs:1000" in beam["bleu"]["signature"]
    assert sum(line["sentences"] for line in beam["by_length"]) == report["sources"] == 1


def test_a_beam_of_one_is_scored_once(trained, capsys):
    command = ["evaluate", folder_of(trained), "--data", str(trained[1]), "--json"]
    assert main([*command, "--beam", "1"]) == 0
    assert [s["width"] for s in json.loads(capsys.readouterr().out)["searches"]] == [1]
    assert main([*command, "--beam", "0"]) == 1
    assert "width of 1 or more" in capsys.readouterr().err
    assert main([*command, "--length-penalty", "-1"]) == 1
    assert "must lie in 0 to 10" in capsys.readouterr().err


def test_another_file_is_scored_with_its_texts_as_they_are(trained, capsys):
    _, data = trained
    (data / "test.tsv").write_text("the old cat .\tle vieux chat .\nthe roof .\tle toit .\n" * 2)
    command = ["evaluate", folder_of(trained), "--data", str(data), "--json"]
    assert main([*command, "--file", "test.tsv", "--tokenize", "none", "--beam", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["part"] == "test.tsv" and report["sources"] == 2
    assert "tok:none" in report["searches"][0]["bleu"]["signature"]
    assert main([*command, "--file", "no.tsv"]) == 1
    assert "no.tsv cannot be read" in capsys.readouterr().err


def test_a_card_says_what_was_measured_and_how_the_model_was_made(trained):
    checkpoint, data = trained
    report = write_card(trained[1].parent / "tiny", data)
    again = open_checkpoint(folder_of(trained))
    training = read_config(trained[1].parent / "tiny")[1]
    assert training.alignment_head.layer == report.alignment.layer
    assert training.evaluation.loss == report.loss
    assert len(training.evaluation.own) == len(report.own) == 40
    assert training.command == checkpoint.training.command
    for words in (
        *report_sections(report),
        checkpoint.training.command,
        "seed 1",
        "0" * 64,
        report.sha256,
        "look up their licence",
        "✗",
        "Where is the nearest station?",
    ):
        assert words in again.card
    assert again.config == checkpoint.config


def test_a_card_says_whether_the_sentences_it_is_scored_on_chose_the_weights(trained, capsys):
    folder, data = trained[1].parent / "tiny", trained[1]
    for held_out, words in ((0, "flatter the model"), (7, "The scores are of 7 others.")):
        config = json.loads((folder / "config.json").read_text())
        config["training"]["held_out_sources"] = held_out
        (folder / "config.json").write_text(json.dumps(config))
        assert main(["card", str(folder), "--data", str(data)]) == 0
        card = capsys.readouterr().out
        assert "## Scores on the held-out half of valid.tsv" in card and words in card
    held = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(["card", str(folder), "--data", str(data)]) == 0
    assert held == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_notes_stay_in_the_card_until_others_replace_them(trained, capsys):
    folder, data = trained[1].parent / "tiny", trained[1]
    command = ["card", str(folder), "--data", str(data)]
    for given, kept in (
        (["--note", "Twice as wide: no better.", "--note", "More dropout: worse."], 2),
        ([], 2),
        (["--note", "Half as wide: as good."], 1),
    ):
        assert main([*command, *given]) == 0
        notes = read_config(folder)[1].notes
        assert len(notes) == kept and set(given[1::2]) <= set(notes)
        tried = capsys.readouterr().out.split("## What was tried\n\n")[1].split("\n\n## ")[0]
        assert tried.split("\n\n")[1:] == list(notes)
        assert "does not measure this again" in tried.split("\n\n")[0]


def test_data_other_than_that_of_the_training_is_remarked_on(trained, capsys):
    assert main(["evaluate", folder_of(trained), "--data", str(trained[1]), "--beam", "1"]) == 0
    assert "was trained with other data" in capsys.readouterr().err


def test_hostile_text_stays_within_its_cell(trained):
    checkpoint, data = trained
    config = checkpoint.training.config
    report = evaluate_fully(checkpoint, read_corpus(data, config), config, 1, resamples=10)
    hostile = "✗ | b `c` <b>\n| d |\n# e"
    judged = dataclasses.replace(report.own[0], source=hostile, output=hostile, right=False)
    plain, tampered = (
        "\n".join(report_sections(dataclasses.replace(report, own=(one,)))).splitlines()
        for one in (dataclasses.replace(judged, source="a", output="b"), judged)
    )
    assert len(tampered) == len(plain)
    ((was, now),) = [pair for pair in zip(plain, tampered, strict=True) if pair[0] != pair[1]]
    assert was == "| ✗ | `a` | `b` |"
    assert now == "| ✗ | `✗ ¦ b 'c' <b> ¦ d ¦ # e` | `✗ ¦ b 'c' <b> ¦ d ¦ # e` |"


def test_a_checkpoint_that_a_killed_save_left_aside_gets_its_card_there(trained, capsys):
    folder = trained[1].parent / "tiny"
    (folder.parent / ".tiny.saving").mkdir()
    old = folder.rename(folder.parent / ".tiny.saving" / "old")
    report = write_card(folder, trained[1])
    assert not folder.exists() and open_checkpoint(folder).card == (old / "card.md").read_text()
    assert read_config(folder)[1].evaluation.loss == report.loss


def test_what_cannot_be_written_is_not_measured(trained, monkeypatch, capsys):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    monkeypatch.setattr("model_core.training.evaluation.full.evaluate_fully", None)
    for command in (["card"], ["align", "--write"]):
        assert main([*command, folder_of(trained), "--data", str(trained[1])]) == 1
        assert "tiny cannot be written. Copy" in capsys.readouterr().err


def test_a_reversal_is_scored_without_bleu_and_by_what_it_copies(tmp_path):
    checkpoint = trained_checkpoint(tmp_path / "tiny", max_positions=40)
    config = dataclasses.replace(
        checkpoint.training.config,
        task="reverse",
        source_language="text",
        target_language="reversed",
    )
    corpus = string_corpus(dataclasses.replace(config, strings=1200, longest_string=6))
    report = evaluate_fully(checkpoint, corpus, config, 2, resamples=10)
    assert report.alignment is None and report.searches[0].bleu is None
    assert len(report.copied) == 3 and len(report.own) == 10
    assert "weight on the token to copy" in "\n".join(report_sections(report))


def test_a_reversal_has_no_file_to_be_scored_with(tmp_path, capsys):
    folder = tmp_path / "tiny"
    trained_checkpoint(folder)
    config = json.loads((folder / "config.json").read_text())
    config["training"]["config"]["task"] = "reverse"
    (folder / "config.json").write_text(json.dumps(config))
    assert main(["evaluate", str(folder), "--file", "test.tsv"]) == 1
    assert "tiny is for strings that the program makes. Leave out --file" in (
        capsys.readouterr().err
    )


def test_a_missing_data_folder_is_asked_for(trained, capsys):
    for command in ("evaluate", "card", "align"):
        assert main([command, folder_of(trained)]) == 1
        assert "--data DIR" in capsys.readouterr().err


def test_the_table_of_checkpoints_and_the_card_say_what_was_measured():
    table = (CHECKPOINTS / "README.md").read_text("utf-8")
    for name in list_checkpoints(CHECKPOINTS):
        config, training = read_config(CHECKPOINTS / name)
        card = (CHECKPOINTS / name / "card.md").read_text("utf-8")
        (shape,) = re.findall(r"^An encoder-decoder Transformer with .*$", card, re.M)
        for pieces in (config.source_vocabulary, config.target_vocabulary):
            assert f"{pieces:,}" in shape
        (row,) = re.findall(rf"^\| `{re.escape(name)}` \|.*$", table, re.M)
        greedy, beam = training.evaluation.searches
        right = sum(judged.right for judged in training.evaluation.own)
        scores = [score for score in (beam.bleu, beam.chrf) if score]
        numbers = [str(score) for score in scores]
        for number in (*numbers, f"{greedy.exact_match:.1f}%", f"{right} right"):
            assert number in row and number in card, name


def test_a_card_says_for_which_text_the_picture_can_be_trusted():
    said = {}
    for name in list_checkpoints(CHECKPOINTS):
        alignment = read_config(CHECKPOINTS / name)[1].evaluation.alignment
        card = (CHECKPOINTS / name / "card.md").read_text("utf-8")
        if not alignment or not alignment.by_hand:
            assert "can be trusted. On" not in card
            continue
        words = where_trusted(alignment)
        assert f"\n\n{words}\n\n" in card, name
        said[name] = words
    assert "about 8 of 100 links are wrong: trust it." in said["en-fr"]
    assert "On formal ones, about 19 of 100 links are wrong: check a link" in said["en-fr"]
    assert "On formal ones, about 40 of 100 links are wrong: do not trust it." in said["zh-en"]


def test_cards_name_heads_as_the_page_does():
    for name in list_checkpoints(CHECKPOINTS):
        card = (CHECKPOINTS / name / "card.md").read_text("utf-8")
        told = "".join(line for line in card.splitlines(True) if not line.startswith("    "))
        others = re.findall(r"(?:[Hh]eads?|cross-attention) \d+\.\d+|\(layer\.head\)", told)
        assert not others, f"{name}: write {others} as L3H5"
