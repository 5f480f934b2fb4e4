"""The formats there are, and how large a picture may be."""

from typing import Literal, get_args

from model_core.errors import RecipeError
from model_core.values.config import shown

Picture = Literal["png", "svg", "pdf"]
PICTURES: tuple[Picture, ...] = get_args(Picture)
DATA = ("npz", "json", "csv")
TYPES = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "npz": "application/octet-stream",
    "json": "application/json",
    "csv": "text/csv",
    "html": "text/html",
    "gif": "image/gif",
    "zip": "application/zip",
}
MOST_SCALE = 4


def check_scale(scale: object) -> None:
    """Raise RecipeError where a PNG cannot be drawn at this scale."""
    number = isinstance(scale, int | float) and not isinstance(scale, bool)
    if not number or not 1 <= float(str(scale)) <= MOST_SCALE:
        raise RecipeError(
            f"scale is {shown(scale)}; choose 1 to {MOST_SCALE}.",
            "choice",
            name="scale",
            known=f"1 … {MOST_SCALE}",
        )
