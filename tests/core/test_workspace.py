"""Reading a project: through its tree, never out of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from treadle.core.errors import UnsafePath, WorkspaceError
from treadle.core.records import FileChange, Workspace
from treadle.core.tree import listing, reading, sources, tree_copy
from treadle.core.tree import workspace as workspaces
from treadle.core.tree.listing import project_files
from treadle.core.tree.workspace import Tree, check_apart, digest, outside, refuse_outside
from treadle.tui.no_project import tell_if_no_project


def workspace(root: Path, project: Path | None = None) -> Workspace:
    kind = "copy" if project else "overlay"
    return Workspace(id="w", kind=kind, project=str(project or root), root=str(root), upper="")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def fill(project: Path, *names: str) -> None:
    for name in names:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(f"# {name}\n")


def git_init(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True, env={"PATH": os.environ["PATH"], "HOME": "/nowhere"})


# ---------------------------------------------------------------- reading


def test_a_candidates_files_lie_over_the_persons(project: Path) -> None:
    fill(project, "a.py", "gone.py")
    over = (
        FileChange(path="a.py", content=b"new"),
        FileChange(path="gone.py", content=None),
        FileChange(path="pkg/b.py", content=b"b", executable=True),
    )
    tree = Tree(workspace(project), over)
    assert tree.read("a.py") == b"new"
    assert (tree.exists("gone.py"), tree.exists("pkg/b.py"), tree.exists("pkg"), tree.exists("no")) == (
        False,
        True,
        True,
        False,
    )
    assert tree.files == ("a.py", "pkg/b.py")
    assert tree.executable("pkg/b.py")
    assert not tree.executable("a.py")
    assert (tree.sha256("a.py"), tree.sha256("gone.py")) == (digest(b"new"), None)
    with pytest.raises(FileNotFoundError):
        tree.read("gone.py")
    assert Tree(workspace(project)).read("a.py") == b"# a.py\n"


@pytest.mark.parametrize("target", ["/etc/passwd", "../secret", "sub/../../secret"])
def test_a_link_that_leads_out_is_not_followed(target: str, project: Path) -> None:
    fill(project.parent, "secret")
    (project / "sub").mkdir()
    (project / "x.py").symlink_to(target)
    tree = Tree(workspace(project))
    with pytest.raises(UnsafePath, match="leads out"):
        tree.read("x.py")
    assert not tree.exists("x.py")
    assert tree.python_files() == ()


def test_a_linked_folder_and_dots_do_not_lead_out_either(project: Path) -> None:
    fill(project.parent, "secret")
    (project / "up").symlink_to(project.parent)
    tree = Tree(workspace(project))
    for name in ("up/secret", "../secret", str(project.parent / "secret")):
        with pytest.raises(UnsafePath):
            tree.read(name)


def test_a_link_inside_is_followed(project: Path) -> None:
    fill(project, "real.py")
    (project / "link.py").symlink_to("real.py")
    tree = Tree(workspace(project))
    assert tree.read("link.py") == b"# real.py\n"
    assert tree.python_files() == ("real.py",)


def test_what_is_no_regular_file_is_not_read(project: Path) -> None:
    os.mkfifo(project / "fifo.py")
    (project / "circle.py").symlink_to("circle.py")
    (project / "folder.py").mkdir()
    tree = Tree(workspace(project))
    for name in ("fifo.py", "folder.py", "circle.py"):
        with pytest.raises(UnsafePath):
            tree.read(name)
    assert tree.python_files() == ()


@pytest.fixture
def swapped(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose folder `deep` becomes a link out of it right after it was found that `link` leads there, as a
    plugin that may write in the project could have it."""
    fill(project, "deep/x.py")
    (project / "link").symlink_to("deep")
    fill(project.parent, "elsewhere/x.py")
    (project.parent / "elsewhere" / "x.py").write_text("secret")
    (project.parent / "elsewhere" / "x.py").chmod(0o755)
    look = reading.inside

    def swap(root: Path, relative: str) -> Path:
        real = look(root, relative)
        (project / "deep").rename(project / "away")
        (project / "deep").symlink_to(project.parent / "elsewhere")
        return real

    for module in (reading, sources, workspaces):
        monkeypatch.setattr(module, "inside", swap)
    return project


