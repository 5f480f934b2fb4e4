"""The room Inside a head: one row of a head, link by link; one token's way through the model."""

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model_core.values.trace import COLUMNS, ROWS
from viz_app.figures.labels import named, title_of, widest, width_of
from viz_app.figures.look import LEAST_TYPE, Look, colour_at, escaped
from viz_app.figures.maps import Place, Sheet, draw_map, signed_scale
from viz_app.figures.panels import ends_of
from viz_app.figures.paper import Box, Paper, number_axis, quiet_axis, wrapped
from viz_app.rooms.inside.answer import stages_of
from viz_app.rooms.room import Answer


def head_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """One query against all keys: products, score, weight, value, weight x value.

    One row per key, on one line all the way; under them the sum of the weighted values. The key of
    the view is outlined.
    """
    rows = named(answer["keys"], look, COLUMNS[answer["site"]] == "target")
    paper = _paper(answer, look, about, "figure_title")
    size = paper.type
    K = len(rows)
    top = paper.top + (2.4 if look.size == "slide" else 3.2) * size
    room = (paper.height or 1e9) - top - 6 * size
    pitch = max(1.2 * look.least_type_size, min(2.2 * size, room / K))
    label = max(look.least_type_size, min(0.8 * size, 0.8 * pitch))
    left = paper.margin + widest(rows, label) + 0.6 * size
    width = paper.width - left - paper.margin
    # Of the width; the rest parts them.
    shares = (
        (0.26, 0.13, 0.13, 0.19, 0.19) if look.size == "slide" else (0.19, 0.24, 0.12, 0.18, 0.19)
    )
    gap = 0.02 * width
    boxes = []
    for share in shares:
        boxes.append(Box(left, top, share * width, K * pitch))
        left += share * width + gap
    hidden_K = ~answer["allowed_K"]
    titles = ("figure_products", "term_score", "term_weight", "term_value", "figure_weighted")
    for box, name in zip(boxes, titles, strict=True):
        text = look.word(name)
        if width_of(text, look.sized(0.75)) > box.width:
            text = text.replace(look.word("figure_products"), "q · k")
        text = wrapped(text, look.sized(0.75), box.width + 0.5 * gap)
        paper.text(box.left, top - 0.4 * size, text, 0.75, "quiet", yanchor="bottom")
    outlined = vars(answer.view)["key"]
    products_KE = answer["products_KE"]
    _map(paper, products_KE, boxes[0], rows, label, ends_of(products_KE), hidden_K, outlined)
    scores_K = np.where(hidden_K, 0, answer["scores_K"])
    _bars(paper, scores_K, boxes[1], hidden_K)
    _bars(paper, answer["weights_K"], boxes[2], hidden_K, 1.0)
    weighted_KE = answer["weighted_KE"]
    edit = edit_of(answer, answer["head"])
    ends = [("figure_context", answer["summed_E"])]
    ends += [(f"inside_head{edit}", answer["context_E"])] if edit else []
    span = ends_of(weighted_KE, *(vector_E for _, vector_E in ends))
    seen_K, v_KE = np.zeros(K, bool), answer["v_KE"]
    _map(paper, v_KE, boxes[3], [], label, ends_of(v_KE), seen_K, outlined)
    _map(paper, weighted_KE, boxes[4], [], label, span, seen_K, outlined)
    below = Box(boxes[4].left, boxes[4].bottom + 0.3 * size, boxes[4].width, 1.1 * size)
    for name, vector_E in ends:
        below = replace(below, top=below.top + 1.2 * size)
        _map(paper, vector_E[None], below, [], label, span, np.zeros(1, bool), None)
        told = look.word(name, n=answer["head"] + 1)
        paper.text(below.left - 0.4 * size, below.top, told, 0.75, "quiet", "right")
    told = look.word("figure_dimensions_E", E=len(answer["q_E"]))
    if look.size == "slide":
        paper.text(boxes[0].left, boxes[0].bottom + 0.5 * size, told, 0.7, "quiet")
    else:  # wider than the map, so under the numbers of the axes beside it
        paper.text(paper.margin, below.top, told, 0.7, "quiet")
    for box, reach in (
        (boxes[0], ends_of(products_KE)),
        (boxes[3], ends_of(v_KE)),
        (below, span),
    ):
        bar = Box(box.left, below.bottom + 0.7 * size, box.width, 0.5 * size)
        paper.flat_bar(bar, signed_scale(look, *reach), *reach)
    paper.grow(paper.width, below.bottom + 3 * size)
    return paper.figure()


