"""Who may enter: names and passwords from an option, an environment variable or a file.

No message of this module quotes a password.
"""

from collections.abc import Mapping
from pathlib import Path

from model_core.errors import ServingError

VARIABLE = "VIZ_APP_AUTH"

Accounts = tuple[tuple[str, str], ...]


def accounts_of(option: str | None, path: Path | None, environment: Mapping[str, str]) -> Accounts:
    """The accounts; none where nothing is given.

    An option counts before a file, and a file before the variable.
    """
    if option is not None:
        return (_account(option, "--auth"),)
    if path is not None:
        return _accounts_in(path)
    text = environment.get(VARIABLE)
    return () if text is None else (_account(text, VARIABLE),)


def _accounts_in(path: Path) -> Accounts:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ServingError(
            f"The accounts in {path} cannot be read. Give a text file with USER:PASSWORD in each "
            "line."
        ) from error
    accounts = tuple(
        _account(line, f"line {number} of {path}")
        for number, line in enumerate(lines, start=1)
        if line.strip() and not line.startswith("#")
    )
    if not accounts:
        raise ServingError(f"There is no account in {path}. Write USER:PASSWORD in each line.")
    return accounts


def _account(text: str, place: str) -> tuple[str, str]:
    name, colon, password = text.strip().partition(":")
    if not (name and colon and password):
        raise ServingError(f"{place} must be USER:PASSWORD, and neither may be empty.")
    return name, password
