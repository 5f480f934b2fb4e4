"""Where Chromium is; run as a program it installs one where it can, and fails where it cannot.

Firefox and WebKit are installed with it where apt-get can; without them their tests are skipped.
`CHROMIUM=/path/to/chrome` overrides the search.
"""

import os
import shutil
import subprocess
import sys

from tests.browser.drivers import PACKAGES, PROGRAMS
from viz_app.files.engine import find_chromium as installed_chromium

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
    if path := installed_chromium():
        return path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def _install(*packages: str) -> None:
    print(f"Installing with apt-get: {', '.join(packages)}.")
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-qq", "-y", *packages]):
        subprocess.run([*root, "apt-get", *command], check=True, env=environment)


def main() -> int:
    """0 where a Chromium is or has just been installed, 1 with the remedy otherwise."""
    others = [name for name in PACKAGES if not any(map(shutil.which, PROGRAMS[name]))]
    missing = [] if find_chromium() else [("chromium",)]
    missing += [PACKAGES[name] for name in others]
    for packages in missing if shutil.which("apt-get") else []:
        try:
            _install(*packages)
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            print(f"apt-get could not install it: {error}", file=sys.stderr)
    if path := find_chromium():
        print(f"Chromium: {path}")
        return 0
    print(
        "The browser tests need a Chromium. Run `python -m playwright install chromium`, or "
        "install Chromium or Chrome and name it in CHROMIUM=/path/to/it.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
