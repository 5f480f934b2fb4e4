"""What the room Translate shows: a head as a map or as lines, all heads, the candidates."""

import math
from dataclasses import replace
from typing import Any

import numpy as np

from model_core.values.recipe import Strategy
from model_core.values.trace import ROWS, AttentionTrace
from viz_app.rooms.axes import axes_of, steps_of, title_of
from viz_app.rooms.room import Answer
from viz_app.rooms.translate.readings import Read
from viz_app.rooms.translate.telling import telling_step
from viz_app.values.phrases import BLANK, Phrase, Text, labels_of, say
from viz_app.values.sheets import Bars, Map, Panel, Scale, Sheets, alone
from viz_app.values.tables import Axis


def of_map(answer: Answer) -> Sheets:
    """One head as a map; of a whole translation the row is outlined that the page opens on."""
    view, decoding = answer.view, answer["decoding"]
    at = getattr(view, "at", None)
    if view.site == "cross" and at is None and decoding.finished and decoding.steps:
        at = telling_step(decoding, view.layer or 0, view.head or 0)
    sheet = replace(_of_head(answer), outlined=_row(answer, at))
    rows: list[list[Panel]] = [[sheet]]
    read: Read | None = answer["reading"]
    if read is not None and read.norms_K is not None:
        most = float(read.norms_K.max(initial=0))
        columns = replace(sheet.columns, title=say("figure_norms", most=f"{most:.3g}"))
        rows.append([Bars(read.norms_K, columns, upright=True)])
    return Sheets(_title(answer), rows)


def of_lines(answer: Answer) -> Sheets:
    """One head as lines: the wider a line, the larger the weight."""
    at = getattr(answer.view, "at", None)
    sheet = replace(_of_head(answer), lines=True, outlined=_row(answer, at))
    return alone(_title(answer), sheet)


def of_all_heads(answer: Answer) -> Sheets:
    """Every head of a site on one scale: a row a layer, a column a head."""
    read: Read | None = answer["reading"]
    traces: list[AttentionTrace] = answer["traces"]
    values_LHQK: Any = answer["weights"] if read is None else read.all_LHQK
    one = _of_head(answer)
    scale = one.scale
    if read is not None:
        scale = Scale(scale.unit, 0.0, float(values_LHQK.max(initial=0)) or 1.0)
    title: Text = say("figure_heads", site=say(f"figure_site_{traces[0].site}"))
    if read is not None:
        title = say(f"figure_read_{read.name}", head=title)
    rows = [
        [
            Map(
                values_QK,
                (replace(one.rows, title=say("figure_layer", layer=layer + 1)), one.columns),
                scale,
                hidden_RC=~trace.mask_QK,
                drawn=one.drawn,
                reads=one.reads,
                bare=True,
                title="" if layer else say("figure_head", head=head + 1),
            )
            for head, values_QK in enumerate(values_LHQK[layer])
        ]
        for layer, trace in enumerate(traces)
    ]
    note = (one.rows.title, " ↓ · ", one.columns.title, " →")
    return Sheets(_to_step(title, answer), rows, note=note)


