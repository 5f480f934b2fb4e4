"""Where Chromium is; run as a program it installs the browsers that the tests walk through.

It fails where it cannot: a run without one of them would promise more than it tried.
`CHROMIUM=/path/to/chrome` overrides the search.
"""

import os
import shutil
import subprocess
import sys

from tests.browser.drivers import PACKAGES, PROGRAMS, path_of
from viz_app.files.chromium import find_chromium as installed_chromium

WINDOWLESS = "chromium-headless-shell"  # as Debian calls it
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_chromium() -> str | None:
    """The path of a Chromium, playwright's own included, or None."""
    if path := installed_chromium(windowless=False):
        return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def find_headless() -> str | None:
    """The path of Chromium built without windows, or else of any Chromium, or None.

    It is the same engine, and opens a page in a quarter of the time.
    """
    return installed_chromium() or find_chromium()


def _install(*packages: str) -> None:
    print(f"Installing with apt-get: {', '.join(packages)}.")
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-qq", "-y", *packages]):
        subprocess.run([*root, "apt-get", *command], check=True, env=environment)


def missing() -> dict[str, tuple[str, ...]]:
    """The browsers that are not there, and Debian's packages of each."""
    others = [name for name in PACKAGES if not all(path_of(*each) for each in PROGRAMS[name])]
    absent = {name: PACKAGES[name] for name in others}
    return absent if find_chromium() else {"chromium": ("chromium",)} | absent


def main() -> int:
    """0 where all are there or have just been installed, 1 with the remedy otherwise."""
    faster = {} if shutil.which(WINDOWLESS) else {WINDOWLESS: (WINDOWLESS,)}
    for packages in (missing() | faster).values() if shutil.which("apt-get") else ():
        try:
            _install(*packages)
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            print(f"apt-get could not install it: {error}", file=sys.stderr)
    for name, packages in (left := missing()).items():
        print(
            f"The tests need {name}. Install Debian's {', '.join(packages)}, or what your system "
            "has instead. For Chromium `python -m playwright install chromium` does, or "
            "CHROMIUM=/path/to/it names one.",
            file=sys.stderr,
        )
    return int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
