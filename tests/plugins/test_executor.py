"""The executor plugin, asked as a session asks it, on real projects and processes."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from tests.executor_context import SessionContext
from treadle import sandbox
from treadle.core.live_output import LiveOutput
from treadle.core.records import FileChange, Job, Limits, SessionInfo, Task, Workspace
from treadle.core.redaction import Redactor
from treadle.plugins.execution import sandboxed

QUICK = Limits(tier="quick", wall_s=20.0)
COPY = Limits(tier="quick", wall_s=20.0, without=("mountns",))
HELLO = "import sys\nprint('hello', *sys.argv[1:])"


@pytest.fixture
def context(tmp_path: Path) -> Iterator[SessionContext]:
    folder = tmp_path / "session"
    folder.mkdir()
    session = SessionContext(folder)
    yield session
    task = Task(id="1", kind="run", project=str(tmp_path), python=sys.executable)
    sandboxed.treadle_stop(SessionInfo(id="1", task=task, state="SOLVED"), session)


@pytest.fixture(params=["overlay", "copy"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    """A small project; for `copy` the session's own copy of it, in which jobs run when nothing can be mounted."""
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "sums.py").write_text("def add(a, b):\n    return a - b\n")
    (project / "test_sums.py").write_text("from sums import add\n\ndef test_add():\n    assert add(1, 2) == 3\n")
    if request.param == "overlay":
        if not sandbox.has_layer("overlay"):
            pytest.skip("this machine allows no overlay")
        return Workspace(id="w", kind="overlay", project=str(project), root=str(project), upper="", roots=("src",))
    root = tmp_path / "copy"
    (root / "src").mkdir(parents=True)
    for name in ("src/sums.py", "test_sums.py"):
        (root / name).write_text((project / name).read_text())
    return Workspace(id="w", kind="copy", project=str(project), root=str(root), upper="", roots=("src",))


def limits_of(workspace: Workspace) -> Limits:
    return COPY if workspace.kind == "copy" else QUICK


def tree(workspace: Workspace) -> dict[str, bytes]:
    root = Path(workspace.root)
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def test_a_batch_is_answered_in_order(workspace: Workspace, context: SessionContext) -> None:
    jobs = tuple(
        Job(id=f"j{n}", script=HELLO, args=(str(n),), python=sys.executable, workspace=workspace) for n in range(6)
    )
    done = sandboxed.treadle_execute(jobs, limits_of(workspace), context)
    assert [e.job for e in done] == [j.id for j in jobs]
    assert [e.stdout.text for e in done] == [f"hello {n}\n" for n in range(6)]
    assert {e.verdict for e in done} == {"ok"}


def test_files_are_laid_over_for_one_job_alone(workspace: Workspace, context: SessionContext) -> None:
    before = tree(workspace)
    mended = FileChange(path="src/sums.py", content=b"def add(a, b):\n    return a + b\n")
    gone = FileChange(path="test_sums.py", content=None)
    env = () if workspace.kind == "copy" else (("PYTHONPATH", str(Path(workspace.root, "src"))),)
    script = "import os, sums\nprint(sums.add(1, 2), os.path.exists('test_sums.py'))\nopen('left', 'w').close()"
    look = "import os, sums\nprint(sums.add(1, 2), os.path.exists('test_sums.py'), os.path.exists('left'))"
    jobs = (
        Job(id="with", script=script, python=sys.executable, workspace=workspace, files=(mended, gone), env=env),
        Job(id="without", script=look, python=sys.executable, workspace=workspace, env=env),
    )
    done = sandboxed.treadle_execute(jobs, limits_of(workspace), context)
    assert [e.stdout.text for e in done] == ["3 False\n", "-1 True False\n"], done
    assert tree(workspace) == before


def test_pytest_runs_with_the_modules_imported_ahead(workspace: Workspace, context: SessionContext) -> None:
    env = () if workspace.kind == "copy" else (("PYTHONPATH", str(Path(workspace.root, "src"))),)
    script = "import sys, pytest\nsys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', *sys.argv[1:]]))"
    mended = FileChange(path="src/sums.py", content=b"def add(a, b):\n    return a + b\n")
    base = Job(id="base", script=script, python=sys.executable, preload=("pytest",), workspace=workspace, env=env)
    fixed = Job(
        id="fixed",
        script=script,
        python=sys.executable,
        preload=("pytest",),
        workspace=workspace,
        env=env,
        files=(mended,),
    )
    first, second = sandboxed.treadle_execute((base, fixed), limits_of(workspace), context)
    assert (first.verdict, first.exit_code) == ("error", 1), first
    assert "1 failed" in first.stdout.text
    assert (second.verdict, second.exit_code) == ("ok", 0), second


