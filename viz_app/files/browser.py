"""Where a Chromium is: pictures are drawn by one, and tests walk through the page in one.

`CHROMIUM=/path/to/chrome` overrides the search. Nothing is started or installed here.
"""

import os
import shutil

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def find_chromium() -> str | None:
    """The path of a Chromium, Chrome or Edge on this machine, or None."""
    if named := os.environ.get("CHROMIUM"):
        return named
    for name in _NAMES:
        if path := shutil.which(name):
            return path
    return next((path for path in _PLACES if os.access(path, os.X_OK)), None)
