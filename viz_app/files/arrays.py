"""Attention weights from anywhere as something to show: arrays, tensors, nested lists, files.

What does not fit is refused with both numbers; numbers that are no attention weights are shown as
they are, with a warning. Nothing is unpickled.
"""

import json
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from model_core.checkpoints.regular_file import open_regular
from model_core.errors import RecipeError, VisualiserError
from model_core.values.checked import shown
from model_core.values.trace import COLUMNS, ROWS, SITES, Side, Site

if TYPE_CHECKING:
    from model_core.models.array_model import ArrayModel

NAMES = ("attention", *SITES)
MOST_NUMBERS = 8_000_000  # of all sites; a page holds six bytes for each
MOST_BYTES = 2**29  # of a file, packed or not
MOST_TOKENS = 2048  # of a side
MOST_HEADS = 1024  # of a site, layers times heads
LONGEST_LABEL = 200  # characters
NEAR = 0.01  # a row sums to 1 within this: half precision over a thousand keys stays below it


class _Named(NamedTuple):
    """The labels that were given."""

    rows: tuple[str, ...] | None
    columns: tuple[str, ...] | None

    @property
    def differ(self) -> bool:
        """Whether rows and columns are said to be other tokens."""
        return None not in self and self.rows != self.columns


def given(
    arrays: Mapping[str, Any],
    rows: Sequence[Any] | None = None,
    columns: Sequence[Any] | None = None,
    name: str = "arrays",
) -> "ArrayModel":
    """What `show` shows of weights by the name of their site, or of "attention", any site.

    Raises RecipeError for shapes and labels that do not fit, and for numbers that are not finite.
    Warns of rows that do not sum to about 1, and of numbers below 0 or above 1.
    """
    from model_core.models.array_model import ArrayModel  # imports torch

    weights = {which: _weights(which, value) for which, value in arrays.items()}
    named = _Named(_texts("rows", rows), _texts("columns", columns))
    if "attention" in weights:
        if len(weights) > 1:
            raise RecipeError(
                "attention is any one site; beside encoder, decoder or cross say which."
            )
        weights = {_site_of(weights["attention"], named): weights["attention"]}
    total = sum(array.size for array in weights.values())
    if total > MOST_NUMBERS:
        raise RecipeError(
            f"There are {total:,} weights; a page holds {MOST_NUMBERS:,}. Show fewer layers, heads "
            "or tokens: weights[-1:], say."
        )
    sites: dict[Site, np.ndarray] = {site: weights[site] for site in SITES if site in weights}
    unusual: list[str] = []
    for site, array in sites.items():
        unusual += _unusual_of(site, array)
    labels = _labels(sites, named)
    return ArrayModel(name, sites, labels, tuple(dict.fromkeys(unusual)))


def read_arrays(path: Path) -> tuple[dict[str, Any], Any, Any]:
    """The weights of a .npz or .json file by their names there, its rows, and its columns.

    Raises RecipeError for another file, for names there are not, and for pickled objects.
    """
    ending = path.suffix.lower()
    if ending not in (".npz", ".json"):
        raise RecipeError(
            f"{path.name} must be a .npz or a .json file; `python -m model_core import` opens "
            "a model's weights."
        )
    try:
        with open_regular(path, MOST_BYTES) as file:
            found: Any = json.load(file) if ending == ".json" else _unpacked(path.name, file)
    except VisualiserError as error:
        raise RecipeError(f"{path.name} cannot be read: {error}") from error
    except Exception as error:  # of many kinds, after the kind of damage
        raise RecipeError(f"{path.name} cannot be read: {shown(str(error))}.") from error
    if isinstance(found, list):
        found = {"attention": found}
    if not isinstance(found, dict):
        raise RecipeError(f"{path.name} must hold an object with {', '.join(NAMES)}.")
    known = (*NAMES, "rows", "columns")
    for name in found:
        if name not in known:
            raise RecipeError(
                f"{path.name} holds {shown(name)}; known are {', '.join(known)}. Rename it."
            )
    arrays = {name: found[name] for name in NAMES if name in found}
    if not arrays:
        raise RecipeError(f"{path.name} holds none of {', '.join(NAMES)}.")
    return arrays, found.get("rows"), found.get("columns")


