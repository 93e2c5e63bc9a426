"""The project at its own path: a job may change all of it, and nothing of it changes."""

from __future__ import annotations

import os
import py_compile
import stat
import sys
from pathlib import Path

import pytest

from treadle.sandbox import File, Overlay, Policy, Pool, Result, Script, has_layer, run

pytestmark = pytest.mark.skipif(not has_layer("overlay"), reason="this machine allows no overlay mounts")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "a project, with: odd \\ name"
    (folder / "pkg").mkdir(parents=True)
    (folder / "pkg" / "mod.py").write_text("VALUE = 1\n")
    (folder / "gone.txt").write_text("gone\n")
    (folder / "run.sh").write_text("#!/bin/sh\necho ran\n")
    (folder / "run.sh").chmod(0o755)
    return folder


def shell(project: Path, source: str, **arguments: object) -> Result:
    policy = Policy(overlay=Overlay(str(project)))
    return run(["sh", "-c", source], cwd=str(project), policy=policy, **arguments)  # type: ignore[arg-type]


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    return {
        str(p): (p.lstat().st_mode, p.lstat().st_mtime_ns, p.read_bytes() if p.is_file() else b"")
        for p in folder.rglob("*")
    }


def test_the_person_s_tree_stays_as_it_is(project: Path) -> None:
    before = snapshot(project)
    result = shell(
        project, "echo changed >> pkg/mod.py && rm gone.txt && mkdir new && mv pkg new/ && chmod 700 run.sh && ls"
    )
    assert result.stdout.data == b"new\nrun.sh\n", result
    assert snapshot(project) == before


def test_the_next_job_starts_from_the_tree_again(project: Path) -> None:
    assert shell(project, "rm -rf pkg; echo x > extra").ok
    assert shell(project, "ls").stdout.data == b"gone.txt\npkg\nrun.sh\n"


def test_the_job_is_at_the_project_s_own_path(project: Path) -> None:
    assert shell(project, "pwd").stdout.data.decode() == f"{project}\n"


