"""A measured number, the goal it has, and the table of them."""

import importlib.metadata
import json
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal


@dataclass(frozen=True)
class Result:
    """One number of the table; a number without a goal is there for comparison."""

    name: str
    value: float
    direction: Literal["below", "at most", "at least"]
    goal: float | None
    unit: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        if self.goal is None:
            return None
        if self.direction == "below":
            return self.value < self.goal
        return self.value <= self.goal if self.direction == "at most" else self.value >= self.goal


def table(results: Iterable[Result]) -> str:
    """The results as a Markdown table."""
    lines = ["| measured | value | goal | met |", "|---|---|---|---|"]
    for result in results:
        goal = "" if result.goal is None else f"{result.direction} {result.goal:g}{result.unit}"
        met = {True: "yes", False: "**no**", None: ""}[result.met]
        lines.append(f"| {result.name} | {result.value:.3g}{result.unit} | {goal} | {met} |")
    return "\n".join(lines)


def to_json(results: Iterable[Result]) -> str:
    """The results and what they were measured with, as JSON."""
    entries = [{**asdict(result), "met": result.met} for result in results]
    packages = ("torch", "transformers", "bertviz", "gradio", "playwright")
    return json.dumps({"versions": versions(*packages), "results": entries}, indent=2)


def versions(*packages: str) -> str:
    """Python and the packages with their versions, as one line."""
    found = [f"Python {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            found.append(f"{package} not installed")
    return ", ".join(found)
