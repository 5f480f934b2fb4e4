"""Checks of the scripts of the page: types, lint, and unit tests of what needs no page."""
