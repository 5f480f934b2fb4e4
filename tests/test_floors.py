import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# A module imports from its own floor or from below. A new module gets its floor here.
FLOORS = {
    "errors": 0,
    "config": 0,
    "presets": 0,
    "trace": 0,
    "recipe": 0,
    "held": 1,
    "recent": 1,
    "strategy_options": 0,
    "turns": 0,
    "folder": 0,
    "replacing": 0,
    "layers": 1,
    "words": 0,
    "cleaning": 0,
    "leaks": 0,
    "preparation": 0,
    "masks": 1,
    "positions": 1,
    "attention": 1,
    "tokenizer": 1,
    "transformer": 2,
    "beam": 3,
    "decoding": 3,
    "store": 3,
    "dump": 0,
    "tracer": 4,
    "corpus": 4,
    "evaluation": 4,
    "metrics": 0,
    "report": 0,
    "own_sentences": 0,
    "hardware": 1,
    "head_report": 4,
    "full_evaluation": 5,
    "averaging": 4,
    "aligner": 4,
    "alignment": 5,
    "hand_aligned": 0,
    "evaluate_command": 5,
    "model_card": 4,
    "training": 4,
    "training_loss": 4,
    "training_run": 4,
    "training_state": 4,
    "workers": 4,
    "study_masks": 5,
    "study_order": 5,
    "study_positions": 5,
    "study_head": 5,
    "train_command": 5,
    "vocabulary": 1,
    "preparation_report": 4,
    "prepare_command": 5,
    "__main__": 5,
}
SEEN_BY_THE_APP = {name for name, floor in FLOORS.items() if floor == 0} | {
    "tracer",
    *(name for name in FLOORS if name.startswith("study_")),
}


def modules(package):
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def imports(path):
    """The full names a file imports, those inside functions included."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            # What is imported may be a module of the package, or something in the module.
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


CORE, APP = modules("model_core"), modules("viz_app")
CORE_FILES = [name for name in CORE if name != "model_core"]


@pytest.mark.parametrize("name", CORE_FILES)
def test_a_module_of_the_core_imports_downwards_only(name):
    floor = FLOORS.get(name.removeprefix("model_core."))
    assert floor is not None, f"{name} has no floor: give it one in {Path(__file__).name}"
    for other in imports(CORE[name]) & set(CORE_FILES):
        assert FLOORS[other.removeprefix("model_core.")] <= floor, f"{name} imports {other}"


@pytest.mark.parametrize("package", ["model_core", "viz_app"])
def test_no_import_goes_round_in_a_circle(package):
    files = modules(package)
    graph = {name: (imports(path) & set(files)) - {name} for name, path in files.items()}
    assert list(graphlib.TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("name", CORE)
def test_the_core_knows_nothing_of_pictures(name):
    roots = {other.split(".")[0] for other in imports(CORE[name])}
    assert not roots & {"gradio", "plotly", "viz_app", "matplotlib"}


@pytest.mark.parametrize("name", APP)
def test_the_app_sees_the_ground_floor_and_the_tracer_and_never_torch(name):
    for other in imports(APP[name]):
        root, *rest = other.split(".")
        assert root not in ("torch", "tokenizers", "safetensors"), f"{name} imports {other}"
        if root == "model_core" and rest:
            assert rest[0] in SEEN_BY_THE_APP, f"{name} imports {other}"


@pytest.mark.parametrize("name", [name for name in APP if name.startswith("viz_app.tabs.")])
def test_a_tab_imports_no_other_tab(name):
    assert not {other for other in imports(APP[name]) if other.startswith("viz_app.tabs.")}


def test_the_ground_floor_is_imported_without_torch():
    ground = [f"model_core.{name}" for name, floor in FLOORS.items() if floor == 0]
    program = f"import sys, {', '.join(ground)}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_no_file_is_longer_than_a_reader_can_hold():
    for path in [*CORE.values(), *APP.values()]:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= 400, f"{path} has {lines} lines"