def output_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """What becomes of one row: the shares of all heads, residual and norm; a bar is a length."""
    paper = _paper(answer, look, about, "figure_output")
    parts = output_parts(answer, look)
    size = paper.type
    label = max(look.least_type_size, 0.8 * size)
    names = [escaped(name) for _, rows, _ in parts for name, _ in rows]
    left = paper.margin + widest(names, label) + 0.8 * size
    top, head = paper.top + 0.3 * size, 1.9 * size  # of each part: its name and its scale
    room = (paper.height or 1e9) - top - 2 * size - len(parts) * (head + 0.5 * size)
    pitch = max(1.2 * look.least_type_size, min(1.9 * size, room / len(names)))
    width = paper.width - left - paper.margin
    for name, rows, outlined in parts:
        values_RD = np.stack([vector for _, vector in rows])
        R, ends = len(rows), ends_of(values_RD)
        box = Box(left, top + head, 0.76 * width, R * pitch)
        paper.text(paper.margin, top, f"<b>{name}</b>", 0.85)
        low, high = (f"{end:.3g}".replace("-", "\u2212") for end in ends)
        span = look.word("figure_span", low=low, high=high)
        paper.text(box.right, top + 0.1 * size, span, 0.7, "quiet", "right")
        labels = [escaped(row) for row, _ in rows]
        _map(paper, values_RD, box, labels, label, ends, np.zeros(R, bool), outlined)
        bars = Box(box.right + 0.04 * width, box.top, 0.2 * width, box.height)
        if name == parts[0][0]:
            paper.text(bars.left, top + 0.1 * size, look.word("figure_length"), 0.7, "quiet")
        _bars(paper, np.linalg.norm(values_RD, axis=1), bars, np.zeros(R, bool))
        top = box.bottom + 0.5 * size + (0 if look.size == "slide" else 0.8 * size)
    told = look.word("figure_dimensions_D", D=answer["D"])
    paper.text(left, top + 0.2 * size, told, 0.7, "quiet")
    paper.grow(paper.width, top + 1.8 * size)
    return paper.figure()


def edit_of(answer: Answer, head: int) -> str:
    """What an edit made of a head, as the end of a key of words: "" where it hands on its sum."""
    if not answer["replaced_H"][head]:
        return ""
    return "_mean" if answer["shares_HD"][head].any() else "_off"


Part = tuple[str, list[tuple[str, np.ndarray]], int | None]


def output_parts(answer: Answer, look: Look) -> list[Part]:
    """The steps in the order of the model: name, rows by name, and which row is the chosen head's.

    Where the norm stands before the attention, it comes first.
    """
    sublayer, norm = answer["sublayer"], answer["norm"]
    pre = answer["norm_place"] == "pre"
    shares = [
        (look.word(f"inside_head{edit_of(answer, head)}", n=head + 1), share_D)
        for head, share_D in enumerate(answer["shares_HD"])
    ]
    bias = [(look.word("inside_bias"), answer["output_bias_D"])] if answer["output_bias"] else []
    made = (look.word("inside_made"), sublayer.made_D)
    edited = answer["verdicts"]["output"] == "differs"
    summed_up = [(look.word("inside_sum_word"), answer["output_D"])] if edited else []
    entered = (look.word("inside_x"), sublayer.entered_D)
    summed = (look.word("inside_residual_name"), sublayer.sum_D)
    left = (look.word("inside_read" if pre else "inside_passed"), norm.left_D)
    parts: list[Part] = [
        (look.word("inside_output"), [*shares, *bias, *summed_up, made], answer["head"]),
        (look.word("inside_residual"), [entered, made, summed], None),
    ]
    normed: Part = (look.word("inside_norm"), [entered if pre else summed, left], None)
    return [normed, *parts] if pre else [*parts, normed]


def way_figure(answer: Answer, look: Look, about: str) -> go.Figure:
    """The residual stream of one token after every stage, one row per stage, and its length.

    Beside a target token's, the best next token if the model stopped there.
    """
    token = named(answer["tokens"], look, answer["side"] == "target")[answer["position"]]
    paper = Paper(look, look.word("figure_way", token="\ue000").replace("\ue000", token), about)
    size = paper.type
    stages = stages_of(answer.values)
    rows = [escaped(_named(key, said, look)) for key, said, _ in stages]
    values_SD = answer.table("way")[0].values["value_SD"]
    S, D = values_SD.shape
    label = max(look.least_type_size, 0.8 * size)
    left = paper.margin + widest(rows, label) + 0.8 * size
    top = paper.top + 2.4 * size
    room = (paper.height or 1e9) - top - 4.4 * size
    most = (3.4 if look.size == "slide" else 2.2) * size
    pitch = max(1.2 * look.least_type_size, min(most, room / S))
    width = paper.width - left - paper.margin
    lens = max(0.18 * width, _lens_room(answer, look, label)) if answer["lens"] else 0.0
    apart = max(0.036 * width, 0.8 * size)
    width -= lens + apart if lens else 0
    share = 0.76 if look.size == "slide" else 0.5  # of the map; numbers need their room
    box = Box(left, top, share * width, S * pitch)
    ends = ends_of(values_SD)
    _map(paper, values_SD, box, rows, label, ends, np.zeros(S, bool), None)
    told = look.word("figure_dimensions_D", D=D)
    if look.size == "slide":
        paper.text(box.left, top - 1.4 * size, told, 0.75, "quiet")
    else:  # wider than the map
        paper.text(paper.margin, box.bottom + 0.5 * size, told, 0.75, "quiet")
    lengths_S = np.linalg.norm(values_SD, axis=1)
    bars = Box(box.right + 0.04 * width, top, (0.96 - share) * width, S * pitch)
    paper.text(bars.left, top - 1.4 * size, look.word("figure_length"), 0.75, "quiet")
    _bars(paper, lengths_S, bars, np.zeros(S, bool))
    if answer["lens"]:
        _stopped(paper, answer, Box(bars.right + apart, top, lens, S * pitch), label)
    below = box.bottom + (0.8 if look.size == "slide" else 2) * size
    long = Box(box.left, below, min(max(box.width, 7 * size), 12 * size), 0.6 * size)
    paper.flat_bar(long, signed_scale(look, *ends), *ends)
    paper.grow(0, below + 3.2 * size)
    return paper.figure()


