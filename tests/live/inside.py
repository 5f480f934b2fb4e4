"""Cuts and compiles the standard library and NumPy; runs in Pyodide, see vendor.py."""

import ast
import importlib
import importlib.util
import marshal
import os
import sys
import zipfile
from contextlib import suppress

# Beginnings of names. Of the encodings a few are kept.
LEFT_OUT = (
    *("_android_support", "_apple_support", "_ios_support", "__hello__", "__phello__/"),
    *("_py_abc", "_pydatetime", "_pydecimal", "_pyio", "_pyrepl/", "_strptime", "_sysconfigdata"),
    *("antigravity", "argparse", "asyncio/__main__", "asyncio/proactor", "asyncio/windows"),
    *("bdb", "cProfile", "calendar", "cgi", "cmd.py", "code.py", "codeop", "colorsys"),
    *("compileall", "concurrent/futures/process", "config-3", "configparser", "csv"),
    *("ctypes/_aix", "ctypes/macholib", "ctypes/wintypes", "curses/", "dbm/", "decimal"),
    *("difflib", "doctest", "email/", "ensurepip/", "filecmp", "fileinput", "fractions", "ftplib"),
    *("getopt", "getpass", "gettext", "graphlib", "html/parser", "http/", "idlelib/", "imaplib"),
    *("importlib/metadata/", "json/tool", "lib2to3/", "locale", "logging/config"),
    *("logging/handlers", "mailbox", "mimetypes", "modulefinder", "multiprocessing/", "netrc"),
    *("nturl2path", "optparse", "pdb", "pickletools", "pkgutil", "plistlib", "poplib", "profile"),
    *("pstats", "pty", "py_compile", "pyclbr", "pydoc", "pyodide/console", "quopri"),
    *("rlcompleter", "runpy", "sched", "shelve", "site-packages/", "smtplib", "socketserver"),
    *("sqlite3/", "sre_", "statistics", "stringprep", "symtable", "sysconfig/", "tabnanny"),
    *("tarfile", "telnetlib", "this", "timeit", "tkinter/", "tomllib/", "trace.py", "tty"),
    *("turtle", "unittest/", "urllib/error", "urllib/request", "urllib/response"),
    *("urllib/robotparser", "uuid", "venv/", "wave", "webbrowser", "wsgiref/", "xml/", "xmlrpc/"),
    *("zipapp", "zipfile/__main__", "zoneinfo/"),
)
ENCODINGS = ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "utf_8")
ENCODINGS += ("utf_8_sig", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "unicode_escape")
ENCODINGS += ("raw_unicode_escape", "charmap", "undefined")
OF_NUMPY = (
    *("numpy-", "numpy/_pyinstaller/", "numpy/compat/", "numpy/conftest", "numpy/core/"),
    *("numpy/ctypeslib", "numpy/distutils/", "numpy/doc/", "numpy/f2py/", "numpy/fft/"),
    *("numpy/lib/_user_array", "numpy/lib/recfunctions", "numpy/lib/user_array"),
    *("numpy/linalg/_umath_linalg", "numpy/linalg/lapack_lite", "numpy/ma/", "numpy/matlib"),
    *("numpy/polynomial/", "numpy/random/_philox", "numpy/random/_sfc64", "numpy/random/mtrand"),
    *("numpy/testing/", "numpy/typing/"),
)
NOT_RUN = (".pyi", ".h", ".c", ".pyx", ".pxd", ".a", ".ini", ".build", ".typed", ".pc")
# What is in the place of a module: of what makes random numbers one kind, of linear algebra what
# Python does (norms, products), and no documentation of what is compiled.
NOT_HERE = """
def __getattr__(name):
    raise AttributeError(f"There is no {name} of linear algebra in a browser.")
"""
RANDOM = """
from ._generator import Generator, default_rng
from ._pcg64 import PCG64
from .bit_generator import BitGenerator, SeedSequence


class RandomState:
    "Of the older kind there is none; but each new one is asked whether it was given one."
"""
NOT_KEPT = """
def __bit_generator_ctor(*_):
    raise TypeError("What makes random numbers is not kept in a browser.")


__generator_ctor = __bit_generator_ctor
"""
# Whoever takes a median asks; to say no with the module itself takes seconds.
NO_MASKS = """
class MaskedArray:
    "An array with holes, of which there is none in a browser."


def isMaskedArray(array):
    return False
"""
INSTEAD = {
    "numpy/_core/_add_newdocs.py": "",
    "numpy/_core/_add_newdocs_scalars.py": "",
    "numpy/linalg/_umath_linalg.py": NOT_HERE,
    "numpy/ma/__init__.py": NO_MASKS,
    "numpy/random/__init__.py": RANDOM,
    "numpy/random/_pickle.py": NOT_KEPT,
}
DOCUMENTED = ("_pyodide/", "pyodide/")  # whose documentation is read at the start


def is_used_of_library(name: str) -> bool:
    if name.startswith("encodings/"):
        return name.removeprefix("encodings/").removesuffix(".py") in ENCODINGS
    return not name.startswith(LEFT_OUT)


def is_used_of_numpy(name: str) -> bool:
    return "/tests/" not in name and not name.startswith(OF_NUMPY) and not name.endswith(NOT_RUN)


def compiled(source: bytes | str, name: str, path: str) -> bytes:
    """The module as the interpreter keeps it, to be taken without a look at its source.

    Documentation is emptied, assertions are kept.
    """
    tree = ast.parse(source, path)
    for node in () if name.startswith(DOCUMENTED) else ast.walk(tree):
        if isinstance(node, DOCUMENTING) and ast.get_docstring(node, clean=False) is not None:
            node.body[0].value.value = ""  # NumPy hands it on, and wants a text
    code = compile(tree, path, "exec", dont_inherit=True, optimize=0)
    head = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
    return head + marshal.dumps(code)


DOCUMENTING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def cut(given: str, made: str, is_used: object, at_start: set[str], root: str) -> None:
    """An archive whose files are not compressed: it is as a whole, which takes less."""
    with zipfile.ZipFile(given) as old, zipfile.ZipFile(made, "w") as new:
        contents = {
            name: old.read(name)
            for name in old.namelist()
            if not name.endswith("/") and is_used(name)  # type: ignore[operator]
        }
        if any(name in old.namelist() for name in INSTEAD):
            contents |= INSTEAD
        for name, content in sorted(contents.items()):
            if name in at_start | INSTEAD.keys():
                content, name = compiled(content, name, root + name), f"{name}c"
            new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)


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
