"""gradio inside: what its variables change of it."""

from starlette.routing import Mount

from viz_app.server.gradio.mounted import Mounted
from viz_app.server.service import Service


def test_no_variable_of_gradio_starts_another_server_or_reports_what_is_used(models, monkeypatch):
    def started(*_, **__):
        raise AssertionError("a server of its own")

    for name in ("GRADIO_MCP_SERVER", "GRADIO_SSR_MODE", "GRADIO_ANALYTICS_ENABLED"):
        monkeypatch.setenv(name, "True")
    monkeypatch.setattr("gradio.routes.start_node_server", started)
    monkeypatch.setattr("gradio.analytics._do_analytics_request", started)
    mounted = Mounted(Service(models), {})
    (inside,) = [one.app for one in mounted.app.routes if isinstance(one, Mount)]
    assert inside.get_blocks().mcp_server_obj is None
