"""The words of the room Inside a head."""

EN: dict[str, str] = {}
ZH: dict[str, str] = {}
