"""Installing: what is put where, what is refused, and what is said in which encoding."""

import email
import email.policy
import errno
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from model_core import atomic
from model_core import folders as of_program
from model_core.__main__ import main as core
from model_core.atomic import replace_file
from viz_app.__main__ import main as app

ROOT = Path(__file__).resolve().parent.parent
OF_A_BUILD = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE")
# What `show` needs; the stage in a notebook asks for nothing else.
OF_SHOW = {"torch", "numpy", "tokenizers", "safetensors"}
OTHERS = ("gradio", "fastapi", "starlette", "plotly", "kaleido", "PIL", "tqdm")
SHOWN = f"""
import sys
sys.modules |= dict.fromkeys({OTHERS}, None)
from viz_app import show
assert "torch" not in sys.modules  # until something is shown
shown = show("reverse-tiny", "abc")
print(shown.text, len(shown.html) > 100_000, sys.modules["viz_app"].__file__)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder that `pip install .` fills, and the files of the program it is filled from."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for path in (*ROOT.glob("requirements*.txt"), *(ROOT / name for name in OF_A_BUILD)):
        shutil.copyfile(path, source / path.name)
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
    for name in ("model_core", "viz_app", "checkpoints"):
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    files = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(built), "egg_info"]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (said,) = source.glob("*.egg-info/PKG-INFO")
    return built, files, email.message_from_bytes(said.read_bytes(), policy=email.policy.default)


def test_every_file_of_the_program_and_its_models_is_installed(installed):
    built, files, _ = installed
    names = {path.relative_to(built).as_posix() for path in built.rglob("*") if path.is_file()}
    code = {path.as_posix() for path in files if path.parts[0] in ("model_core", "viz_app")}
    models = {
        "/".join(("model_core", "shipped", *path.parts[1:]))
        for path in files
        if path.parts[0] == "checkpoints" and len(path.parts) == 3
    }
    assert len(models) > 80
    assert names == code | models


def test_show_runs_from_any_folder_and_needs_four_packages_only(installed, tmp_path):
    command = [sys.executable, "-P", "-c", SHOWN]
    environment = os.environ | {"PYTHONPATH": str(installed[0]), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    text, is_whole, place = done.stdout.split()
    assert (text, is_whole) == ("cba", "True") and place.startswith(str(installed[0]))


def test_one_file_says_which_versions_and_the_readme_which_packages_show_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert {"version", "dependencies"} <= set(project["project"]["dynamic"])
    assert "dependencies" not in project["project"] and "version" not in project["project"]
    dynamic = project["tool"]["setuptools"]["dynamic"]
    assert dynamic["dependencies"] == {"file": ["requirements.txt"]}
    assert project["project"]["scripts"] == {"attention-visualiser": "viz_app.__main__:main"}
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(name in readme.split("**Notebooks.**")[1].split("```")[0] for name in OF_SHOW)


def test_what_an_index_shows_of_the_package_leads_somewhere(installed):
    about = installed[2]
    text = about.get_content()
    assert "# Attention Visualiser" in text and "python -m viz_app" in text
    assert all(to.startswith(("https://", "#")) for to in re.findall(r"\]\(([^)]*)\)", text))
    assert about["Author"] and about["Keywords"] and about.get_all("Classifier")
    assert "MIT" in about["License-Expression"] and "CC-BY-2.0" in about["License-Expression"]
    assert about.get_all("License-File") == ["LICENSE", "NOTICE"]


def test_the_package_takes_a_range_of_torch_and_the_repository_one_version(installed):
    needed = [Requirement(one) for one in installed[2].get_all("Requires-Dist")]
    assert set(installed[2].get_all("Provides-Extra")) == {"hub", "desktop", "ray", "tensorboard"}
    (torch,) = [one for one in needed if one.name == "torch"]
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    (pinned,) = [Requirement(line) for line in lines if line.startswith("torch")]
    (exact,) = pinned.specifier
    assert exact.operator == "==" and exact.version in torch.specifier
    major, minor, *_ = exact.version.split(".")
    assert f"{major}.{int(minor) + 1}.0" in torch.specifier
    for makes in ("Makefile", "Dockerfile", "tests/requirements.txt"):
        assert "constraints.txt" in (ROOT / makes).read_text("utf-8")


def helped(run, capsys, *words):
    """What a program says of itself."""
    with pytest.raises(SystemExit) as ended:
        run([*words, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_the_installed_program_lists_its_commands_and_has_those_of_the_core(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/attention-visualiser"])
    said = helped(app, capsys)
    assert said.startswith("usage: attention-visualiser ")
    of_core = re.findall(r"^    ([a-z]+)\b", helped(core, capsys), re.MULTILINE)
    assert {"translate", "train"} <= set(of_core)
    for command in ("export", "open", "site", "space", *of_core):
        assert re.search(rf"\b{command}\b", said)
        assert helped(app, capsys, command).startswith(f"usage: attention-visualiser {command} ")


@pytest.mark.parametrize("extra", ["hub", "desktop", "ray", "tensorboard"])
def test_an_extra_is_named_where_there_is_no_list_of_its_packages(extra, monkeypatch, tmp_path):
    assert of_program.installing(extra) == f"python -m pip install -r requirements-{extra}.txt"
    monkeypatch.setattr(of_program, "REPOSITORY", tmp_path)
    command = of_program.installing(extra)
    (what,) = shlex.split(command)[4:]
    assert Requirement(what).name == "attention-visualiser" and Requirement(what).extras == {extra}


def older_python(folder, version="(3, 10, 12, 'final', 0)"):
    """A program that says it is this Python, and otherwise is the one that runs here."""
    program = folder / "python3"
    start = f"import sys; sys.version_info = {version}; sys.version = '3.10.12 (main)'"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] && exec {sys.executable} -c "{start}\n$2"\nexit 7\n'
    )
    program.chmod(0o755)
    return program


def make(*words, **more):
    command = ["make", "-C", str(ROOT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


def test_make_refuses_an_older_python_before_anything_is_made(tmp_path):
    done = make("run", f"PYTHON={older_python(tmp_path)}", f"VENV={tmp_path / 'venv'}")
    assert done.returncode != 0
    assert "needs Python 3.11 or later; this is 3.10.12" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("package", ["viz_app", "model_core"])
def test_an_older_python_is_refused_by_name(tmp_path, package):
    done = subprocess.run(
        [older_python(tmp_path), "-c", f"import {package}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "This program needs Python 3.11 or later; this is 3.10.12.\n"


def test_make_goes_on_after_a_virtual_environment_that_could_be_made_in_part_only(tmp_path):
    """As without python3-venv: the interpreter is there, its pip is not."""
    program, venv = tmp_path / "python3", tmp_path / "venv"
    program.write_text(
        '#!/bin/sh\n[ "$1" = -c ] && exit 0\n'
        f"mkdir -p {venv}/bin; ln -sf {program} {venv}/bin/python\n[ -e {tmp_path}/whole ]\n"
    )
    program.chmod(0o755)
    words = (f"{venv}/bin/python", f"PYTHON={program}", f"VENV={venv}")
    assert make(*words).returncode != 0
    assert not (venv / "bin" / "python").is_symlink()
    (tmp_path / "whole").touch()
    assert make(*words).returncode == 0 and (venv / "bin" / "python").is_symlink()


def test_make_mends_a_virtual_environment_whose_python_has_gone_or_that_has_no_pip(tmp_path):
    venv, log, program = tmp_path / "venv", tmp_path / "log", tmp_path / "python3"
    (venv / "bin").mkdir(parents=True)
    for name in ("python", "python3"):
        (venv / "bin" / name).symlink_to(tmp_path / "gone")
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@" --without-pip\n')
    program.chmod(0o755)
    inside = venv / "bin" / "python"
    assert make(inside, f"PYTHON={program}", f"VENV={venv}").returncode == 0
    assert subprocess.run([inside, "-c", "pass"], check=False).returncode == 0
    inside.unlink()
    inside.write_text(f'#!/bin/sh\n[ "$3" != --version ] && echo "$2 $3" >> {log}\n')
    inside.chmod(0o755)
    assert make(venv / "app", f"VENV={venv}").returncode == 0
    assert log.read_text().split("\n")[:2] == ["ensurepip ", "pip install"]


def test_on_windows_files_are_replaced_though_no_folder_can_be_opened(tmp_path, monkeypatch):
    opened, folders = os.open, []

    def open_as_windows(path, flags, *more):
        if Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        if flags == os.O_RDONLY:
            folders.append(path)
        return opened(path, flags, *more)

    monkeypatch.setattr(atomic.os, "open", open_as_windows)
    monkeypatch.setattr(atomic, "OPENS_FOLDERS", False)
    replace_file(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert not folders  # Windows waits for no file that was opened to be read


def test_what_is_printed_is_utf8_whatever_the_system_takes():
    program = """
from model_core.__main__ import main
for model in ("en-zh", "没有"):
    main(["translate", "--model", model, "--text", "I love you."])
"""
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    assert "爱" in done.stdout.decode("utf-8") and "没有" in done.stderr.decode("utf-8")