def test_a_folder_that_becomes_a_link_while_a_file_is_read_leads_nowhere(swapped: Path) -> None:
    with pytest.raises(UnsafePath, match=r"link/x\.py is not read: a folder or link on the way to it changes"):
        Tree(workspace(swapped)).read("link/x.py")


def test_nor_is_it_told_what_lies_there(swapped: Path) -> None:
    (swapped.parent / "elsewhere" / "only-there.py").write_text("")
    assert not Tree(workspace(swapped)).exists("link/only-there.py")


def test_nor_whether_it_may_be_executed(swapped: Path) -> None:
    with pytest.raises(UnsafePath):
        Tree(workspace(swapped)).executable("link/x.py")


def test_nor_is_a_change_compared_with_it(swapped: Path) -> None:
    assert sources.file_before(workspace(swapped), "link/x.py") is None


def test_a_file_that_becomes_a_link_while_it_is_read_leads_nowhere(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(project, "x.py")
    fill(project.parent, "secret")
    monkeypatch.setattr(reading, "inside", lambda root, relative: root / relative)
    (project / "x.py").unlink()
    (project / "x.py").symlink_to(project.parent / "secret")
    for ask in (Tree(workspace(project)).read, Tree(workspace(project)).executable):
        with pytest.raises(UnsafePath, match="changes meanwhile"):
            ask("x.py")


def test_a_folder_that_becomes_a_link_while_the_project_is_copied_leads_nowhere(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(project, "deep/x.py")
    fill(project.parent, "elsewhere/x.py")
    copy_content = tree_copy._copy_content

    def swap(root: Path, source: Path, copy: Path) -> None:
        (project / "deep").rename(project / "away")
        (project / "deep").symlink_to(project.parent / "elsewhere")
        copy_content(root, source, copy)

    monkeypatch.setattr(tree_copy, "_copy_content", swap)
    with pytest.raises(WorkspaceError, match="changes meanwhile"):
        tree_copy.copy_tree(project, project.parent / "copy", max_bytes=10_000, max_files=10)
    assert not (project.parent / "copy" / "deep" / "x.py").exists()


def test_a_link_that_is_none_any_more_when_it_is_followed_is_a_clear_error(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(project, "real.py")
    (project / "link.py").symlink_to("real.py")
    read_link = os.readlink

    def gone(link: str, **rest: int) -> str:
        (project / "link.py").unlink()
        fill(project, "link.py")
        return read_link(link, **rest)

    monkeypatch.setattr(os, "readlink", gone)
    with pytest.raises(UnsafePath, match="changes meanwhile"):
        Tree(workspace(project)).read("link.py")


def test_links_of_folders_inside_are_followed_also_in_folders_that_may_only_be_searched(project: Path) -> None:
    fill(project, "shut/inner/x.py", "pkg/y.py")
    (project / "pkg" / "link").symlink_to("../shut/inner")
    (project / "whole").symlink_to(project / "pkg")
    (project / "shut").chmod(0o300)
    tree = Tree(workspace(project))
    assert tree.read("whole/link/x.py") == b"# shut/inner/x.py\n"
    assert tree.exists("whole/link")
    assert tree.exists(".")
    assert not tree.executable("whole/link/x.py")
    assert sources.file_before(workspace(project), "whole/link/x.py") == b"# shut/inner/x.py\n"
    with pytest.raises(NotADirectoryError):
        tree.read("pkg/y.py/z")
    (project / "shut").chmod(0o700)


# ---------------------------------------------------------------- listing


JUNK = (".venv/lib/x.py", "env/lib/y.py", "node_modules/m/z.py", "__pycache__/a.py", ".tox/py/t.py", ".git/hooks/h.py")


def test_caches_and_environments_are_left_out_without_a_repository(project: Path) -> None:
    fill(project, "a.py", "pkg/b.py", "env/pyvenv.cfg", *JUNK)
    assert Tree(workspace(project)).python_files() == ("a.py", "pkg/b.py")


def test_caches_and_environments_are_left_out_of_a_repository_that_does_not_ignore_them(project: Path) -> None:
    git_init(project)
    fill(project, "a.py", "pkg/b.py", "env/pyvenv.cfg", "sub/env/pyvenv.cfg", "sub/env/lib/z.py", *JUNK[:-1])
    assert Tree(workspace(project)).python_files() == ("a.py", "pkg/b.py")


def test_ignored_files_are_left_out_and_nested_repositories_are_in(project: Path) -> None:
    git_init(project)
    git_init(project / "nested")
    fill(project, "a.py", "ignored.py", "nested/n.py", "nested/out.py")
    (project / ".gitignore").write_text("ignored.py\n")
    (project / "nested" / ".gitignore").write_text("out.py\n")
    assert Tree(workspace(project)).python_files() == ("a.py", "nested/n.py")


def test_a_repository_with_a_damaged_index_is_walked(project: Path) -> None:
    git_init(project)
    fill(project, "a.py")
    (project / ".git" / "index").write_bytes(b"garbage" * 20)
    assert Tree(workspace(project)).python_files() == ("a.py",)


def test_a_copy_below_somebodys_repository_is_walked(tmp_path: Path, project: Path) -> None:
    git_init(tmp_path)
    (tmp_path / ".gitignore").write_text("*\n")
    fill(project, "a.py")
    assert Tree(workspace(project, project=tmp_path / "original")).python_files() == ("a.py",)


@pytest.mark.parametrize("repository", [False, True])
def test_names_that_are_not_utf8_are_listed_and_read(repository: bool, project: Path) -> None:
    if repository:
        git_init(project)
    raw = os.fsencode(project) + b"/caf\xe9.py"
    Path(os.fsdecode(raw)).write_bytes(b"x")
    tree = Tree(workspace(project))
    assert tree.python_files() == ("caf%E9.py",)
    assert tree.read("caf%E9.py") == b"x"


def test_glob_knows_folders_from_names(project: Path) -> None:
    fill(project, "a.py", "tests/test_a.py", "tests/deep/test_b.py", "tests/[x].txt")
    tree = Tree(workspace(project))
    assert tree.glob("*.py") == ("a.py",)
    assert tree.glob("**/test_?.py") == ("tests/deep/test_b.py", "tests/test_a.py")
    assert tree.glob("tests/**") == ("tests/[x].txt", "tests/deep/test_b.py", "tests/test_a.py")
    assert tree.glob("tests/[x].txt") == ("tests/[x].txt",)


@pytest.mark.parametrize("repository", [False, True])
def test_a_large_tree_is_listed(repository: bool, project: Path) -> None:
    if repository:
        git_init(project)
    else:
        (project / ".treadle").mkdir()  # of what is marked by nothing only a part is listed
    for name in ("node_modules", *(f"pkg{n}" for n in range(20))):
        fill(project, f"{name}/m0.py")
        # Links are names enough, and a busy disk makes them far faster than files.
        for number in range(1, 500):
            os.link(f"{project}/{name}/m0.py", f"{project}/{name}/m{number}.py")
    assert len(Tree(workspace(project)).python_files()) == 10_000


# ---------------------------------------------------------------- source roots


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("pyproject.toml", '[tool.setuptools]\npackage-dir = {"" = "lib"}\n', ("lib",)),
        ("pyproject.toml", '[tool.setuptools.package-dir]\n"pkg.sub" = "lib/pkg/sub"\n', ("lib",)),
        ("pyproject.toml", '[tool.setuptools.package-dir]\n"pkg.core" = "core"\n', (".",)),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["lib"]\n', ("lib",)),
        ("pyproject.toml", '[tool.poetry]\npackages = [{include = "pkg", from = "lib"}]\n', ("lib",)),
        ("pyproject.toml", '[tool.hatch.build.targets.wheel]\npackages = ["lib/pkg"]\n', ("lib",)),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["lib", "."]\n', ("lib", ".")),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "lib ."\n', ("lib", ".")),
        ("pytest.ini", "[pytest]\npythonpath = lib\n", ("lib",)),
        ("setup.cfg", "[options]\npackage_dir =\n    = lib\n[options.packages.find]\nwhere = lib\n", ("lib",)),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["../out", "/abs", "nowhere"]\n', (".",)),
        ("pyproject.toml", "tool = 3\n", (".",)),
        ("pyproject.toml", "not toml", (".",)),
        ("pyproject.toml", '[tool.setuptools]\npackage-dir = "x"\npackages = 3\n', (".",)),
        ("setup.cfg", "garbage\n[", (".",)),
    ],
)
def test_source_roots_are_what_the_configuration_says(
    file: str, text: str, expected: tuple[str, ...], project: Path
) -> None:
    fill(project, "lib/pkg/__init__.py")
    (project / file).write_text(text)
    assert Tree(workspace(project)).source_roots() == expected


