"""The program's version, which exported pages, files and citations name."""

VERSION = "0.5.0"
