"""Reads the mappings of a source map that says one place for each line."""

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def places(mappings: str) -> dict[int, tuple[int, int, int]]:
    """Line of the joined script -> the file, by its number, line and column of it, from 0."""
    found, file, line, column = {}, 0, 0, 0
    for at, group in enumerate(mappings.split(";")):
        if group:
            _, files, lines, columns = numbers(group)
            file, line, column = file + files, line + lines, column + columns
            found[at] = (file, line, column)
    return found


def numbers(group: str) -> list[int]:
    read, value, shift = [], 0, 0
    for letter in group:
        digit = DIGITS.index(letter)
        value |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            read.append(-(value >> 1) if value & 1 else value >> 1)
            value, shift = 0, 0
    return read
