"""What is used of gradio that it does not promise: here by name, for a version that changes it."""

import inspect
import re

import pytest
from gradio_client import snippet

from model_core.errors import ServingError
from tests.conftest import ROOT
from viz_app.server.gradio.patches import TRIED, tell_plain_curl
from viz_app.server.gradio.quick import gr


def test_gradio_has_the_tunnels_and_the_module_that_prints_failures():
    from gradio import queueing, route_utils, routes, tunneling, utils

    assert isinstance(tunneling.CURRENT_TUNNELS, list) and callable(tunneling.Tunnel.kill)
    for module in (queueing, route_utils, routes, utils):
        assert "traceback.print_exc()" in inspect.getsource(module), module


def test_gradio_has_what_is_put_in_the_place_of_its_own():
    from gradio import routes

    names = inspect.signature(snippet.generate_code_snippets).parameters
    assert list(names)[:3] == ["api_name", "endpoint_info", "root"] and "api_prefix" in names
    assert callable(routes.generate_code_snippets)


def test_a_gradio_without_it_is_refused_with_the_version_to_install(monkeypatch):
    from gradio import routes

    monkeypatch.delattr(routes, "generate_code_snippets")
    with pytest.raises(ServingError, match=r"has no generate_code_snippets.*gradio~=6\.31\.0"):
        tell_plain_curl()


def test_the_version_that_was_tried_is_the_one_that_is_installed():
    wanted = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert f"gradio~={TRIED}.0" in wanted.splitlines()
    assert re.match(rf"{re.escape(TRIED)}\.\d", gr.__version__)