def _lens_room(answer: Answer, look: Look, label: float) -> float:
    """The pixels that the best token of a stage takes with its probability, and their title."""
    said = width_of(look.word("figure_lens"), look.sized(0.75))
    names = named(answer["lens"]["tokens"], look, False)
    return max(said, widest(names, label) + width_of("0.000", label) + 0.6 * label)


def _stopped(paper: Paper, answer: Answer, box: Box, label: float) -> None:
    """The best token of every stage with its probability, on the line of the stage."""
    lens, look = answer["lens"], paper.look
    paper.text(box.left, box.top - 1.4 * paper.type, look.word("figure_lens"), 0.75, "quiet")
    probability_SR = lens["probability_SR"]
    S, R = probability_SR.shape
    names = named(lens["tokens"], look, False)
    share = label / paper.type
    for at in range(S):
        line = box.top + (at + 0.5) * box.height / S - 0.6 * label
        paper.text(box.left, line, names[at * R], share)
        told = f"{probability_SR[at, 0]:.3f}"
        paper.text(box.left + box.width, line, told, share, "quiet", "right")


def _named(key: str, said: dict[str, str], look: Look) -> str:
    words = {
        name: look.word(value) if value.startswith("inside_") else value
        for name, value in said.items()
    }
    return look.word(key, **words)


def _map(
    paper: Paper,
    values_RC: np.ndarray,
    box: Box,
    rows: list[str],
    label: float,
    ends: tuple[float, float],
    hidden_R: np.ndarray,
    outlined: int | None,
) -> None:
    hidden_RC = np.broadcast_to(hidden_R[:, None], values_RC.shape)
    sheet = Sheet(values_RC, rows, (), "", "", *ends, True, hidden_RC, outlined=outlined)
    place = Place(box, label, 0, 0, 0)
    draw_map(paper, sheet, place, (bool(rows), False))


def _bars(
    paper: Paper, values_R: np.ndarray, box: Box, hidden_R: np.ndarray, most: float | None = None
) -> None:
    """A bar a row with its number, from 0; `most`: what the axis goes up to at least."""
    look, R = paper.look, len(values_R)
    low, high = min(0.0, float(values_R.min())), max(0.0, most or float(values_R.max()))
    numbers = {"size": min(look.sized(0.65), max(LEAST_TYPE, 0.8 * box.height / R))}
    pairs = zip(values_R.tolist(), hidden_R.tolist(), strict=True)
    texts = ["" if no else f"{value:.2f}".replace("-", "\u2212") for value, no in pairs]
    # Of the box, for the numbers at the ends of the bars.
    left, right = (
        (
            widest([text for text in texts if (text[:1] == "\u2212") is is_left], numbers["size"])
            + numbers["size"]
        )
        / box.width
        for is_left in (True, False)
    )
    left = left if low < 0 else 0.0
    whole = (high - low or 1.0) / max(0.2, 1 - left - right)  # the box, in units of the axis
    span = (low - left * whole, high + right * whole)
    across = number_axis(look, span, tickfont=numbers)
    end = float(f"{high:.1g}")
    is_wide = end / (span[1] - span[0]) * box.width > 2.4 * numbers["size"]
    across |= {"tickmode": "array", "tickvals": [0, end] if is_wide else [0], "tickangle": 0}
    axes = paper.axes(box, across, quiet_axis([R - 0.5, -0.5]))
    if hidden_R.any():
        parts = [(span[0], at - 0.5, span[1], at + 0.5) for at in np.flatnonzero(hidden_R).tolist()]
        paper.hatch(parts, box, (span[0], -0.5, span[1], R - 0.5), look["mask"], axes)
    told: dict[str, Any] = {"text": texts, "textposition": "outside", "textangle": 0}
    told |= {"textfont": numbers, "cliponaxis": False, "hoverinfo": "skip"}
    told["constraintext"] = "none"  # never smaller
    paper.bars(values_R.tolist(), colour_at(look.sequential, 0.6), axes, width=0.7, **told)


def _paper(answer: Answer, look: Look, about: str, key: str) -> Paper:
    """The paper of a picture of one query of a head."""
    title = title_of(answer["site"], answer["layer"] + 1, answer["head"] + 1, look, key)
    queries = named(answer["queries"], look, ROWS[answer["site"]] == "target")
    return Paper(look, f"{title} · {look.word('term_query')} {queries[answer['query']]}", about)


FIGURES = {"head": head_figure, "output": output_figure, "way": way_figure}
