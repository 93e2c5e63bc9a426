"""Files that the program owns: written whole or not at all, by one program at a time, where the person put them."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.full_disk import said_on
from treadle.core.config import own_file, toml_files
from treadle.core.errors import ConfigError


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_who_may_read_a_file_stays_as_the_person_has_set_it(tmp_path: Path) -> None:
    file = tmp_path / "state.toml"
    own_file.rewrite(file, lambda: b"one")
    assert mode(file) == 0o600
    file.chmod(0o640)
    own_file.rewrite(file, lambda: b"two")
    assert (mode(file), file.read_bytes()) == (0o640, b"two")


def test_new_folders_are_the_persons_alone_and_those_of_a_project_everybodys(tmp_path: Path) -> None:
    file = tmp_path / "state" / "projects" / "plugins.toml"
    own_file.rewrite(file, lambda: b"one")
    assert (mode(file.parent), mode(file.parent.parent)) == (0o700, 0o700)
    shared = tmp_path / "project" / ".treadle" / "plugins.toml"
    shared.parent.parent.mkdir()
    own_file.rewrite(shared, lambda: b"one", inside=shared.parent.parent)
    assert mode(shared.parent) == 0o755


def test_a_link_to_the_persons_dotfiles_stays_and_the_file_there_is_written(tmp_path: Path) -> None:
    dotfiles, file = tmp_path / "dotfiles" / "plugins.toml", tmp_path / "home" / "plugins.toml"
    file.parent.mkdir()
    file.symlink_to("../dotfiles/plugins.toml")
    for content in (b"one", b"two"):  # a link to nowhere, then to a file
        own_file.rewrite(file, lambda content=content: content)  # type: ignore[misc]
        assert file.is_symlink()
        assert dotfiles.read_bytes() == content
    assert names(file.parent) == names(dotfiles.parent) == ["plugins.toml"]


def test_a_projects_link_stays_when_it_leads_to_a_file_of_the_project(tmp_path: Path) -> None:
    link = tmp_path / "plugins.toml"
    link.symlink_to("real/plugins.toml")
    own_file.rewrite(link, lambda: b"one", inside=tmp_path)
    assert link.is_symlink()
    assert (tmp_path / "real" / "plugins.toml").read_bytes() == b"one"


def test_nothing_is_made_where_a_projects_link_leads_out_of_it(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    (project / ".treadle").symlink_to(outside)
    with pytest.raises(ConfigError, match="leads out of the project"):
        own_file.rewrite(project / ".treadle" / "plugins.toml", lambda: b"one", inside=project)
    assert not outside.exists()


@pytest.mark.parametrize("when", ["while it waits for the lock", "while its content is made"])
def test_a_link_that_is_led_out_of_the_project_meanwhile_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    (project / "real").mkdir(parents=True)
    outside.mkdir()
    folder = project / ".treadle"
    folder.symlink_to("real")

    def lead_out() -> bytes:
        folder.unlink()
        folder.symlink_to(outside)
        return b"one"

    really = fcntl.flock

    def flock(handle: int, operation: int) -> None:
        lead_out()
        really(handle, operation)

    if when == "while it waits for the lock":
        monkeypatch.setattr(own_file.fcntl, "flock", flock)
        with pytest.raises(ConfigError, match="leads out of the project"):
            own_file.rewrite(folder / "plugins.toml", lambda: b"one", inside=project)
        assert names(project / "real") == []
    else:
        own_file.rewrite(folder / "plugins.toml", lead_out, inside=project)
        assert names(project / "real") == ["plugins.toml"]
    assert names(outside) == []


def test_a_circle_of_links_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(ConfigError, match="round in a circle"):
        own_file.rewrite(tmp_path / "a", lambda: b"one")
    assert (tmp_path / "a").is_symlink()


def test_those_who_come_by_different_links_wait_for_each_other(tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "count", tmp_path / "links" / "count"
    for file in (real, link):
        file.parent.mkdir()
    real.write_bytes(b"0")
    link.symlink_to(real)

    def count(file: Path) -> None:
        for _ in range(100):
            own_file.rewrite(file, lambda: str(int(real.read_bytes()) + 1).encode())

    threads = [threading.Thread(target=count, args=(file,)) for file in (real, link)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert real.read_bytes() == b"200"


def test_what_a_killed_program_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "state.toml"
    kill = "import os, signal; from treadle.core.config import own_file; from pathlib import Path\n"
    kill += "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL)\n"
    kill += f"own_file.rewrite(Path({str(file)!r}), lambda: b'one')\n"
    assert subprocess.run([sys.executable, "-c", kill], check=False).returncode == -signal.SIGKILL
    (left,) = names(tmp_path)
    others = [".state.toml.swp", f".other.toml{left.removeprefix('.state.toml')}", f"{left}~"]
    for other in others:
        (tmp_path / other).touch()
    own_file.rewrite(file, lambda: b"two")
    assert names(tmp_path) == sorted([*others, "state.toml"])


def test_file_and_folder_reach_the_disk_before_and_after_the_file_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what the kernel is asked, and in which order, can show that without pulling the plug."""
    file = tmp_path / "state.toml"
    file.write_bytes(b"old")
    seen: list[tuple[str, bytes]] = []
    really = os.fsync

    def fsync(handle: int) -> None:
        seen.append(("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file", file.read_bytes()))
        really(handle)

    monkeypatch.setattr(own_file.os, "fsync", fsync)
    own_file.rewrite(file, lambda: b"new")
    assert seen == [("file", b"old"), ("folder", b"new")]


