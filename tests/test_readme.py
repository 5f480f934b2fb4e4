"""Every command in the README is run, or, where it installs or serves for ever, read."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from model_core.__main__ import main
from model_core.folders import CHECKPOINTS
from tests.conftest import ROOT
from tests.model_core.models.hub.tiny import eager, saved_hub
from tests.tiny import tiny_checkpoint
from tests.viz_app.lessons.test_lesson import written
from viz_app.__main__ import main as run_app
from viz_app.__main__ import options as app_options
from viz_app.commands.export import run as export
from viz_app.commands.lessons import run as make_sheet
from viz_app.commands.site import options as site_options
from viz_app.commands.space import run as make_space
from viz_app.server.address import address_of
from viz_app.server.service import Service

README = (ROOT / "README.md").read_text(encoding="utf-8")
CHINESE = (ROOT / "README.zh.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
BLOCKS = BLOCK.findall(README)
COMMANDS = [
    line.split(" #")[0].strip()
    for language, block in BLOCKS
    if language == ""
    for line in block.splitlines()
    if re.match(r"(python|make|\.venv)", line)
    and "my-" not in line  # run below, by test_own_pair.py and test_importing.py
]
CORE = [command for command in COMMANDS if "-m model_core" in command]
OTHER = [command for command in COMMANDS if "-m model_core" not in command]


def test_there_are_commands_to_run():
    assert len(CORE) >= 5 and len(OTHER) >= 5


@pytest.mark.parametrize("command", CORE)
def test_a_command_of_the_core_runs(command, tmp_path, monkeypatch, capsys):
    words = shlex.split(command.split("-m model_core")[1])
    for name in ("en-fr", "reverse-tiny"):
        shutil.copytree(CHECKPOINTS / name, tmp_path / "checkpoints" / name)
    data = tmp_path / "DIR"
    data.mkdir()
    rows = [f"The old cat sleeps {n}.\tLe vieux chat dort {n}.\n" for n in range(20)]
    (data / "train.tsv").write_text("".join(rows[:15]))
    (data / "valid.tsv").write_text("".join(rows[15:]))
    monkeypatch.chdir(tmp_path)
    if words[0] in ("evaluate", "align", "card"):  # which take long, or write, with a shipped one
        words[2] = str(tmp_path / "tiny")
        tiny_checkpoint(tmp_path / "tiny", max_positions=64)
    if words[0] == "train":
        words += ["--updates", "2", "--cooldown", "0", "--warmup", "1", "--validate-every", "2"]
        words += ["--strings", "2000", "--width", "64", "--feed-forward-width", "64"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.strip()
    if "-o" in words:
        assert Path(words[words.index("-o") + 1]).stat().st_size > 0


@pytest.mark.parametrize("command", OTHER)
def test_any_other_command_names_what_exists(command, tmp_path):
    words = shlex.split(command)
    if words[0] == "make":
        assert subprocess.run(["make", "-n", *words[1:]], cwd=ROOT, check=False).returncode == 0
    elif words[2:4] == ["viz_app", "space"]:
        assert make_space([str(tmp_path / words[-1])]) == 0
        assert (tmp_path / words[-1] / "app.py").is_file()
    elif words[2:4] == ["viz_app", "site"]:  # test_live_site.py walks through one
        assert site_options().parse_args(words[4:]).folder == Path(words[-1])
    elif "-r" in words:
        assert (ROOT / words[words.index("-r") + 1]).is_file()
    elif words[2:4] == ["viz_app", "export"]:
        (tmp_path / "sentences.txt").write_text("The old cat.\nIt sleeps.\n")
        options = [word for word in words[4:] if word != "sentences.txt"]
        if "--texts" in options:
            options.insert(options.index("--texts") + 1, str(tmp_path / "sentences.txt"))
        out = tmp_path / options[options.index("-o") + 1]
        options[options.index("-o") + 1] = str(out)
        assert export(options, CHECKPOINTS) == 0
        assert list(out.iterdir()) if out.is_dir() else out.stat().st_size > 0
    elif words[2:4] == ["viz_app", "lessons"]:
        out = tmp_path / "sheet"
        assert make_sheet([*words[4:], "-o", str(out)]) == 0
        assert out.stat().st_size > 0
    elif "viz_app" in words:
        options = app_options().parse_args(words[3:])  # test_demo.py starts one with all of them
        assert address_of(options, (), {}).port == (8000 if "8000" in words else None)
    else:
        assert words[1] == "-m" and words[2] in ("venv", "pytest", "tests.browser.chromium")


def test_the_lines_about_own_lessons_run(tmp_path, monkeypatch, capsys):
    lines = re.findall(r"^python -m viz_app .*my-lessons$|^python.*my-lessons -o.*$", README, re.M)
    check, serve, pack, site = (shlex.split(line)[3:] for line in lines)
    (tmp_path / "my-lessons").mkdir()
    models = {"reverse-tiny": {"text": "abc"}}
    written(tmp_path / "my-lessons", "my-heads.json", models=models)
    monkeypatch.chdir(tmp_path)
    assert run_app(check) == 0 and "my-heads" in capsys.readouterr().out
    assert app_options().parse_args(serve).lessons == Path("my-lessons")
    assert export(pack[1:], CHECKPOINTS) == 0 and Path("my-heads.zip").stat().st_size > 0
    assert site_options().parse_args(site[1:]).lessons == Path("my-lessons")


def test_the_python_examples_run(app, monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {}
    for language, block in BLOCKS:
        if language == "python":
            exec(block.replace("http://127.0.0.1:7860", app[0]), names)
    assert names["done"]["finished"] == "end"
    heads = names["head"]["weights_HQK"]
    assert len(heads[0][0]) == len(names["head"]["keys"])
    for name, heads in (("whisper", 6), ("detr", 8), ("opennmt", 1)):
        assert names[name].trace("cross", 1).weights_HQK.shape[0] == heads
    assert names["figure"].layout.title.text == "Cross-attention, layer 2, head 5"


def test_the_plain_post_runs(app):
    (command,) = [block for language, block in BLOCKS if language == "bash"]
    words = shlex.split(command.replace("http://127.0.0.1:7860", app[0]))
    answer = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert json.loads(answer)["finished"] == "end"


def test_the_command_that_opens_arrays_runs(tmp_path, monkeypatch):
    command = next(line for _, block in BLOCKS for line in block.splitlines() if " open " in line)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    np.savez("my-weights.npz", attention=np.full((2, 3), 1 / 3))
    assert run_app(shlex.split(command)[3:]) == 0
    assert (tmp_path / "my-weights.html").is_file()


@pytest.mark.parametrize("text", [README, CHINESE], ids=["English", "Chinese"])
def test_the_lines_that_open_a_folder_of_transformers_run(text, tmp_path, monkeypatch):
    """With a tiny model of that architecture, made here, in the place of `my-models/NAME`."""
    from transformers import NllbTokenizer  # which takes seconds to load

    lines = re.findall(r"^python -m .*--model my-models/\w+.*$", text, re.MULTILINE)
    assert len(lines) >= 2
    monkeypatch.chdir(tmp_path)
    for line in lines:
        words = shlex.split(line)[2:]
        folder = Path(words[words.index("--model") + 1])
        if folder.name == "nllb":
            eager("m2m_100", max_position_embeddings=24, vocab_size=300).save_pretrained(folder)
            letters = ["<s>", "<pad>", "</s>", "<unk>", *"▁Theoldcatsp."]
            spelled = {piece: at for at, piece in enumerate(dict.fromkeys(letters))}
            NllbTokenizer(vocab=spelled).save_pretrained(folder)
        else:
            saved_hub(folder, folder.name, max_position_embeddings=24)
        if words[0] == "model_core":
            assert main(words[1:]) == 0
            continue
        options = app_options().parse_args(words[1:])
        service = Service(tmp_path / "none", device=options.device)
        for model in options.model:
            service.open_on(model)
        answer = service.answer({"link": ""})
        assert "error" not in answer and answer["recipe"]["model"] == folder.name


def test_both_languages_name_the_same_commands_and_files():
    tree = [block for block in BLOCKS if block[1].startswith("model_core/")]
    assert len(tree) == 1  # the map of the house, in English only
    assert BLOCK.findall(CHINESE) == [block for block in BLOCKS if block not in tree]
    other_language = {"README.md", "README.zh.md"}
    assert links(CHINESE) - other_language == links(README) - other_language


def links(text):
    return set(re.findall(r"\]\(([^)#]+)[)#]", text))


@pytest.mark.parametrize("text", [README, CHINESE], ids=["English", "Chinese"])
def test_every_file_it_names_exists(text):
    for link in links(text):
        if not link.startswith("http"):
            assert (ROOT / link).exists(), link
