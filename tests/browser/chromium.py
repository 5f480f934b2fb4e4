"""Where Chromium is; run as a program it installs one where it can, and fails where it cannot.

`CHROMIUM=/path/to/chrome` overrides the search.
"""

import os
import shutil
import subprocess
import sys

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


def _install() -> None:
    root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-qq", "-y", "chromium"]):
        subprocess.run([*root, "apt-get", *command], check=True, env=environment)


def main() -> int:
    """0 where a Chromium is or has just been installed, 1 with the remedy otherwise."""
    if not find_chromium() and shutil.which("apt-get"):
        print("No Chromium found; installing it with apt-get.")
        try:
            _install()
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
