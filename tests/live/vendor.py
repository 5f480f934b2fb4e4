"""Makes the pieces that the live app ships: `python -m tests.live.vendor PACKAGE WHEEL FOLDER`.

PACKAGE is the npm package pyodide 0.29.1, unpacked; WHEEL is the wheel of NumPy that its lock file
names. What is made is the same byte for byte. Two things are done to them. Modules that every
start imports are compiled: to compile them anew took more than half of a start. And what no page
can use is left out: documentation, tests, other encodings, mail, other programs and the like.
The package zopfli packs them: in gzip's format, 4% smaller than gzip.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from tests.javascript.__main__ import program

PUBLISHED = {
    "pyodide.mjs": "20b55bb0d5cb64b8bc81c97f18880cf6f9b7537171d66fe56b0806b7d196f677",
    "pyodide.asm.js": "3e0589486e2119ee0d1f9894151c91a5a7533141d1ed7e824506a2d829861ecd",
    "pyodide.asm.wasm": "38656f8d64b0d24fc24fdfb552ff91baf9b395d3706254eb39a6441bf19f819d",
    "python_stdlib.zip": "b458ddfebbc6298833dbf115d487d53cebe26befd48a042e2d4c0f5d461d6599",
    "pyodide-lock.json": "701557726114e9a968d2088153414b2f126b8631aa734ed98eaf1797d4e4d087",
}
PACKED = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
ARCHIVES = ("python_stdlib.zip", "numpy.zip")
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main(package: Path, wheel: Path, folder: Path) -> None:
    try:
        from zopfli import gzip
    except ImportError as error:
        raise SystemExit("Install what packs them first: pip install zopfli") from error
    lock = json.loads((package / "pyodide-lock.json").read_text("utf-8"))
    numpy = lock["packages"]["numpy"]
    content = wheel.read_bytes()
    if (wheel.name, hashlib.sha256(content).hexdigest()) != (numpy["file_name"], numpy["sha256"]):
        raise SystemExit(f"{wheel} is not the wheel that the lock file of {package} names.")
    for name, known in PUBLISHED.items():
        if hashlib.sha256((package / name).read_bytes()).hexdigest() != known:
            raise SystemExit(f"{package / name} is not the one of pyodide 0.29.1.")
    with tempfile.TemporaryDirectory() as made:
        script = HERE / "vendor.mjs"
        command = [program(), script, package.resolve(), wheel.resolve(), HERE / "inside.py", made]
        subprocess.run([*map(str, command), ",".join(imported())], check=True)
        paths = [package / name for name in PACKED] + [Path(made) / name for name in ARCHIVES]
        for path in paths:
            packed = gzip.compress(path.read_bytes(), numiterations=5)
            (folder / f"{path.name}.gz").write_bytes(packed)
    with zipfile.ZipFile(wheel) as file:
        (licence,) = (name for name in file.namelist() if name.endswith("dist-info/LICENSE.txt"))
        (folder / "numpy_licence.txt").write_bytes(file.read(licence))
    files = sorted(path for path in folder.iterdir() if path.suffix == ".gz")
    about = {
        "lock": lock["info"],  # as the interpreter reads it
        "sha256": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files},
    }
    (folder / "made.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")


def imported() -> list[str]:
    """The modules outside of ours that a start imports, and of the standard library a few more."""
    from viz_app.live.packages import archived, imports

    found = {name for path in archived() for name in imports(path)}
    of_library = {name for name in found if name.split(".")[0] in sys.stdlib_module_names}
    others = ("numpy", "numpy.random", "zipfile", "pyodide.ffi", "encodings.cp437")
    return [*sorted(of_library), *others]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