def _unpacked(name: str, file: BinaryIO) -> dict[str, np.ndarray]:
    """The arrays of a .npz file that unpacks to no more bytes than a file may have."""
    with zipfile.ZipFile(file) as archive:
        size = sum(part.file_size for part in archive.infolist())
    if size > MOST_BYTES:
        raise RecipeError(f"{name} unpacks to {size:,} bytes; at most {MOST_BYTES:,} are read.")
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


def _weights(name: str, value: Any) -> np.ndarray:
    """One site as (L, H, Q, K) float32, whichever way it came; RecipeError where it cannot be."""
    array = _array(name, value)
    if array.ndim == 5:  # one layer after the other, each of a batch
        if array.shape[1] != 1:
            raise RecipeError(
                f"{name} has shape {array.shape}: {array.shape[1]} sentences, and 1 is shown. "
                f"Choose one: [layer[0] for layer in {name}]."
            )
        array = array[:, 0]
    if not 2 <= array.ndim <= 4:
        raise RecipeError(
            f"{name} has {array.ndim} dimensions, {array.shape}; 2 to 4 are read: rows × columns, "
            "with heads before them, and layers before those."
        )
    array_LHQK = array.reshape((1,) * (4 - array.ndim) + array.shape)
    if 0 in array_LHQK.shape:
        raise RecipeError(f"{name} has shape {array.shape}: there is nothing in it.")
    L, H, Q, K = array_LHQK.shape
    if max(Q, K) > MOST_TOKENS:
        raise RecipeError(
            f"{name} has {Q} rows and {K} columns; {MOST_TOKENS} of each are shown. Cut it: "
            f"{name}[..., :{MOST_TOKENS}], say."
        )
    if L * H > MOST_HEADS:
        raise RecipeError(f"{name} has {L} × {H} heads; {MOST_HEADS} are shown. Choose some.")
    bad = np.argwhere(~np.isfinite(array_LHQK))
    if len(bad):
        at = tuple(bad[0])
        raise RecipeError(
            f"{name} holds {len(bad):,} numbers that are not finite, the first, "
            f"{array_LHQK[at]}, in {_place(at)}. A NaN comes from a softmax over a row with no "
            "allowed key; np.nan_to_num shows such rows as empty."
        )
    return array_LHQK


def _array(name: str, value: Any) -> np.ndarray:
    """Numbers as float32; of lists and tuples every level, tensors within them included."""
    try:
        array = np.asarray(_plain(value))
    except ValueError as error:
        raise RecipeError(f"{name} is not one array: {_uneven(value)}") from error
    except (IndexError, RecursionError) as error:
        raise RecipeError(f"{name} is nested too deeply: 2 to 4 dimensions are read.") from error
    if array.dtype.kind not in "fiub":
        raise RecipeError(f"{name} holds no numbers but {array.dtype}.")
    with np.errstate(over="ignore"):
        return array.astype(np.float32)


def _plain(value: Any) -> Any:
    """Tensors of torch, on whatever device and of whatever type, as arrays."""
    if hasattr(value, "detach"):
        return value.detach().float().cpu().numpy()
    if isinstance(value, list | tuple) and value and not isinstance(value[0], int | float):
        return np.stack([np.asarray(_plain(one)) for one in value])
    return value


def _uneven(value: Any) -> str:
    """Which parts of lists have unequal shapes."""
    shapes: list[tuple[int, ...]] = []
    for at, part in enumerate(value if isinstance(value, list | tuple) else ()):
        try:
            shapes.append(np.shape(_plain(part)))
        except ValueError:
            return f"within part {at + 1}, {_uneven(part)}"
        if shapes[at] != shapes[0]:
            return f"part 1 has shape {shapes[0]}, part {at + 1} has shape {shapes[at]}."
    return "its parts have unequal shapes."


def _site_of(weights_LHQK: np.ndarray, labels: _Named) -> Site:
    """Guesses the site of weights given as `attention=`.

    Tokens that attend to others are cross-attention; to themselves it is the decoder's where no
    later token gets any weight, else the encoder's.
    """
    Q, K = weights_LHQK.shape[2:]
    if Q != K or labels.differ:
        return "cross"
    return "encoder" if np.triu(weights_LHQK, 1).any() or Q == 1 else "decoder"


