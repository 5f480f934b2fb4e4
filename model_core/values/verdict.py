"""What may be said of numbers that ought to be alike: the one place where that is decided.

A verdict rests on what was measured on the answer at hand, or on what is proven of this model with
these edits; never on what is usually so.
"""

from typing import Literal

# proven: the mathematics allow no difference, and what was measured is no more than rounding.
# exact: nothing differs, to the last bit. differs: neither may be said.
Verdict = Literal["proven", "exact", "differs"]

ROUNDING = 1e-3  # of numbers about 1, after some dozen layers in float32; real differences are more


def verdict(largest: float, proven: bool = False, size: float = 1.0) -> Verdict:
    """The verdict on numbers of about this size that differ by `largest` at most, as measured.

    `proven`: whether they can differ by rounding alone, in this model and with these edits.
    """
    if proven and largest <= ROUNDING * max(1.0, size):
        return "proven"
    return "exact" if largest == 0 else "differs"
