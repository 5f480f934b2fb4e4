"""The Dockerfile and the Space, as far as they can be tried without their engines.

Rules for the image: a slim base with its version; no ADD; one pip, without a cache, of the list of
requirements; what runs is in exec form, so that signals arrive; a user that is not root, set before
the command; a health check; nothing copied but what .dockerignore lets in. After that the very
commands are run in a clean folder with a clean environment, by a user who may write nothing there.
"""

import base64
import errno
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest
from gradio_client import Client

from model_core.errors import ServingError
from tests.conftest import ROOT
from tests.process import free_port, running
from tests.tiny import tiny_checkpoint
from viz_app.commands import space
from viz_app.commands.space import APP, PACKAGES, write_space
from viz_app.live import compiling
from viz_app.live.packages import archive
from viz_app.rooms.examples import EXAMPLES
from viz_app.site import building

PINNED = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


def instructions():
    """The Dockerfile's instructions in order: (word, rest)."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [tuple(line.split(None, 1)) for line in lines]


DOCKER = instructions()


def those(word):
    return [rest for name, rest in DOCKER if name == word]


def command_of(rest):
    """The words of an instruction in exec form."""
    words = json.loads(rest[rest.index("[") :])
    assert isinstance(words, list) and all(isinstance(word, str) for word in words)
    return words


def test_the_image_is_built_by_the_rules():
    words = [word for word, _ in DOCKER]
    known = {"FROM", "ARG", "ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert set(words) <= known
    assert re.fullmatch(r"python:3\.\d+-slim", those("FROM")[0]) and words.count("FROM") == 1
    assert words.count("CMD") == words.count("HEALTHCHECK") == words.count("USER") == 1
    user = those("USER")[0]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)  # a number: a host can see that it is not root
    assert words.index("USER") < words.index("CMD") and "RUN" not in words[words.index("USER") :]
    for rest in those("RUN") + those("CMD"):
        assert command_of(rest)
    assert "CMD [" in those("HEALTHCHECK")[0] and "/health" in those("HEALTHCHECK")[0]
    system, run, compiled = map(command_of, those("RUN"))
    assert "--no-install-recommends" in system[-1] and "rm -rf /var/lib/apt/lists/*" in system[-1]
    assert set(PACKAGES.split()) <= set(system[-1].split())  # as for the Space
    assert "--no-cache-dir" in run and run[-2:] == ["--requirement", "requirements.txt"]
    assert run[-4:-2] == ["--constraint", "constraints.txt"]
    assert "compileall" in compiled and {"model_core", "viz_app"} <= set(compiled)
    assert "--demo" in command_of(those("CMD")[0])
    assert those("EXPOSE")[0] == command_of(those("CMD")[0])[-1]


def test_the_image_takes_the_packages_that_are_asked_for_beside_its_own():
    """pip reads its options from variables too, and an ARG is one for what is run after it."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (named,) = re.findall(r"--build-arg PIP_REQUIREMENT=(\S+)", text)
    words = [f"{word} {rest}" for word, rest in DOCKER]
    pip = next(at for at, line in enumerate(words) if line.startswith("RUN") and '"pip"' in line)
    before = words[:pip]
    assert "ARG PIP_REQUIREMENT" in before
    assert any(line.startswith("COPY") and named in line.split() for line in before)
    assert (ROOT / named).is_file()


def test_the_image_names_no_index_of_packages():
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert not re.search(r"https?://(?!127\.0\.0\.1)", text)


def copied():
    """What COPY takes from the tree, without options and the destination."""
    for rest in those("COPY"):
        words = [word for word in rest.split() if not word.startswith("--")]
        yield from (word.rstrip("/") for word in words[:-1])


def test_only_what_is_copied_is_let_into_the_build():
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    assert {rule[1:].rstrip("/") for rule in rules if rule[0] == "!"} == set(copied())
    assert all((ROOT / name).exists() for name in copied())


@pytest.fixture
def clean():
    """A new folder that every user can reach; pytest's own are for the user of the tests only."""
    folder = Path(tempfile.mkdtemp(prefix="ready-made-"))
    folder.chmod(0o755)
    yield folder
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    shutil.rmtree(folder)


