"""Axes as Plotly reads them: of places, which have labels, and of numbers."""

import html
import unicodedata
from collections.abc import Sequence
from typing import Any

from viz_app.figures.canvas import TYPE, Spec
from viz_app.figures.labels import room_of, said
from viz_app.figures.look import Look
from viz_app.values.sheets import Bars, Map, Panel
from viz_app.values.tables import Axis

_DOWNWARDS = str.maketrans("〈〉", "︿﹀")  # around special tokens


def labels_along(axis: Axis, look: Look) -> list[str]:
    """What the places of an axis are called; none where they are numbered."""
    return [said(label, look) for label in axis.labels or ()]


def quiet_axis(span: Sequence[float], **more: Any) -> Spec:
    """An axis that shows nothing of itself unless asked."""
    shown = dict.fromkeys(("showgrid", "zeroline", "showline", "showticklabels"), False)
    return {"range": list(span), **shown, "ticks": ""} | more


def number_axis(look: Look, title: str = "", **more: Any) -> Spec:
    """An axis of numbers with light lines."""
    grid = {"showgrid": True, "gridcolor": look["hair"], "zerolinecolor": look["mask"]}
    return {"title": titled(look, title), "automargin": True, "nticks": 6} | grid | more


def titled(look: Look, text: str) -> Spec:
    """The title of an axis."""
    return {"text": text, "font": {"size": TYPE["size"], "color": look["quiet"]}, "standoff": 8}


def places_axis(look: Look, axis: Axis, is_named: bool = True, drawn: int | None = None) -> Spec:
    """An axis of places; where they have labels these stand at whole numbers from 0.

    Plotly would merge equal labels, so the places are numbers. What is not `drawn` yet keeps its
    room and has no label.
    """
    labels = labels_along(axis, look)
    start = 0 if labels else axis.start
    shown: Spec = {"showticklabels": is_named, "automargin": True, "ticklabelstandoff": 4}
    shown |= {"tickfont": {"size": TYPE["label"]}, "autotickangles": [0, -45, -90]}
    ends = quiet_axis([start - 0.5, start + axis.length - 0.5]) | shown
    if not labels:
        return ends | {"nticks": 8, "tickformat": "d"}
    labels = [text if drawn is None or at < drawn else "" for at, text in enumerate(labels)]
    return ends | {"tickmode": "array", "tickvals": list(range(len(labels))), "ticktext": labels}


def stacked(labels: Sequence[str], width: float) -> list[str] | None:
    """Labels of columns so wide, letter below letter; None where they fit, or need to lie.

    Scripts that are also written downwards would lie on their side, where Plotly turns labels.
    """
    plain = [html.unescape(label).translate(_DOWNWARDS) for label in labels]
    letters = "".join(plain)
    fits = room_of(labels) < 0.9 * width
    if fits or not all(unicodedata.east_asian_width(one) in "WF" for one in letters):
        return None
    return ["<br>".join(label) for label in plain]


def heading(sheet: Panel, look: Look) -> str:
    """The title of a sheet, after its sign in an equation."""
    text = f"{said(sheet.sign, look)} {said(sheet.title, look)}".strip()
    return f'<b style="color:{look["ink"]}">{text}</b>' if text else ""


def over(sheet: Panel, look: Look, *texts: str) -> Spec:
    """The title of an axis above a sheet: the sheet's own, and below it what the axis is."""
    return titled(look, "<br>".join(text for text in (heading(sheet, look), *texts) if text))


def rows_of(sheet: Panel) -> Axis | None:
    """The rows of a sheet, which the one beside it may share."""
    if isinstance(sheet, Map):
        return sheet.rows
    return sheet.places if isinstance(sheet, Bars) and not sheet.upright else None
