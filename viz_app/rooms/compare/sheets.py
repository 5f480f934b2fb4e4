"""What the room Compare shows: one head of two runs, and their difference."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from model_core.values.trace import ROWS
from viz_app.rooms.axes import axes_of, steps_of
from viz_app.rooms.compare.aligned import Pair
from viz_app.rooms.compare.answer import CompareAnswer, Path
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Text, labels_of, say
from viz_app.values.sheets import LEAST_SAID, Map, Scale, Sheets, alone, sheets_of
from viz_app.values.tables import Axis


def compare(answer: Answer[CompareAnswer]) -> Sheets:
    """A, B and A - B on axes that all share; what has no counterpart is left out of each."""
    values = answer.values
    if values["vectors"] is not None:
        return _vectors(answer)
    if values["paths"] is not None:
        return _paths(answer, values["paths"])
    site, hidden = values["site"], values["hidden"]
    table, *_ = answer.table("compare")
    axes = _axes(answer, *table.axes)
    a_RC, b_RC, apart_RC = (table.values[f"{n}_RC"] for n in ("a", "b", "difference"))
    minus = say("compare_difference")
    names = [
        say("figure_compare_map", run=run, layer=at["layer"] + 1, head=at["head"] + 1)
        for run, at in zip("AB", values["places"], strict=True)
    ]
    view: Any = answer.view
    are_weights = view.numbers == "weights"
    unit = say("figure_weight" if are_weights else f"compare_unit_{view.numbers}")
    scale = Scale(unit) if are_weights else Scale.of(unit, a_RC, b_RC)
    digits = ".2f" if are_weights else ".1f"
    least = LEAST_SAID * max(1.0, scale.high if view.numbers == "norms" else 1.0)
    maps = (
        Map(a_RC, axes, scale, hidden_RC=hidden["a"], digits=digits, least=least, title=names[0]),
        Map(b_RC, axes, scale, hidden_RC=hidden["b"], digits=digits, least=least, title=names[1]),
        Map(
            apart_RC,
            axes,
            Scale.of(minus, apart_RC),
            hidden_RC=hidden["a"] & hidden["b"],
            digits=digits,
            least=LEAST_SAID,
            title=minus,
        ),
    )
    title = say("figure_compare", site=say(f"figure_site_{site}"))
    return alone(title, *maps, about=_about(answer))


def _vectors(answer: Answer[CompareAnswer]) -> Sheets:
    """q, k and v of every token in the two heads."""
    title = say("figure_vectors", site=say(f"figure_site_{answer.values['site']}"))
    of_both = [one for one in answer.table("compare") if one.name.startswith(("q_", "kv_"))]
    return replace(sheets_of(title, of_both), about=_about(answer))


def _paths(answer: Answer[CompareAnswer], paths: Sequence[Path]) -> Sheets:
    """The lengths of the vectors of every token after every stage, of A and of B."""
    values = answer.values
    side = values["rows"]
    most = max(float(path["stream_ST"].max()) for path in paths)
    scale = Scale(say("figure_length"), 0.0, most)
    panels = []
    for name, run, path in zip("AB", values["runs"], paths, strict=True):
        S, T = path["stream_ST"].shape
        stages = Axis("stage", S, labels=tuple(map(_stage, path["names"])))
        labels = labels_of(run[side], side == "target")[:T]
        columns = Axis("token", T, labels=tuple(labels))
        panels.append(Map(path["stream_ST"], (stages, columns), scale, digits=".0f", title=name))
    return alone(say("figure_paths"), *panels, about=_about(answer))


def _stage(name: str) -> Text:
    """What a stage of the path is called."""
    *stack, kind = name.split(".")
    if not stack:
        return say(f"compare_stage_{name}")
    return say(f"compare_stage_{kind}", layer=stack[1])


def _about(answer: Answer[CompareAnswer]) -> list[Text]:
    """What A and B are, and how far they are apart."""
    lines: list[Text] = []
    for run, values in zip("AB", answer.values["runs"], strict=True):
        recipe = values["recipe"]
        edits = f" [{', '.join(recipe['edits'])}]" if recipe.get("edits") else ""
        of = f"{run}: {recipe['model']}{edits}: "
        lines.append((of, recipe["source"], " → ", values["text"]))
    distances = [far for far in answer.values["row_distance"] if far is not None]
    if distances:
        lines.append(say("figure_compare_apart", mean=_percent(float(np.mean(distances)))))
    return lines


def _axes(answer: Answer[CompareAnswer], rows: Axis, columns: Axis) -> tuple[Axis, Axis]:
    """The axes with the labels of both runs, both where they are others.

    A row that is a step has what it reads, quietly, and what it writes.
    """
    values = answer.values
    site, stepped = values["site"], values["stepped"]
    a, _ = values["runs"]
    titled = axes_of(site, a["source"], a["source"], stepped)  # for what they are called
    of_rows, of_columns = (
        [labels_of(one[side], side == "target") for one in values["runs"]]
        for side in (values["rows"], values["columns"])
    )
    labels = _joined(values["row_pairs"], of_rows)
    if stepped and ROWS[site] == "target":
        written = _joined(values["row_pairs"], [(*one[1:], "…") for one in of_rows])
        labels = list(steps_of(labels, written))
    return (
        replace(rows, labels=tuple(labels), title=titled[0].title),
        replace(
            columns,
            labels=tuple(_joined(values["column_pairs"], of_columns)),
            title=titled[1].title,
        ),
    )


def _joined(pairs: Sequence[Pair], labels: Sequence[Sequence[Text]]) -> list[Text]:
    """What stands at each place, of labels of A and of B: both where they are others."""
    found: list[Text] = []
    for a, b in pairs:
        here = [labels[of][at] for of, at in ((0, a), (1, b)) if at is not None]
        found.append(here[0] if len(set(here)) == 1 else (here[0], " | ", here[1]))
    return found


def _percent(share: float) -> str:
    """A share of 1 as the page says it: 0 or 100 only where it is so; a small one has a decimal."""
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{100 * share:.{int(0 < share < 0.0995)}f}%"
