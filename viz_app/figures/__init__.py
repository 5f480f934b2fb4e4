"""Sheets as Plotly figures: one converter for every picture of every room.

Tokens are escaped and stand on integer ticks: Plotly reads "</s>" as HTML and merges equal labels.
"""
