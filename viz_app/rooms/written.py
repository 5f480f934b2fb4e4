"""How the words of the page are written down: as lines of text, by their keys."""

import re


def written(text: str) -> dict[str, str]:
    """Words by key, from lines "key: words"; an indented line goes on with the one above.

    A space parts the two, but not behind a Chinese character. A line that begins with # says what
    comes. Words in quotes keep the spaces at their ends, and "\\n" is a new line. ValueError for a
    key that is there twice, or that has no words.
    """
    lines = "\n".join(line for line in text.splitlines() if line and not line.startswith("#"))
    lines = re.sub("(?<=[\u3001-\u9fff\uff01-\uff60])\n  ", "", lines).replace("\n  ", " ")
    words: dict[str, str] = {}
    for line in lines.split("\n"):
        key, _, said = line.partition(": ")
        if key in words or not said:
            raise ValueError(f"{key} has no words, or has them already")
        words[key] = (said[1:-1] if said.startswith('"') else said).replace("\\n", "\n")
    return words
