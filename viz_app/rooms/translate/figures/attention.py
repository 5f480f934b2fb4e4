"""One head of attention as a map, and what every picture of attention says of itself."""

from dataclasses import dataclass

import plotly.graph_objects as go

from model_core.errors import RecipeError
from model_core.values.trace import COLUMNS, ROWS, AttentionTrace, Tokens
from viz_app.figures.labels import axis_titles, isolated, named, title_of
from viz_app.figures.look import LOOK, Look, escaped
from viz_app.figures.maps import Sheet, bar_room, draw_bar, draw_map, place_map
from viz_app.figures.paper import Paper


@dataclass(frozen=True, eq=False)
class Rows:
    """What the rows of a trace write, and how many of them are drawn."""

    written: Tokens | None = None  # the token that each row writes, as far as there is one
    step: int | None = None  # counted from 1: rows after it keep their room and are not drawn


def attention_figure(
    trace: AttentionTrace,
    head: int,
    look: Look = LOOK,
    rows: Rows | None = None,
    about: str = "",
) -> go.Figure:
    """One head, counted from 1, as a map: rows are queries, columns keys, masked cells hatched.

    The colour scale is always 0 to 1. `about` is a line under the title, as Plotly reads it.
    Raises RecipeError when the layer has no such head.
    """
    check_head(trace, head)
    paper = Paper(look, title_of(trace.site, trace.layer + 1, head, look), about)
    sheet = sheet_of(trace, head, look, rows or Rows())
    size = look.type_size
    masked = "" if trace.mask_QK.all() else look.word("masked")
    bar = bar_room(look, look.word("figure_weight"), sheet, masked) + 0.5 * size
    height = (paper.height or 1.25 * paper.width) - paper.top - paper.margin
    place = place_map(look, sheet, paper.margin, paper.top, paper.inner_width - bar, height)
    spare = paper.inner_width - bar - (place.right - paper.margin)
    if look.size == "slide" and spare > 0:  # in the middle of the slide
        place = place_map(
            look, sheet, paper.margin + spare / 2, paper.top, paper.inner_width - bar, height
        )
    draw_map(paper, sheet, place, look.scale)
    left = max(place.cells.right + 1.2 * size, 0)
    draw_bar(paper, place.cells, left, look.word("figure_weight"), look.scale, sheet, masked)
    return paper.figure()


def check_head(trace: AttentionTrace, head: int) -> None:
    """Raise RecipeError where a layer has no such head."""
    heads = len(trace.weights_HQK)
    if not 1 <= head <= heads:
        raise RecipeError(f"There is no head {head}; this layer has heads 1 to {heads}.", "place")


def about_decoding(model: str, source: str, text: str, more: str = "") -> str:
    """The line under a title: model, sentence, translation, as Plotly reads it."""
    end = f" · {more}" if more else ""
    return f"{escaped(model)}: {escaped(isolated(source))} → {escaped(isolated(text))}{end}"


def row_labels(trace: AttentionTrace, look: Look, rows: Rows) -> list[str]:
    """The labels of the rows; of a step what goes in, quietly, and what comes out of it.

    A step that has written nothing yet has an ellipsis.
    """
    is_target = ROWS[trace.site] == "target"
    read = named(trace.queries, look, is_target)
    if not is_target or rows.written is None:
        return read
    quiet, written = look["quiet"], [*named(rows.written, look), "…"]
    return [
        f'<span style="color:{quiet}">{before} →</span> {after}'
        for before, after in zip(read, written, strict=False)
    ]


def sheet_of(trace: AttentionTrace, head: int, look: Look, rows: Rows) -> Sheet:
    """One head, counted from 1, as a map."""
    row_title, column_title = axis_titles(trace.site, look, rows.written is not None, trace.is_bare)
    drawn = rows.step if ROWS[trace.site] == "target" else None
    return Sheet(
        values_RC=trace.weights_HQK[head - 1],
        rows=row_labels(trace, look, rows),
        columns=named(trace.keys, look, COLUMNS[trace.site] == "target"),
        row_title=row_title,
        column_title=column_title,
        hidden_RC=~trace.mask_QK,
        drawn=drawn,
        outlined=None if drawn is None else drawn - 1,
        reads=look.word("figure_reads"),
        numbers=".2f",
        least=0.095,
    )
