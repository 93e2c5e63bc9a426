"""A warm pool: a script in a fork is what it would be in an interpreter of its own."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from treadle import sandbox
from treadle.sandbox import Command, Limits, Overlay, Policy, Pool, Script, ServerDied
from treadle.sandbox.server import zygote

QUICK = Limits.tier("quick", wall_s=30.0)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "mod.py").write_text("VALUE = 1\n")
    (folder / "test_mod.py").write_text(
        "import mod\n\ndef test_value():\n    assert mod.VALUE == 1\n\n"
        "def test_tmp(tmp_path):\n    (tmp_path / 'x').write_text('y')\n    assert len(list(tmp_path.iterdir())) == 1\n"
    )
    return folder


@pytest.fixture(scope="module")
def pool(project: Path) -> Iterator[Pool]:
    policy = Policy(overlay=Overlay(str(project)))
    with Pool(preload=("pytest", "json"), workers=2, policy=policy, limits=QUICK) as opened:
        yield opened


# Each ends in the same way, and says the same, as it does in `python -c`.
ENDINGS = [
    "print('hello')",
    "import sys; sys.exit(3)",
    "import sys; sys.exit()",
    "import sys; sys.exit('a message')",
    "import sys; sys.exit(300)",
    "raise SystemExit",
    "raise ValueError('wrong')",
    "def f():\n    1 / 0\nf()",
    "x = (",
    "raise KeyboardInterrupt",
    "import os; os._exit(9)",
    "import os; os.kill(os.getpid(), 15)",
    "import atexit; atexit.register(print, 'at exit'); print('before')",
    "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.2), print('late'))).start()\nprint('first')",
    "print('no newline', end='')",
    "import sys; print(__name__, sys.argv[1:], sys.path[0] == '')",
    "import sys; sys.excepthook = lambda *a: print('hooked', a[0].__name__); raise RuntimeError",
    "import multiprocessing as m\nif __name__ == '__main__':\n    l = m.Lock()\n    with l: print(m.active_children())",
    "import json, sys; print('pytest' in dir(), type(sys.stdin.read()))",
    "import os, sys; os.close(1); print('lost'); sys.stdout.flush()",
    "def f(x: int) -> 'str': ...\nprint(f.__annotations__)\nclass C:\n    x: undefined_name = 1",
    "import atexit; atexit.register(lambda: 1 / 0); print('said before')",
]


@pytest.mark.parametrize("source", ENDINGS)
def test_a_script_ends_as_under_an_interpreter_of_its_own(pool: Pool, project: Path, source: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", source], stdin=subprocess.DEVNULL, capture_output=True, cwd=project, check=False
    )
    result = pool.run(Script(source))
    assert result.stdout.data == done.stdout
    code = result.exit_code if result.signal is None else -result.signal
    if "os.close(1)" in source:
        assert {code, done.returncode} <= {1, 120}, "which of the two differs between releases of Python"
    else:
        assert code == (130 if source == "raise KeyboardInterrupt" else done.returncode)
    last = done.stderr.splitlines()[-1:]
    assert result.stderr.data.splitlines()[-1:] == last


def test_what_a_job_prints_is_heard_while_it_runs(tmp_path: Path) -> None:
    # It goes on only once somebody has heard its first words.
    waits = "import os, time\nprint('begun', flush=True)\nwhile not os.path.exists('heard'): time.sleep(0.01)"
    heard: list[tuple[int, bytes]] = []

    def hear(stream: int, data: bytes) -> None:
        heard.append((stream, data))
        (tmp_path / "heard").touch()

    command = Command(("sh", "-c", "echo begun >&2; while [ ! -e heard ]; do sleep 0.01; done; echo ended"))
    with Pool(policy=Policy(write=(str(tmp_path),)), limits=QUICK, cwd=str(tmp_path), workers=1) as opened:
        assert opened.run(Script(waits), on_output=hear).ok
        assert heard == [(1, b"begun\n")]
        (tmp_path / "heard").unlink()
        result = opened.submit(command, on_output=hear).result()
    assert result.ok
    assert heard[1:] == [(2, b"begun\n"), (1, b"ended\n")]
    assert (result.stdout.data, result.stderr.data) == (b"ended\n", b"begun\n")


def test_a_traceback_names_the_script_s_own_lines_alone(pool: Pool) -> None:
    said = pool.run(Script("def f():\n    raise ValueError('here')\nf()")).stderr.data.decode()
    assert said.count("File ") == 2, said
    assert "raise ValueError('here')" in said


def test_arguments_stdin_and_variables_arrive(pool: Pool) -> None:
    assert pool.run("print(6 * 7)").stdout.data == b"42\n"
    source = "import os, sys; print(sys.argv[1:], sys.stdin.read(), os.environ['X'])"
    result = pool.run(Script(source, args=("a", "b c"), stdin=b"in", env={"X": "y"}))
    assert result.stdout.data == b"['a', 'b c'] in y\n"


def test_commands_run_there_too(pool: Pool, project: Path) -> None:
    result = pool.run(Command(("sh", "-c", "pwd; exit 4")))
    assert (result.stdout.data.decode(), result.exit_code) == (f"{project}\n", 4)


def test_results_come_in_the_order_of_the_jobs(pool: Pool) -> None:
    jobs = [Script(f"import time; time.sleep({0.3 if n == 0 else 0}); print({n})") for n in range(8)]
    assert [r.stdout.data for r in pool.run_many(jobs)] == [b"%d\n" % n for n in range(8)]


def test_a_whole_pytest_run_works(pool: Pool) -> None:
    # In the tests' environment Treadle may be installed from a checkout, which jobs can't read.
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:treadle.testing"]
    source = f"import pytest, sys; sys.exit(pytest.main({options}))"
    good = pool.run(Script(source))
    assert (good.verdict, b"2 passed" in good.stdout.data) == ("ok", True), good
    bad = pool.run(Script(source, files={"mod.py": b"VALUE = 2\n"}))
    assert (bad.verdict, bad.exit_code, b"1 failed, 1 passed" in bad.stdout.data) == ("error", 1, True), bad


def test_subprocesses_and_threads_and_processes_work(pool: Pool) -> None:
    source = """
