"""A command in the sandbox that can be talked to while it runs."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType

from treadle.sandbox.input import Input
from treadle.sandbox.job import Files
from treadle.sandbox.limits import Limits
from treadle.sandbox.policy import Policy
from treadle.sandbox.result import Result
from treadle.sandbox.run import run


class Process:
    """A command that was started in the sandbox, with the arguments of `run`.

    `stdin` is the writing end of its input. Iterating gives (stream, data) as the command says it, stdout as 1 and
    stderr as 2, to its end; what nobody takes is kept, within `Limits.output`. Leaving a `with` block ends it.
    """

    def __init__(
        self,
        argv: Sequence[str | os.PathLike[str]],
        *,
        cwd: str | os.PathLike[str] | None = None,
        policy: Policy | None = None,
        limits: Limits | None = None,
        env: Mapping[str, str] | None = None,
        files: Files | None = None,
        collect: Sequence[str] = (),
    ) -> None:
        self.stdin = Input()
        self._said: queue.SimpleQueue[tuple[int, bytes] | None] = queue.SimpleQueue()
        self._cancel = threading.Event()
        self._result: Result | None = None
        self._error: BaseException | None = None

        def work() -> None:
            try:
                self._result = run(
                    argv,
                    cwd=cwd,
                    policy=policy,
                    limits=limits,
                    stdin=self.stdin,
                    env=env,
                    files=files,
                    collect=collect,
                    on_output=lambda stream, data: self._said.put((stream, data)),
                    cancel=self._cancel,
                )
            except BaseException as error:  # noqa: BLE001 - raised again by `wait`
                self._error = error
            finally:
                self.stdin.end()
                self._said.put(None)

        self._thread = threading.Thread(target=work, name="treadle-sandbox", daemon=True)
        self._owner = os.getpid()
        self._thread.start()

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        self._refuse_in_a_fork()
        while (piece := self._said.get()) is not None:
            yield piece
        self._said.put(None)  # for whoever asks again

    def wait(self, timeout: float | None = None) -> Result:
        """What came of it. Raises TimeoutError when it still runs after `timeout` seconds, and what `run` raises. A
        command that reads its input to the end runs until `stdin` is closed. Raises RuntimeError in a fork of the
        process that started it."""
        self._refuse_in_a_fork()
        self._thread.join(timeout)
        if self._error is not None:
            raise self._error
        if self._result is None:
            raise TimeoutError("the command still runs")
        return self._result

    def cancel(self) -> None:
        """End it at once; its verdict is `killed`."""
        self._cancel.set()

    def _refuse_in_a_fork(self) -> None:
        # The thread that hears the command is not in the fork, which would wait for ever.
        if os.getpid() != self._owner:
            raise RuntimeError("this command was started by another process; a fork can't wait for it")

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if os.getpid() == self._owner:
            self.cancel()
            self._thread.join()
