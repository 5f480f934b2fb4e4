"""What the room Translate shows: a head as a map or as lines, all heads, the candidates."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from model_core.values.recipe import Strategy
from model_core.values.trace import COLUMNS, ROWS
from model_core.values.words import ByWords
from viz_app.rooms.axes import (
    axes_of,
    columns_title,
    head_named,
    picture_title,
    rows_title,
    site_named,
    steps_of,
)
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.answer import Attended, in_words, words_in
from viz_app.rooms.translate.readings import ReadingMap
from viz_app.values.phrases import BLANK, Phrase, StepPhrase, Text, labels_of, say, share_said
from viz_app.values.sheets import (
    LEAST_SAID,
    LEAST_SAID_FINELY,
    Bars,
    Map,
    Panel,
    Scale,
    Sheets,
    alone,
)
from viz_app.values.tables import Axis


def of_map(answer: Answer[Attended]) -> Sheets:
    """One head as a map, with the row of the step outlined."""
    seen = _seen(answer)
    sheet = replace(_of_head(answer, seen), outlined=_row(answer, seen))
    rows: list[list[Panel]] = [[sheet]]
    read = seen.read
    if read is not None and read.norms_K is not None:
        rows.append([Bars(read.norms_K, sheet.columns, say("read_norm_bars"), upright=True)])
    return Sheets(_title(answer), rows, note=_of_words(seen))


def of_lines(answer: Answer[Attended]) -> Sheets:
    """One head as lines: the wider a line, the larger the weight."""
    seen = _seen(answer)
    sheet = replace(_of_head(answer, seen), lines=True, outlined=_row(answer, seen))
    return alone(_title(answer), sheet, note=_of_words(seen))


def of_all_heads(answer: Answer[Attended]) -> Sheets:
    """Every head of a site on one scale: a row a layer, a column a head."""
    seen = _seen(answer)
    read, traces = seen.read, answer.values["traces"]
    values_LHQK: Any = seen.weights_LHQK if read is None else read.all_LHQK
    one = _of_head(answer, seen)
    scale = one.scale
    if read is not None:
        scale = Scale(scale.unit, 0.0, float(values_LHQK.max(initial=0)) or 1.0)
    title = picture_title("heads", site_named(traces[0].site))
    if read is not None:
        title = say(f"read_title_{read.name}", head=title)
    rows = [
        [
            Map(
                values_QK,
                (replace(one.rows, title=say("figure_layer", layer=layer + 1)), one.columns),
                scale,
                hidden_RC=~seen.allowed_LHQK[layer, head],
                drawn=one.drawn,
                reads=one.reads,
                bare=True,
                title="" if layer else say("figure_head", head=head + 1),
            )
            for head, values_QK in enumerate(values_LHQK[layer])
        ]
        for layer in range(len(traces))
    ]
    note: tuple[Text, ...] = (one.rows.title, " ↓ · ", one.columns.title, " →")
    if of_words := _of_words(seen):
        note = (*note, " · ", of_words)
    return Sheets(_to_step(title, answer), rows, note=note)


def of_candidates(answer: Answer[Attended]) -> Sheets:
    """What may follow at a step, from 0 to 1, best first; the token that was taken is marked.

    Probabilities are of the full softmax, so that those shown need not add up to 1. Where a token
    was sampled, a bar is the probability that it is drawn with, and its outline the other one.
    """
    at, chosen = answer.values["step"], answer.values["chosen"]
    tokens, log_probabilities, ranks = answer.values["listed"]
    probabilities_N = np.array([math.exp(value) for value in log_probabilities])
    labels: list[Text] = [
        (f"#{rank + 1} " if rank >= len(ranks) else "", label, " ✓" if token == chosen else "")
        for label, token, rank in zip(labels_of(tokens), tokens.ids, ranks, strict=True)
    ]
    after = labels_of(answer.values["decoding"].fed, True)[at]
    taken = tokens.ids.index(chosen) if chosen in tokens.ids else None
    bars = Bars(
        probabilities_N,
        Axis("rank", len(labels), labels=tuple(labels)),
        say("figure_probability"),
        most=1.0,
        said=[share_said(value) for value in probabilities_N],
        taken=taken,
        title=StepPhrase(after, "…"),
    )
    note: tuple[Text, ...] = () if taken is None else (say("figure_chosen"),)
    if answer.values["sampled"]:
        strategy, shares = answer.values["sampled"]
        bars = replace(
            bars,
            values_N=np.array(shares, float),
            outlined_N=probabilities_N,
            said=[
                (share_said(share) if share > 0 else say("figure_cut"), f" ({share_said(value)})")
                for share, value in zip(shares, probabilities_N, strict=True)
            ],
        )
        note = (*note, " · ", _key(strategy), " · ", say("figure_outline"))
    steps = len(answer.values["decoding"].steps)
    title = picture_title("candidates", say("step_of", n=at + 1, m=steps))
    return alone(title, bars, note=note)


def _key(strategy: Strategy) -> Phrase:
    """What the bars are, and the numbers that are not in brackets."""
    cuts = [f"T = {strategy.temperature:g}"]
    if strategy.top_k:
        cuts.append(f"top-k {strategy.top_k}")
    if strategy.top_p < 1:
        cuts.append(f"top-p {strategy.top_p:g}")
    return say("figure_sampled", how=", ".join(cuts))


@dataclass(frozen=True, eq=False)
class _Seen:
    """The attention of a site as a view has it, between tokens or between words."""

    axes: tuple[Axis, Axis]
    weights_LHQK: np.ndarray
    allowed_LHQK: np.ndarray
    read: ReadingMap | None
    whole: ReadingMap | None  # at the last step, whose colours are those of every step
    words: ByWords | None = None


def _seen(answer: Answer[Attended]) -> _Seen:
    view: Any = answer.view
    decoding = answer.values["decoding"]
    if view.is_by_words(decoding.finished is not None or not decoding.steps):
        return _seen_by_words(answer)
    trace = answer.values["traces"][0]
    rows, columns = axes_of(
        trace.site, trace.queries, trace.keys, answer.values["written"] is not None, trace.is_bare
    )
    if answer.values["written"] is not None:
        labels = steps_of(rows.labels or (), labels_of(answer.values["written"]))
        rows = replace(rows, labels=labels)
    read = answer.values["reading"]
    return _Seen((rows, columns), answer.values["weights"], answer.values["allowed"], read, read)


def _seen_by_words(answer: Answer[Attended]) -> _Seen:
    trace = answer.values["traces"][0]
    by, read = words_in(answer.values, _drawn(answer)), answer.values["reading"]
    of_words = in_words(by, answer.values)
    of_rows, of_columns = ROWS[trace.site], COLUMNS[trace.site]
    are_steps = by.written is not None
    row = rows_title(trace.site, "word" if by.written else "fed" if are_steps else "whole")
    column = columns_title(trace.site, not are_steps)
    axes = (
        Axis.of("query", by.queries, row, of_rows == "target" and not by.written),
        Axis.of("key", by.keys, column, of_columns == "target"),
    )
    whole = read and read.in_words(words_in(answer.values))
    numbers = (of_words["weights"], of_words["allowed"], of_words["reading"], whole)
    return _Seen(axes, *numbers, words=by)


def _drawn(answer: Answer[Attended]) -> int | None:
    """How many steps are drawn; None: all rows, which need not be steps."""
    view: Any = answer.view
    is_step = ROWS[answer.values["traces"][0].site] == "target"
    return view.at + 1 if is_step and view.stepping and view.at is not None else None


def _of_words(seen: _Seen) -> Text:
    """How words were made of tokens, where one is several."""
    if seen.words is None or max(map(len, seen.words.rows + seen.words.columns)) < 2:
        return ""
    is_change = seen.read is not None and seen.read.kind.is_change
    return say("figure_by_words_hidden" if is_change else "figure_by_words")


def _of_head(answer: Answer[Attended], seen: _Seen) -> Map:
    """The head of the view, by its reading."""
    view: Any = answer.view
    read, drawn = seen.read, _drawn(answer)
    if drawn is not None and seen.words is not None:
        drawn = sum(map(bool, seen.words.rows))
    if read is None:
        return Map(
            seen.weights_LHQK[view.layer, view.head],
            seen.axes,
            hidden_RC=~seen.allowed_LHQK[view.layer, view.head],
            drawn=drawn,
            digits=".2f",
            least=LEAST_SAID,
            reads="figure_reads",
        )
    whole: Any = seen.whole
    unit, limit = say(read.kind.unit), whole.limit
    if read.kind.is_change:
        scale = Scale.of(unit, whole.values_QK[whole.allowed_QK])
        digits, least = ".1f", LEAST_SAID_FINELY
    else:
        scale = Scale(unit, 0.0, limit)
        digits, least = ".2f" if limit <= 1 else ".1f", LEAST_SAID * limit
    return Map(
        read.values_QK,
        seen.axes,
        scale,
        hidden_RC=~read.allowed_QK,
        drawn=drawn,
        digits=digits,
        least=least,
    )


def _row(answer: Answer[Attended], seen: _Seen) -> int | None:
    """The row of the step, or of its word where rows are words."""
    view: Any = answer.view
    at: int | None = view.at
    if at is None or ROWS[answer.values["traces"][0].site] != "target":
        return None
    if seen.words is None:
        return at
    return next((row for row, steps in enumerate(seen.words.rows) if at in steps), None)


def _title(answer: Answer[Attended]) -> Text:
    """What is shown, by which reading, and up to which step."""
    view: Any = answer.view
    read = answer.values["reading"]
    title = head_named(view.site, view.layer, view.head)
    if read is not None:
        traces = answer.values["traces"]
        of = {"site": site_named(view.site), "layer": view.layer + 1, "layers": len(traces)}
        heads = len(traces[view.layer].weights_HQK)
        title = say(f"read_title_{read.name}", head=title, heads=heads, **of)
    return _to_step(title, answer)


def _to_step(title: Text, answer: Answer[Attended]) -> Text:
    """The title with the step up to which rows are drawn, where one is named."""
    view: Any = answer.view
    trace = answer.values["traces"][0]
    if view.at is None or not view.stepping or ROWS[trace.site] != "target":
        return title
    steps = len(trace.queries)
    step = str(min(view.at + 1, steps)).rjust(len(str(steps)), BLANK)
    return (title, " · ", say("step_of", n=step, m=steps))  # an animation has equal titles
