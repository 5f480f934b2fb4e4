"""What is used of gradio that it does not promise: here by name, for a version that changes it."""

import asyncio
import inspect
import re
from types import SimpleNamespace

import pytest
from gradio_client import snippet

from model_core.errors import ServingError
from tests.conftest import ROOT
from viz_app.server.gradio.patches import TRIED, bound_unread, inside, look_less_often
from viz_app.server.gradio.quick import gr


@pytest.mark.parametrize(
    "names",
    [
        "_queue",
        "_queue.pending_messages_per_session",
        "_queue.pending_event_ids_session",
        "_queue.sleep_when_free",
        "_queue.progress_update_sleep_when_free",
    ],
)
def test_an_app_of_gradio_has_it(names):
    with gr.Blocks() as app:
        pass
    assert inside(app, *names.split(".")) is not None


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


def test_a_queue_that_nobody_joins_is_looked_at_less_often():
    from gradio import queueing

    with gr.Blocks() as app:
        pass
    before = app._queue.sleep_when_free, app._queue.progress_update_sleep_when_free
    look_less_often(app)
    after = app._queue.sleep_when_free, app._queue.progress_update_sleep_when_free
    assert all(now >= 2 * then for now, then in zip(after, before, strict=True)), before
    source = inspect.getsource(queueing.Queue)
    for name in ("sleep_when_free", "progress_update_sleep_when_free"):
        assert f"asyncio.sleep(self.{name})" in source


def test_what_a_forgotten_visitor_is_told_goes_nowhere_and_the_queue_goes_on():
    with gr.Blocks() as app:
        pass
    bound_unread(app, 2)
    kept = app._queue.pending_messages_per_session
    for session in "abc":
        kept[session] = asyncio.Queue()
    for session in "abc":
        waiting = SimpleNamespace(session_hash=session, alive=True, _id=session)
        app._queue.send_message(waiting, SimpleNamespace())
    assert list(kept) == ["b", "c"] and all(queue.qsize() == 1 for queue in kept.values())


def test_a_gradio_without_it_is_refused_with_the_version_to_install():
    with gr.Blocks() as app:
        pass
    del app._queue.pending_event_ids_session
    with pytest.raises(ServingError, match=r"has no pending_event_ids_session.*gradio~=6\.31\.0"):
        bound_unread(app, 5)


def test_the_version_that_was_tried_is_the_one_that_is_installed():
    wanted = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert f"gradio~={TRIED}.0" in wanted.splitlines()
    assert re.match(rf"{re.escape(TRIED)}\.\d", gr.__version__)
