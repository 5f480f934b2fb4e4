"""python -m viz_app: start the app on this machine."""

import argparse
import os
import sys
from pathlib import Path

CHECKPOINTS = Path(__file__).resolve().parent.parent / "checkpoints"


def main() -> int:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m viz_app", description=__doc__)
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: %(default)s)"
    )
    parser.add_argument("--port", type=int, default=7860, help="default: %(default)s")
    parser.add_argument("--open", action="store_true", help="open the page in your browser")
    parser.add_argument(
        "--checkpoints",
        type=Path,
        default=CHECKPOINTS,
        help="folder of models (default: %(default)s)",
    )
    parsed = parser.parse_args()
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # before gradio is imported

    from model_core.folder import list_checkpoints
    from viz_app.app import build_app, launch_settings
    from viz_app.catalogue import default_model
    from viz_app.service import Service

    names = list_checkpoints(parsed.checkpoints)
    if not names:
        print(
            f"error: there is no checkpoint in {parsed.checkpoints}. Train one first.",
            file=sys.stderr,
        )
        return 1
    service = Service(parsed.checkpoints)
    service.warm_up(default_model(names) or names[0])
    app = build_app(service)
    app.launch(
        server_name=parsed.host, server_port=parsed.port, inbrowser=parsed.open, **launch_settings()
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