def test_a_path_through_a_link_stays_that_path(project: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(project)
    result = shell(link, "pwd -L; ls; touch new && echo written")
    assert result.stdout.data.decode() == f"{link}\ngone.txt\npkg\nrun.sh\nwritten\n", result


def test_files_are_laid_over_deleted_and_made_executable(project: Path) -> None:
    files = {
        "pkg/mod.py": b"VALUE = 2\n",
        "gone.txt": None,
        "deep/er/new.txt": b"new\n",
        "tool": File(b"#!/bin/sh\necho tool\n", executable=True),
        "run.sh": b"#!/bin/sh\necho replaced\n",
        b"\xff\xfe name": b"odd",
        "not/there": None,
    }
    source = "cat pkg/mod.py deep/er/new.txt; ls gone.txt 2>&1 | wc -l; ./tool; ./run.sh; ls | grep -c name"
    before = snapshot(project)
    files.pop("not/there")
    result = shell(project, source, files=files)
    assert result.stdout.data == b"VALUE = 2\nnew\n1\ntool\nreplaced\n1\n", result
    assert snapshot(project) == before


def test_deleting_what_is_not_there_is_no_error(project: Path) -> None:
    assert shell(project, "true", files={"absent.txt": None}).ok


def test_stale_compiled_code_is_never_taken_for_the_patched_file(project: Path) -> None:
    module = project / "pkg" / "mod.py"
    py_compile.compile(str(module))
    policy = Policy(overlay=Overlay(str(project)))
    with Pool(workers=1, policy=policy) as pool:
        for value in (2, 3, 2, 4):
            script = Script(
                "from pkg.mod import VALUE; print(VALUE)",
                files={"pkg/mod.py": b"VALUE = %d\n" % value},
                env={"PYTHONDONTWRITEBYTECODE": ""},
            )
            assert pool.run(script).stdout.data == b"%d\n" % value


def test_kept_writes_lie_in_the_upper_folder(project: Path, tmp_path: Path) -> None:
    upper = tmp_path / "upper"
    policy = Policy(overlay=Overlay(str(project), str(upper)))
    before = snapshot(project)
    first = run(["sh", "-c", "echo 2 > pkg/two; rm gone.txt"], cwd=str(project), policy=policy)
    assert first.ok, first
    assert (upper / "pkg" / "two").read_text() == "2\n"
    whiteout = (upper / "gone.txt").lstat()
    assert stat.S_ISCHR(whiteout.st_mode)
    assert whiteout.st_rdev == 0
    second = run(["sh", "-c", "cat pkg/two; ls"], cwd=str(project), policy=policy)
    assert second.stdout.data == b"2\npkg\nrun.sh\n", second
    assert snapshot(project) == before


def test_compiled_code_in_a_kept_upper_does_not_outlive_its_source(project: Path, tmp_path: Path) -> None:
    policy = Policy(overlay=Overlay(str(project), str(tmp_path / "upper")))
    source = "from pkg.mod import VALUE; print(VALUE)"
    for value in (2, 3, 2):
        result = run(
            [sys.executable, "-c", source],
            cwd=str(project),
            policy=policy,
            files={"pkg/mod.py": b"VALUE = %d\n" % value},
            env={"PYTHONDONTWRITEBYTECODE": ""},
        )
        assert result.stdout.data == b"%d\n" % value, result


def test_the_upper_folder_itself_is_out_of_reach(project: Path, tmp_path: Path) -> None:
    upper = tmp_path / "upper"
    policy = Policy(overlay=Overlay(str(project), str(upper)))
    result = run(["sh", "-c", f"ls {upper}; echo x > {upper}/direct"], cwd=str(project), policy=policy)
    assert result.exit_code != 0
    assert not (upper / "direct").exists()


def test_an_editable_install_sees_the_patched_tree(tmp_path: Path) -> None:
    """The environment names the project by its own absolute path, as `pip install -e` does."""
    project = tmp_path / "project"
    (project / "src" / "thing").mkdir(parents=True)
    (project / "src" / "thing" / "__init__.py").write_text("VALUE = 'original'\n")
    environment = project / ".venv"
    site = environment / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    (environment / "bin").mkdir()
    base = Path(sys.executable).resolve()
    (environment / "pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n")
    (environment / "bin" / "python").symlink_to(base)
    (site / "__editable__.thing.pth").write_text(f"{project / 'src'}\n")
    python = str(environment / "bin" / "python")
    patch = {"src/thing/__init__.py": b"VALUE = 'patched'\n"}
    policy = Policy(overlay=Overlay(str(project)))
    ask = "import thing, sys; print(thing.VALUE, thing.__file__)"
    expected = f"patched {project}/src/thing/__init__.py\n".encode()
    assert run([python, "-c", ask], cwd="/", policy=policy, files=patch).stdout.data == expected
    with Pool(python=python, workers=1, policy=policy) as pool:
        assert pool.run(Script(ask, files=patch)).stdout.data == expected


def test_code_of_the_project_is_never_imported_ahead(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "mine.py").write_text("VALUE = 1\n")
    environment = tmp_path / "env"
    site = environment / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    (environment / "bin").mkdir()
    base = Path(sys.executable).resolve()
    (environment / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (environment / "bin" / "python").symlink_to(base)
    (site / "mine.pth").write_text(f"{project}\n")
    policy = Policy(overlay=Overlay(str(project)))
    with Pool(python=str(environment / "bin" / "python"), preload=("mine",), workers=1, policy=policy) as pool:
        ask = "import sys; before = 'mine' in sys.modules; import mine; print(before, mine.VALUE)"
        assert pool.run(Script(ask, files={"mine.py": b"VALUE = 2\n"})).stdout.data == b"False 2\n"


def test_a_project_with_files_of_ten_thousand_names_opens(tmp_path: Path) -> None:
    project = tmp_path / "big"
    for folder in range(100):
        (project / str(folder)).mkdir(parents=True)
        for name in range(100):
            (project / str(folder) / str(name)).touch()
    assert shell(project, "ls 99 | wc -l").stdout.data.strip() == b"100"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a project of somebody else's")
def test_what_belongs_to_somebody_else_can_still_be_read(tmp_path: Path) -> None:
    project = tmp_path / "theirs"
    project.mkdir()
    (project / "a.txt").write_text("theirs\n")
    os.chown(project, 1000, 1000)
    os.chown(project / "a.txt", 1000, 1000)
    assert shell(project, "cat a.txt").stdout.data == b"theirs\n"
