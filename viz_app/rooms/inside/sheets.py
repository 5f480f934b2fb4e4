"""What the room Inside shows: one row of a head, link by link; a token's way through the model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from model_core.values.trace import ROWS
from viz_app.rooms.axes import head_named, picture_title, site_named
from viz_app.rooms.inside.answer import CellAnswer, SpreadAnswer
from viz_app.rooms.inside.norms import NormsAnswer
from viz_app.rooms.inside.way import WayAnswer, stages_of
from viz_app.rooms.room import Answer
from viz_app.values.phrases import Phrase, Text, labels_of, say
from viz_app.values.sheets import Bars, Map, Panel, Scale, Sheets, alone
from viz_app.values.tables import Axis

# What a score is before it is divided, where that is no q . k.
_PRODUCTS = {"bilinear": "q W · k", "additive": "a · tanh(q + k)"}
Part = tuple[str, list[tuple[Text, np.ndarray]], int | None]


def head(answer: Answer[CellAnswer]) -> Sheets:
    """One query against all keys: products, score, weight, value, weight x value.

    One row per key, on one line all the way; below them the sum of the weighted values. The key of
    the view is outlined.
    """
    values = answer.values
    _, _, dimensions, _ = answer.table("head")
    keys, by_dimension = dimensions.axes
    edit = edit_of(answer, values["head"])
    ends: list[tuple[Text, np.ndarray]] = [(say("figure_context"), values["summed_E"])]
    if edit:
        ends.append((say(f"inside_head{edit}", n=values["head"] + 1), values["context_E"]))
    labels = (*(keys.labels or ()), *(name for name, _ in ends))
    rows = replace(keys, length=len(labels), labels=labels)
    below_NE = np.full((len(ends), len(values["q_E"])), np.nan)
    hidden_R = np.append(~values["allowed_K"], np.zeros(len(ends), bool))
    columns = replace(by_dimension, labels=None, title="")

    def cells(name: str, title: str, last_NE: np.ndarray, **more: Any) -> Map:
        values_RE = np.concatenate([dimensions.values[name], last_NE])
        scale = Scale.of(say(title), values_RE)
        outlined = vars(answer.view)["key"]
        return Map(values_RE, (rows, columns), scale, outlined=outlined, title=say(title), **more)

    hidden_RE = np.broadcast_to(hidden_R[:, None], (len(rows.labels or ()), below_NE.shape[1]))
    blank_N = np.full(len(ends), np.nan)
    scores_K = np.where(values["allowed_K"], values["scores_K"], np.nan)
    panels = (
        cells("products_KE", "figure_products", below_NE, hidden_RC=hidden_RE),
        Bars(np.append(scores_K, blank_N), rows, hidden_N=hidden_R, title=say("term_score")),
        Bars(
            np.append(values["weights_K"], blank_N),
            rows,
            most=1.0,
            hidden_N=hidden_R,
            title=say("term_weight"),
        ),
        cells("v_KE", "term_value", below_NE),
        cells("weighted_KE", "figure_weighted", np.stack([vector for _, vector in ends])),
    )
    note = say("figure_dimensions_E", E=len(values["q_E"]))
    return alone(_title(answer, "head"), *panels, note=note)


def output(answer: Answer[CellAnswer]) -> Sheets:
    """What becomes of one row: the shares of all heads, residual and norm; a bar is a length."""
    rows = [
        _with_lengths(say(key), named, title_of_lengths=not at, outlined=outlined)
        for at, (key, named, outlined) in enumerate(output_parts(answer))
    ]
    note = say("figure_dimensions_D", D=answer.values["D"])
    return Sheets(_title(answer, "output"), rows, note=note)


def _with_lengths(
    title: Text,
    rows: Sequence[tuple[Text, np.ndarray]],
    title_of_lengths: bool = True,
    outlined: int | None = None,
) -> tuple[Panel, ...]:
    """Vectors below one another, and beside each its length."""
    values_RD = np.stack([vector for _, vector in rows])
    places = Axis("vector", len(rows), labels=tuple(name for name, _ in rows))
    columns = Axis("dimension", values_RD.shape[1], start=0)
    length = say("figure_length") if title_of_lengths else ""
    scale = Scale.of(title or say("figure_value"), values_RD)
    return (
        Map(values_RD, (places, columns), scale, outlined=outlined, title=title),
        Bars(np.linalg.norm(values_RD, axis=1), places, title=length),
    )


def edit_of(answer: Answer[CellAnswer], head: int) -> str:
    """What an edit made of a head, as the end of a key of words: "" where it hands on its sum."""
    if not answer.values["replaced_H"][head]:
        return ""
    return "_mean" if answer.values["shares_HD"][head].any() else "_off"


def spread(answer: Answer[SpreadAnswer]) -> Sheets:
    """How many of all products lie where, divided and not; below, the weights of a row of both."""
    values = answer.values
    counts, row, _ = answer.table("spread")
    keys = replace(row.axes[0], title="")
    step, root = values["step"], f"√{values['divides'].replace('d_k', 'dₖ')}"
    product = _PRODUCTS.get(values["similarity"] or "", "q · k")
    starts = [f"{start:.12g}".replace("-", "−") for start in counts.values["from_B"]]
    places = Axis("bar", len(starts), labels=tuple(starts))

    def bars(name: Literal["before", "after"], product: str) -> Bars:
        said = say("figure_spread_bars", product=product, spread=_digits(values[name].deviation))
        under = replace(places, title=(said, " · ", say("figure_spread_axis")))
        return Bars(counts.values[f"{name}_B"], under, say("figure_pairs"), upright=True)

    def weights(name: Literal["plain", "divided"], product: str) -> Bars:
        of = values[name]
        made = (
            f"onehot(argmax {product})" if values["attention"] == "hard" else f"softmax({product})"
        )
        said = say(
            "figure_spread_weights", made=made, bits=f"{of.bits:.3f}", most=f"{of.largest:.3f}"
        )
        hidden_K = ~values["allowed_K"]
        return Bars(row.values[f"{name}_K"], keys, most=1.0, hidden_N=hidden_K, title=said)

    under, divisor = round(values["divisor"] ** 2), _digits(values["divisor"])
    note = say(
        "figure_spread_note" if values["is_divided"] else "figure_spread_note_would",
        pairs=values["pairs"],
        d_k=values["d_k"],
        root=root,
        under=under,
        divisor=divisor,
        step=f"{step:g}",
    )
    return Sheets(
        _title(answer, "spread"),
        (
            (bars("before", product), bars("after", f"{product} / {root}")),
            (weights("plain", product), weights("divided", f"{product} / {root}")),
        ),
        note=note,
    )


def norms(answer: Answer[NormsAnswer]) -> Sheets:
    """What enters the norm, of all tokens of a batch, and both norms of it."""
    (table, *_) = answer.table("norms")
    rows, columns = table.axes
    axes = (
        replace(rows, title=say("inside_norms_rows")),
        replace(columns, labels=None, title=say("inside_norms_axis")),
    )
    normed = [table.values[f"{name}_NF"] for name in ("layered", "batched")]
    unit = say("figure_value")
    entered_NF = table.values["entered_NF"]
    scale, both = Scale.of(unit, entered_NF), Scale.of(unit, *normed)
    maps = (
        Map(entered_NF, axes, scale, title=say("inside_norms_before")),
        Map(normed[0], axes, both, title="LayerNorm"),
        Map(normed[1], axes, both, title="BatchNorm"),
    )
    site, layer = site_named(answer.values["site"]), answer.values["layer"] + 1
    title = picture_title("norms", say("figure_norms", site=site, layer=layer))
    note = say("inside_norms_shown", F=entered_NF.shape[1], D=answer.values["D"])
    return alone(title, *maps, note=note)


def _digits(number: float) -> str:
    return f"{number:.3f}" if abs(number) < 10 else f"{number:.2f}"


def output_parts(answer: Answer[CellAnswer]) -> list[Part]:
    """The steps in the order of the model: name, rows by name, and which row is the chosen head's.

    Where the norm stands before the attention, it comes first.
    """
    values = answer.values
    sublayer, norm = values["sublayer"], values["norm"]
    pre = values["norm_place"] == "pre"
    shares: list[tuple[Text, np.ndarray]] = [
        (say(f"inside_head{edit_of(answer, head)}", n=head + 1), share_D)
        for head, share_D in enumerate(values["shares_HD"])
    ]
    bias = [(say("inside_bias"), values["output_bias_D"])] if values["output_bias"] else []
    made = (say("inside_made"), sublayer.made_D)
    edited = values["verdicts"]["output"] == "differs"
    summed_up = [(say("inside_sum_word"), values["output_D"])] if edited else []
    entered = (say("inside_x"), sublayer.entered_D)
    summed = (say("inside_residual_name"), sublayer.sum_D)
    left = (say("inside_read" if pre else "inside_passed"), norm.left_D)
    parts: list[Part] = [
        ("inside_output", [*shares, *bias, *summed_up, made], values["head"]),
        ("inside_residual", [entered, made, summed], None),
    ]
    normed: Part = ("inside_norm", [entered if pre else summed, left], None)
    return [normed, *parts] if pre else [*parts, normed]


def way(answer: Answer[WayAnswer]) -> Sheets:
    """The residual stream of one token after every stage, one row per stage, and its length.

    Beside a target token's, the best next token if the model stopped there.
    """
    values = answer.values
    labels = labels_of(values["tokens"], values["side"] == "target")
    names = [_named(key, said) for key, said, _ in stages_of(values)]
    values_SD = answer.table("way")[0].values["value_SD"]
    panels = _with_lengths("", list(zip(names, values_SD, strict=True)))
    if values["lens"]:
        best_S = values["lens"]["probability_SR"][:, 0]
        tokens = labels_of(values["lens"]["tokens"])[:: values["lens"]["token_SR"].shape[1]]
        message = [(token, f" {share:.3f}") for token, share in zip(tokens, best_S, strict=True)]
        places = Axis("vector", len(names), labels=tuple(names))
        panels += (Bars(best_S, places, most=1.0, said=message, title=say("figure_lens")),)
    title = picture_title("way", labels[values["position"]])
    note = say("figure_dimensions_D", D=values_SD.shape[1])
    return alone(title, *panels, note=note)


def _named(key: str, said: dict[str, str]) -> Phrase:
    words = {
        name: say(value) if value.startswith("inside_") else value for name, value in said.items()
    }
    return say(key, **words)


def _title(answer: Answer[CellAnswer] | Answer[SpreadAnswer], picture: str) -> Text:
    """The title of a picture of one query of a head."""
    values = answer.values
    place = head_named(values["site"], values["layer"], values["head"])
    query = labels_of(values["queries"], ROWS[values["site"]] == "target")[values["query"]]
    return picture_title(picture, place, (say("term_query"), " ", query))
