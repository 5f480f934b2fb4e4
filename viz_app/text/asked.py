"""What can be asked of the page: questions, their answers in words, and the links that show them.

Each file of the folder `asked` but for three is a list of questions, and another list is another
file there. Every lesson is asked for too, and `lessons.txt` has more words for it. `links.txt` has
what their links have in common, `synonyms.txt` the words that mean the same to a question.
`questions.txt` says how a list is written.
"""

from functools import cache
from pathlib import Path
from typing import TypedDict

from viz_app.text import LANGUAGES, WORDS, filled, read_words, unmarked

_FOLDER = Path(__file__).parent / "asked"
_LESSONS = Path(__file__).parents[1] / "lessons"


class Question(TypedDict):
    """A question; its texts by language."""

    name: str
    list: str  # that it stands in
    asks: dict[str, str]
    says: dict[str, str]
    words: list[str]
    link: str  # what follows the # of an address
    own: str | None  # what that says besides the model and the sentence, where any will do
    near: bool  # nothing on the page shows the answer, and this comes nearest


class Asked(TypedDict):
    """All questions and the synonyms."""

    questions: list[Question]
    idle: list[str]
    synonyms: dict[str, list[str]]


@cache
def asked() -> Asked:
    """All questions and the synonyms, as the page has them."""
    apart = {"links", "synonyms", "lessons"}
    lists = (path for path in sorted(_FOLDER.glob("*.txt")) if path.stem not in apart)
    found = [question for path in lists for question in _questions(path)] + _lessons()
    synonyms = _read(_FOLDER / "synonyms.txt")
    same = {
        key: [word for language in LANGUAGES for word in _listed(synonyms[language][key])]
        for key in synonyms["en"]
    }
    return {"questions": found, "idle": same.pop("idle"), "synonyms": same}


def _questions(path: Path) -> list[Question]:
    words = _read(path)
    names = dict.fromkeys(key.partition(".")[0] for key in words["en"])
    return [_question(path.stem, name, words) for name in names]


def _lessons() -> list[Question]:
    """Each lesson, as a question that leads to its first step."""
    more, found = _read(_FOLDER / "lessons.txt"), []
    for path in sorted(_LESSONS.glob("*.json")):
        name, said = f"lesson_{path.stem}", _read(path.with_suffix(".txt"))
        words = {
            language: {
                name: said[language]["title"],
                f"{name}.says": said[language]["about"],
                f"{name}.words": more[language].get(f"{name}.words", ""),
                f"{name}.own": f"lesson={path.stem}.1",
            }
            for language in LANGUAGES
        }
        found.append(_question("lessons", name, words))
    return found


def _question(of: str, name: str, words: dict[str, dict[str, str]]) -> Question:
    shared = _read(_FOLDER / "links.txt")["en"]
    (how,) = (key for key in ("link", "own", "near", "near_own") if f"{name}.{key}" in words["en"])
    link = _whole(filled(words["en"][f"{name}.{how}"], shared))
    is_own = how.endswith("own")
    said = {language: _said(name, words[language], WORDS[language]) for language in LANGUAGES}
    return {
        "name": name,
        "list": of,
        "asks": {language: asks for language, (asks, _) in said.items()},
        "says": {language: says for language, (_, says) in said.items()},
        "words": [
            one for language in LANGUAGES for one in _listed(words[language][f"{name}.words"])
        ],
        "link": f"v=3&{shared['cat']}&{link}" if is_own else f"v=3&{link}",
        "own": link if is_own else None,
        "near": how.startswith("near"),
    }


def _whole(link: str) -> str:
    """The link with what the map shows, which else stays as the visitor had it."""
    if "room=" in link or "lesson=" in link:
        return link
    usual = ("view=heat", "reading=weights")
    return "&".join([link, *(one for one in usual if one.partition("=")[0] + "=" not in link)])


def _said(name: str, own: dict[str, str], of_page: dict[str, str]) -> tuple[str, str]:
    """What is asked and what is said; of a term, a room or an edit the page says it elsewhere."""
    if name in own:
        return own[name], own[f"{name}.says"]
    if name.startswith("edit_"):
        kind = name.removeprefix("edit_")
        titles = (f"whatif_name_{kind}", name)
        title = own.get(f"{name}.title") or next(of_page[key] for key in titles if key in of_page)
        return title, of_page[f"whatif_about_{kind}"]
    if name.startswith("room_"):
        return of_page[name], of_page[f"{name}_hint"]
    title, about = (unmarked(of_page[key]) for key in (name, f"{name}_about"))
    return title, about


def _read(path: Path) -> dict[str, dict[str, str]]:
    return read_words(path.read_text(encoding="utf-8"))


def _listed(text: str) -> list[str]:
    """The words of a list; one that has a comma itself is not in it."""
    return [one.strip() for one in text.split(",") if one.strip()]
