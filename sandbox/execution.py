"""One job through one server, with every reason for which it may be refused."""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping

from treadle.sandbox.input import Input
from treadle.sandbox.job import Command, Script, to_frame
from treadle.sandbox.limits import Limits
from treadle.sandbox.result import Result
from treadle.sandbox.server_process import OnOutput, ServerDied, ServerProcess


def why_refused(server: ServerProcess) -> str:
    """Why nothing may run on this server, "" when it may: a layer is missing without which the policy can't be kept."""
    policy = server.setup.policy
    missing = sorted(policy.require - set(server.layers))
    if missing:
        reasons = "; ".join(f"{layer} is off: {server.off.get(layer, 'not on this machine')}" for layer in missing)
        return f"the policy requires what is not on ({reasons})"
    if policy.overlay and "overlay" not in server.layers:
        return f"an overlay is not possible ({server.off['overlay']}); use a copy of the project and `write`"
    return ""


def execute(
    server: ServerProcess,
    job: Command | Script,
    *,
    limits: Limits,
    env: Mapping[str, str],
    cwd: str | None,
    cancel: threading.Event | None = None,
    on_output: OnOutput | None = None,
    stdin: Input | socket.socket | None = None,
) -> Result:
    """Run the job and bring back what came of it. Raises ServerDied, and what `to_frame` raises."""
    reason = why_refused(server)
    if reason:
        return Result("refused", layers=server.layers, message=reason)
    if cancel is not None and cancel.is_set():
        return Result("killed", layers=server.layers, message="cancelled before it started")
    header, blobs = to_frame(job, limits, env, cwd)
    return server.ask(header, blobs, cancel, on_output, stdin)


def died(error: ServerDied) -> Result:
    """The result of a job whose server ended under it: it may have run in part, so it is not run again by itself."""
    return Result("killed", message=str(error))
