"""What tokenizers of GPT-2's kind spell: every byte as a sign of an alphabet of 256."""

import re

# Bytes that are signs of their own, as GPT-2 has it; the others are the signs from U+0100 on.
_OWN = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
_OTHERS = [byte for byte in range(256) if byte not in _OWN]
_BYTES = {chr(byte): byte for byte in _OWN} | {
    chr(0x100 + at): byte for at, byte in enumerate(_OTHERS)
}
_ESCAPED = re.compile(r"\\x([0-9a-f]{2})")


def spelled_bytes(piece: str) -> str:
    """The text of a piece that is not all of a character: what is text in it, and its other bytes
    as <0xE5>.

    The piece itself where it is of another alphabet.
    """
    if not piece or any(sign not in _BYTES for sign in piece):
        return piece
    text = bytes(_BYTES[sign] for sign in piece).decode("utf-8", "backslashreplace")
    return _ESCAPED.sub(lambda found: f"<0x{found[1].upper()}>", text)
