"""The words of the room Masks."""

EN: dict[str, str] = {}
ZH: dict[str, str] = {}
