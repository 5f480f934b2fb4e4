"""What is wrong in the file of a lesson: the file, the line, the step, and a remedy."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from model_core.errors import LessonError

WORD = re.compile("[a-z][a-z0-9_]{0,39}")


class Checking:
    """A file that is being read; its faults have a code, for readers of other languages."""

    def __init__(self, file: str, text: str):
        self.file, self.text = file, text
        self.step = ""  # the one that is read

    def wrong(
        self, code: str, what: str, remedy: str, line: int | None = None, **values: str | int
    ) -> NoReturn:
        """Raise what is wrong; `values` are what its sentence quotes in text/errors.txt."""
        if line is None:
            line = self.line_of(what)
        where = f"{self.file}{'' if line is None else f', line {line}'}"
        of_step = f", step {self.step}" if self.step else ""
        place = f"{self.file}{'' if line is None else f':{line}'}"
        values["where"] = f"{place} · {self.step}" if self.step else place
        raise LessonError(f"{where}{of_step}: {what}. {remedy}.", f"lesson_file_{code}", **values)

    def among(self, code: str, what: str, known: Iterable[str], **values: str) -> NoReturn:
        """The same of something that is none of those there are."""
        names = ", ".join(known)
        self.wrong(code, what, f"Choose among {names}", None, known=names, **values)

    def line_of(self, what: str) -> int | None:
        """The line of the step that is read, else of the first field that is spoken of."""
        id_of = rf'"id"\s*:\s*{re.escape(json.dumps(self.step))}'
        fields = [rf'"{re.escape(one)}"\s*:' for one in re.findall(r"[a-z][\w.-]*", what)]
        found = (re.search(one, self.text) for one in ([id_of] if self.step else fields))
        at = next((one.start() for one in found if one), None)
        return None if at is None else self.text.count("\n", 0, at) + 1

    def word(self, said: Any) -> str:
        if not isinstance(said, str) or not WORD.fullmatch(said):
            what = f"{said!r} is no name"
            self.wrong("name", what, "Use small letters, digits and _", name=repr(said))
        return said

    def a_text(self, said: Any, what: str) -> str:
        if not isinstance(said, str):
            self.wrong("text", f"{what} is no text", "Write one", name=what)
        return said

    def a_list(self, said: Any, what: str) -> list[Any]:
        if not isinstance(said, list):
            self.wrong("list", f"{what} is no list", "Write one", name=what)
        return said

    def an_object(self, said: Any, what: str) -> dict[str, Any]:
        if not isinstance(said, dict):
            self.wrong("object", f"{what} is no JSON object", "Write one", name=what)
        return said

    def known(self, said: Mapping[str, Any], names: Iterable[str]) -> None:
        if strange := [one for one in said if one not in names]:
            there = ", ".join(names)
            what = f"there is no {strange[0]!r}"
            self.wrong("unknown", what, f"There are {there}", name=strange[0], known=there)