def test_a_src_folder_with_modules_is_a_source_root_unasked(project: Path) -> None:
    fill(project, "src/pkg/__init__.py", "tests/test_pkg.py")
    assert Tree(workspace(project)).source_roots() == ("src",)


def test_a_src_folder_without_python_is_none(project: Path) -> None:
    fill(project, "src/main.c", "src/deep/er/x.py", "pkg.py")
    assert Tree(workspace(project)).source_roots() == (".",)


# ---------------------------------------------------------------- a copy that is bypassed


def test_files_of_the_persons_tree_that_ran_are_noticed_with_a_copy_alone(tmp_path: Path, project: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    fill(project, "src/pkg.py")
    fill(copy, "src/pkg.py")
    (tmp_path / "link").symlink_to(project)
    executed = [str(copy / "src/pkg.py"), str(tmp_path / "link" / "src/pkg.py"), "/usr/lib/python3/x.py"]
    assert outside(executed, workspace(copy, project)) == (str(tmp_path / "link" / "src/pkg.py"),)
    assert outside(executed, workspace(project)) == ()
    refuse_outside(executed[:1], workspace(copy, project))
    with pytest.raises(WorkspaceError, match=r"link/src/pkg\.py from your own tree"):
        refuse_outside(executed, workspace(copy, project))


def test_state_inside_the_project_is_refused(project: Path) -> None:
    (project / "state").mkdir()
    for folder in (project / "state", project, project.parent):
        with pytest.raises(WorkspaceError, match="TREADLE_HOME"):
            check_apart(str(project), str(folder))
    check_apart(str(project), str(project.parent / "project-state"))


def test_of_a_folder_that_is_no_project_only_so_many_files_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(listing, "MOST_UNMARKED", 3)
    for name in ("a/deep/x.py", "a/x.py", "b/x.py", "x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    for kind in ("overlay", "copy"):
        found = Tree(Workspace(id="", kind=kind, project=str(tmp_path), root=str(tmp_path), upper="")).files
        assert found == ("a/x.py", "b/x.py", "x.py")  # the nearest ones
    assert len(project_files(tmp_path, whole=True)) == 4
    tell_if_no_project(tmp_path)
    assert "is no project: it has no .git" in " ".join(capsys.readouterr().err.split())
    (tmp_path / ".treadle").mkdir()
    assert len(project_files(tmp_path)) == 4
    tell_if_no_project(tmp_path)
    assert not capsys.readouterr().err
    monkeypatch.setenv("HOME", str(tmp_path))  # a home folder is none, whatever lies in it
    assert len(project_files(tmp_path)) == 3


def test_of_a_file_that_is_far_too_large_only_a_part_is_read(project: Path) -> None:
    """It takes a plugin no time to make one, and no room on the disk."""
    with (project / "large").open("wb") as file:
        file.truncate(reading.LARGEST + 1)
    with pytest.raises(OSError, match="more than 256 MiB are not read: 'large'"):
        Tree(workspace(project)).read("large")
    assert Tree(workspace(project)).read("large", 2) == b"\0\0"
