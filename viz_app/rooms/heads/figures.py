"""The room Heads: all heads by one measure, by two, and how far one looks."""

import math
import re

import numpy as np
import plotly.graph_objects as go

from model_core.values.head_measures import FAR
from viz_app.figures.labels import title_of, width_of
from viz_app.figures.look import Look, colour_at, escaped
from viz_app.figures.maps import Sheet
from viz_app.figures.panels import Panel, draw_panels, ends_of
from viz_app.figures.paper import Box, Paper, number_axis, trace
from viz_app.rooms.room import Answer

_SIGNS = {"encoder": "circle", "decoder": "square", "cross": "diamond"}


def measures_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """Layers down and heads across, a map for each site that has the measure."""
    name = str(vars(answer.view)["measure"])
    found = {
        site: one["values"][name] for site, one in answer["sites"].items() if name in one["values"]
    }
    title = look.word("figure_heads_every", measure=look.word(f"heads_measure_{name}"))
    paper = Paper(look, title, _told(answer, look))
    low, high = ends_of(*found.values())
    decimals = max(2, 1 + math.ceil(-math.log10(max(-low, high))))
    panels = []
    for at, (site, values_LH) in enumerate(found.items()):
        L, H = values_LH.shape
        sheet = Sheet(
            values_LH,
            [str(layer + 1) for layer in range(L)],
            [str(head + 1) for head in range(H)],
            look.word("pick_layer"),
            look.word("pick_head"),
            low=low,
            high=high,
            numbers=f".{decimals}f",
            fills=True,
        )
        bar = look.word(f"heads_measure_{name}") if at == len(found) - 1 else ""
        panels.append(Panel(sheet, look.word(f"figure_site_{site}"), bar))
    draw_panels(paper, panels)
    return paper.figure()


def scatter_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """A point for each head that has both measures; its sign says the site."""
    across, down = str(vars(answer.view)["across"]), str(vars(answer.view)["measure"])
    titles = [look.word(f"heads_measure_{name}") for name in (across, down)]
    title = look.word("figure_heads_every", measure=f"{titles[1]} · {titles[0]}")
    paper = Paper(look, title, _told(answer, look))
    size = paper.type
    sign = {"circle": "●", "square": "■", "diamond": "◆"}
    points = {
        site: (one["values"][across], one["values"][down])
        for site, one in answer["sites"].items()
        if across in one["values"] and down in one["values"]
    }
    left = paper.margin + 5 * size
    names = [f"{sign[_SIGNS[site]]} {look.word(f'figure_site_{site}')}" for site in points]
    key = "   ".join(names)
    if width_of(key, look.sized(0.8)) > paper.width - left:
        key = "<br>".join(names)
    top = paper.top + (2 + 0.96 * key.count("<br>")) * size
    height = (paper.height - top if paper.height else 0.62 * paper.width) - 5 * size
    box = Box(left, top, paper.inner_width - 6 * size, height)
    spans = []
    for which in (0, 1):
        every = np.concatenate([pair[which].ravel() for pair in points.values()] or [np.zeros(1)])
        low, high = float(every.min()), float(every.max())
        air = 0.06 * (high - low or 1.0)
        spans.append([low - air, high + (1 + which) * air])  # over the highest stands its name
    axes = paper.axes(
        box, number_axis(look, spans[0], titles[0]), number_axis(look, spans[1], titles[1])
    )
    told = _labels(points, spans, box, look)
    for at, (site, (x_LH, y_LH)) in enumerate(points.items()):
        named = [f"L{layer + 1}H{head + 1}" for layer, head in np.ndindex(*x_LH.shape)]
        colour = colour_at(look.sequential, 0.35 + 0.3 * at)
        said = f"{escaped(site)} %{{customdata}}: %{{x:.3f}}, %{{y:.3f}}<extra></extra>"
        marker = {"symbol": _SIGNS[site], "size": 0.6 * size, "color": colour}
        font = {"size": look.sized(0.7), "color": look["quiet"]}
        texts = {"text": told[site], "textposition": "top center", "textfont": font}
        dots = {"mode": "markers+text", "marker": marker, "cliponaxis": False}
        spoken = {"customdata": named, "hovertemplate": said}
        places = {"x": x_LH.ravel().tolist(), "y": y_LH.ravel().tolist()}
        paper.add(trace("scatter", **places, **dots, **texts, **spoken, **axes))
    paper.text(box.left, paper.top + 0.4 * size, key, 0.8, "quiet")
    paper.grow(paper.width, box.bottom + 4 * size)
    return paper.figure()


