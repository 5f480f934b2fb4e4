"""What tells the model where a token stands: a table that is added, a rotation, or nothing.

Sinusoidal: Vaswani et al. 2017, section 3.5. Learned: Gehring et al. 2017. Rotary: Su et al. 2021,
equation 34.
"""

import math
from typing import Literal

import torch
from torch import Tensor, nn

from model_core.values.config import ModelConfig


def sinusoidal_table(P: int, D: int) -> Tensor:
    """The (P, D) table of sines (even dimensions) and cosines (odd).

    Dimensions 2i and 2i + 1 share the wavelength 2 pi 10000^(2i / D) positions. Computed in
    float64, then rounded to float32.
    """
    half_PD = _angles(P, D)
    table_PD = torch.stack([half_PD.sin(), half_PD.cos()], dim=-1).reshape(P, D)
    return table_PD.float()


def _angles(P: int, D: int) -> Tensor:
    """The (P, D / 2) angles in radians: position times the frequency of each pair of dimensions."""
    frequencies = torch.exp(torch.arange(0, D, 2, dtype=torch.float64) * (-math.log(10000.0) / D))
    return torch.arange(P, dtype=torch.float64).unsqueeze(1) * frequencies


class AddedPositions(nn.Module):
    """Adds row p of a table to the token at position p.

    With rotary positions or none it adds nothing.
    """

    table_PD: Tensor | None

    def __init__(self, config: ModelConfig):
        super().__init__()
        P, D = config.max_positions, config.width
        if config.positions == "sinusoidal":
            stored = config.position_table == "stored"
            self.register_buffer("table_PD", sinusoidal_table(P, D), persistent=stored)
        elif config.positions == "learned":
            self.table_PD = nn.Parameter(torch.randn(P, D) * 0.02)
        else:
            self.table_PD = None

    def forward(self, x_BTD: Tensor, first: int = 0) -> Tensor:
        """The tokens plus their positions; `first` is the position of the first token given."""
        if self.table_PD is None:
            return x_BTD
        return x_BTD + self.table_PD[first : first + x_BTD.shape[1]]


class RotaryPositions(nn.Module):
    """Rotates each pair of dimensions (2i, 2i + 1) of queries and keys by position x frequency i.

    The dot product of a rotated query and a rotated key depends on their distance alone. "backward"
    turns by minus that angle, as a derivation from row vectors does.
    """

    cos_PE: Tensor  # one column for each pair of dimensions
    sin_PE: Tensor

    def __init__(self, P: int, E: int, sense: Literal["forward", "backward"] = "forward"):
        super().__init__()
        angles_PE = _angles(P, E) if sense == "forward" else -_angles(P, E)
        self.register_buffer("cos_PE", angles_PE.cos().float(), persistent=False)
        self.register_buffer("sin_PE", angles_PE.sin().float(), persistent=False)

    def forward(self, x_BHTE: Tensor, first: int = 0) -> Tensor:
        """The rotated vectors; `first` is the position of the first one given."""
        T = x_BHTE.shape[2]
        cos_TE, sin_TE = self.cos_PE[first : first + T], self.sin_PE[first : first + T]
        even, odd = x_BHTE[..., 0::2], x_BHTE[..., 1::2]
        turned = [even * cos_TE - odd * sin_TE, even * sin_TE + odd * cos_TE]
        return torch.stack(turned, dim=-1).flatten(-2)