import subprocess, sys, multiprocessing
from concurrent.futures import ThreadPoolExecutor, ProcessPoolExecutor
def double(x):
    return 2 * x
if __name__ == "__main__":
    print(subprocess.run([sys.executable, "-c", "import mod; print(mod.VALUE)"], capture_output=True, text=True).stdout)
    with ThreadPoolExecutor(4) as threads:
        print(list(threads.map(double, range(4))))
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as processes:
        print(list(processes.map(double, range(4))))
    with multiprocessing.get_context("spawn").Pool(2) as spawned:
        print(spawned.map(double, range(4)))
"""
    result = pool.run(Script(source))
    assert result.stdout.data == b"1\n\n[0, 2, 4, 6]\n[0, 2, 4, 6]\n[0, 2, 4, 6]\n", result


def test_modules_are_imported_ahead_and_yet_fresh_for_each_job(pool: Pool) -> None:
    ask = "import sys; ahead = 'json' in sys.modules; import json; print(ahead, hasattr(json, 'mark')); json.mark = 1"
    assert [r.stdout.data for r in pool.run_many([Script(ask)] * 4)] == [b"True False\n"] * 4


def test_a_module_of_the_project_wins_over_one_imported_ahead(pool: Pool) -> None:
    result = pool.run(Script("import json; print(json.MINE)", files={"json.py": b"MINE = True\n"}))
    assert result.stdout.data == b"True\n", result


def test_a_variable_that_acts_at_the_interpreter_s_start_acts(pool: Pool) -> None:
    source = "import sys; print(sys.flags.hash_randomization, hash('x'))"
    first, second = (pool.run(Script(source, env={"PYTHONHASHSEED": "0"})) for _ in range(2))
    assert first.stdout.data.startswith(b"0 ")
    assert first.stdout.data == second.stdout.data


def test_pythonpath_is_searched_after_the_working_folder(pool: Pool) -> None:
    files = {"lib/only_there.py": b"WHERE = 'lib'\n", "lib/mod.py": b"VALUE = 'wrong'\n"}
    source = "import only_there, mod; print(only_there.WHERE, mod.VALUE)"
    assert pool.run(Script(source, files=files, env={"PYTHONPATH": "lib"})).stdout.data == b"lib 1\n"


def test_random_numbers_differ_from_job_to_job(pool: Pool) -> None:
    results = pool.run_many(
        [Script("import random, uuid, os; print(random.random(), uuid.uuid4(), os.urandom(8))")] * 4
    )
    assert len({r.stdout.data for r in results}) == 4


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.12", "3.13"])
def test_an_interpreter_without_treadle_serves(version: str) -> None:
    candidates = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
    if not candidates:
        pytest.skip(f"no Python {version} on this machine")
    with Pool(python=str(candidates[0]), workers=1, limits=QUICK) as pool:
        result = pool.run(Script("import sys; print('%d.%d' % sys.version_info[:2])"))
        assert result.stdout.data.decode() == f"{version}\n", result
        assert pool.run(Script("1 / 0")).stderr.data.endswith(b"ZeroDivisionError: division by zero\n")


def test_the_zygote_s_text_is_python_3_8() -> None:
    text = Path(zygote.__file__).read_text()
    tree = ast.parse(text, feature_version=(3, 8))
    imported = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert imported <= sys.stdlib_module_names


def test_a_module_that_starts_threads_ahead_is_refused(tmp_path: Path) -> None:
    (tmp_path / "threaded.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    )
    policy = Policy(read=(str(tmp_path),))
    with Pool(preload=("threaded",), workers=1, policy=policy, env={"PYTHONPATH": str(tmp_path)}) as pool:
        with pytest.raises(ServerDied, match="thread"):
            pool.warm()
        assert pool.run(Script("pass")).verdict == "refused"


def test_an_interpreter_that_does_not_start_is_told(tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    fake.chmod(0o755)
    with Pool(python=str(fake), workers=1) as pool:
        result = pool.run(Script("pass"))
    assert (result.verdict, "broken" in result.message) == ("refused", True), result


def test_a_pool_without_an_interpreter_serves_commands_alone() -> None:
    with Pool(python=None, workers=1) as pool:
        assert pool.run(Command(("true",))).ok
        with pytest.raises(ValueError, match="no Python"):
            pool.run(Script("pass"))


def test_a_closed_pool_says_so() -> None:
    pool = Pool(workers=1)
    pool.run("pass")
    pool.close()
    pool.close()
    for action in (lambda: pool.run("pass"), pool.warm):
        with pytest.raises(RuntimeError, match="closed"):
            action()


def test_a_job_that_nobody_waits_for_any_more_is_not_the_next_one_s_answer() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with Pool(workers=1) as pool:
            pool.warm()
            for _ in range(3):
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                with pytest.raises(KeyboardInterrupt):
                    pool.run("import time; print('the first', flush=True); time.sleep(60)")
                result = pool.run("print('the second')")
                assert (result.verdict, result.stdout.data) == ("ok", b"the second\n"), result
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_job_can_be_cancelled_before_it_has_a_worker() -> None:
    cancel = threading.Event()
    with Pool(workers=1, limits=Limits.tier("quick", wall_s=20.0)) as pool:
        held, begun = threading.Event(), threading.Event()
        waits = "import time; print('begun', flush=True); time.sleep(60)"
        slow = pool.submit(waits, cancel=held, on_output=lambda *_: begun.set())
        assert begun.wait(60)
        cancel.set()
        assert pool.run("pass", cancel=cancel).verdict == "killed"
        assert not slow.done()
        held.set()
        assert slow.result().verdict == "killed"


def test_what_was_printed_while_importing_ahead_is_no_job_s_output() -> None:
    with Pool(workers=1, preload=("this",)) as pool:
        assert pool.run("print('mine')").stdout.data == b"mine\n"


def _descriptors(process: psutil.Process) -> int | None:
    """How many it has open; None where the kernel does not let an ordinary user look into a user namespace."""
    try:
        return int(process.num_fds())
    except psutil.AccessDenied:
        assert process.pid != psutil.Process().pid
        assert psutil.Process().uids().real != 0
        return None


def test_many_jobs_leak_nothing() -> None:
    with Pool(workers=1) as pool:
        pool.run_many([Script("pass")] * 5)
        mine = psutil.Process()
        server = max(mine.children(), key=lambda p: p.create_time())
        family = [mine, server, *server.children(recursive=True)]
        before = [(_descriptors(p), p.num_threads(), len(p.children())) for p in family]
        memory = [p.memory_info().rss for p in family[1:]]
        assert {r.verdict for r in pool.run_many([Script("open('x', 'w').close()")] * 200)} == {"ok"}
        assert [(_descriptors(p), p.num_threads(), len(p.children())) for p in family] == before
        assert all(p.memory_info().rss < 1.05 * old + (1 << 20) for p, old in zip(family[1:], memory, strict=True))


def test_cancelling_ends_what_runs_and_what_waits() -> None:
    cancel = threading.Event()
    with Pool(workers=1) as pool:
        pool.warm()
        threading.Timer(0.5, cancel.set).start()
        results = pool.run_many([Script("import time; time.sleep(60)")] * 3, cancel=cancel)
        assert [r.verdict for r in results] == ["killed"] * 3
        assert pool.run(Script("print('alive')")).stdout.data == b"alive\n"


def test_importing_the_sandbox_starts_nothing() -> None:
    assert sandbox.__doc__
    source = "import sys; import treadle.sandbox; print(sorted(m for m in sys.modules if m.startswith('treadle')))"
    done = subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": f"{Path(__file__).parents[2]}:{os.environ.get('PYTHONPATH', '')}"},
    )
    assert "'treadle.sandbox.server'" not in done.stdout
    assert "treadle.core" not in done.stdout


def test_a_cancel_while_a_worker_starts_ends_it_at_once(tmp_path: Path) -> None:
    cancel = threading.Event()
    with Pool(workers=1) as pool:
        cancel.set()
        assert pool.run(Script("pass"), cancel=cancel).verdict == "killed"
        assert pool.run(Script("pass")).verdict == "ok"


def test_a_harness_that_is_killed_while_its_server_starts_leaves_nothing(tmp_path: Path) -> None:
    modules = tmp_path / "site-packages"
    modules.mkdir()
    (modules / "slow_module.py").write_text("import time\ntime.sleep(60)\n")
    program = f"""
import sys
from treadle.sandbox import Policy, Pool, Script
print("starting", flush=True)
policy = Policy(read=({str(modules)!r},))
Pool(preload=("slow_module",), policy=policy, env={{"PYTHONPATH": {str(modules)!r}}}, workers=1).run(Script("pass"))
"""
    harness = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert harness.stdout is not None
    assert harness.stdout.readline() == b"starting\n"
    deadline = time.monotonic() + 20
    while len(family := psutil.Process(harness.pid).children(recursive=True)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(family) >= 2, "a server and its zygote"
    time.sleep(0.5)
    harness.kill()
    harness.wait()
    _, alive = psutil.wait_procs(family, timeout=10)
    assert [process for process in alive if process.status() != psutil.STATUS_ZOMBIE] == []
