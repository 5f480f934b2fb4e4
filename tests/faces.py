"""Makes the faces that the page ships: `python -m tests.faces FOLDER`, with fonttools and brotli.

In FOLDER lie, as they were published, InterVariable.woff2 of the npm package inter-ui 4.1.1 and
JetBrainsMono[wght].ttf of the PyPI package fontpkg-jetbrains-mono 2.211. What is made is the same
byte for byte: Latin letters, and the signs that the product's words and its models' vocabularies
use. A file holds one weight: browsers print the glyphs of variable faces as drawings, which
publishers refuse. The mono gets the sans' height of a line, so that lines that hold both are as
high as others.
"""

import hashlib
import io
import sys
from pathlib import Path
from typing import Any

from viz_app.stage.stage import FACES

PUBLISHED = {
    "Inter": (
        "InterVariable.woff2",
        "693b77d4f32ee9b8bfc995589b5fad5e99adf2832738661f5402f9978429a8e3",
    ),
    "JetBrains Mono": (
        "JetBrainsMono[wght].ttf",
        "48715a42ec242c21e9f02692891e147d022299a52e48d5e413e1a942193ffeda",
    ),
}
MADE = {
    "inter_400": "ed8a9da786c83cead9226d336235a56fd4b92b51c7d29a2b12f52aea3c24bb87",
    "inter_600": "1a795e181f1556f0ddc9a7dc9d0273f9dbca95c310d8aa155c9e4cc77a6e31e8",
    "jetbrains_mono_400": "e4cb77f25008f29e106e3ee285a30ac6c99c2754afe8878f40ade5fd6e1c9ce8",
    "jetbrains_mono_600": "b9e24bb5f374f6e525ad6199bff83f1f886f1b2ec767b368a20e35f46046cb09",
}
# Basic Latin, Latin-1, Latin Extended-A, punctuation; then what mathematics and an interface need.
RANGES = (range(0x20, 0x7F), range(0xA0, 0x180), range(0x2010, 0x2040), range(0x2227, 0x2229))
SIGNS = "ᵢₑₕₖₙₜⱼΑΣαβγδεθλμπστφω⁰¹²³⁹₀₁₂₃€←↑→↓↔↳⇒∂∅∈∑−√∞∧∫≈≠≡≤≥␣▁■□▲▶▸▼▾◀○●✓✕"
CHARACTERS = {code for one in RANGES for code in one} | set(map(ord, SIGNS))
FEATURES = ["kern", "tnum", "mark", "mkmk", "ccmp", "locl"]
# Per unit of type: Inter's own.
ASCENT, DESCENT = 0.96875, 0.2412


def subset(file: Path, family: str, weight: int) -> bytes:
    """A face of a file with those characters and that weight only, as WOFF2."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    font: Any = TTFont(file, recalcTimestamp=False)
    limits = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
    font = instantiateVariableFont(font, limits | {"wght": weight})
    whole = io.BytesIO()
    font.flavor = None
    font.save(whole)
    font = TTFont(io.BytesIO(whole.getvalue()), recalcTimestamp=False)
    options = Options()
    options.layout_features, options.hinting, options.notdef_outline = FEATURES, False, True
    options.name_IDs = [0, 1, 2, 4, 5, 6, 13, 14]  # the licence among them
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    _only_digits(font)
    called = "Regular" if weight == 400 else "SemiBold"
    names = {
        1: family,
        2: called,
        4: f"{family} {called}",
        6: f"{family}-{called}".replace(" ", ""),
    }
    for number, name in names.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    unit = font["head"].unitsPerEm
    lines = {"ascent": round(ASCENT * unit), "descent": -round(DESCENT * unit), "lineGap": 0}
    vars(font["hhea"]).update(lines)
    font["OS/2"].sTypoAscender, font["OS/2"].sTypoDescender = lines["ascent"], lines["descent"]
    font["OS/2"].sTypoLineGap = 0
    font["OS/2"].usWinAscent, font["OS/2"].usWinDescent = lines["ascent"], -lines["descent"]
    font.flavor = "woff2"
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()


def _only_digits(font: Any) -> None:
    """Figures alike in width are digits alone: a hyphen as wide as one would part a word."""
    digits, table = (
        {font.getBestCmap()[code] for code in map(ord, "0123456789")},
        font["GSUB"].table,
    )
    for one in table.FeatureList.FeatureRecord:
        for at in one.Feature.LookupListIndex if one.FeatureTag == "tnum" else []:
            for part in table.LookupList.Lookup[at].SubTable:
                found = getattr(part, "ExtSubTable", part).mapping
                for name in [name for name in found if name not in digits]:
                    del found[name]


def main(folder: Path) -> None:
    """Write the faces where the page finds them."""
    for name, digest in PUBLISHED.values():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            raise SystemExit(f"{name} is not the file that this was written for.")
    for face in FACES:
        made = subset(folder / PUBLISHED[face.family][0], face.family, face.weight)
        face.file.write_bytes(made)
        print(f"{face.file.stem}: {len(made)} bytes, {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
