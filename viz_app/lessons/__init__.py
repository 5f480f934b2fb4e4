"""Lessons: steps over the live page, each with a question whose answer is computed.

A lesson is data: NAME.json and its words, NAME.txt, beside this file, found by name. Nothing in
one is executed; `expressions.py` reads its small language, `answers.py` is all that it can ask.
"""
