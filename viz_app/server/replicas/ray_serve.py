"""Replicas under Ray Serve: it starts them, replaces lost ones, and adds some under load.

Where RAY_ADDRESS names a cluster, they run there; otherwise Ray is started on this machine, for
this program alone, and ends with it.
"""

import io
import json
import logging
import os
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

from model_core.decoding.queue import LEAVING, Leaving, check_left
from model_core.errors import ServingError
from model_core.folders import installing
from viz_app.lessons.lesson import Lesson
from viz_app.limits import Limits
from viz_app.server.answers.requests import Reply
from viz_app.server.replicas.forwarding import Forwarding, Lost
from viz_app.server.replicas.replica import SPARE, Replica

NAME = "attention-visualiser"
_ADDRESS = "RAY_ADDRESS"
_STARTS = 5
_ANSWERS = 5.0  # seconds within which a replica says what is open


def ray_serve() -> tuple[Any, Any]:
    """The package and its part that serves; ServingError names the command that installs them."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it sends its makers nothing
    os.environ.setdefault("RAY_worker_niceness", "0")  # of 15 else: people wait for the replicas
    try:
        import ray
        from ray import serve
    except ImportError as error:
        raise ServingError(
            "Replicas need the package ray with its part serve. Install them with "
            f"{installing('ray')}, or leave out --ray."
        ) from error
    logging.getLogger("ray.serve").setLevel(logging.WARNING)
    return ray, serve


def forwarding(
    checkpoints: Path,
    limits: Limits,
    replicas: tuple[int, int],
    models: Sequence[str] = (),
    device: str = "auto",
    lessons: tuple[Lesson, ...] = (),
) -> Forwarding:
    """What answers by replicas, which have opened the first model when it is returned.

    ServingError where Ray is missing or cannot start them.
    """
    running = RayServe(checkpoints, limits, replicas, models, device, lessons)
    service = Forwarding(checkpoints, limits, running)
    if models:
        offered = running.offered()
        service.added, service.opened_on = tuple(offered["added"]), offered["opened_on"]
    service.look()
    return service


class RayServe:
    """Replicas under Ray Serve, as `Replicas` says."""

    def __init__(
        self,
        checkpoints: Path,
        limits: Limits,
        replicas: tuple[int, int],
        models: Sequence[str],
        device: str,
        lessons: tuple[Lesson, ...] = (),
    ):
        self._ray, self._serve = ray_serve()
        least, self.most = replicas
        self._is_ours = _ADDRESS not in os.environ
        quiet = {"enable_access_log": False, "log_level": "WARNING"}
        try:
            self._connect()
            # The page's process is the only way in.
            self._serve.start(http_options={"location": "NoServer"}, logging_config=quiet)
            deployment = self._serve.deployment(
                Replica,
                name="replica",
                max_ongoing_requests=limits.at_once + SPARE,
                graceful_shutdown_timeout_s=2.0,
                ray_actor_options={"num_cpus": 1},
                logging_config=quiet,
                **_scaling(least, self.most, limits.at_once),
            )
            given = (str(checkpoints.resolve()), limits, tuple(models), device, lessons)
            app = deployment.bind(*given)
            self._replicas = self._serve.run(app, name=NAME, route_prefix=None)
        except Exception as error:
            self.close()
            raise ServingError(f"Ray could not start the replicas: {error}") from error

    def _connect(self) -> None:
        same: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if not self._is_ours:
            self._ray.init(address=os.environ[_ADDRESS], **same)
            return
        # Parts of Ray give up after 15 or 30 seconds in which others have not started, which on a
        # busy machine are over soon; no setting changes that.
        for left in reversed(range(_STARTS)):
            try:
                self._ray.init(
                    address="local",
                    num_cpus=max(self.most, os.cpu_count() or 1),  # each replica finds a place
                    include_dashboard=False,
                    **same,
                )
                return
            except Exception as error:
                end_children()
                if not left:
                    raise
                print(f"Ray did not start ({error}) It is started again.", flush=True)

    def ask(self, name: str, body: bytes, seconds: float) -> Reply:
        asked = self._replicas.ask.remote(name, body)
        with (LEAVING.get() or Leaving()).then(asked.cancel):
            return Reply(*self._result(asked, seconds))

    def opened(self) -> tuple[str, ...]:
        return tuple(self._result(self._replicas.opened.remote(), _ANSWERS))

    def offered(self) -> dict[str, Any]:
        """The models that were added beside the folder's, as a replica says."""
        said: dict[str, Any] = json.loads(self._replicas.offered.remote().result())
        return said

    def _result(self, asked: Any, seconds: float) -> Any:
        try:
            return asked.result(timeout_s=seconds)
        except self._ray.exceptions.RayTaskError:
            raise  # a bug of ours
        except TimeoutError as error:
            asked.cancel()
            raise Lost from error
        except (self._ray.exceptions.RayError, self._serve.exceptions.RayServeException) as error:
            check_left()
            raise Lost from error

    def close(self) -> None:
        if not self._ray.is_initialized():
            return
        with redirect_stdout(io.StringIO()):  # Ray prints what no longer answers
            if self._is_ours:
                self._serve.shutdown()
            else:
                self._serve.delete(NAME)
            self._ray.shutdown()


def end_children() -> None:
    """End what Ray began to start; nothing else was started by this process at that time."""
    import psutil  # ray brings it

    children = psutil.Process().children(recursive=True)
    for one in children:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    psutil.wait_procs(children)


def _scaling(least: int, most: int, at_once: int) -> dict[str, Any]:
    """So many replicas, or more of them while each has more than `at_once` calls."""
    if least == most:
        return {"num_replicas": most}
    bounds = {"min_replicas": least, "max_replicas": most}
    return {"autoscaling_config": bounds | {"target_ongoing_requests": at_once}}