def test_who_watches_is_told_what_a_job_prints_before_it_ends(
    workspace: Workspace, context: SessionContext, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    gate.mkdir()
    told: list[tuple[str, str]] = []

    def tell(job: str, text: str, left_out: int) -> None:
        told.append((job, text))
        (gate / job).touch()

    # Each goes on only once somebody has been told of it.
    script = (
        f"import os, time\nprint('begun', flush=True)\nwhile not os.path.exists({str(gate / 's')!r}): time.sleep(0.01)"
    )
    shell = f"echo begun; while [ ! -e {gate}/c ]; do sleep 0.01; done; echo ended"
    jobs = (
        Job(id="s", script=script, python=sys.executable, workspace=workspace),
        Job(id="c", argv=("sh", "-c", shell), workspace=workspace),
    )
    limits = msgspec.structs.replace(limits_of(workspace), read=(str(gate),))
    with LiveOutput(tell, Redactor({})) as watching:
        context.live_output = watching
        done = sandboxed.treadle_execute(jobs, limits, context)
    assert [(e.job, e.verdict, e.stdout.text) for e in done] == [("s", "ok", "begun\n"), ("c", "ok", "begun\nended\n")]
    assert {("s", "begun\n"), ("c", "begun\n")} <= set(told)


def test_a_command_runs_where_the_project_is(workspace: Workspace, context: SessionContext) -> None:
    job = Job(id="c", argv=("sh", "-c", "pwd; ls; cat; exit 3"), stdin=b"in", workspace=workspace)
    (done,) = sandboxed.treadle_execute((job,), limits_of(workspace), context)
    assert (done.verdict, done.exit_code) == ("error", 3)
    assert done.stdout.text == f"{workspace.root}\nsrc\ntest_sums.py\nin"


def test_a_job_without_a_workspace_runs_in_the_session_s_interpreter(
    workspace: Workspace, context: SessionContext
) -> None:
    ask = "import sys; print(sys.executable)"
    named = Job(id="named", script=ask, python=sys.executable, workspace=workspace)
    unnamed = Job(id="unnamed", script=ask, workspace=workspace)
    done = sandboxed.treadle_execute((named, unnamed), limits_of(workspace), context)
    assert [e.stdout.text for e in done] == [f"{sys.executable}\n"] * 2


def test_collected_files_come_back(workspace: Workspace, context: SessionContext) -> None:
    script = "import os; open(os.path.join(os.environ['TREADLE_JOB'], 'report.json'), 'w').write('{}')"
    job = Job(id="r", script=script, python=sys.executable, workspace=workspace, collect=("report.json",))
    (done,) = sandboxed.treadle_execute((job,), limits_of(workspace), context)
    assert done.collected("report.json") == b"{}"


def test_stopping_the_session_ends_the_batch(workspace: Workspace, context: SessionContext) -> None:
    jobs = tuple(
        Job(id=str(n), script="import time; time.sleep(60)", python=sys.executable, workspace=workspace)
        for n in range(5)
    )
    threading.Timer(1.0, context.stopped.set).start()
    started = time.monotonic()
    done = sandboxed.treadle_execute(jobs, limits_of(workspace), context)
    assert {e.verdict for e in done} == {"killed"}, done
    assert time.monotonic() - started < 40


def test_a_dangerous_file_name_is_refused(workspace: Workspace, context: SessionContext) -> None:
    for name in ("../out", ".git/hooks/pre-commit", "/etc/x"):
        job = Job(id="x", argv=("true",), workspace=workspace, files=(FileChange(path=name, content=b""),))
        (done,) = sandboxed.treadle_execute((job,), limits_of(workspace), context)
        assert done.verdict == "refused", done
        assert done.message


def test_an_interpreter_that_is_none_is_refused(workspace: Workspace, context: SessionContext) -> None:
    job = Job(id="x", script="pass", python="/bin/sh", workspace=workspace)
    (done,) = sandboxed.treadle_execute((job,), limits_of(workspace), context)
    assert (done.verdict, "no Python" in done.message) == ("refused", True), done


def test_a_required_layer_that_is_off_refuses(workspace: Workspace, context: SessionContext) -> None:
    job = Job(id="x", argv=("true",), workspace=workspace)
    limits = Limits(require=("seccomp",), without=("seccomp",))
    (done,) = sandboxed.treadle_execute((job,), limits, context)
    assert (done.verdict, "seccomp" in done.message) == ("refused", True), done


def test_a_job_can_not_loosen_the_session_s_network(workspace: Workspace, context: SessionContext) -> None:
    script = "import socket\ntry: socket.socket()\nexcept PermissionError: print('refused')"
    job = Job(id="x", script=script, python=sys.executable, workspace=workspace, limits=Limits(network="host"))
    (done,) = sandboxed.treadle_execute((job,), limits_of(workspace), context)
    assert done.stdout.text == "refused\n", done


def test_an_environment_inside_the_project_runs_behind_the_layers(context: SessionContext, tmp_path: Path) -> None:
    """A clone can bring a `.venv` whose `python` is any program, and whose site-packages run code at start."""
    project = tmp_path / "clone"
    site = project / ".venv" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    (project / ".venv" / "bin").mkdir()
    base = Path(sys.executable).resolve()
    (project / ".venv" / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (project / ".venv" / "bin" / "python").symlink_to(base)
    mark, other = tmp_path / "escaped", tmp_path / "secret"
    other.write_text("secret")
    (site / "evil.pth").write_text(f"import os; open({str(mark)!r}, 'w').write(open({str(other)!r}).read())\n")
    where = Workspace(id="c", kind="overlay", project=str(project), root=str(project), upper="")
    python = str(project / ".venv" / "bin" / "python")
    job = Job(id="x", script=HELLO, python=python, workspace=where)
    (done,) = sandboxed.treadle_execute((job,), QUICK, context)
    if done.verdict == "refused" and "overlay" in done.message:
        pytest.skip("this machine allows no overlay")
    assert done.stdout.text == "hello\n", done
    assert not mark.exists()


def test_a_copy_is_put_back_whatever_a_job_does_to_it(context: SessionContext, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    (root / "pkg").mkdir(parents=True)
    (root / "pkg" / "a.py").write_text("A = 1\n")
    (root / "link").symlink_to("pkg/a.py")
    (root / "run.sh").write_text("#!/bin/sh\n")
    (root / "run.sh").chmod(0o755)
    where = Workspace(id="c", kind="copy", project=str(tmp_path / "p"), root=str(root), upper="")
    before = {p: (p.lstat().st_mode, p.read_text()) for p in (root / "pkg" / "a.py", root / "link", root / "run.sh")}
    script = """
import os, shutil
status = os.stat("pkg/a.py")
open("pkg/a.py", "w").write("A = 2\\n")
os.utime("pkg/a.py", ns=(status.st_atime_ns, status.st_mtime_ns))
os.unlink("link"); os.mkdir("link"); os.unlink("run.sh")
os.makedirs("new/deep"); os.symlink("/etc", "new/etc"); shutil.rmtree("pkg"); os.symlink("new", "pkg")
print("done")
"""
    job = Job(id="x", script=script, python=sys.executable, workspace=where)
    (done,) = sandboxed.treadle_execute((job,), COPY, context)
    assert done.stdout.text == "done\n", done
    assert {p: (p.lstat().st_mode, p.read_text()) for p in before} == before
    assert sorted(p.name for p in root.iterdir()) == ["link", "pkg", "run.sh"]


def test_closing_the_workspace_ends_its_processes(workspace: Workspace, context: SessionContext) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    job = Job(id="x", script="import os; print(os.getpid())", python=sys.executable, workspace=workspace)
    sandboxed.treadle_execute((job,), limits_of(workspace), context)
    opened = {child.pid for child in psutil.Process().children(recursive=True)} - before
    assert opened
    sandboxed.treadle_close_workspace(workspace, context)
    assert not opened & {child.pid for child in psutil.Process().children(recursive=True)}


def test_verdicts_and_streams_are_handed_on(workspace: Workspace, context: SessionContext) -> None:
    flood = Job(
        id="flood", script="import os\nwhile True: os.write(2, b'\\xff' * 9999)", python=sys.executable,
        workspace=workspace, limits=Limits(tier="quick", output=1 << 20),
    )  # fmt: skip
    slow = Job(
        id="slow", script="import time; time.sleep(60)", python=sys.executable, workspace=workspace,
        limits=Limits(tier="quick", wall_s=0.5),
    )  # fmt: skip
    done = sandboxed.treadle_execute((flood, slow), limits_of(workspace), context)
    assert [e.verdict for e in done] == ["output", "timeout"]
    assert done[0].stderr.dropped > 0
    assert "�" in done[0].stderr.head
    assert json.dumps(done[0].layers).count("rlimits") == 1
    assert os.environ.get("TREADLE_JOB") is None


def test_jobs_that_wait_for_a_pool_do_not_lose_it_to_others_of_their_batch(
    context: SessionContext, tmp_path: Path
) -> None:
    """Others of other folders than pools are kept for, and of a pool that must import more than it has."""
    slow = [Job(id=f"slow-{n}", script="import time; time.sleep(0.2)", python=sys.executable) for n in range(4)]
    ahead = Job(id="ahead", script="print('ahead')", python=sys.executable, preload=("json",))
    elsewhere = []
    for n in range(5):
        folder = tmp_path / f"p{n}"
        folder.mkdir()
        where = Workspace(id=f"w{n}", kind="overlay", project=str(folder), root=str(folder), upper="")
        elsewhere.append(Job(id=f"e{n}", argv=("true",), workspace=where))
    done = sandboxed.treadle_execute((*slow, ahead, *elsewhere), QUICK, context)
    if any("overlay" in e.message for e in done):
        pytest.skip("this machine allows no overlay")
    assert {e.job: e.verdict for e in done} == dict.fromkeys((e.job for e in done), "ok")
