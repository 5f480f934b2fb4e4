"""What the page takes from elsewhere is what was published, and its licence lies beside it."""

import hashlib

from viz_app.stage.stage import FOLDER, script

LIT = FOLDER / "stage/vendor/lit.js"
VERSION = "3.3.3"
OURS = "export const "  # how a module exports that is joined with others: see stage.py
THEIRS = (
    "export{Z as _$LH,T as html,w as mathml,E as noChange,A as nothing,B as render,b as svg};\n"
    "//# sourceMappingURL=lit-html.js.map\n"
)
# Of node/lit-html.js in the npm package lit-html, the build that can be imported without a page.
PUBLISHED = "f71ef1a41ba83d71bd9b46b170e37e02493be66d0d03354e4ec9dc328bed52db"


def test_lit_is_what_was_published_but_for_how_it_exports():
    theirs, ours = LIT.read_text("utf-8").split(f"\n{OURS}", 1)
    assert hashlib.sha256((theirs + THEIRS).encode()).hexdigest() == PUBLISHED
    assert ours.count(OURS) == 1 and len(ours) < 200
    assert f'.push("{VERSION}")' in theirs


def test_the_licence_of_lit_goes_with_it():
    licence = LIT.with_name("lit_licence.txt").read_text("utf-8")
    assert licence.startswith("BSD 3-Clause License") and "2017 Google LLC" in licence
    said = f"lit-html {VERSION}, Copyright 2017 Google LLC, BSD-3-Clause"
    assert said in script() and f"lit-html {VERSION}" in (FOLDER.parent / "NOTICE").read_text(
        "utf-8"
    )
