"""What the room Heads shows: all heads by one measure, by two, and how far one looks."""

import re
from collections.abc import Mapping

import numpy as np

from model_core.values.anatomy import head_name
from model_core.values.trace import Site
from viz_app.rooms.axes import head_named, picture_title
from viz_app.rooms.heads.answer import HeadsAnswer
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Text, say
from viz_app.values.sheets import Bars, Cloud, Curve, Curves, Map, Points, Scale, Sheets, alone
from viz_app.values.tables import Axis

_IS_CHANGE = re.compile(r"(loss|exact)_|(distance|here)$")  # measures on both sides of 0
_SIGNS = {"encoder": "circle", "decoder": "square", "cross": "diamond"}


def measures(answer: Answer[HeadsAnswer]) -> Sheets:
    """The layers of all sites down and heads across; hatched where the measure is not there."""
    name = str(vars(answer.view)["measure"])
    found = {site: one["values"].get(name) for site, one in answer.values["sites"].items()}
    title = picture_title("measures", say(f"heads_measure_{name}"))
    return alone(title, _map(answer, found, name), about=_about(answer))


def _map(answer: Answer[HeadsAnswer], found: Mapping[Site, np.ndarray | None], name: str) -> Map:
    """One measure of every head, of the sites that have it."""
    sites = answer.values["sites"]
    H = max(one["heads"] for one in sites.values())
    values_RH = np.full((sum(one["layers"] for one in sites.values()), H), np.nan)
    rows: list[Text] = []
    for site, one in sites.items():
        if (values_LH := found.get(site)) is not None:
            values_RH[len(rows) : len(rows) + one["layers"], : one["heads"]] = values_LH
        rows += [
            say("heads_row", site=say(f"site_{site}"), layer=at + 1) for at in range(one["layers"])
        ]
    most = float(np.nanmax(np.abs(values_RH), initial=0)) or 1.0
    is_change, measure = _IS_CHANGE.match(name) is not None, say(f"heads_measure_{name}")
    ends = most if most > 1 or name == "entropy" else 1.0
    scale = Scale.of(measure, values_RH) if is_change else Scale(measure, 0.0, ends)
    hidden_RH = np.isnan(values_RH)
    return Map(
        values_RH,
        (Axis("layer", len(rows), labels=tuple(rows)), _heads(H)),
        scale,
        hidden_RC=hidden_RH if hidden_RH.any() else None,
        digits=f"{'+' if is_change else ''}.{3 if most < 0.1 else 2 if most < 10 else 1}f",
    )


def here(answer: Answer[HeadsAnswer]) -> Sheets:
    """What is added to the loss of this sentence without each head; below, with ever more off."""
    *_, together = answer.table("here")
    losses_N = together.values["loss_N"].astype(float)
    line = Curve(say("heads_here_curve"), np.arange(len(losses_N), dtype=float), losses_N)
    curves = Curves([line], say("heads_here_across"), say("heads_here_up"))
    title = picture_title("here", say("heads_measure_here"))
    found = answer.values["here"]
    sheet = _map(answer, found["added"] if found else {}, "here")
    return Sheets(title, ((sheet,), (curves,)))


def scatter(answer: Answer[HeadsAnswer]) -> Sheets:
    """A point for each head that has both measures."""
    names = [str(vars(answer.view)[name]) for name in ("across", "measure")]
    across, up = (say(f"heads_measure_{name}") for name in names)
    clouds = []
    for site, one in answer.values["sites"].items():
        if all(name in one["values"] for name in names):
            x_LH, y_LH = (one["values"][name] for name in names)
            heads = [head_name(layer + 1, head + 1) for layer, head in np.ndindex(*x_LH.shape)]
            of = say(f"site_{site}")
            clouds.append(Cloud(of, x_LH.ravel(), y_LH.ravel(), heads, _SIGNS[site]))
    title = picture_title("scatter", (across, " × ", up))
    return alone(title, Points(clouds, across, up), about=_about(answer))


def distances(answer: Answer[HeadsAnswer]) -> Sheets:
    """What part of its attention a head gives to each distance, in tokens."""
    head = answer.values["head"]
    (table,) = answer.table("distances")
    (axis,) = table.axes
    title = picture_title("distances", head_named(head["site"], head["layer"], head["head"]))
    bars = Bars(table.values["share_N"], axis, say("heads_share"), upright=True)
    return alone(title, bars, about=_about(answer))


def _heads(count: int) -> Axis:
    return Axis.of("head", [f"H{at + 1}" for at in range(count)])


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
