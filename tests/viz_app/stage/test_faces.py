"""The faces that the page ships: from where they are, how large, and what they hold."""

import hashlib
import json

from model_core.folders import CHECKPOINTS
from tests.faces import CHARACTERS, MADE, PUBLISHED
from viz_app.stage.stage import FACES, FOLDER
from viz_app.text import WORDS

MOST_BYTES = 120_000
FROM_SYSTEM = set("ᵀⓘ\u0421\u0430")  # neither face was drawn with them
HAN = range(0x2E80, 0xFFFD)  # and what stands between Chinese characters


def test_the_faces_are_what_was_made_of_the_published_ones():
    assert {face.family for face in FACES} == PUBLISHED.keys()
    assert {face.file.stem for face in FACES} == MADE.keys()
    for face in FACES:
        assert hashlib.sha256(face.file.read_bytes()).hexdigest() == MADE[face.file.stem]
    assert sum(face.file.stat().st_size for face in FACES) < MOST_BYTES


def test_their_licences_go_with_them():
    notice = (FOLDER.parent / "NOTICE").read_text("utf-8")
    for face in FACES:
        name = face.file.stem.rpartition("_")[0]
        licence = face.file.with_name(f"{name}_licence.txt").read_text("utf-8")
        assert "SIL Open Font License, Version 1.1" in licence
        assert face.family in notice and f"{name}_licence.txt" in notice


def test_they_hold_what_words_and_vocabularies_are_written_with():
    said = set("".join(WORDS["en"].values()))
    for file in CHECKPOINTS.glob("*/*tokenizer.json"):
        said |= set("".join(json.loads(file.read_text("utf-8"))["model"]["vocab"]))
    lacking = {sign for sign in said if sign.isprintable() and ord(sign) not in HAN}
    assert {sign for sign in lacking if ord(sign) not in CHARACTERS} <= FROM_SYSTEM
