"""A Plotly figure that a notebook shows as a picture too.

A page that nbconvert writes of a notebook runs none of what draws a figure there, and was blank.
"""

from typing import Any

import plotly.graph_objects as go
import plotly.io

from model_core.errors import ExportError
from viz_app.files.chromium import CHROMIUM

_OF_JUPYTER = ("plotly_mimetype", "plotly_mimetype+notebook")  # other hosts have ways of their own


class Displayed(go.Figure):
    """The figure; where a Chromium is found, with an SVG of it beside what Jupyter draws itself."""

    def _ipython_display_(self) -> None:
        if plotly.io.renderers.default not in _OF_JUPYTER or not (shown := self.shown()):
            super()._ipython_display_()
            return
        from IPython.display import display

        display(shown, raw=True)

    def shown(self) -> dict[str, Any]:
        """What a notebook is given, by its types; nothing where no picture can be drawn."""
        figure = go.Figure(self)
        try:
            drawn = CHROMIUM.draw(figure, "svg", 1)
        except ExportError:
            return {}
        interactive = plotly.io.renderers["plotly_mimetype"].to_mimebundle(figure.to_plotly_json())
        return {**interactive, "image/svg+xml": drawn.decode()}
