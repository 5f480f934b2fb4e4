"""What the room Masks shows: the masks, the way from scores to weights, what a break does."""

from typing import Any

import numpy as np

from model_core.values.edits import read_edits
from viz_app.rooms.axes import title_of
from viz_app.rooms.masks.answer import MasksAnswer, PassesAnswer
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Text, labels_of, say
from viz_app.values.sheets import LEAST_SAID, Bars, Map, Scale, Sheets, alone
from viz_app.values.tables import Axis

AnyMasks = Answer[MasksAnswer] | Answer[PassesAnswer]
_OPEN = 0.32  # where on the colour scale a cell stands that may be attended to


def masks(answer: Answer[MasksAnswer]) -> Sheets:
    """Pad mask, causal mask and both together; + and × stand where a break changed them."""
    (table,) = answer.table("masks")
    maps: list[Map] = []
    masks, own = answer.values["masks"], answer.values["own"]
    for name in ("pad", "causal", "combined"):
        allowed_QK, own_QK = masks[name], own[name]
        if allowed_QK is None:
            continue
        changed = [] if own_QK is None else np.argwhere(allowed_QK != own_QK).tolist()
        maps.append(
            Map(
                np.full(allowed_QK.shape, _OPEN),
                table.axes,
                Scale(""),
                hidden_RC=~allowed_QK,
                marks=tuple((q, k, "+" if allowed_QK[q, k] else "×") for q, k in changed),
                title=say(f"masks_map_{name}"),
                sign=say(f"masks_sign_{name}") if maps else "",
            )
        )
    title = say("figure_masks", site=say(f"site_{answer.values['site']}_long"))
    return alone(title, *maps, about=_about(answer), note=say("figure_marks"))


def scores(answer: Answer[MasksAnswer]) -> Sheets:
    """One head: scores before the mask, after it, and the weights."""
    (table,) = answer.table("scores")
    scores_QK, weights_QK = (table.values[f"{name}_QK"] for name in ("scores", "weights"))
    hidden_QK = ~table.values["allowed_QK"]
    scale, filled = Scale.of(say("figure_score"), scores_QK), answer.values["hidden_score"]
    after: Text = say("masks_map_masked")
    if filled is not None:
        after = (after, f" ({filled:g})".replace("-", "\u2212"))
    maps = (
        Map(scores_QK, table.axes, scale, digits=".1f", title=say("masks_map_scores")),
        Map(
            scores_QK,
            table.axes,
            scale,
            hidden_RC=hidden_QK,
            digits=".1f",
            title=after,
            sign=say("masks_sign_masked"),
        ),
        Map(
            weights_QK,
            table.axes,
            hidden_RC=hidden_QK & (weights_QK == 0),
            digits=".2f",
            least=LEAST_SAID,
            title=say("masks_map_weights"),
            sign=say("masks_sign_weights"),
        ),
    )
    return alone(_of_a_head(answer, "figure_scores"), *maps, about=_about(answer))


def passes(answer: Answer[PassesAnswer]) -> Sheets:
    """One head: the weights of one pass, of the steps, and their difference."""
    (table,) = answer.table("passes")
    once_QK, stepped_QK = (table.values[f"{name}_QK"] for name in ("once", "stepped"))
    once_allowed_QK, allowed_QK = answer.values["once_allowed"], answer.values["allowed"]
    apart_QK, difference, count = once_QK - stepped_QK, say("masks_map_difference"), len(once_QK)
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
            digits=".2f",
            least=LEAST_SAID,
            title=say("masks_map_stepped", n=count, m=count),
            sign=say("masks_sign_stepped"),
        ),
        Map(
            apart_QK,
            table.axes,
            Scale.of(difference, apart_QK),
            hidden_RC=~(once_allowed_QK | allowed_QK),
            title=difference,
            sign=say("masks_sign_difference"),
        ),
    )
    return alone(_of_a_head(answer, "figure_passes"), *maps, about=_about(answer))


def broken(answer: Answer[MasksAnswer]) -> Sheets:
    """How far each prediction of the shown sentence moved, and what is most probable then."""
    values = answer.values
    change = values["changes"][values["shown"]]
    (table,) = answer.table("broken")
    is_target = values["predicting"] == "target"
    pairs = [
        [(token, f" {p:.2f}") for token, p in zip(labels_of(tokens), numbers, strict=True)]
        for tokens, numbers in (
            (change["intact"], change["intact_probability"]),
            (change["broken"], change["broken_probability"]),
        )
    ]
    message = [was if was == now else (was, " → ", now) for was, now in zip(*pairs, strict=True)]
    places: Axis = table.axes[0]
    title = say("figure_broken", change=_breaks(answer))
    after, distance = say("masks_after" if is_target else "masks_at"), say("figure_distance")
    bars = Bars(
        np.array(change["distance"]), places, distance, most=1.0, said=message, title=(after, " ↓")
    )
    return alone(title, bars, about=_about(answer), note=say("figure_best"))


def _breaks(answer: Answer[MasksAnswer]) -> Text:
    """What is broken, in the words of edits."""
    parts: list[Any] = []
    for edit in read_edits(answer.values["breaks"]):
        value = say(f"causal_{edit.causal}") if edit.causal else ""
        parts += [" · "] if parts else []
        parts.append(say(f"edit_{edit.kind}", value=value))
    return tuple(parts) or say("figure_intact")


def _about(answer: AnyMasks) -> list[Text]:
    """The edits, and which sentence is shown."""
    values = answer.values
    batch, shown = values["batch"], values["shown"]
    of: tuple[Text, ...] = (values["model"],)
    if edits := batch[shown]["recipe"].get("edits", []):
        of = (*of, ", ", say("edits"), f" {', '.join(edits)}")
    number = say("figure_sentence", n=shown + 1, m=len(batch))
    return [(*of, ": ", number, " “", batch[shown]["text"], "”")]


def _of_a_head(answer: AnyMasks, key: str) -> Text:
    return title_of(answer.values["site"], answer.view.layer or 0, answer.view.head or 0, key)
