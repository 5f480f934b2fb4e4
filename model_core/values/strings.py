"""Tasks on strings that the program makes up: reversing, copying and sorting their characters."""

import random
import string

ALPHABET = string.ascii_lowercase + string.digits
# What a model of each task is said to write, beside "en" and "fr".
LANGUAGES = {"reverse": "reversed", "copy": "copied", "sort": "sorted"}


def places_written(task: str, text: str) -> tuple[int, ...]:
    """From which place of the text each character of the output comes; of equal ones, in order."""
    places = range(len(text))
    if task == "reverse":
        return tuple(reversed(places))
    return tuple(sorted(places, key=text.__getitem__) if task == "sort" else places)


def written(task: str, text: str) -> str:
    """What a model of the task is to write for the text."""
    return "".join(text[place] for place in places_written(task, text))


def new_strings(
    rng: random.Random, seen: set[str], count: int, longest: int, share: float
) -> list[str]:
    """Random strings that are not in `seen`, added to it.

    All lengths of 1 to `longest` characters are equally frequent; of each length at most this share
    of all the strings there are is used.
    """
    strings = []
    for length in range(1, longest + 1):
        possible = len(ALPHABET) ** length
        taken = sum(len(text) == length for text in seen) if length <= 3 else 0
        wanted = min(-(-count // longest), int(possible * share) - taken)
        while wanted > 0:
            text = "".join(rng.choices(ALPHABET, k=length))
            if text not in seen:
                seen.add(text)
                strings.append(text)
                wanted -= 1
    return strings
