"""The two workspaces, opened on real projects."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from tests.bare_context import BareContext
from treadle import sandbox
from treadle.core.errors import Stopped, WorkspaceError
from treadle.core.records import FileChange, Task, Workspace
from treadle.core.tree.git import GitView
from treadle.core.tree.sources import before_change
from treadle.core.tree.workspace import Tree, outside
from treadle.plugins.workspaces import copy, overlay


class Session(BareContext):
    """What a workspace plugin asks of its context."""

    def __init__(self, folder: Path, **settings: object) -> None:
        super().__init__(settings)
        self._folder = folder
        self.emitted: dict[str, dict[str, object]] = {}
        self.stop = False

    def folder(self, scope: Literal["project", "session"]) -> str:
        assert scope == "session"
        self._folder.mkdir(parents=True, exist_ok=True)
        return str(self._folder)

    def cancelled(self) -> bool:
        return self.stop

    def emit(self, kind: str, data: dict[str, object]) -> None:
        self.emitted[kind] = data

    def log(self, level: str, message: str, **fields: object) -> None:
        assert level in ("info", "warning")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path / "state" / "session")


def task(project: Path) -> Task:
    return Task(id="t1", kind="fix", project=str(project), python=sys.executable)


def git(cwd: Path, *args: str) -> str:
    who = {f"GIT_{w}_{k}": "somebody" for w in ("AUTHOR", "COMMITTER") for k in ("NAME", "EMAIL")}
    env = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "GIT_ALLOW_PROTOCOL": "file"} | who
    done = subprocess.run(["git", *args], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def fill(project: Path, *names: str) -> None:
    for name in names:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(f"# {name}\n")


def opened(project: Path, session: Session) -> Workspace:
    workspace = copy.treadle_open_workspace(task(project), session)
    assert workspace is not None
    return workspace


def names_below(root: str | Path) -> set[str]:
    top = Path(root)
    return {str(p.relative_to(top)) for p in top.rglob("*") if p.is_symlink() or not p.is_dir()}


# ---------------------------------------------------------------- the copy: what is in it


def test_a_copy_holds_what_git_lists_and_what_imports_need(project: Path, session: Session) -> None:
    git(project, "init", "-q")
    (project / ".gitignore").write_text("_version.py\n*.so\n.venv/\ndata/\nbuild/\n__pycache__/\n*.egg-info/\ngen/\n")
    own = {"src/pkg/__init__.py", "tests/test_a.py", "new.txt"}
    needed = {"src/pkg/_version.py", "src/pkg/fast.so", "src/pkg/gen/g.py", "src/pkg.egg-info/PKG-INFO"}
    needed |= {"src/pkg/build/__init__.py"}
    fill(project, *own, *needed)
    fill(project, "data/huge.bin", "build/lib/pkg/__init__.py", "src/pkg/__pycache__/x.pyc", ".venv/lib/x.py")
    git(project, "add", "src", "tests")
    workspace = opened(project, session)
    assert names_below(workspace.root) == own | needed | {".gitignore"}
    assert (workspace.kind, workspace.project, workspace.roots) == ("copy", str(project), ("src",))


def test_a_flat_project_keeps_its_ignored_modules_but_not_its_data(project: Path, session: Session) -> None:
    git(project, "init", "-q")
    (project / ".gitignore").write_text("_version.py\nlocal/\ndata/\npkg.egg-info/\n")
    fill(project, "pkg/__init__.py", "pkg/_version.py", "local/__init__.py", "data/x.bin", "pkg.egg-info/PKG-INFO")
    expected = {".gitignore", "pkg/__init__.py", "pkg/_version.py", "local/__init__.py", "pkg.egg-info/PKG-INFO"}
    assert names_below(opened(project, session).root) == expected


def test_a_project_without_a_repository_is_copied_without_caches_and_environments(
    project: Path, session: Session
) -> None:
    fill(project, "a.py", "pkg/b.py", "env/pyvenv.cfg", "env/lib/x.py", "node_modules/m.js", ".tox/x/y.py")
    (project / "empty").mkdir()
    assert names_below(opened(project, session).root) == {"a.py", "pkg/b.py"}


def test_a_project_of_which_it_is_known_how_it_was_is_copied_as_it_was(project: Path, session: Session) -> None:
    fill(project, "src/pkg/__init__.py", "src/pkg/new/only.py", "kept.txt", "tool", "lib/old/__init__.py")
    before = (
        FileChange(path="src/pkg/new/only.py", content=None),
        FileChange(path="src/pkg/__init__.py", content=b"old = 1"),
        FileChange(path="gone/deeply/x.txt", content=b"was here"),
        FileChange(path="tool", content=b"#!", executable=True),
    )
    venv.create(project / "env", with_pip=False, symlinks=True)
    (site,) = (project / "env/lib").glob("python*/site-packages")
    # Installed from its files, it would be imported there: a package in one folder, all of another.
    (site / "mine.pth").write_text(f"{project}/lib/old\n{project}/other\n")
    (project / "other").mkdir()
    asked = msgspec.structs.replace(task(project), before=before, python=str(project / "env/bin/python"))
    assert overlay.treadle_open_workspace(asked, session) is None
    workspace = copy.treadle_open_workspace(asked, session)
    assert workspace is not None and workspace.roots == ("src", "lib", "other")
    names = {"src/pkg/__init__.py", "kept.txt", "tool", "gone/deeply/x.txt", "lib/old/__init__.py"}
    assert names_below(workspace.root) == names
    assert not Path(workspace.root, "src/pkg/new").exists(), "a folder can be imported, too"
    assert os.access(Path(workspace.root, "tool"), os.X_OK)
    changed = FileChange(path="src/pkg/__init__.py", content=b"new = 1")
    assert before_change(workspace, changed) == b"old = 1"
    assert Path(project, "src/pkg/__init__.py").read_text() == "# src/pkg/__init__.py\n"


def no_commit(project: Path) -> None:
    git(project, "init", "-q")


def detached(project: Path) -> None:
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "first")
    git(project, "checkout", "-q", "--detach")


def git_is_a_file(project: Path) -> None:
    other = project.parent / "main"
    other.mkdir()
    git(other, "init", "-q")
    git(other, "commit", "-q", "--allow-empty", "-m", "first")
    git(other, "worktree", "add", "-q", str(project.parent / "side"))
    (project.parent / "side" / ".git").rename(project / ".git")
    git(other, "worktree", "repair", str(project))


def git_is_a_link(project: Path) -> None:
    git(project, "init", "-q")
    (project / ".git").rename(project.parent / "moved")
    (project / ".git").symlink_to(project.parent / "moved")


def damaged_index(project: Path) -> None:
    git(project, "init", "-q")
    (project / ".git" / "index").write_bytes(b"garbage" * 20)


def no_git(project: Path) -> None:
    assert not (project / ".git").exists()


@pytest.mark.parametrize("make", [no_commit, detached, git_is_a_file, git_is_a_link, damaged_index, no_git])
def test_every_kind_of_repository_is_copied(make: Any, project: Path, session: Session) -> None:
    fill(project, "a.py", "pkg/b.py")
    make(project)
    workspace = opened(project, session)
    assert names_below(workspace.root) == {"a.py", "pkg/b.py"}
    assert Tree(workspace).python_files() == ("a.py", "pkg/b.py")


def test_a_dirty_submodule_and_a_nested_repository_are_copied_as_they_are(
    project: Path, session: Session, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    fill(library, "lib.py")
    git(library, "init", "-q")
    git(library, "add", ".")
    git(library, "commit", "-qm", "lib")
    git(project, "init", "-q")
    git(project, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "lib")
    (project / "lib" / "lib.py").write_text("dirty\n")
    fill(project, "lib/untracked.py", "nested/n.py")
    git(project / "nested", "init", "-q")
    workspace = opened(project, session)
    assert names_below(workspace.root) == {".gitmodules", "lib/lib.py", "lib/untracked.py", "nested/n.py"}
    assert Tree(workspace).read("lib/lib.py") == b"dirty\n"


def test_names_that_are_not_utf8_are_copied(project: Path, session: Session) -> None:
    git(project, "init", "-q")
    Path(os.fsdecode(os.fsencode(project) + b"/caf\xe9.py")).write_bytes(b"x")
    workspace = opened(project, session)
    assert Tree(workspace).read("caf%E9.py") == b"x"


def test_links_are_kept_only_when_they_lead_inside(project: Path, session: Session) -> None:
    fill(project, "a.py", "pkg/b.py")
    fill(project.parent, "secret")
    for name, target in {
        "pkg/up.py": "../a.py",
        "absolute.py": str(project / "a.py"),
        "roundabout.py": "../project/a.py",
        "folder": "pkg",
        "out.py": "../secret",
        "passwd": "/etc/passwd",
        "circle": "circle",
    }.items():
        (project / name).symlink_to(target)
    os.mkfifo(project / "fifo")
    workspace = opened(project, session)
    root = Path(workspace.root)
    kept = {"a.py", "pkg/b.py", "pkg/up.py", "absolute.py", "roundabout.py", "folder"}
    assert names_below(root) == kept
    for name in ("pkg/up.py", "absolute.py", "roundabout.py"):
        assert (root / name).is_symlink()
        assert (root / name).resolve() == root / "a.py"
    told = session.emitted["skipped"]
    assert told["the link leads out of the project"] == ["circle", "out.py", "passwd"]
    assert told["it is no regular file"] == ["fifo"]


def test_an_index_does_not_lead_through_a_link_out_of_the_project(project: Path, session: Session) -> None:
    git(project, "init", "-q")
    fill(project, "sub/secret")
    git(project, "add", ".")
    shutil.rmtree(project / "sub")
    fill(project.parent, "elsewhere/secret")
    (project / "sub").symlink_to(project.parent / "elsewhere")
    assert names_below(opened(project, session).root) == set()


def test_modes_and_times_are_kept_and_the_copy_is_writable(project: Path, session: Session) -> None:
    fill(project, "run", "fixed.txt")
    (project / "run").chmod(0o755)
    (project / "fixed.txt").chmod(0o444)
    os.utime(project / "run", (1_000_000, 1_000_000))
    root = Path(opened(project, session).root)
    assert os.access(root / "run", os.X_OK)
    assert (root / "run").stat().st_mtime == 1_000_000
    assert (root / "fixed.txt").stat().st_mode & 0o200
    assert (root / "run").stat().st_ino != (project / "run").stat().st_ino
    (root / "run").write_text("changed")
    assert (project / "run").read_text() == "# run\n"


# ---------------------------------------------------------------- the copy: its life


def test_closing_removes_the_copy_and_opening_again_makes_a_fresh_one(project: Path, session: Session) -> None:
    fill(project, "a.py")
    workspace = opened(project, session)
    (Path(workspace.root) / "left.py").touch()
    assert names_below(opened(project, session).root) == {"a.py"}
    copy.treadle_close_workspace(workspace, session)
    assert not Path(workspace.root).exists()
    copy.treadle_close_workspace(workspace, session)


def test_closing_somebody_elses_workspace_removes_nothing(project: Path, session: Session) -> None:
    fill(project, "a.py")
    for kind in ("copy", "overlay"):
        other = Workspace(id="x", kind=kind, project=str(project), root=str(project), upper="")  # type: ignore[arg-type]
        copy.treadle_close_workspace(other, session)
    assert (project / "a.py").exists()


@pytest.mark.parametrize("limit", [{"max_files": 3}, {"max_mib": 1}])
def test_a_project_that_is_too_large_is_refused_with_the_way_out(
    limit: dict[str, object], project: Path, tmp_path: Path
) -> None:
    fill(project, *(f"f{n}.py" for n in range(5)))
    (project / "large").write_bytes(b"x" * (1 << 20))
    with pytest.raises(WorkspaceError, match="too large"):
        opened(project, Session(tmp_path / "state", **limit))


def test_a_copy_stops_when_the_session_does(project: Path, session: Session) -> None:
    fill(project, "a.py")
    session.stop = True
    with pytest.raises(Stopped):
        opened(project, session)


def test_state_inside_the_project_is_refused(project: Path) -> None:
    with pytest.raises(WorkspaceError, match="TREADLE_HOME"):
        opened(project, Session(project / ".state"))


# ---------------------------------------------------------------- the copy: what the tests really run


@pytest.fixture
def editable(project: Path) -> Path:
    """A src layout with a `.venv` inside, in which the project is installed as editable by a `.pth`."""
    fill(project, "src/pkg/__init__.py")
    venv = project / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    site = next(venv.glob("lib/python*/site-packages"))
    (site / "__editable__.pkg-1.0.pth").write_text(f"{project}/src\n")
    return venv / "bin" / "python"


def executed_file(python: Path, cwd: str, env: dict[str, str]) -> str:
    code = "import pkg; print(pkg.__file__)"
    done = subprocess.run([str(python), "-c", code], cwd=cwd, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_source_roots_first_on_the_path_beat_an_editable_install(
    project: Path, editable: Path, session: Session
) -> None:
    workspace = opened(project, session)
    root = Path(workspace.root)
    assert names_below(root) == {"src/pkg/__init__.py"}
    path = os.pathsep.join(str(root / name) for name in workspace.roots)
    ran = executed_file(editable, workspace.root, {"PYTHONPATH": path})
    assert ran == str(root / "src/pkg/__init__.py")
    assert outside([ran], workspace) == ()


def test_an_editable_install_that_pulls_in_the_original_tree_is_noticed(
    project: Path, editable: Path, session: Session
) -> None:
    workspace = opened(project, session)
    ran = executed_file(editable, workspace.root, {})
    assert ran == str(project / "src/pkg/__init__.py")
    assert outside([ran], workspace) == (ran,)


# ---------------------------------------------------------------- the overlay


@pytest.fixture
def mounts(project: Path) -> None:
    why_not = overlay.why_no_overlay(str(project))
    if why_not:
        pytest.skip(f"this machine does not allow overlay mounts: {why_not}")


def job(workspace: Workspace, *argv: str, read: tuple[str, ...] = ()) -> sandbox.Result:
    layer = sandbox.Overlay(lower=workspace.root, upper=workspace.upper)
    return sandbox.run(argv, cwd=workspace.root, policy=sandbox.Policy(overlay=layer, read=read))


def test_an_overlay_shows_the_project_at_its_own_path_and_keeps_the_persons_files(
    mounts: None, project: Path, session: Session
) -> None:
    fill(project, "a.py")
    workspace = overlay.treadle_open_workspace(task(project), session)
    assert workspace is not None
    assert (workspace.kind, workspace.root, workspace.project) == ("overlay", str(project), str(project))
    done = job(workspace, "sh", "-c", f"cat {project}/a.py; echo changed > a.py; cat a.py; rm -f x; echo new > x")
    assert (done.verdict, done.stdout.data) == ("ok", b"# a.py\nchanged\n"), done
    assert names_below(project) == {"a.py"}
    assert (project / "a.py").read_text() == "# a.py\n"


def test_an_editable_install_and_a_venv_inside_work_in_an_overlay(
    mounts: None, project: Path, editable: Path, session: Session
) -> None:
    workspace = overlay.treadle_open_workspace(task(project), session)
    assert workspace is not None
    done = job(workspace, str(editable), "-c", "import pkg; print(pkg.__file__)")
    assert done.stdout.data.decode().strip() == str(project / "src/pkg/__init__.py"), done


def test_an_overlay_on_a_hundred_thousand_files_opens_without_walking_them(
    mounts: None, big_tree: Path, session: Session
) -> None:
    began = time.perf_counter()
    workspace = overlay.treadle_open_workspace(task(big_tree), session)
    took = time.perf_counter() - began
    assert workspace is not None
    # Under a second on an idle machine, most of it the trial of the mount; a walk of the tree alone takes longer.
    assert took < 10
    # Opening works all the same when no folder below may be read (which root may always).
    for folder in big_tree.iterdir():
        folder.chmod(0o000)
    try:
        assert overlay.treadle_open_workspace(task(big_tree), session) is not None
    finally:
        for folder in big_tree.iterdir():
            folder.chmod(0o755)


@pytest.fixture(scope="module")
def big_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("big")
    for number in range(100):
        folder = root / f"pkg{number}"
        folder.mkdir()
        (folder / "m0.py").touch()
        # Links are names enough, and a busy disk makes them far faster than files.
        for file in range(1, 1000):
            os.link(f"{folder}/m0.py", f"{folder}/m{file}.py")
    return root


def test_where_no_overlay_can_be_mounted_the_next_plugin_is_asked(project: Path, session: Session) -> None:
    gone = project / "deleted"
    assert overlay.why_no_overlay(str(gone))
    assert overlay.treadle_open_workspace(task(gone), session) is None


def test_opening_and_closing_writes_nothing_under_git(project: Path, session: Session) -> None:
    fill(project, "a.py")
    git(project, "init", "-q")
    git(project, "add", ".")
    before = {str(p): (p.lstat().st_mtime_ns, p.lstat().st_size) for p in (project / ".git").rglob("*")}
    workspace = opened(project, session)
    overlay.treadle_open_workspace(task(project), session)
    copy.treadle_close_workspace(workspace, session)
    assert {str(p): (p.lstat().st_mtime_ns, p.lstat().st_size) for p in (project / ".git").rglob("*")} == before
    assert GitView.open(project) is not None