def test_a_folder_or_a_pipe_in_its_place_is_told_and_stays(tmp_path: Path) -> None:
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(pipe)
    with pytest.raises(ConfigError, match=r"Is a directory\); move that folder away"):
        own_file.rewrite(folder, lambda: b"one")
    with pytest.raises(ConfigError, match="no regular file"):
        own_file.rewrite(pipe, lambda: b"one")
    with pytest.raises(ConfigError, match=r"Not a directory\); move the file away|File exists"):
        (tmp_path / "file").touch()
        own_file.rewrite(tmp_path / "file" / "state.toml", lambda: b"one")
    assert names(tmp_path) == ["file", "folder", "pipe"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("size=64k", "No space left on device); make room on that disk and try again; the file is as it was"),
        ("ro", "Read-only file system); mount its file system so that it can be written"),
    ],
)
def test_a_disk_that_takes_nothing_is_told_as_what_it_is(tmp_path: Path, options: str, told: str) -> None:
    program = f"""
import os
from pathlib import Path
from treadle.core.config import own_file
file = Path({str(tmp_path / "state.toml")!r})
try:
    own_file.rewrite(file, lambda: bytes(1 << 20))
except own_file.ConfigError as error:
    print(error, os.listdir(file.parent))
own_file.keep(file, bytes(1 << 20))
print(os.listdir(file.parent))
"""
    said = said_on(tmp_path, options, program)
    assert said == f"{tmp_path / 'state.toml'}: can't be written ({told} []\n[]\n"


def test_what_only_saves_work_may_fail(tmp_path: Path) -> None:
    own_file.keep(tmp_path / "kept", b"one")
    assert (tmp_path / "kept").read_bytes() == b"one"
    own_file.keep(tmp_path / "kept" / "below", b"two")
    assert names(tmp_path) == ["kept"]


def test_a_settings_file_is_not_written_longer_than_it_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "state.toml"
    toml_files.update(file, lambda document: document.update(a=1))
    with pytest.raises(ConfigError, match=r"would become longer than 1048576 bytes.* nothing was changed"):
        toml_files.update(file, lambda document: document.update(b="x" * toml_files.LARGEST))
    assert toml_files.read(file) == {"a": 1}
