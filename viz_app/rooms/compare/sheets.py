"""What the room Compare shows: one head of two runs, and their difference."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from model_core.values.trace import ROWS, Tokens
from model_core.values.words import Words, as_tokens, between_words
from viz_app.rooms.axes import columns_title, picture_title, rows_title, site_named, steps_of
from viz_app.rooms.compare.aligned import Pair
from viz_app.rooms.compare.answer import CompareAnswer, Path, WordPair
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Text, Token, labels_of, say
from viz_app.values.sheets import LEAST_SAID, Map, Scale, Sheets, alone
from viz_app.values.tables import Axis

if TYPE_CHECKING:
    from model_core.studies.head import HeadVectors


def compare(answer: Answer[CompareAnswer]) -> Sheets:
    """A, B and A - B on axes that all share; what has no counterpart is left out of each."""
    values = answer.values
    if values["vectors"] is not None:
        return _vectors(answer, values["vectors"])
    if values["paths"] is not None:
        return _paths(answer, values["paths"])
    view: Any = answer.view
    are_weights = view.numbers == "weights"
    is_whole = values["runs"][0]["finished"] is not None or not values["stepped"]
    of_words = are_weights and is_whole and not view.spelled
    shown = _of_words(answer) if of_words else _of_tokens(answer)
    minus = say("compare_difference")
    names = [
        say("compare_map", run=run, layer=at["layer"] + 1, head=at["head"] + 1)
        for run, at in zip("AB", values["places"], strict=True)
    ]
    unit = say("figure_weight" if are_weights else f"compare_unit_{view.numbers}")
    scale = Scale.of(unit, shown.a_RC, shown.b_RC)
    if view.numbers != "scores":
        scale = Scale(unit, 0.0, 1.0 if are_weights else scale.high)
    digits = ".2f" if are_weights else ".1f"
    least = LEAST_SAID * max(1.0, scale.high if view.numbers == "norms" else 1.0)
    more: dict[str, Any] = {"digits": digits, "least": least}
    maps = (
        Map(shown.a_RC, shown.axes, scale, hidden_RC=shown.a_hidden_RC, title=names[0], **more),
        Map(shown.b_RC, shown.axes, scale, hidden_RC=shown.b_hidden_RC, title=names[1], **more),
        Map(
            shown.a_RC - shown.b_RC,
            shown.axes,
            Scale.of(minus, shown.a_RC - shown.b_RC),
            hidden_RC=shown.a_hidden_RC & shown.b_hidden_RC,
            digits=f"+{digits}" if are_weights else digits,
            least=LEAST_SAID,
            title=minus,
        ),
    )
    note = say("figure_by_words") if shown.has_divided else ""
    return alone(_title(answer), *maps, about=_about(answer), note=note)


@dataclass(frozen=True, eq=False)
class _Maps:
    """Two runs between tokens, or between words; NaN where a run has no such cell."""

    axes: tuple[Axis, Axis]
    a_RC: np.ndarray
    b_RC: np.ndarray
    a_hidden_RC: np.ndarray
    b_hidden_RC: np.ndarray
    has_divided: bool = False  # whether a word is several tokens


def _of_tokens(answer: Answer[CompareAnswer]) -> _Maps:
    values = answer.values
    table, *_ = answer.table("compare")
    a_RC, b_RC = (table.values[f"{name}_RC"] for name in ("a", "b"))
    hidden = values["hidden"]
    rows, columns = table.axes
    return _Maps(_axes(answer, rows, columns), a_RC, b_RC, hidden["a"], hidden["b"])


def _of_words(answer: Answer[CompareAnswer]) -> _Maps:
    """The same between words; a word is hidden where all of it is."""
    values: Any = answer.values
    rows, columns = values["row_words"], values["column_words"]
    made: dict[str, np.ndarray] = {}
    for run, name in enumerate("ab"):
        queries = _lines(values["row_pairs"], rows, run)
        keys = _lines(values["column_pairs"], columns, run)
        has_RC = np.outer([bool(one) for one in queries], [bool(one) for one in keys])
        weights_RC = between_words(np.nan_to_num(values[name]), queries, keys)
        open_RC = between_words((~values["hidden"][name]).astype(float), queries, keys) > 0
        made[f"{name}_RC"] = np.where(has_RC, weights_RC, np.nan)
        made[f"{name}_hidden_RC"] = has_RC & ~open_RC
    axes = _axes(answer, Axis("query", len(rows)), Axis("key", len(columns)), of_words=True)
    has_divided = any(len(one or ()) > 1 for pair in [*rows, *columns] for one in pair)
    return _Maps(axes, **made, has_divided=has_divided)


def _lines(pairs: Sequence[Pair], words: Sequence[WordPair], run: int) -> Words:
    """The lines that the words of a run are among those of its tokens; () where it has none."""
    line_of = {pair[run]: line for line, pair in enumerate(pairs)}
    return tuple(tuple(line_of[place] for place in pair[run] or ()) for pair in words)


def _title(answer: Answer[CompareAnswer], *more: Text) -> Text:
    return picture_title("compare", site_named(answer.values["site"]), *more)


def _vectors(answer: Answer[CompareAnswer], vectors: "Sequence[HeadVectors]") -> Sheets:
    """q, k and v of every token in the two heads, on one scale for each."""
    values = answer.values
    rows = []
    for name, run, of in zip("AB", values["runs"], vectors, strict=True):
        arrays = {"q": of.q_QE, "k": of.k_KE, "v": of.v_KE}
        scale = Scale.of((name, " · ", say("figure_value")), *arrays.values())
        dimension = Axis(
            "dimension", of.q_QE.shape[1], start=0, title=say("positions_axis_dimension")
        )
        panels = []
        for one, values_NE in arrays.items():
            side = values["rows" if one == "q" else "columns"]
            labels = labels_of(run[side], side == "target")[: len(values_NE)]
            tokens = Axis("token", len(labels), labels=tuple(labels))
            panels.append(Map(values_NE, (tokens, dimension), scale, title=f"{name}: {one}"))
        rows.append(panels)
    title = _title(answer, say("compare_numbers_vectors"))
    return Sheets(title, rows, about=_about(answer))


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
    title = _title(answer, say("compare_numbers_path"))
    return alone(title, *panels, about=_about(answer))


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


def _axes(
    answer: Answer[CompareAnswer], rows: Axis, columns: Axis, of_words: bool = False
) -> tuple[Axis, Axis]:
    """The axes with the labels of both runs, both where they are others.

    A row that is a step has what it reads, quietly, and what it writes; of words the latter alone.
    """
    values: Any = answer.values
    site, spelled = values["site"], answer.view.spelled
    are_steps = values["stepped"] and ROWS[site] == "target"
    unit = "words" if of_words else "pairs"

    def labels(axis: str, later: int = 0) -> list[Text]:
        side = values[f"{axis}s"]
        tokens = [run[side] for run in values["runs"]]
        return _joined(values[f"{axis}_{unit}"], tokens, side == "target", later, spelled)

    row_labels = labels("row", int(of_words and are_steps))
    if are_steps and not of_words:
        row_labels = list(steps_of(row_labels, labels("row", 1)))
    kind = "whole" if not are_steps else "word" if of_words else "step"
    return (
        replace(rows, labels=tuple(row_labels), title=rows_title(site, kind)),
        replace(columns, labels=tuple(labels("column")), title=columns_title(site)),
    )


def _joined(
    pairs: Sequence[tuple[Any, Any]],
    runs: Sequence[Tokens],
    begins: bool,
    later: int,
    spelled: bool,
) -> list[Text]:
    """What stands at each place of A and of B: both where they are others.

    A place is that of a token, or those of a word; the token is so many places `later`.
    """
    of_runs = [labels_of(tokens, begins) for tokens in runs]

    def label(run: int, place: Any) -> Text:
        places = tuple(at + later for at in (place if isinstance(place, tuple) else (place,)))
        if places[-1] >= len(of_runs[run]):
            return "…"
        if len(places) == 1:
            return of_runs[run][places[0]]
        return labels_of(as_tokens((places,), runs[run]))[0]

    found: list[Text] = []
    for pair in pairs:
        here = [label(run, place) for run, place in enumerate(pair) if place is not None]
        same = len({_called(one, spelled) for one in here}) == 1
        found.append(here[0] if same else (here[0], " | ", here[1]))
    return found


def _called(label: Text, spelled: bool) -> tuple[str, ...]:
    """What makes two labels the same."""
    if isinstance(label, Token):
        return (label.kind, label.piece if spelled else label.text.strip())
    return (str(label),)


def _percent(share: float) -> str:
    """A share of 1 as the page says it: 0 or 100 only where it is so; a small one has a decimal."""
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{100 * share:.{int(0 < share < 0.0995)}f}%"
