"""Makes the kernel that the live app ships: `python -m tests.live.kernel FOLDER`.

FOLDER is the npm package assemblyscript 0.28.20 with what it needs, as `npm install` leaves it. The
bytes are the same each time. Before what the compiler makes a section is put that says to the
interpreter that it may be linked: it needs neither memory nor functions of its own.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.javascript.__main__ import program

KERNEL = Path(__file__).resolve().parents[2] / "viz_app" / "live" / "kernel"
_OPTIONS = ("-O3", "--runtime", "stub", "--enable", "simd", "--importMemory", "--noExportMemory")
_HEAD = 8  # bytes: what it is, and of which version


def main(folder: Path) -> None:
    compiler = folder / "node_modules" / "assemblyscript" / "bin" / "asc.js"
    with tempfile.TemporaryDirectory() as place:
        made = Path(place) / "kernel.wasm"
        command = [program(), compiler, KERNEL / "kernel.ts", *_OPTIONS, "--noAssert", "-o", made]
        subprocess.run(list(map(str, command)), check=True)
        content = made.read_bytes()
    (KERNEL / "kernel.wasm").write_bytes(content[:_HEAD] + _linked() + content[_HEAD:])


def _linked() -> bytes:
    """The section "dylink.0" of WebAssembly's tool conventions, which asks for nothing."""
    name = b"dylink.0"
    body = bytes([len(name), *name, 1, 4, 0, 0, 0, 0])
    return bytes([0, len(body)]) + body


if __name__ == "__main__":
    main(Path(sys.argv[1]))
