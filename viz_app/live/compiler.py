"""An archive of modules with each compiled; it runs in the interpreter that will import them.

Functions lose their documentation, which is not read there. Classes keep theirs: dataclasses
would make up another, at every start. Assertions stay.
"""

import ast
import importlib
import importlib.util
import io
import marshal
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

WRITTEN = "viz_app.live.written"
_FUNCTIONS = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)


def compiled(archive: bytes) -> bytes:
    """The archive; other files than modules stay as they are."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as given, zipfile.ZipFile(made, "w") as new:
        for one in given.infolist():
            content, name = given.read(one), one.filename
            if name.endswith(".py"):
                content, name = _module(content, name), f"{name}c"
            new.writestr(zipfile.ZipInfo(name, one.date_time), content)
    return made.getvalue()


def begun(archive: bytes, numpy: str, folder: str = "/begun") -> bytes:
    """The archive, with what its modules let dataclasses write; any other one as it is.

    `numpy` is the path of an archive too; both are unpacked into the folder.
    """
    for one in (numpy, io.BytesIO(archive)):
        with zipfile.ZipFile(one) as given:
            given.extractall(folder)
            names = given.namelist()
    if WRITTEN.replace(".", "/") + ".pyc" not in names:
        return archive
    sys.path.insert(0, folder)

    def start() -> None:
        importlib.import_module("viz_app.live.standing").stand_in()
        for name in (one for one in names if one.endswith(".pyc")):
            with suppress(ImportError):  # of a server
                importlib.import_module(name.removesuffix(".pyc").replace("/", "."))

    written = importlib.import_module(WRITTEN)
    made = io.BytesIO(archive)
    with zipfile.ZipFile(made, "a") as new:
        name = Path(written.FILE).relative_to(folder).as_posix()
        new.writestr(zipfile.ZipInfo(name, given.infolist()[0].date_time), written.recorded(start))
    return made.getvalue()


def _module(source: bytes, path: str) -> bytes:
    """As the interpreter keeps a module whose source it never looks for."""
    tree = ast.parse(source, path)
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and ast.get_docstring(node, clean=False) is not None:
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
    code = compile(tree, path, "exec", dont_inherit=True, optimize=0)
    flags = (1).to_bytes(4, "little")  # by a hash, which is not compared
    return (
        importlib.util.MAGIC_NUMBER
        + flags
        + importlib.util.source_hash(source)
        + marshal.dumps(code)
    )
