import inspect

import pytest
from gradio import component_meta

from viz_app.server.gradio.quick import gr, no_stubs


def component():
    """A component among gradio's own, as its import makes some eighty."""
    return type(gr.HTML)("HTML", (gr.HTML,), {"__module__": gr.HTML.__module__})


def test_no_stub_of_a_component_is_written(monkeypatch):
    def written(*_):
        raise AssertionError("a stub is written")

    monkeypatch.setattr(component_meta, "create_pyi", written)
    with no_stubs():
        assert issubclass(component(), gr.HTML)
    with pytest.raises(AssertionError, match="a stub is written"):
        component()


def test_other_files_are_found_meanwhile_and_all_afterwards():
    with no_stubs():
        assert inspect.getfile(component) == __file__
        with pytest.raises(OSError, match="No stubs"):
            inspect.getfile(gr.HTML)
    assert inspect.getfile(gr.HTML).endswith("html.py")