def of_candidates(answer: Answer) -> Sheets:
    """What may follow at a step, from 0 to 1, best first; the token that was taken is marked.

    Probabilities are of the full softmax, so that those shown need not add up to 1. Where a token
    was sampled, a bar is the probability that it is drawn with, and its outline the other one.
    """
    at, chosen = answer["step"], answer["chosen"]
    tokens, log_probabilities, ranks = answer["listed"]
    probabilities_N = np.array([math.exp(value) for value in log_probabilities])
    labels: list[Text] = [
        (f"#{rank + 1} " if rank >= len(ranks) else "", label, " ✓" if token == chosen else "")
        for label, token, rank in zip(labels_of(tokens), tokens.ids, ranks, strict=True)
    ]
    after = labels_of(answer["decoding"].fed, True)[at]
    taken = tokens.ids.index(chosen) if chosen in tokens.ids else None
    bars = Bars(
        probabilities_N,
        Axis("rank", len(labels), labels=tuple(labels)),
        say("figure_probability"),
        most=1.0,
        said=[_number(value) for value in probabilities_N],
        taken=taken,
    )
    note: tuple[Text, ...] = () if taken is None else (say("figure_chosen"),)
    if answer["sampled"]:
        strategy, shares = answer["sampled"]
        bars = replace(
            bars,
            values_N=np.array(shares, float),
            outlined_N=probabilities_N,
            said=[
                (_number(share) if share > 0 else say("figure_cut"), f" ({_number(value)})")
                for share, value in zip(shares, probabilities_N, strict=True)
            ],
        )
        note = (*note, " · ", _key(strategy), " · ", say("figure_outline"))
    return alone(say("figure_candidates", step=at + 1, after=after), bars, note=note)


def _number(value: float) -> str:
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"


def _key(strategy: Strategy) -> Phrase:
    """What the bars are, and the numbers that are not in brackets."""
    cuts = [f"T = {strategy.temperature:g}"]
    if strategy.top_k:
        cuts.append(f"top-k {strategy.top_k}")
    if strategy.top_p < 1:
        cuts.append(f"top-p {strategy.top_p:g}")
    return say("figure_sampled", how=", ".join(cuts))


def _of_head(answer: Answer) -> Map:
    """The head of the view, by its reading."""
    view: Any = answer.view
    trace: AttentionTrace = answer["traces"][view.layer]
    read: Read | None = answer["reading"]
    rows, columns = axes_of(
        trace.site, trace.queries, trace.keys, answer["written"] is not None, trace.is_bare
    )
    is_step = ROWS[trace.site] == "target"
    if is_step and answer["written"] is not None:
        labels = steps_of(rows.labels or (), labels_of(answer["written"]))
        rows = replace(rows, labels=labels)
    drawn = view.at + 1 if is_step and view.stepping and view.at is not None else None
    if read is None:
        return Map(
            trace.weights_HQK[view.head],
            (rows, columns),
            hidden_RC=~trace.mask_QK,
            drawn=drawn,
            digits=".2f",
            least=0.095,
            reads="figure_reads",
        )
    unit, limit = say(f"figure_unit_{read.name}"), read.limit
    scale = Scale(unit, 0.0, limit)
    if read.name == "hidden":
        scale = Scale.of(unit, read.values_QK[read.allowed_QK])
    return Map(
        read.values_QK,
        (rows, columns),
        scale,
        hidden_RC=~read.allowed_QK,
        drawn=drawn,
        digits=".2f" if limit <= 1 else ".1f",
        least=0.095 * limit,
    )


def _row(answer: Answer, at: int | None) -> int | None:
    """The row of a step, where rows are steps."""
    return at if ROWS[answer["traces"][0].site] == "target" else None


def _title(answer: Answer) -> Text:
    """What is shown, by which reading, and up to which step."""
    view: Any = answer.view
    read: Read | None = answer["reading"]
    title = title_of(view.site, view.layer, view.head)
    if read is not None:
        of = {"site": say(f"figure_site_{view.site}"), "layer": view.layer + 1}
        heads = len(answer["traces"][view.layer].weights_HQK)
        title = say(f"figure_read_{read.name}", head=title, heads=heads, **of)
    return _to_step(title, answer)


def _to_step(title: Text, answer: Answer) -> Text:
    """The title with the step up to which rows are drawn, where one is named."""
    view: Any = answer.view
    trace: AttentionTrace = answer["traces"][0]
    if view.at is None or not view.stepping or ROWS[trace.site] != "target":
        return title
    steps = len(trace.queries)
    step = str(min(view.at + 1, steps)).rjust(len(str(steps)), BLANK)
    return (title, " · ", say("step_of", n=step, m=steps))  # an animation has equal titles
