"""Runs modules of the page on values of Python, without a page."""

import json
import subprocess
from typing import Any

from tests.javascript.__main__ import ROOT, program

READ = """
import { readFileSync } from "node:fs";
const given = JSON.parse(readFileSync(0, "utf8"));
"""


def run_module(script: str, given: Any) -> Any:
    """What a module makes of `given`, which it prints as JSON; its imports begin at the root."""
    command = [program(), "--input-type=module", "--eval", READ + script]
    text = json.dumps(given).encode()
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)