def close(folder):
    """Take every right to write from the folder and what is in it; others may read."""
    for path in [*folder.rglob("*"), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def fingerprint(folder):
    return {
        path.relative_to(folder): (status.st_mode, status.st_size, status.st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if stat.S_IFMT((status := path.stat()).st_mode)
    }


def without_rights():
    """What stands before a command so that modes bind it, even where root runs the tests."""
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return []
    return [setpriv, "--bounding-set=-dac_override,-dac_read_search,-fowner"]


def test_what_is_closed_cannot_be_written(clean):
    (clean / "closed").mkdir()
    close(clean / "closed")
    tried = [*without_rights(), sys.executable, "-c", "open('closed/a', 'w')"]
    if os.geteuid() == 0 and len(tried) == 3:
        pytest.fail("root without setpriv may write everywhere: install util-linux")
    ended = subprocess.run(tried, cwd=clean, capture_output=True, text=True, check=False)
    assert "PermissionError" in ended.stderr


def environment(folder, **more):
    """Nothing but what the image sets, and where to find python and to put what is temporary."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    (folder / "tmp").mkdir()
    (folder / "tmp").chmod(0o777)
    here = {"PATH": path, "TMPDIR": str(folder / "tmp")}
    pairs = (pair.split("=", 1) for rest in those("ENV") for pair in shlex.split(rest))
    return here | dict(pairs) | {"HOME": str(folder / "tmp")} | more


def with_port(words, port):
    """The command's words on a port of our own, by this python."""
    words = [word.replace("7860", str(port)) for word in words]
    return [sys.executable if word == "python" else word for word in words]


def assert_it_translates(address):
    health = json.load(urllib.request.urlopen(f"{address}/health"))
    assert health["status"] == "ok" and "en-fr" in health["models"]
    client = Client(address, verbose=False)
    recipe = {"model": "reverse-tiny", "source": "abc"}
    assert client.predict(recipe, api_name="/translate")["text"] == "cba"


def assert_it_draws(address):
    """A browser is there, and draws for a user who may write nothing but what is temporary."""
    client = Client(address, verbose=False)
    answer = client.predict("abc", format="svg", model="reverse-tiny", api_name="/file")
    assert b"<svg" in base64.b64decode(answer["data"])


def test_the_images_commands_run_where_nothing_can_be_written(clean):
    tree, port = clean / "app", free_port()
    tree.mkdir()
    ignore = shutil.ignore_patterns("__pycache__", "*.pyi", "*.training", ".*.saving")
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=ignore)
        else:
            shutil.copyfile(ROOT / name, tree / name)
    set_up = environment(clean)
    # The very commands; what pip would fetch must be here already, so that the list is complete.
    _, pip, compiled = (with_port(command_of(rest), port) for rest in those("RUN"))
    for words in ([*pip, "--no-index", "--quiet"], compiled):
        subprocess.run(words, cwd=tree, env=set_up, check=True)
    close(tree)
    before = fingerprint(tree)
    command = [*without_rights(), *with_port(command_of(those("CMD")[0]), port)]
    with running(command, port, clean / "log", tree, set_up) as (address, process):
        assert_it_translates(address)
        assert_it_draws(address)
        check = with_port(command_of(those("HEALTHCHECK")[0]), port)
        assert subprocess.run(check, env=set_up, check=False).returncode == 0
        process.terminate()
        assert process.wait(120) == 0
    assert subprocess.run(check, env=set_up, check=False, capture_output=True).returncode != 0
    assert fingerprint(tree) == before


def test_the_space_is_a_folder_that_runs_by_itself(clean):
    tree, port = clean / "space", free_port()
    write_space(tree)
    front = (tree / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert fields["sdk"] == "gradio" and fields["app_file"] == "app.py"
    listed = (tree / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert {line for line in listed if line.startswith(("torch==", "--extra-index-url"))} == {
        next(line for line in PINNED if line.startswith("torch==")),
        "--extra-index-url https://download.pytorch.org/whl/cpu",
    }
    assert "chromium" in (tree / "packages.txt").read_text(encoding="utf-8").splitlines()
    assert (tree / fields["app_file"]).is_file() and (tree / "requirements.txt").is_file()
    assert len(fields["short_description"]) <= 60  # Spaces show no more
    (tree / "app.py").write_text(APP.replace("7860", str(port)), encoding="utf-8")
    close(tree)
    before = fingerprint(tree)
    set_up = environment(clean)
    command = [*without_rights(), sys.executable, "app.py"]
    with running(command, port, clean / "log", tree, set_up) as (address, _):
        assert_it_translates(address)
    assert fingerprint(tree) == before


def test_a_static_space_is_a_site_that_computes(tmp_path, monkeypatch):
    tiny_checkpoint(tmp_path / "models" / "tiny")
    monkeypatch.setattr(space, "CHECKPOINTS", tmp_path / "models")
    monkeypatch.setitem(EXAMPLES, ("en", "fr"), ("The old cat.",))
    monkeypatch.setattr(compiling, "modules", archive)  # compiled: viz_app/live/test_compiling.py
    tree = tmp_path / "space"
    assert space.run(["--static", str(tree)]) == 0
    front = (tree / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert fields["sdk"] == "static" and (tree / fields["app_file"]).is_file()
    assert (tree / "live" / "worker.js").is_file() and len(fields["short_description"]) <= 60
    monkeypatch.setattr(building, "site_files", lambda *_: {"index.html": b"<p>"})
    assert space.run(["--static", str(tree)]) == 0  # written anew
    assert (tree / "index.html").read_bytes() == b"<p>" and not (tree / "live").exists()


def test_the_text_files_of_the_core_travel_with_it(tmp_path):
    texts = [path.relative_to(ROOT) for path in (ROOT / "model_core").rglob("*.txt")]
    assert len(texts) >= 5 and "model_core" in copied()  # the image has all of the folder
    write_space(tmp_path / "space")
    for path in texts:
        assert (tmp_path / "space" / path).read_bytes() == (ROOT / path).read_bytes()


def test_a_space_has_none_of_the_trainings_that_the_page_began(tmp_path, monkeypatch):
    for name in ("model_core", "viz_app", "checkpoints/tiny", "checkpoints/.trainings/run-1"):
        (tmp_path / "from" / name).mkdir(parents=True)
    for name in ("LICENSE", "NOTICE", "constraints.txt", "requirements.txt"):
        (tmp_path / "from" / name).write_text("")
    monkeypatch.setattr(space, "ROOT", tmp_path / "from")
    write_space(tmp_path / "space")
    assert [one.name for one in (tmp_path / "space/checkpoints").iterdir()] == ["tiny"]


def test_a_space_is_written_into_a_new_folder_only(tmp_path):
    (tmp_path / "mine").write_text("kept")
    with pytest.raises(ServingError, match="Name a new folder"):
        write_space(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_space_that_does_not_fit_names_a_file_and_leaves_nothing(tmp_path, monkeypatch):
    def full(source, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with pytest.raises(ServingError, match=r"\.\w+ cannot be written: No space left on device\.$"):
        write_space(tmp_path / "space")
    assert not (tmp_path / "space").exists()


def test_what_a_killed_run_left_of_a_space_is_written_anew(tmp_path):
    code = "import os, shutil; shutil.copyfile = lambda *_: os._exit(9)\n"
    code += "from viz_app.commands.space import run; run(['space'])"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    killed = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=False
    )
    assert killed.returncode == 9 and any((tmp_path / "space").iterdir())
    write_space(tmp_path / "space")
    names = {path.name for path in (tmp_path / "space").iterdir()}
    assert {"app.py", "viz_app", "checkpoints"} <= names and ".unfinished" not in names


def test_a_space_is_not_written_into_what_it_copies():
    folder = ROOT / "viz_app" / "space"
    with pytest.raises(ServingError, match="in viz_app, which is copied"):
        write_space(folder)
    assert not folder.exists()
