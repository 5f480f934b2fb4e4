"""Values as Plotly figures, for what is kept. Pure: nothing is written or shown here.

One file a room. Tokens are escaped and stand on integer ticks: Plotly reads "</s>" as HTML and
merges equal labels. Cells are drawn one by one, so that SVG and PDF hold vectors.
"""

from viz_app.figures.attention import attention_figure

__all__ = ["attention_figure"]
