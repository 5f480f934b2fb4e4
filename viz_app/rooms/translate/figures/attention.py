"""One head of attention as a map, and what every picture of attention says of itself."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from model_core.values.recipe import Recipe
from model_core.values.trace import COLUMNS, ROWS, AttentionTrace, Tokens
from viz_app.figures.labels import axis_titles, isolated, named, title_of
from viz_app.figures.look import LOOK, Look, escaped
from viz_app.figures.maps import Sheet, bar_room, draw_bar, draw_map, place_map
from viz_app.figures.panels import ends_of
from viz_app.figures.paper import BLANK, Box, Paper, quiet_axis
from viz_app.figures.paper import trace as drawn_as
from viz_app.rooms.translate.readings import Read


@dataclass(frozen=True, eq=False)
class Rows:
    """What the rows of a trace write, and which of them is looked at."""

    written: Tokens | None = None  # the token that each row writes, as far as there is one
    step: int | None = None  # counted from 1: the row that is outlined
    stepping: bool = False  # the rows after it keep their room and are not drawn

    @property
    def drawn(self) -> int | None:
        """How many rows are drawn; None where all are."""
        return self.step if self.stepping else None


def attention_figure(
    trace: AttentionTrace,
    head: int,
    look: Look = LOOK,
    rows: Rows | None = None,
    about: str = "",
    read: Read | None = None,
) -> go.Figure:
    """One head, counted from 1, as a map: rows are queries, columns keys, masked cells hatched.

    The colour scale of weights is always 0 to 1. `about` is a line under the title, as Plotly reads
    it; `read` another reading, whose numbers take the place of the weights.
    """
    rows = rows or Rows()
    paper = Paper(look, title_read(trace, head, look, read, rows), about)
    sheet = sheet_of(trace, head, look, rows, read)
    size = look.type_size
    unit = unit_of(look, read)
    bar = bar_room(look, unit, sheet) + 0.5 * size
    height = (paper.height or 1.25 * paper.width) - paper.top - paper.margin
    norms_K = None if read is None else read.norms_K
    height -= 0 if norms_K is None else 3.4 * size
    room = paper.inner_width - bar
    place = place_map(look, sheet, paper.margin, paper.top, room, height)
    spare = room - (place.right - paper.margin)
    if look.size == "slide" and spare > 0:  # in the middle of the slide
        place = place_map(look, sheet, paper.margin + spare / 2, paper.top, room, height)
    draw_map(paper, sheet, place)
    draw_bar(paper, place.cells, place.cells.right + 1.2 * size, unit, sheet)
    if norms_K is not None:
        _draw_norms(paper, place.cells, norms_K)
    return paper.figure()


def unit_of(look: Look, read: Read | None) -> str:
    """What the numbers of a reading are called; None is the weights."""
    return look.word("figure_weight" if read is None else f"figure_unit_{read.name}")


def title_read(trace: AttentionTrace, head: int, look: Look, read: Read | None, rows: Rows) -> str:
    """What is shown, by which reading, and up to which step."""
    title = title_of(trace.site, trace.layer + 1, head, look)
    if read is not None:
        of = {"site": look.word(f"figure_site_{trace.site}"), "layer": trace.layer + 1}
        heads = len(trace.weights_HQK)
        title = look.word(f"figure_read_{read.name}", head=title, heads=heads, **of)
    return title_to(title, trace, look, rows)


def title_to(title: str, trace: AttentionTrace, look: Look, rows: Rows) -> str:
    """The title with the step up to which rows are drawn, where one is named."""
    if rows.drawn is None or ROWS[trace.site] != "target":
        return title
    steps = len(trace.queries)
    step = f"{min(rows.drawn, steps):{BLANK}>{len(str(steps))}}"  # an animation has equal titles
    return f"{title} · {look.word('step_of', n=step, m=steps)}"


def _draw_norms(paper: Paper, cells: Box, norms_K: np.ndarray) -> None:
    """The norm of each column's value as a bar under it, the largest as a number."""
    size, most = paper.type, float(norms_K.max(initial=0)) or 1.0
    box = Box(cells.left, cells.bottom + 1.7 * size, cells.width, 1.6 * size)
    up = quiet_axis([0, most])
    axes = paper.axes(box, quiet_axis([-0.5, len(norms_K) - 0.5]), up)
    marker = {"color": paper.look["quiet"], "line": {"width": 0}}
    places = {"x": list(range(len(norms_K))), "y": norms_K.tolist(), "width": 0.7}
    spoken = {"hovertemplate": "%{y:.3f}<extra></extra>", "marker": marker}
    paper.add(drawn_as("bar", **places, **spoken, **axes))
    told = paper.look.word("figure_norms", most=f"{most:.3g}")
    paper.text(cells.left, cells.bottom + 0.35 * size, told, 0.8, "quiet")


def about_decoding(recipe: Recipe, text: str, look: Look) -> str:
    """The line under a title, as Plotly reads it: model, edits, sentence, translation."""
    of = escaped(recipe.model)
    if recipe.edits:  # as they are spelled in a recipe, so that they can be made again
        of += f", {look.word('edits')} {', '.join(map(str, recipe.edits))}"
    return f"{of}: {escaped(isolated(recipe.source))} → {escaped(isolated(text))}"


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


def sheet_of(
    trace: AttentionTrace, head: int, look: Look, rows: Rows, read: Read | None = None
) -> Sheet:
    """One head, counted from 1, as a map; `read` another reading of it."""
    row_title, column_title = axis_titles(trace.site, look, rows.written is not None, trace.is_bare)
    is_step = ROWS[trace.site] == "target"
    limit = 1.0 if read is None else read.limit
    is_signed, low, high = read is not None and read.name == "hidden", 0.0, limit
    if read is not None and is_signed:
        low, high = ends_of(read.values_QK[read.allowed_QK])
    return Sheet(
        values_RC=trace.weights_HQK[head - 1] if read is None else read.values_QK,
        rows=row_labels(trace, look, rows),
        columns=named(trace.keys, look, COLUMNS[trace.site] == "target"),
        row_title=row_title,
        column_title=column_title,
        low=low,
        high=high,
        signed=is_signed,
        hidden_RC=~(trace.mask_QK if read is None else read.allowed_QK),
        drawn=rows.drawn if is_step else None,
        outlined=rows.step - 1 if is_step and rows.step is not None else None,
        reads=look.word("figure_reads" if read is None else "figure_read_cell"),
        numbers=".2f" if limit <= 1 else ".1f",
        least=0.095 * limit,
    )