def _unusual_of(site: Site, weights_LHQK: np.ndarray) -> list[str]:
    """Codes of what is no attention weight; warns of each. A row of zeros is one without a key."""
    codes = []
    sums_LHQ = weights_LHQK.sum(-1, dtype=np.float64)
    far_LHQ = np.abs(sums_LHQ - 1)
    far_LHQ[~weights_LHQK.any(-1)] = 0
    for code, said, wrong, found in (
        ("row_sums", "rows do not sum to 1", far_LHQ > NEAR, sums_LHQ),
        ("below_zero", "numbers are below 0", weights_LHQK < 0, weights_LHQK),
        ("above_one", "numbers are above 1", weights_LHQK > 1 + NEAR, weights_LHQK),
    ):
        places = np.argwhere(wrong)
        if len(places):
            at = tuple(places[0])
            warnings.warn(
                f"{site}: {len(places):,} of {wrong.size:,} {said}; the first, {found[at]:.6g}, "
                f"in {_place(at)}. They are shown as they are, in the colours of 0 to 1. Weights "
                "are what comes out of the softmax, before dropout.",
                stacklevel=6,  # where `show` was called
            )
            codes.append(code)
    return codes


def _place(at: tuple[int, ...]) -> str:
    """A place in words, counted from 1."""
    names = ("layer", "head", "row", "column")
    return ", ".join(f"{name} {place + 1}" for name, place in zip(names, at, strict=False))


def _labels(sites: Mapping[Site, np.ndarray], labels: _Named) -> dict[Side, tuple[str, ...]]:
    """The labels of each side that a site needs; numbers from 1 where there are none."""
    wanted: dict[Side, tuple[str, int]] = {}
    for site, array in sites.items():
        for of, what, length in (
            (ROWS, "rows", array.shape[2]),
            (COLUMNS, "columns", array.shape[3]),
        ):
            side = of[site]
            before, count = wanted.setdefault(side, (f"{site} has {length} {what}", length))
            if length != count:
                raise RecipeError(
                    f"{before}, but {site} has {length} {what}; both are the {side}'s tokens."
                )
    only_self = len(wanted) == 1
    if only_self and labels.differ:
        site = next(iter(sites))
        raise RecipeError(
            f"{site} is self-attention: its rows and its columns are the same tokens, and the "
            "labels differ. Call it cross, or give rows only."
        )
    rows, columns = ("rows", labels.rows), ("columns", labels.columns)
    of_side = {"target": rows, "source": columns}
    if only_self:
        of_side = dict.fromkeys(wanted, columns if labels.rows is None else rows)
    return {side: _counted(*of_side[side], *wanted[side]) for side in wanted}


def _texts(name: str, labels: Any) -> tuple[str, ...] | None:
    """The labels of one kind; RecipeError where they are no list of texts. None: there are none."""
    if labels is None:
        return None
    if isinstance(labels, str | bytes) or not hasattr(labels, "__len__"):
        raise RecipeError(f"{name} must be a list of labels, not {shown(labels)}.")
    return tuple(_label(name, at, label) for at, label in enumerate(labels))


def _counted(name: str, labels: tuple[str, ...] | None, where: str, count: int) -> tuple[str, ...]:
    if labels is None:
        return tuple(str(at + 1) for at in range(count))
    if len(labels) != count:
        raise RecipeError(f"There are {len(labels)} labels in {name}, but {where}.")
    return labels


def _label(name: str, at: int, label: Any) -> str:
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, bool) or not isinstance(label, str | int | float):
        raise RecipeError(f"Label {at + 1} of {name} is {shown(label)}; it must be a text.")
    text = str(label)
    if len(text) > LONGEST_LABEL:
        raise RecipeError(
            f"Label {at + 1} of {name} has {len(text)} characters; {LONGEST_LABEL} are shown."
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RecipeError(
            f"Label {at + 1} of {name} has half of a character (a lone surrogate)."
        ) from error
    return text
