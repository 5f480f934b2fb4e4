"""python -m benchmarks: measure everything and print one table of results and goals."""

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.result import table, to_json

PARTS = ("decoding", "payload_size", "training", "browser", "startup", "live", "load")


def main() -> int:
    """0 where every goal was measured and met, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (default: all)"
    )
    parser.add_argument("--json", type=Path, metavar="PATH", help="also write the results there")
    parsed = parser.parse_args()
    unknown = sorted(set(parsed.parts) - set(PARTS))
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; choose from {', '.join(PARTS)}")
    results, broken = [], []
    for part in parsed.parts or PARTS:
        try:
            results += importlib.import_module(f"benchmarks.{part}").measure()
        except Exception as error:  # one part that cannot run must not hide the others
            broken.append(f"{part} could not be measured: {error}")
        print()
    print(table(results))
    for line in broken:
        print(f"\n{line}", file=sys.stderr)
    if parsed.json:
        parsed.json.write_text(to_json(results) + "\n", encoding="utf-8")
    return 1 if broken or any(result.met is False for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
