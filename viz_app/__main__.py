"""python -m viz_app: start the app on this machine, or for others with --demo and --host."""

import argparse
import atexit
import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from viz_app.quiet import keep_gradio_quiet

CHECKPOINTS = Path(__file__).resolve().parent.parent / "checkpoints"


def main(words: Sequence[str] | None = None) -> int:
    """Serve until interrupted; `export` as the first word writes files instead."""
    words = sys.argv[1:] if words is None else words
    if words[:1] == ["export"]:
        from viz_app.export.command import run

        return run(words[1:], CHECKPOINTS)
    parsed = _parser().parse_args(words)
    keep_gradio_quiet()
    from model_core.errors import VisualiserError

    try:
        _serve(parsed)
    except VisualiserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m viz_app", description=__doc__)
    add = parser.add_argument
    add("--checkpoints", type=Path, default=CHECKPOINTS, help="models (default: %(default)s)")
    add("--open", action="store_true", help="open the page in your browser")
    add("--demo", action="store_true", help="the tight limits for strangers, and a line a request")
    where = parser.add_argument_group("where it is served").add_argument
    host = os.environ.get("GRADIO_SERVER_NAME", "127.0.0.1")
    where("--host", default=host, help="address to listen on (default: %(default)s)")
    where("--port", type=int, default=7860, help="default: %(default)s")
    where(
        "--root-path",
        metavar="PATH",
        default=os.environ.get("GRADIO_ROOT_PATH", ""),
        help="the prefix behind a proxy, such as /attention, or the page's whole address",
    )
    where("--ssl-certfile", type=Path, metavar="FILE", help="serve https with this PEM certificate")
    where("--ssl-keyfile", type=Path, metavar="FILE", help="its key, unless it holds that too")
    where("--share", action="store_true", help="also a public link (take --demo too)")
    who = parser.add_argument_group("who may enter (default: everybody)").add_argument
    who(
        "--auth",
        metavar="USER:PASSWORD",
        help="one account; better in VIZ_APP_AUTH or a file, which no list of processes shows",
    )
    who(
        "--auth-file",
        type=Path,
        metavar="FILE",
        help="accounts, USER:PASSWORD in each line; lines that begin with # are skipped",
    )
    return parser


def _serve(parsed: argparse.Namespace) -> NoReturn:
    from model_core.errors import ServingError
    from model_core.folder import list_checkpoints
    from viz_app.accounts import accounts_of
    from viz_app.limits import DEMO, LOCAL
    from viz_app.logs import keep_words_out_of_tracebacks, log_requests

    accounts = accounts_of(parsed.auth, parsed.auth_file, os.environ)
    if not list_checkpoints(parsed.checkpoints):
        raise ServingError(f"There is no checkpoint in {parsed.checkpoints}. Train one first.")
    # Importing gradio makes a great many objects and hardly any garbage: looking for it takes a
    # tenth of the time.
    gc.disable()
    from viz_app.service import Service
    from viz_app.serving import Address, serve

    gc.enable()
    gc.freeze()
    keep_words_out_of_tracebacks()
    if parsed.demo:
        log_requests()
    service = Service(parsed.checkpoints, DEMO if parsed.demo else LOCAL)
    ended = _told_to_end()
    app = serve(
        service,
        Address(
            parsed.host,
            parsed.port,
            parsed.root_path,
            accounts,
            parsed.ssl_certfile,
            parsed.ssl_keyfile,
            parsed.share,
            parsed.open,
        ),
    )
    service.warm_up()  # torch is imported while the page opens, not before
    print(f"Attention Visualiser on {app.local_url} (Ctrl+C stops it)", flush=True)
    try:
        ended.wait()
    finally:
        app.close(verbose=False)
    # A model may still be being opened in the background: PyTorch's threads abort where the
    # interpreter is taken down under them. Tunnels and browsers are ended all the same.
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _told_to_end() -> threading.Event:
    """An event that is set when the process is told to end, by a key or by its host."""
    ended = threading.Event()

    def end(*_: Any) -> None:
        ended.set()

    # As the first process of a container nothing else would end it.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    return ended


if __name__ == "__main__":
    sys.exit(main())
