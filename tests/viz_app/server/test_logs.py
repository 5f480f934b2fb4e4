"""What is logged where something fails, in a process of its own: it changes how that one logs."""

import subprocess
import sys

import pytest

from model_core.errors import RecipeError
from tests.conftest import ROOT
from viz_app.server.answers.metrics import Metrics
from viz_app.server.logs import logged

SECRET = "heliotrope"
PROGRAM = f"""
import logging, sys, traceback
from viz_app.server.logs import keep_words_out_of_tracebacks
keep_words_out_of_tracebacks()
for line in sys.argv[1:]:
    try:
        raise ValueError({SECRET!r})
    except ValueError:
        exec(line)
    print("NEXT", file=sys.stderr)
"""
OF_REQUESTS = (
    "logging.getLogger('uvicorn.error').exception('in %s', 'a call')",
    "logging.getLogger('asyncio').error('lost', exc_info=True)",
    "logging.getLogger('viz_app.failures').exception('failed')",
)
OF_OTHERS = ("traceback.print_exc()", "logging.getLogger('matplotlib').exception('it failed')")


@pytest.fixture(scope="module")
def written():
    """What each of the lines writes."""
    lines = (*OF_REQUESTS, *OF_OTHERS)
    command = [sys.executable, "-c", PROGRAM, *lines]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return dict(zip(lines, ended.stderr.split("NEXT\n")[:-1], strict=True))


@pytest.mark.parametrize("line", OF_REQUESTS)
def test_what_handles_requests_writes_no_message(written, line):
    text = written[line]
    assert "ValueError at <string>:7 <module>" in text and SECRET not in text


@pytest.mark.parametrize("line", OF_OTHERS)
def test_other_libraries_and_this_process_write_what_they_did(written, line):
    assert f"ValueError: {SECRET}" in written[line]


def test_what_fails_is_counted_by_a_word_of_ours():
    metrics = Metrics()
    for error in (UnicodeEncodeError("utf-8", SECRET, 0, 1, SECRET), RecipeError(SECRET)):
        with pytest.raises(type(error)), logged("step", metrics):
            raise error
    text = metrics.text({})
    for outcome in ("bug", "request"):
        assert f'requests_total{{kind="step",outcome="{outcome}"}} 1' in text
    assert "UnicodeEncodeError" not in text and SECRET not in text
