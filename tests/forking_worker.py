"""A process that has pytest imported and forks for each job, so that a run of a small suite costs a few hundredths of a
second."""

from __future__ import annotations

import json
import os
import subprocess
import sys

_WORKER = """
import ctypes, gc, importlib, json, os, resource, signal, sys, time
import pytest, _pytest.config
for plugin in _pytest.config.default_plugins:
    importlib.import_module("_pytest." + plugin)
gc.freeze()
signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process decides what an interrupt ends
compiled = {}
libc = ctypes.CDLL(None)

def child(order):
    libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: the job does not outlive its worker
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    os.chdir(order["cwd"])
    os.environ.update(order["env"])
    os.dup2(os.open(order["folder"] + "/stdin", os.O_RDONLY), 0)
    out = os.open(order["folder"] + "/output", os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(out, 1)
    os.dup2(out, 2)
    script = order["folder"] + "/script.py"
    sys.argv = [script, *order["args"]]
    main = sys.modules["__main__"].__dict__
    main["__file__"] = script
    exec(compiled[order["script"]], main)

for line in sys.stdin:
    order = json.loads(line)
    if order["script"] not in compiled:
        compiled[order["script"]] = compile(order["script"], "script.py", "exec")
    pid = os.fork()
    if pid == 0:
        try:
            child(order)
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            os._exit(3)
    deadline = time.monotonic() + order["limit"]
    status = None
    while status is None:
        done, raw = os.waitpid(pid, os.WNOHANG)
        if done:
            status = os.waitstatus_to_exitcode(raw)
        elif time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            break
        else:
            time.sleep(0.002)
    print(json.dumps(status), flush=True)
"""


class Worker:
    """A process that forks for each job, which may take 2 GiB of address space. `hash_seed` orders its sets."""

    def __init__(self, hash_seed: int = 0) -> None:
        environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONHASHSEED": str(hash_seed)}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
            bufsize=1,
        )

    def run(self, order: dict[str, object]) -> int | None:
        """Run `script` with `args`, `env` and `folder`/stdin in `cwd` for `limit` seconds at the most; the exit code,
        None when the limit ended it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: int | None = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
