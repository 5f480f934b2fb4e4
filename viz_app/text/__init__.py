"""Every word the reader sees, by language and key. Code elsewhere holds keys only.

Words are text files: of the stage here, of a room beside it as words.txt, and beside what writes
no page of the stage (a site's index, a teacher's sheet) as a file that it reads itself. A line is
"key: words", and the Chinese follows it, indented, as "  zh: words"; without one both languages say
the same. A line that goes on is indented by four spaces (between Chinese characters, and beside a
full-width sign, no space is added), "\\n" is a new line, words in quotes keep the spaces at their
ends, and a line that begins with # says what comes. The English of an error that model_core
raises stands there; text/errors.txt has its Chinese.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from model_core.errors import LimitReached, VisualiserError
from model_core.values.config import UNUSUAL
from viz_app.values.wire import Noticed

LANGUAGES = ("en", "zh")
_APP = Path(__file__).resolve().parent.parent
PLACE = re.compile(r"\{(\w+)(?:\|\w*){0,2}\}")
_TERM = re.compile(r"\[\w+\|([^\]|]*)\]")  # a word that names a term, see words.js
_BEGINS = re.compile(r"(\S+?):(?: (.+))?")
_CHINESE = re.compile("  zh: (.+)")
_GOES_ON = "\n    "
_FULL_WIDTH = "\u3001-\u303f\uff01-\uff60"  # signs, which bring their own space
_WITHOUT_SPACE = re.compile(
    f"(?<=[{_FULL_WIDTH}])\n    |\n    (?=[{_FULL_WIDTH}])"
    "|(?<=[\u3040-\u9fff])\n    (?![A-Za-z0-9\u221a])"  # but before a Latin word or a root
)

Words = dict[str, dict[str, str]]  # by language and key


def read_words(text: str) -> Words:
    """The words of a file; ValueError for a key that is there twice or says nothing."""
    words: Words = {language: {} for language in LANGUAGES}
    lines = "\n".join(line for line in text.splitlines() if line and not line.startswith("#"))
    keys: set[str] = set()
    key = ""
    for line in _WITHOUT_SPACE.sub("", lines).replace(_GOES_ON, " ").split("\n"):
        begins = _BEGINS.fullmatch(line)
        if begins and begins[1] not in keys:
            key = begins[1]
            keys.add(key)
            if begins[2]:
                words["en"][key] = _plain(begins[2])
        elif (chinese := _CHINESE.fullmatch(line)) and key and key not in words["zh"]:
            words["zh"][key] = _plain(chinese[1])
        elif line:
            raise ValueError(f"No words, or words that are there already: {line}")
    if silent := keys - words["en"].keys() - words["zh"].keys():
        raise ValueError(f"No words: {', '.join(silent)}")
    words["zh"] = words["en"] | words["zh"]
    return words


def words_beside(module: str, name: str) -> Words:
    """The words of the file of this name beside a module, for what the page does not say."""
    return read_words((Path(module).parent / name).read_text(encoding="utf-8"))


def _plain(said: str) -> str:
    return (said[1:-1] if said.startswith('"') else said).replace("\\n", "\n")


@cache
def words_by_file() -> dict[str, Words]:
    """The words of every file, by its path below viz_app."""
    files = sorted([*_APP.glob("text/*.txt"), *_APP.glob("rooms/*/words*.txt")])
    return {
        path.relative_to(_APP).as_posix(): read_words(path.read_text(encoding="utf-8"))
        for path in files
    }


def words_of_room(room: str) -> Words:
    """The words of a room, by its name."""
    own = [words for name, words in words_by_file().items() if name.startswith(f"rooms/{room}/")]
    return {language: _joined(language, own) for language in LANGUAGES}


def _joined(language: str, parts: list[Words]) -> dict[str, str]:
    return {key: text for words in parts for key, text in words[language].items()}


# Those of kept pictures too, which begin with "figure_".
ALL_WORDS = {language: _joined(language, [*words_by_file().values()]) for language in LANGUAGES}
ALL_WORDS["en"] |= {f"unusual_{code}": sentence for code, sentence in UNUSUAL.items()}
WORDS = {
    language: {key: text for key, text in words.items() if not key.startswith("figure_")}
    for language, words in ALL_WORDS.items()
}


def unmarked(text: str) -> str:
    """A text in which the words that name a term are words like the others."""
    return _TERM.sub(r"\1", text)


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with its placeholders filled as the page fills them (page/words.js).

    The end of a word goes with a number: "{n} row{n|s}", "{n} quer{n|y|ies}". What has no value
    stays as it is.
    """

    def fill(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        value, *endings = str(values[found[1]]), *found[0][1:-1].split("|")[1:]
        if not endings:
            return value
        one, many = endings if len(endings) > 1 else ("", endings[0])
        return one if value == "1" else many

    return PLACE.sub(fill, text)


def named_error(kind: type[VisualiserError], code: str, **values: str | int) -> VisualiserError:
    """An error whose message is the page's own sentence for this code, in English."""
    return kind(filled(WORDS["en"][f"error_{code}"], values), code, **values)


def notice(code: str, **values: str | int) -> Noticed:
    """What stands beside an answer that a limit cut short: the sentence for this code."""
    return {"notice": named_error(LimitReached, code, **values).to_json()}
