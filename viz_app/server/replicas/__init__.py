"""The models in processes of their own, on this machine or on others: python -m viz_app --ray."""

import argparse
import re

_MOST = 1000


def replicas_of(text: str) -> tuple[int, int]:
    """The least and the most replicas that "2" or "2-8" means; for an option."""
    match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", text)
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= least <= most <= _MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor two, such as 2-8")
    return least, most