def _labels(
    points: dict[str, tuple[np.ndarray, np.ndarray]], spans: list[list[float]], box: Box, look: Look
) -> dict[str, list[str]]:
    """The name of each point over it, where nothing else stands; the highest first.

    The others have none.
    """
    size, sign = look.sized(0.7), 0.3 * look.type_size
    sides = (box.width, box.height)
    across, down = (side / (span[1] - span[0]) for side, span in zip(sides, spans, strict=True))
    places = {
        (site, layer, head): (
            (float(x_LH[layer, head]) - spans[0][0]) * across,
            (spans[1][1] - float(y_LH[layer, head])) * down,
        )
        for site, (x_LH, y_LH) in points.items()
        for layer, head in np.ndindex(*x_LH.shape)
    }
    taken = [(key, x - sign, y - sign, x + sign, y + sign) for key, (x, y) in places.items()]
    told = {site: [""] * x_LH.size for site, (x_LH, _) in points.items()}
    for key, (x, y) in sorted(places.items(), key=lambda one: one[1][1]):
        site, layer, head = key
        name = f"L{layer + 1}H{head + 1}"
        half = 0.5 * width_of(name, size)
        left, top, right, bottom = x - half, y - sign - 1.2 * size, x + half, y - sign
        if any(
            of != key and left < b and a < right and top < d and c < bottom
            for of, a, c, b, d in taken
        ):
            continue
        taken.append((key, left, top, right, bottom))
        told[site][layer * points[site][0].shape[1] + head] = name
    return told


def distances_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """What part of its attention a head gives to each distance, in tokens."""
    head = answer["head"]
    title = title_of(head["site"], head["layer"] + 1, head["head"] + 1, look)
    paper = Paper(look, f"{title} · {look.word('heads_distances')}", _told(answer, look))
    size = paper.type
    top = paper.top + size
    height = (paper.height - top if paper.height else 0.58 * paper.width) - 5 * size
    box = Box(paper.margin + 4 * size, top, paper.inner_width - 5 * size, height)
    shares_N = head["distances_N"]
    across = number_axis(look, [-FAR - 0.6, FAR + 0.6], look.word("heads_distances_axis"))
    down = number_axis(look, [0, 1.05 * float(shares_N.max())], look.word("heads_share"))
    axes = paper.axes(box, across, down)
    paper.add(
        trace(
            "bar",
            x=list(range(-FAR, FAR + 1)),
            y=shares_N.tolist(),
            marker={"color": look["ink"], "line": {"width": 0}},
            hovertemplate="%{x}: %{y:.3f}<extra></extra>",
            **axes,
        )
    )
    paper.grow(paper.width, box.bottom + 4 * size)
    return paper.figure()


def _told(answer: Answer, look: Look) -> str:
    """On what was measured."""
    n, corpus = (answer["measured"][name] for name in ("sentences", "corpus"))
    if ours := re.match("our own (sentences|strings)", corpus):
        corpus = look.word(f"heads_corpus_{ours[1]}")
    edits = ", ".join(answer["edits"])
    key = "figure_heads_on_edited" if edits else "figure_heads_on"
    return escaped(look.word(key, n=n, corpus=corpus, edits=edits))


FIGURES = {"measures": measures_figure, "scatter": scatter_figure, "distances": distances_figure}
