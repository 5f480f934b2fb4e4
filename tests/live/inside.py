"""Cuts and compiles the standard library and NumPy; runs in Pyodide, see vendor.py."""

import importlib
import importlib.util
import marshal
import os
import sys
import zipfile
from contextlib import suppress

# Beginnings of names. Of the encodings a few are kept.
LEFT_OUT = (
    *("_pydatetime", "_pydecimal", "_pyio", "_pyrepl/", "asyncio/proactor", "asyncio/windows"),
    *("bdb", "cProfile", "cgi", "cmd.py", "code.py", "compileall", "config-3", "ctypes/macholib"),
    *("curses/", "dbm/", "difflib", "doctest", "email/", "ensurepip/", "filecmp", "fileinput"),
    *("ftplib", "html/parser", "http/", "idlelib/", "imaplib", "lib2to3/", "logging/config"),
    *("logging/handlers", "mailbox", "mimetypes", "modulefinder", "multiprocessing/", "netrc"),
    *("nturl2path", "optparse", "pdb", "pickletools", "plistlib", "poplib", "profile", "pstats"),
    *("py_compile", "pyclbr", "pydoc", "rlcompleter", "sched", "smtplib", "socketserver"),
    *("sqlite3/", "symtable", "tabnanny", "tarfile", "telnetlib", "timeit", "tkinter/", "trace.py"),
    *("turtle", "unittest/", "urllib/robotparser", "venv/", "wave", "webbrowser", "wsgiref/"),
    *("xml/", "xmlrpc/", "zipapp"),
)
ENCODINGS = ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "utf_8")
ENCODINGS += ("utf_8_sig", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "unicode_escape")
ENCODINGS += ("raw_unicode_escape", "charmap", "undefined")
OF_NUMPY = ("numpy/f2py/", "numpy/distutils/", "numpy/doc/", "numpy/_pyinstaller/")
NOT_RUN = (".pyi", ".h", ".c", ".pyx", ".pxd", ".a", ".ini", ".build", ".typed", ".pc")


def is_used_of_library(name: str) -> bool:
    if name.startswith("encodings/"):
        return name.removeprefix("encodings/").removesuffix(".py") in ENCODINGS
    return not name.startswith(LEFT_OUT)


def is_used_of_numpy(name: str) -> bool:
    return "/tests/" not in name and not name.startswith(OF_NUMPY) and not name.endswith(NOT_RUN)


def compiled(source: bytes, name: str) -> bytes:
    """The module as the interpreter keeps it, to be taken without a look at its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=0)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
    return head + marshal.dumps(code)


def cut(given: str, made: str, is_used: object, at_start: set[str], root: str) -> None:
    with zipfile.ZipFile(given) as old, zipfile.ZipFile(made, "w") as new:
        for name in sorted(old.namelist()):
            if name.endswith("/") or not is_used(name):  # type: ignore[operator]
                continue
            content = old.read(name)
            if name in at_start:
                content, name = compiled(content, root + name), f"{name}c"
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            new.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


zipped = "/tmp/numpy.whl"
sys.path.append("/tmp/site")
with zipfile.ZipFile(zipped) as wheel:
    wheel.extractall("/tmp/site")
for one in os.environ["IMPORTED"].split(","):
    with suppress(ImportError):
        importlib.import_module(one)
names = [name.replace(".", "/") for name in sys.modules]
at_start = {f"{name}{end}" for name in names for end in (".py", "/__init__.py")}
cut("/tmp/stdlib.zip", "/tmp/python_stdlib.zip", is_used_of_library, at_start, "/lib/")
cut(zipped, "/tmp/numpy.zip", is_used_of_numpy, at_start, "")
