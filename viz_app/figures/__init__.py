"""What all kept pictures are drawn with; each room's own pictures lie in its folder.

Tokens are escaped and stand on integer ticks: Plotly reads "</s>" as HTML and merges equal labels.
Cells are drawn one by one, so that SVG and PDF hold vectors.
"""
