"""Makes the faces that the page ships: `python -m tests.faces FOLDER`, with fonttools and brotli.

In FOLDER lie, as they were published, InterVariable.woff2 of the npm package inter-ui 4.1.1 and
JetBrainsMono[wght].ttf of the PyPI package fontpkg-jetbrains-mono 2.211. What is made is the same
byte for byte: Latin letters, the signs that the product's words and its models' vocabularies use,
and weights from 400 to 700. The mono gets the sans' height of a line, so that lines that hold both
are as high as others.
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
    "Inter": "2fb01ac0d72d6db76e9be9ca3abbb33c652b00029130e0ea5cbc73e40a4a504f",
    "JetBrains Mono": "8c252254e6183995a96321ffbb9b80db9f176a83d01ef8e3eed8f21308e80751",
}
# Basic Latin, Latin-1, Latin Extended-A, punctuation; then what mathematics and an interface need.
RANGES = (range(0x20, 0x7F), range(0xA0, 0x180), range(0x2010, 0x2040), range(0x2227, 0x2229))
SIGNS = "ᵢₑₕₖₙₜⱼΑΣαβγδεθλμπστφω⁰¹²³⁹₀₁₂₃€←↑→↓↔↳⇒∂∅∈∑−√∞∧∫≈≠≡≤≥␣▁■□▲▶▸▼▾◀○●✓✕"
CHARACTERS = {code for one in RANGES for code in one} | set(map(ord, SIGNS))
FEATURES = ["kern", "tnum", "mark", "mkmk", "ccmp", "locl"]
WEIGHTS = (400, 700)
# Per unit of type: Inter's own.
ASCENT, DESCENT = 0.96875, 0.2412


def subset(file: Path) -> bytes:
    """The face of a file with those characters and weights only, as WOFF2."""
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    font: Any = TTFont(file, recalcTimestamp=False)
    limits = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
    font = instantiateVariableFont(font, limits | {"wght": WEIGHTS})
    whole = io.BytesIO()
    font.flavor = None
    font.save(whole)
    font = TTFont(io.BytesIO(whole.getvalue()), recalcTimestamp=False)
    options = Options()
    options.layout_features, options.hinting, options.notdef_outline = FEATURES, False, True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]  # the licence among them
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    _only_digits(font)
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
    for family, (name, digest) in PUBLISHED.items():
        published = (folder / name).read_bytes()
        if hashlib.sha256(published).hexdigest() != digest:
            raise SystemExit(f"{name} is not the file that this was written for.")
        made = subset(folder / name)
        FACES[family].write_bytes(made)
        print(f"{family}: {len(made)} bytes, {hashlib.sha256(made).hexdigest()}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
