"""The house: which package may import which, and what stays without torch."""

import ast
import functools
import graphlib
import subprocess
import sys

import pytest

from tests.conftest import ROOT

# A package imports from itself and from those before it.
PACKAGES_OF_THE_APP = (
    "version",
    "values",
    "text",
    "figures",
    "rooms",
    "stage",
    "links",
    "limits",
    "menu",
    "lessons",
    "files",
    "server",
    "live",
    "site",
    "desktop",
    "commands",
    "__main__",
)
PACKAGES = (
    "errors",
    "atomic",
    "folders",
    "glibc",
    "terminal",
    "values",
    "tokenizer_parts",
    "tokenizer",
    "transformer",
    "checkpoints",
    "models",
    "decoding",
    "studies",
    "commands",
    "training",
    "__main__",
)
WITHOUT_TORCH = (
    "errors",
    "atomic",
    "folders",
    "glibc",
    "terminal",
    "values",
    "tokenizer_parts",
    "checkpoints.folder",
    "checkpoints.heads",
    "checkpoints.history",
    "checkpoints.parts",
    "checkpoints.regular_file",
    "checkpoints.snapshots",
    "checkpoints.training",
    "decoding.queue",
    "models.hub.families",
    "models.hub.folder",
    "commands.options",
)
SEEN_BY_THE_APP = (
    "__main__",
    "errors",
    "atomic",
    "folders",
    "glibc",
    "terminal",
    "tokenizer",
    "values",
    "checkpoints.folder",
    "checkpoints.heads",
    "checkpoints.history",
    "checkpoints.parts",
    "checkpoints.regular_file",
    "checkpoints.snapshots",
    "checkpoints.training",
    "commands.options",
    "decoding.library",
    "decoding.queue",
    "decoding.run",
    "decoding.tracer",
    "models.bringing",
    "models.array_model",
    "models.hub.folder",
    "models.own",
    "models.protocol",
    "studies",
)


def modules(package):
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((ROOT / package).rglob("*.py"))
    }


@functools.cache
def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def imports(path):
    """The full names a file imports, those inside functions included."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            # What is imported may be a module of the package, or something in the module.
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def package_of(name):
    return name.split(".")[1]


def is_in(name, homes):
    inside = name.removeprefix("model_core.")
    return any(inside == home or inside.startswith(f"{home}.") for home in homes)


CORE, APP = modules("model_core"), modules("viz_app")
CORE_FILES = [name for name in CORE if name != "model_core"]


@pytest.mark.parametrize(
    ("package", "order"), [("model_core", PACKAGES), ("viz_app", PACKAGES_OF_THE_APP)]
)
def test_a_package_imports_only_those_above_it(package, order):
    files = {name: path for name, path in modules(package).items() if name != package}
    for name, path in files.items():
        assert package_of(name) in order, f"{name} is in no package: give it a place in the order"
        floor = order.index(package_of(name))
        for other in imports(path) & set(files):
            assert order.index(package_of(other)) <= floor, f"{name} imports {other}"


@pytest.mark.parametrize("package", ["model_core", "viz_app"])
def test_no_import_goes_round_in_a_circle(package):
    files = modules(package)
    graph = {name: (imports(path) & set(files)) - {name} for name, path in files.items()}
    assert list(graphlib.TopologicalSorter(graph).static_order())


def test_the_core_knows_nothing_of_pictures():
    for name, path in CORE.items():
        roots = {other.split(".")[0] for other in imports(path)}
        assert not roots & {"gradio", "plotly", "viz_app", "matplotlib"}, name


def test_the_app_sees_values_tracers_and_studies_and_never_torch():
    for name, path in APP.items():
        for other in imports(path):
            outside = ("torch", "tokenizers", "safetensors")
            assert other.split(".")[0] not in outside, f"{name} imports {other}"
            if other in CORE_FILES:
                assert is_in(other, SEEN_BY_THE_APP), f"{name} imports {other}"


def test_the_app_asks_a_model_and_never_its_checkpoint():
    for name, path in APP.items():
        read = {node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
        assert "checkpoint" not in read, name


def test_what_needs_no_torch_imports_none():
    names = [name for name in CORE_FILES if is_in(name, WITHOUT_TORCH)]
    assert "model_core.values.trace" in names
    program = f"import sys, model_core, {', '.join(names)}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_public_names_are_loaded_when_they_are_asked_for():
    import model_core

    for name in model_core.__all__:
        assert (
            getattr(model_core, name).__name__ == name if name != "PRESETS" else model_core.PRESETS
        )
    assert set(model_core.__all__) <= set(dir(model_core))
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        model_core.nothing_of_the_kind  # noqa: B018
