"""A stand-in for the package pywebview: a window that walks in by its address, and tells of it.

What it heard it writes as JSON into the file that DESKTOP_REPORT names. It stays open where
DESKTOP_STAYS is set.
"""

import http.cookiejar
import json
import os
import threading
import urllib.error
import urllib.request

made = {}


class WebViewException(Exception):
    pass


TRAITS = ("HttpOnly", "SameSite")  # of a cookie


class FileDialog:
    SAVE = 30


class Window:
    def create_file_dialog(self, kind, save_filename):
        return [f"{os.environ['DESKTOP_REPORT']}.{kind}.{save_filename}"]

    def expose(self, function):
        made["exposed"] = function.__name__
        function("../../map.csv", None, "weight\n0.5\n")
        function("map.png", "iVBORw==", None)


def create_window(title, address, **more):
    made.update(title=title, address=address, **more)
    return Window()


def status(opener, address):
    try:
        return opener.open(address, timeout=60).status
    except urllib.error.HTTPError as error:
        return error.code


def start(icon):
    if "DESKTOP_FAILS" in os.environ:
        raise WebViewException("no screen")
    stranger = urllib.request.build_opener()
    jar = http.cookiejar.CookieJar()
    window = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    root = made["address"].partition("/enter/")[0]
    paths = ("/", "/config", "/health", "/gradio_api/info", "/gradio_api/startup-events")
    report = {
        "made": made,
        "icon": icon,
        "before": [status(stranger, root + path) for path in paths],
        "enters": window.open(made["address"], timeout=60).read().decode(),
        "cookies": [
            (one.name, [trait for trait in TRAITS if one.has_nonstandard_attr(trait)])
            for one in jar
        ],
        "window": [status(window, root + path) for path in paths],
        "again": status(stranger, made["address"]),
        "after": [status(stranger, root + path) for path in paths],
    }
    with open(os.environ["DESKTOP_REPORT"], "w", encoding="utf-8") as file:
        json.dump(report, file)
    if "DESKTOP_STAYS" in os.environ:
        threading.Event().wait()
