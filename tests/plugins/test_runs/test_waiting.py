"""Tests whose event loop waits for what nothing is there to bring are ended at once, and no others."""

from __future__ import annotations

from typing import Any

import pytest

TESTS = """
import asyncio
import os
import signal
import socket
import threading


async def never():
    await asyncio.get_running_loop().create_future()


def test_waits():
    asyncio.run(never())


def test_in_tasks():
    async def main():
        queue = asyncio.Queue()
        await asyncio.gather(queue.get(), queue.join(), never())
    asyncio.run(main())


def test_with_a_timer():
    async def main():
        try:
            await asyncio.wait_for(never(), 0.01)
        except asyncio.TimeoutError:
            return True
    assert asyncio.run(main())


def test_with_a_thread():
    async def main():
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        threading.Timer(0.1, loop.call_soon_threadsafe, (future.set_result, 1)).start()
        return await future
    assert asyncio.run(main()) == 1


def test_in_an_executor():
    async def main():
        return await asyncio.get_running_loop().run_in_executor(None, lambda: 2)
    assert asyncio.run(main()) == 2


def test_with_a_connection():
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.send(b"x")
    async def main():
        return await asyncio.get_running_loop().sock_recv(ours, 1)
    assert asyncio.run(main()) == b"x"


def test_until_a_signal():
    async def main():
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        loop.add_signal_handler(signal.SIGUSR1, future.set_result, 3)
        child = os.fork()
        if child == 0:
            import time
            time.sleep(0.1)
            os.kill(os.getppid(), signal.SIGUSR1)
            os._exit(0)
        os.waitpid(child, 0)
        return await future
    assert asyncio.run(main()) == 3


def test_of_a_program():
    async def main():
        process = await asyncio.create_subprocess_exec("sleep", "0.1")
        return await process.wait()
    assert asyncio.run(main()) == 0


def test_behind_them():
    assert True
"""


def test_only_what_nothing_can_wake_is_ended(project: Any) -> None:
    project.write(test_loops=TESTS)
    tests = {t.id.rpartition("::")[2]: t for t in project.run(test_timeout_s=60.0).report.tests}
    ended = [name for name, test in tests.items() if test.outcome == "failed"]
    assert ended == ["test_waits", "test_in_tasks"]
    assert all("never ends" in tests[name].message and tests[name].seconds < 30 for name in ended)
    assert [test.outcome for test in tests.values()].count("passed") == len(tests) - 2


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_other_pythons_end_them_too(project: Any, version: str, find_python: Any, shared_pytest: str) -> None:
    project.write(test_loops=TESTS)
    ran = project.run(test_timeout_s=60.0, python=find_python(version), pythonpath=shared_pytest)
    assert [t.id.rpartition("::")[2] for t in ran.report.tests if t.outcome == "failed"] == [
        "test_waits",
        "test_in_tasks",
    ]
