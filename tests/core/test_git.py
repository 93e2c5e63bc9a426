"""What git knows of a project, also of one that would like to run something."""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from treadle.core.errors import WorkspaceError
from treadle.core.tree.git import GitView, overrides

Git = Callable[..., str]

IDENTITY = {
    **{f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "file",
}


@pytest.fixture
def person(tmp_path: Path) -> dict[str, str]:
    """The person's environment, with a home of its own."""
    home = tmp_path / "home"
    home.mkdir()
    return {"PATH": os.environ["PATH"], "HOME": str(home)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def git(project: Path, person: dict[str, str]) -> Git:
    """Real git, in the project unless `cwd` says otherwise."""

    def run(*args: str | bytes, cwd: Path = project) -> str:
        done = subprocess.run(["git", *args], cwd=cwd, env=person | IDENTITY, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode(errors="replace").strip()

    return run


@pytest.fixture
def committed(project: Path, git: Git) -> Path:
    git("init", "-q", "-b", "main")
    (project / "a.py").write_text("a = 1\n")
    (project / ".gitignore").write_text("*.log\nbuild/\n")
    git("add", ".")
    git("commit", "-qm", "first")
    return project


def opened(project: Path, person: dict[str, str]) -> GitView:
    view = GitView.open(project, person)
    assert view is not None
    return view


def tree_digest(folder: Path) -> dict[str, str]:
    """Every file below a folder with the digest of its content and its times."""

    def facts() -> Iterator[tuple[str, str]]:
        for path in sorted(folder.rglob("*")):
            stat = path.lstat()
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            yield str(path.relative_to(folder)), f"{content} {stat.st_mtime_ns} {stat.st_mode}"

    return dict(facts())


# ---------------------------------------------------------------- what it tells


def test_a_folder_without_a_repository_has_no_view(project: Path, person: dict[str, str]) -> None:
    assert GitView.open(project, person) is None


def test_without_git_installed_there_is_no_view(committed: Path, person: dict[str, str], tmp_path: Path) -> None:
    assert GitView.open(committed, person | {"PATH": str(tmp_path / "empty")}) is None


def test_before_the_first_commit_there_is_no_head(project: Path, git: Git, person: dict[str, str]) -> None:
    git("init", "-q", "-b", "main")
    (project / "new.py").touch()
    view = opened(project, person)
    assert view.head() is None
    assert view.files() == ("new.py",)
    assert [(e.path, e.index, e.worktree) for e in view.status()] == [("new.py", "?", "?")]


def test_head_is_the_commit_also_when_it_is_detached(committed: Path, git: Git, person: dict[str, str]) -> None:
    commit = git("rev-parse", "HEAD")
    assert opened(committed, person).head() == commit
    git("checkout", "-q", "--detach")
    assert opened(committed, person).head() == commit


def test_listings_tell_tracked_untracked_and_ignored_apart(committed: Path, person: dict[str, str]) -> None:
    (committed / "new.py").touch()
    (committed / "x.log").touch()
    (committed / "build").mkdir()
    (committed / "build" / "out.py").touch()
    view = opened(committed, person)
    assert view.tracked() == (".gitignore", "a.py")
    assert view.untracked() == ("new.py",)
    assert view.ignored() == ("build/", "x.log")
    assert view.files() == (".gitignore", "a.py", "new.py")


def test_status_tells_changed_deleted_and_staged_files(committed: Path, git: Git, person: dict[str, str]) -> None:
    for name in ("gone.py", "staged.py"):
        (committed / name).write_text(name)
    git("add", ".")
    git("commit", "-qm", "more")
    (committed / "a.py").write_text("a = 2\n")
    (committed / "gone.py").unlink()
    (committed / "staged.py").write_text("2")
    git("add", "staged.py")
    states = {e.path: e.index + e.worktree for e in opened(committed, person).status()}
    assert states == {"a.py": ".M", "gone.py": ".D", "staged.py": "M."}


def test_names_that_are_not_utf8_are_listed_percent_encoded(committed: Path, git: Git, person: dict[str, str]) -> None:
    for name in (b"caf\xe9.py", b"100%.py", "größe.py".encode(), b"two\nlines.py"):
        Path(os.fsdecode(os.fsencode(committed) + b"/" + name)).write_text("x = 1\n")
    git("add", "größe.py")
    view = opened(committed, person)
    assert set(view.files()) >= {"caf%E9.py", "100%25.py", "größe.py", "two\nlines.py"}
    assert {e.path for e in view.status()} == {"caf%E9.py", "100%25.py", "größe.py", "two\nlines.py"}


def test_a_project_below_the_top_of_its_repository_sees_its_own_part(
    committed: Path, git: Git, person: dict[str, str]
) -> None:
    part = committed / "services" / "[web]"
    part.mkdir(parents=True)
    (part / "b.py").touch()
    (committed / "services" / "w").mkdir()
    (committed / "services" / "w" / "c.py").touch()
    git("add", "services/w/c.py")
    (part / "x.log").touch()
    view = opened(part, person)
    assert view.files() == ("b.py",)
    assert view.ignored() == ("x.log",)
    assert [e.path for e in view.status()] == ["b.py"]


def test_a_project_that_an_outer_repository_ignores_has_no_view(committed: Path, person: dict[str, str]) -> None:
    inner = committed / "build" / "other"
    inner.mkdir(parents=True)
    assert GitView.open(inner, person) is None


def test_a_bare_repository_has_no_view(project: Path, git: Git, person: dict[str, str]) -> None:
    git("init", "-q", "--bare")
    assert GitView.open(project, person) is None


def test_a_worktree_whose_git_is_a_file_is_read(
    committed: Path, git: Git, person: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    git("worktree", "add", "-q", "-b", "side", str(other))
    assert (other / ".git").is_file()
    assert opened(other, person).files() == (".gitignore", "a.py")


def test_a_repository_whose_git_is_a_link_is_read(committed: Path, person: dict[str, str], tmp_path: Path) -> None:
    (committed / ".git").rename(tmp_path / "moved")
    (committed / ".git").symlink_to(tmp_path / "moved")
    view = opened(committed, person)
    assert view.tracked() == (".gitignore", "a.py")
    assert view.status() == ()


def test_a_nested_repository_is_listed_by_its_own_rules(committed: Path, git: Git, person: dict[str, str]) -> None:
    nested = committed / "nested"
    nested.mkdir()
    git("init", "-q", cwd=nested)
    (nested / ".gitignore").write_text("secret.py\n")
    (nested / "secret.py").touch()
    (nested / "n.py").touch()
    assert opened(committed, person).files() == (".gitignore", "a.py", "nested/.gitignore", "nested/n.py")


def test_a_dirty_submodule_is_modified_and_its_files_are_listed(
    committed: Path, git: Git, person: dict[str, str], tmp_path: Path
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git("init", "-q", cwd=library)
    (library / "lib.py").write_text("x = 1\n")
    git("add", ".", cwd=library)
    git("commit", "-qm", "lib", cwd=library)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library), "lib")
    git("commit", "-qm", "with lib")
    view = opened(committed, person)
    assert view.submodules() == ("lib",)
    assert view.status() == ()
    assert "lib/lib.py" in view.files()
    (committed / "lib" / "lib.py").write_text("x = 2\n")
    (entry,) = view.status()
    assert (entry.path, entry.worktree, entry.submodule) == ("lib", "M", True)


def test_a_damaged_index_is_a_clear_error(committed: Path, person: dict[str, str]) -> None:
    (committed / ".git" / "index").write_bytes(b"garbage" * 20)
    view = opened(committed, person)
    with pytest.raises(WorkspaceError, match="git reset"):
        view.files()


def test_somebody_elses_repository_is_refused_with_the_way_out(committed: Path, person: dict[str, str]) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    for path in (committed, *committed.rglob("*")):
        os.chown(path, 54321, 54321)
    with pytest.raises(WorkspaceError, match=r"safe\.directory"):
        GitView.open(committed, person)
    (Path(person["HOME"]) / ".gitconfig").write_text(f"[safe]\n\tdirectory = {committed}\n")
    assert opened(committed, person).tracked() == (".gitignore", "a.py")


# ---------------------------------------------------------------- what it does not do


def test_reading_writes_nothing_under_git(committed: Path, person: dict[str, str]) -> None:
    # Same content, other times: plain git status would refresh the index now.
    os.utime(committed / "a.py", (1, 1))
    before = tree_digest(committed / ".git")
    view = opened(committed, person)
    assert view.status() == ()
    read_everything(view)
    assert tree_digest(committed / ".git") == before


def test_the_persons_git_environment_does_not_lead_astray(
    committed: Path, person: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    astray = {name: str(tmp_path / "nowhere") for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")}
    for name, value in astray.items():
        monkeypatch.setenv(name, value)
    view = opened(committed, person | astray)
    assert view.tracked() == (".gitignore", "a.py")


@pytest.fixture
def marker(tmp_path: Path) -> Iterator[Path]:
    """A program that leaves a file when it is run, as `marker.with_suffix(".sh")`; the file must not come to be."""
    ran = tmp_path / "ran"
    program = ran.with_suffix(".sh")
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{ran}'\ncat 2>/dev/null\n")
    program.chmod(0o755)
    yield ran
    assert not ran.exists(), f"the repository ran something: {ran.read_text()}"


def read_everything(view: GitView) -> None:
    view.head()
    view.files()
    view.ignored()
    view.status()


PLANTED = {
    "fsmonitor": [("core.fsmonitor", "{program}")],
    "fsmonitor daemon": [("core.fsmonitor", "true")],
    "hooks": [("core.hooksPath", "{folder}/hooks")],
    "external diff": [("diff.external", "{program}"), ("diff.x.command", "{program}")],
    "textconv": [("diff.x.textconv", "{program}")],
    "clean filter": [("filter.x.clean", "{program}"), ("filter.x.smudge", "{program}"), ("filter.x.required", "true")],
    "process filter": [("filter.x.process", "{program}"), ("filter.x.required", "true")],
    "filter with = in its name": [("filter.a=b.clean", "{program}")],
    "filter in other case": [("FILTER.x.CLEAN", "{program}")],
    "pager": [("core.pager", "{program}"), ("pager.status", "{program}"), ("pager.ls-files", "{program}")],
    "ssh": [("core.sshCommand", "{program}"), ("core.gitProxy", "{program}")],
    "askpass": [("core.askPass", "{program}"), ("credential.helper", "!{program}")],
    "credential of a host": [("credential.https://example.com.helper", "!{program}")],
    "alias": [("alias.status", "!{program}"), ("alias.ls-files", "!{program}"), ("alias.config", "!{program}")],
    "gpg": [("gpg.program", "{program}"), ("log.showSignature", "true"), ("gpg.ssh.program", "{program}")],
    "merge driver": [("merge.x.driver", "{program}")],
    "editor": [("core.editor", "{program}"), ("sequence.editor", "{program}")],
    "submodules": [("submodule.recurse", "true"), ("status.submoduleSummary", "true")],
    "work tree elsewhere": [("core.worktree", "{folder}")],
    "bare": [("core.bare", "true")],
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_a_repository_plants_is_not_run(
    what: str, committed: Path, git: Git, person: dict[str, str], marker: Path
) -> None:
    program = marker.with_suffix(".sh")
    (committed / ".gitattributes").write_text("*.py filter=x diff=x merge=x\n*.txt filter=a=b\n")
    (committed / "b.txt").write_text("b\n")
    git("add", ".")
    git("commit", "-qm", "attributes")
    hooks = committed.parent / "hooks"
    hooks.mkdir()
    for place in (hooks, committed / ".git" / "hooks"):
        for name in ("post-index-change", "post-checkout", "reference-transaction", "fsmonitor-watchman"):
            (place / name).write_text(program.read_text())
            (place / name).chmod(0o755)
    for key, value in PLANTED[what]:
        git("config", key, value.format(program=program, folder=committed.parent))
    for name in ("a.py", "b.txt"):
        # As long as before, so that git has to compare the content.
        content = (committed / name).read_text()
        (committed / name).write_text(content.swapcase())
        os.utime(committed / name, (1, 1))
    view = opened(committed, person)
    read_everything(view)
    assert {e.path for e in view.status()} == {"a.py", "b.txt"}
    assert view.tracked() == (".gitattributes", ".gitignore", "a.py", "b.txt")


@pytest.mark.parametrize("what", ["fsmonitor", "clean filter", "process filter", "filter in other case"])
def test_plain_git_status_would_run_what_is_planted(what: str, committed: Path, git: Git, tmp_path: Path) -> None:
    """The positive control of the test above: the plants are real."""
    ran = tmp_path / "control"
    program = tmp_path / "control.sh"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
    program.chmod(0o755)
    (committed / ".gitattributes").write_text("*.py filter=x\n")
    for key, value in PLANTED[what]:
        if not key.endswith("required"):
            git("config", key, value.format(program=program))
    os.utime(committed / "a.py", (1, 1))
    git("status")
    assert ran.exists()


def plant_in_included_configs(committed: Path, git: Git, program: Path) -> None:
    (committed / "evil").write_text(
        f'[core]\n\tfsmonitor = {program}\n[filter "y"]\n\tclean = {program}\n[filter "z"]\n\tclean = {program}\n'
    )
    git("add", ".")
    (committed / ".gitattributes").write_text("a.py filter=y\n.gitignore filter=z\n")
    git("config", "include.path", "../evil")
    git("config", f"includeIf.gitdir:{committed}/.path", "../evil")
    git("config", "includeIf.onbranch:main.path", "../evil")
    for name in ("a.py", ".gitignore"):
        os.utime(committed / name, (1, 1))


def test_a_config_that_is_included_is_neutralised_too(
    committed: Path, git: Git, person: dict[str, str], marker: Path
) -> None:
    plant_in_included_configs(committed, git, marker.with_suffix(".sh"))
    view = opened(committed, person)
    read_everything(view)
    assert {e.path for e in view.status()} == {".gitattributes", "evil"}
    assert not marker.exists()


def test_plain_git_status_would_run_what_is_planted_in_an_included_config(
    committed: Path, git: Git, tmp_path: Path
) -> None:
    """The positive control of the test above."""
    ran = tmp_path / "control"
    program = tmp_path / "control.sh"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\ncat\n")
    program.chmod(0o755)
    plant_in_included_configs(committed, git, program)
    git("status")
    assert ran.exists()


def test_a_submodules_own_config_is_neutralised(
    committed: Path, git: Git, person: dict[str, str], marker: Path
) -> None:
    nested = committed / "lib"
    nested.mkdir()
    git("init", "-q", cwd=nested)
    (nested / "lib.py").write_text("x = 1\n")
    git("add", ".", cwd=nested)
    git("commit", "-qm", "lib", cwd=nested)
    git("-c", "advice.addEmbeddedRepo=false", "add", "lib")
    git("commit", "-qm", "with lib")
    git("config", "core.fsmonitor", str(marker.with_suffix(".sh")), cwd=nested)
    git("config", "filter.own.clean", str(marker.with_suffix(".sh")), cwd=nested)
    (nested / ".git" / "info" / "attributes").write_text("*.py filter=own\n")
    (nested / "lib.py").write_text("x = 2\n")
    os.utime(nested / "lib.py", (1, 1))
    view = opened(committed, person)
    read_everything(view)
    assert [e.path for e in view.status()] == ["lib"]


def lose_a_tree(committed: Path, git: Git, program: Path) -> None:
    """Make it a partial clone that lacks an object, to be fetched by running a program."""
    git("config", "extensions.partialClone", "origin")
    git("config", "core.repositoryFormatVersion", "1")
    git("config", "remote.origin.promisor", "true")
    git("config", "remote.origin.url", f"ext::{program} %S")
    git("config", "protocol.ext.allow", "always")
    tree = git("rev-parse", "HEAD^{tree}")
    (committed / ".git" / "objects" / tree[:2] / tree[2:]).unlink()


def test_a_missing_object_is_not_fetched_from_where_the_repository_says(
    committed: Path, git: Git, person: dict[str, str], marker: Path
) -> None:
    lose_a_tree(committed, git, marker.with_suffix(".sh"))
    view = opened(committed, person)
    with pytest.raises(WorkspaceError):
        view.status()


def test_plain_git_would_fetch_a_missing_object_by_the_program_that_is_named(
    committed: Path, git: Git, person: dict[str, str], tmp_path: Path
) -> None:
    """The positive control of the test above."""
    ran = tmp_path / "fetched"
    program = tmp_path / "fetch.sh"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\nexit 1\n")
    program.chmod(0o755)
    lose_a_tree(committed, git, program)
    plain = {k: v for k, v in (person | IDENTITY).items() if k != "GIT_ALLOW_PROTOCOL"}
    subprocess.run(["git", "status"], cwd=committed, env=plain, capture_output=True, check=False, timeout=30)
    assert ran.exists()


def test_a_bare_repository_hidden_in_a_folder_is_not_taken_for_the_project(
    committed: Path, git: Git, person: dict[str, str], marker: Path
) -> None:
    hidden = committed / "docs"
    hidden.mkdir()
    git("init", "-q", "--bare", cwd=hidden)
    (hidden / "d.py").touch()
    git("config", "core.fsmonitor", str(marker.with_suffix(".sh")), cwd=hidden)
    git("config", "core.bare", "false", cwd=hidden)
    git("config", "core.worktree", str(committed), cwd=hidden)
    view = opened(hidden, person)
    assert view.toplevel == committed
    assert "d.py" in view.files()


def test_a_keys_case_does_not_hide_it_and_a_filters_name_is_kept() -> None:
    config = dict(overrides(["Filter.A.b.Clean", "filter.A.b.Required", "user.name"]))
    assert config["Filter.A.b.Clean"] == ""
    assert config["filter.A.b.Required"] == "false"
    assert "user.name" not in config


# ---------------------------------------------------------------- an index that was written by hand


def by_hand(names: list[bytes]) -> bytes:
    """An index (gitformat-index(5), version 2) with these names as submodules, which git itself would refuse to add."""
    entries = []
    for name in names:
        facts = b"\0" * 24 + (0o160000).to_bytes(4, "big") + b"\0" * 12 + b"\1" * 20
        entry = facts + len(name).to_bytes(2, "big") + name
        entries.append(entry + b"\0" * (8 - len(entry) % 8))
    content = b"DIRC" + struct.pack(">II", 2, len(names)) + b"".join(entries)
    return content + hashlib.sha1(content).digest()


def repository(folder: Path, git: Git, *names: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git("init", "-q", cwd=folder)
    (folder / "n.py").touch()
    if names:
        (folder / ".git" / "index").write_bytes(by_hand(sorted(names)))
    return folder


@pytest.mark.parametrize("name", [b".", b"l/x", b"./y", b"y/.", b"y//z", b"../x", b"/tmp"])
def test_a_submodule_that_names_no_other_place_below_is_none(
    committed: Path, git: Git, person: dict[str, str], name: bytes
) -> None:
    nested = repository(committed / "x", git, name)
    (nested / "l").symlink_to("..")
    assert "x/n.py" in (files := opened(committed, person).files())
    assert not any(each.startswith(("x/l/x/", "x/./", "x/y")) for each in files)
    opened(committed, person).status()


def test_a_repository_without_one_is_not_listed_by_the_one_around_it(
    committed: Path, git: Git, person: dict[str, str]
) -> None:
    """git asks the folders above, where the index calls the same folder a submodule, without an end."""
    (committed / "x" / ".git").mkdir(parents=True)
    (committed / "x" / "n.py").touch()
    (committed / ".git" / "index").write_bytes(by_hand([b"x"]))
    assert not any(each.startswith("x/x") for each in opened(committed, person).files())
    opened(committed, person).status()


def test_a_repository_is_looked_into_once_whatever_it_is_called(
    committed: Path, git: Git, person: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = committed / "x"
    for _ in range(4):
        repository(inner, git, *(b"./" * spelling + b"y" for spelling in range(6)))
        inner = inner / "y"
    repository(inner, git)
    opens: list[object] = []
    real = GitView.open.__func__

    def counted(cls: type[GitView], project: Path, person: dict[str, str]) -> GitView | None:
        opens.append(project)
        return real(cls, project, person)

    monkeypatch.setattr(GitView, "open", classmethod(counted))
    assert "x/y/y/y/y/n.py" in opened(committed, person).files()
    assert len(opens) == 6


def test_no_more_levels_are_looked_into_than_are_allowed(
    committed: Path, git: Git, person: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treadle.core.tree.git.DEEPEST", 3)
    inner = committed
    for _ in range(5):
        inner = repository(inner / "y", git)
    files = opened(committed, person).files()
    assert ("y/y/y/n.py" in files, "y/y/y/y/n.py" in files) == (True, False)
