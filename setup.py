"""What pyproject.toml cannot say: the models are installed too, beside the code that opens them.

The readme of the package is README.md without its pictures and its links to files of the
repository, which lead nowhere on the page of an index.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup

MODELS = [path.parent.name for path in Path("checkpoints").glob("*/config.json")]
ENDINGS = ("js", "css", "json", "d.ts", "txt", "ipynb", "png", "yaml", "conf", "woff2")
ENDINGS += ("gz", "wasm", "ts")  # of viz_app/live
FILES = [f"**/*.{ending}" for ending in ENDINGS]
LINK = r"!?\[([^]]*)\]\((?!https?:|#)[^)]*\)"
README = Path("README.md").read_text(encoding="utf-8")

setup(
    long_description=re.sub(LINK, r"\1", re.sub(rf"(?m)^{LINK}\n+", "", README)),
    long_description_content_type="text/markdown",
    packages=[*find_packages(include=["model_core*", "viz_app*"]), "model_core.shipped"],
    package_dir={"model_core.shipped": "checkpoints"},
    package_data={
        "model_core": FILES,
        "viz_app": FILES,
        "model_core.shipped": [f"{name}/*.*" for name in MODELS if "." not in name],
    },
)
