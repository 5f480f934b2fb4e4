"""Every command in the README is run, or, where it installs or serves for ever, begun."""

import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from model_core.__main__ import main
from model_core.evaluate_command import CHECKPOINTS
from tests.serving import serve
from viz_app.export.command import run as export
from viz_app.space import main as make_space

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.split(" #")[0].strip()
    for language, block in BLOCKS
    if language == ""
    for line in block.splitlines()
    if re.match(r"(python|make|\.venv)", line)
    and "my-" not in line  # the recipe for an own pair is run by test_own_pair.py
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
    if words[0] == "card":  # which writes: not into the shipped one
        words[1] = str(tmp_path / "checkpoints" / words[1])
    if words[0] == "train":
        words += ["--updates", "2", "--cooldown", "0", "--warmup", "1", "--validate-every", "2"]
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
    elif "viz_app.space" in words:
        assert make_space([str(tmp_path / words[-1])]) == 0
        assert (tmp_path / words[-1] / "app.py").is_file()
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
    elif "viz_app" in words:
        assert_it_serves(words)
    else:
        assert words[1] == "-m" and words[2] in ("venv", "pytest", "tests.browser.chromium")


def assert_it_serves(words):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [word for word in words[3:] if word not in ("--port", "8000")]
    server = subprocess.Popen(
        [sys.executable, "-m", "viz_app", *options, "--port", str(port)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        deadline = time.monotonic() + 120
        while True:
            assert server.poll() is None, server.stdout.read().decode()
            try:
                page = urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=5).read()
                break
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.2)  # between two tries, not instead of a condition
        assert b"Attention Visualiser" in page
    finally:
        server.terminate()
        server.wait(30)
        server.stdout.close()


def test_the_python_examples_run(monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {}
    with serve(CHECKPOINTS) as (address, _):
        for language, block in BLOCKS:
            if language == "python":
                exec(block.replace("http://127.0.0.1:7860", address), names)
    assert names["done"]["finished"] == "end"
    heads = names["head"]["weights_HQK"]
    assert len(heads[0][0]) == len(names["head"]["keys"])
    assert names["figure"].layout.title.text == "Cross-attention, layer 2, head 5"


def test_every_file_it_names_exists():
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        if not link.startswith("http"):
            assert (ROOT / link).exists(), link
