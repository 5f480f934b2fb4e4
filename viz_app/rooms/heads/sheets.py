"""What the room Heads shows: all heads by one measure, by two, and how far one looks."""

import math
import re
from collections.abc import Mapping

import numpy as np

from model_core.values.anatomy import head_name
from model_core.values.trace import Site
from viz_app.rooms.axes import title_of
from viz_app.rooms.heads.answer import HeadsAnswer
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Text, say
from viz_app.values.sheets import Bars, Cloud, Curve, Curves, Map, Points, Scale, Sheets, alone
from viz_app.values.tables import Axis

_SIGNS = {"encoder": "circle", "decoder": "square", "cross": "diamond"}


def measures(answer: Answer[HeadsAnswer]) -> Sheets:
    """Layers down and heads across, a map for each site that has the measure."""
    name = str(vars(answer.view)["measure"])
    measure = say(f"heads_measure_{name}")
    found = {
        site: one["values"][name]
        for site, one in answer.values["sites"].items()
        if name in one["values"]
    }
    title = say("figure_heads_every", measure=measure)
    return alone(title, *_maps(found, measure), about=_about(answer))


def _maps(found: Mapping[Site, np.ndarray], measure: Text) -> list[Map]:
    scale = Scale.of(measure, *found.values())
    decimals = max(2, 1 + math.ceil(-math.log10(max(-scale.low, scale.high))))
    return [
        Map(
            values_LH,
            (
                _counted("layer", values_LH.shape[0], say("pick_layer")),
                _counted("head", values_LH.shape[1], say("pick_head")),
            ),
            scale,
            digits=f".{decimals}f",
            title=say(f"figure_site_{site}"),
        )
        for site, values_LH in found.items()
    ]


def here(answer: Answer[HeadsAnswer]) -> Sheets:
    """What is added to the loss of this sentence without each head; below, with ever more off."""
    *_, together = answer.table("here")
    measure = say("heads_measure_here")
    losses_N = together.values["loss_N"].astype(float)
    line = Curve(say("heads_here_curve"), np.arange(len(losses_N), dtype=float), losses_N)
    curves = Curves([line], say("heads_here_across"), say("heads_here_up"))
    title = say("figure_heads_every", measure=measure)
    found = answer.values["here"]
    maps = _maps(found["added"] if found else {}, measure)
    return Sheets(title, (maps, (curves,)))


def scatter(answer: Answer[HeadsAnswer]) -> Sheets:
    """A point for each head that has both measures."""
    names = [str(vars(answer.view)[name]) for name in ("across", "measure")]
    across, up = (say(f"heads_measure_{name}") for name in names)
    clouds = []
    for site, one in answer.values["sites"].items():
        if all(name in one["values"] for name in names):
            x_LH, y_LH = (one["values"][name] for name in names)
            heads = [head_name(layer + 1, head + 1) for layer, head in np.ndindex(*x_LH.shape)]
            of = say(f"figure_site_{site}")
            clouds.append(Cloud(of, x_LH.ravel(), y_LH.ravel(), heads, _SIGNS[site]))
    title = say("figure_heads_every", measure=(up, " · ", across))
    return alone(title, Points(clouds, across, up), about=_about(answer))


def distances(answer: Answer[HeadsAnswer]) -> Sheets:
    """What part of its attention a head gives to each distance, in tokens."""
    head = answer.values["head"]
    (table,) = answer.table("distances")
    (axis,) = table.axes
    title = (title_of(head["site"], head["layer"], head["head"]), " · ", say("heads_distances"))
    bars = Bars(table.values["share_N"], axis, say("heads_share"), upright=True)
    return alone(title, bars, about=_about(answer))


def _counted(name: str, count: int, title: Text) -> Axis:
    """An axis of which every number is written."""
    return Axis.of(name, [str(at + 1) for at in range(count)], title)


def _about(answer: Answer[HeadsAnswer]) -> list[Text]:
    """On what was measured."""
    measured = answer.values["measured"]
    n, corpus = measured["sentences"], measured["corpus"]
    of: Text = corpus
    if ours := re.match("our own (sentences|strings)", corpus):
        of = say(f"heads_corpus_{ours[1]}")
    edits = ", ".join(answer.values["edits"])
    key = "figure_heads_on_edited" if edits else "figure_heads_on"
    return [say(key, n=n, corpus=of, edits=edits)]
