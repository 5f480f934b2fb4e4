"""The words of the room Positions."""

EN: dict[str, str] = {}
ZH: dict[str, str] = {}
