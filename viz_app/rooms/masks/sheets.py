"""What the room Masks shows: the masks, the way from scores to weights, what a break does."""

from dataclasses import replace
from typing import Any

import numpy as np

from viz_app.rooms.axes import head_named, picture_title
from viz_app.rooms.masks.answer import MasksAnswer, PassesAnswer
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Text, labels_of, say, share_said
from viz_app.values.sheets import LEAST_SAID, OPEN_SHARE, Bars, Map, Scale, Sheets, alone
from viz_app.values.tables import Axis

AnyMasks = Answer[MasksAnswer] | Answer[PassesAnswer]
_MARKS = {"opened": "●", "closed": "×"}


def masks(answer: Answer[MasksAnswer]) -> Sheets:
    """Pad mask, causal mask and both together; marks stand where a break changed them."""
    (table,) = answer.table("masks")
    maps: list[Map] = []
    masks, own = answer.values["masks"], answer.values["own"]
    for name in ("pad", "causal", "combined"):
        allowed_QK, own_QK = masks[name], own[name]
        if allowed_QK is None:
            continue
        changed = [] if own_QK is None else np.argwhere(allowed_QK != own_QK).tolist()
        of = ("closed", "opened")
        sheet = Map(
            allowed_QK.astype(float),
            table.axes,
            Scale("", 0.0, 1 / OPEN_SHARE),
            hidden_RC=~allowed_QK,
            marks=tuple((q, k, _MARKS[of[bool(allowed_QK[q, k])]]) for q, k in changed),
            title=say(f"masks_map_{name}"),
            sign=say(f"masks_sign_{name}") if maps else "",
        )
        maps.append(_folded(answer, sheet))
    found = {sign for one in maps for _, _, sign in one.marks}
    note: tuple[Text, ...] = ()
    for name, sign in _MARKS.items():
        if sign in found:
            note = (*note, " · " if note else "", f"{sign} ", say(f"masks_mark_{name}"))
    return alone(_title(answer, "masks"), *maps, about=_about(answer), note=note)


def scores(answer: Answer[MasksAnswer]) -> Sheets:
    """One head: scores before the mask, after it, and the weights."""
    (table,) = answer.table("scores")
    scores_QK, weights_QK = (table.values[f"{name}_QK"] for name in ("scores", "weights"))
    hidden_QK = ~table.values["allowed_QK"]
    scale, filled = Scale.of(say("figure_score"), scores_QK), answer.values["hidden_score"]
    fill = "−∞" if filled is None else f"{filled:g}".replace("-", "−").replace("e+0", "e")
    hard = "_hard" if answer.values["hard"] else ""
    maps = (
        Map(scores_QK, table.axes, scale, digits=".1f", title=say("masks_map_scores")),
        Map(
            scores_QK,
            table.axes,
            scale,
            hidden_RC=hidden_QK,
            digits=".1f",
            title=(say("masks_map_masked"), f" ({fill})"),
            sign=say("masks_sign_masked"),
        ),
        Map(
            weights_QK,
            table.axes,
            hidden_RC=hidden_QK,
            digits=".2f",
            least=LEAST_SAID,
            title=say(f"masks_map_weights{hard}"),
            sign=say(f"masks_sign_weights{hard}"),
        ),
    )
    folded = (_folded(answer, one) for one in maps)
    return alone(_title(answer, "scores"), *folded, about=_about(answer))


def passes(answer: Answer[PassesAnswer]) -> Sheets:
    """One head: the weights of one pass, of the steps so far, and their difference."""
    (table,) = answer.table("passes")
    once_QK, stepped_QK = (table.values[f"{name}_QK"] for name in ("once", "stepped"))
    once_allowed_QK, allowed_QK = answer.values["once_allowed"], answer.values["allowed"]
    apart_QK, difference, count = once_QK - stepped_QK, say("masks_map_difference"), len(once_QK)
    reached = vars(answer.view)["step"] + 1
    maps = (
        Map(
            once_QK,
            table.axes,
            hidden_RC=~once_allowed_QK,
            digits=".2f",
            least=LEAST_SAID,
            title=say("masks_map_once"),
        ),
        Map(
            stepped_QK,
            table.axes,
            hidden_RC=~allowed_QK,
            drawn=reached,
            outlined=reached - 1 if reached < count else None,
            digits=".2f",
            least=LEAST_SAID,
            title=say("masks_map_stepped", n=reached, m=count),
            sign=say("masks_sign_stepped"),
        ),
        Map(
            apart_QK,
            table.axes,
            Scale.of(difference, apart_QK),
            hidden_RC=~(once_allowed_QK | allowed_QK),
            drawn=reached,
            title=difference,
            sign=say("masks_sign_difference"),
        ),
    )
    return alone(_title(answer, "passes"), *maps, about=_about(answer))


def broken(answer: Answer[MasksAnswer]) -> Sheets:
    """How far each prediction of the shown sentence moved, and what is most probable then."""
    values = answer.values
    change = values["changes"][values["shown"]]
    (table,) = answer.table("broken")
    is_target = values["predicting"] == "target"
    pairs = [
        [(token, f" {share_said(p)}") for token, p in zip(labels_of(tokens), numbers, strict=True)]
        for tokens, numbers in (
            (change["intact"], change["intact_probability"]),
            (change["broken"], change["broken_probability"]),
        )
    ]
    message = [was if was == now else (was, " → ", now) for was, now in zip(*pairs, strict=True)]
    places: Axis = table.axes[0]
    after, distance = say("masks_after" if is_target else "masks_at"), say("masks_distance")
    bars = Bars(
        np.array(change["distance"]), places, distance, most=1.0, said=message, title=(after, " ↓")
    )
    title, note = picture_title("broken"), say("figure_best")
    return alone(title, bars, about=_about(answer), note=note)


def _folded(answer: Answer[MasksAnswer], sheet: Map) -> Map:
    """The same with a line that counts pads in place of a long run of them."""
    if vars(answer.view)["unfolded"]:
        return sheet
    kept = tuple(answer.values["folded"][name] for name in ("rows", "columns"))
    R, C = kept
    more = [(0, int(axis.length > count)) for axis, count in zip(sheet.axes, kept, strict=True)]
    axes = tuple(
        replace(
            axis,
            length=count + fold,
            labels=((axis.labels or ())[:count] + (f"+{axis.length - count}",) * fold),
        )
        for axis, count, (_, fold) in zip(sheet.axes, kept, more, strict=True)
    )
    hidden_RC = sheet.hidden_RC
    return replace(
        sheet,
        values_RC=np.pad(sheet.values_RC[:R, :C], more, constant_values=np.nan),
        axes=axes,
        hidden_RC=None if hidden_RC is None else np.pad(hidden_RC[:R, :C], more),
        marks=tuple(mark for mark in sheet.marks if mark[0] < R and mark[1] < C),
    )


def _about(answer: AnyMasks) -> list[Text]:
    """The edits, those that break a mask too, and which sentence is shown."""
    values: Any = answer.values
    batch, shown = values["batch"], values["shown"]
    of: tuple[Text, ...] = (values["model"],)
    edits = dict.fromkeys([*batch[shown]["recipe"].get("edits", []), *values.get("breaks", [])])
    if edits:
        of = (*of, ", ", say("edits"), f" {', '.join(edits)}")
    number = say("figure_sentence", n=shown + 1, m=len(batch))
    return [(*of, ": ", number, " “", batch[shown]["text"], "”")]


def _title(answer: AnyMasks, picture: str) -> Text:
    view = answer.view
    place = head_named(answer.values["site"], view.layer or 0, view.head or 0)
    return picture_title(picture, place)
