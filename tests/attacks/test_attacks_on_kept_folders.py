"""What is kept, or pinned, inside of what a job may write, and paths that somebody has led elsewhere meanwhile."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.attacks.conftest import PRELUDE
from treadle.sandbox import Policy, has_layer, run
from treadle.sandbox.server import kernel

pytestmark = pytest.mark.skipif(not has_layer("mountns"), reason="nothing is kept without a view")


def tried(policy: Policy, *actions: str) -> list[str]:
    """What became of each: the error's name, or ESCAPED."""
    source = PRELUDE + "".join(f"attempt({number}, lambda: {action})\n" for number, action in enumerate(actions))
    result = run([sys.executable, "-c", source], policy=policy)
    assert result.verdict == "ok", result
    lines = result.stdout.data.decode().splitlines()
    return [line.split()[2] if line.startswith("BLOCKED") else line.split()[0] for line in lines]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """`home` is written; `home/a/b/kept` and `home/a/pinned` lie in it."""
    for folder in ("a/b/kept", "a/pinned", "beside"):
        (tmp_path / "home" / folder).mkdir(parents=True)
    (tmp_path / "home/a/b/kept/config").write_text("mine")
    return tmp_path / "home"


def test_no_folder_above_what_is_kept_or_pinned_can_be_moved_or_removed(home: Path) -> None:
    policy = Policy(write=(str(home),), keep=(f"{home}/a/b/kept",), pin=(f"{home}/a/pinned",))
    names = ("a/b/kept", "a/b", "a", "a/pinned")
    moved = tried(policy, *(f"os.rename('{home}/{name}', '{home}/beside/x')" for name in names))
    assert set(moved) <= {"EBUSY", "EXDEV"}, moved
    assert set(tried(policy, *(f"os.rmdir('{home}/{name}')" for name in ("a/pinned", "a/b")))) == {"EBUSY"}
    over = tried(policy, f"os.rename('{home}/beside', '{home}/a/pinned')")
    assert set(over) <= {"EBUSY", "EXDEV"}, over
    assert (home / "a/b/kept/config").read_text() == "mine"
    # The control: what nothing keeps can be moved, and there is no more to it than that it is kept.
    assert tried(policy, f"os.rename('{home}/beside', '{home}/moved')") == ["ESCAPED"]
    assert tried(Policy(write=(str(home),)), f"os.rename('{home}/a', '{home}/b')") == ["ESCAPED"]


def test_what_is_beside_them_can_be_written(home: Path) -> None:
    policy = Policy(write=(str(home),), keep=(f"{home}/a/b/kept",), pin=(f"{home}/a/pinned",))
    written = tried(
        policy,
        *(f"open('{home}/{name}', 'w').close()" for name in ("x", "a/x", "a/b/x", "a/pinned/x", "a/b/kept/x")),
    )
    assert written == ["ESCAPED"] * 4 + ["EROFS"]


@pytest.mark.parametrize("without", ["", "mountns"])
@pytest.mark.parametrize("field", ["read", "write"])
@pytest.mark.parametrize("below", ["", "/sub"], ids=["itself", "through it"])
def test_an_exact_path_that_is_a_link_shows_nothing(tmp_path: Path, without: str, field: str, below: str) -> None:
    secret, granted = tmp_path / "secret", tmp_path / "granted"
    (secret / "sub").mkdir(parents=True)
    granted.symlink_to(secret)
    path = f"{granted}{below}"
    layers = frozenset({without} - {""})
    policy = Policy(**{field: (path,)}, exact=frozenset({path}), without=layers)  # type: ignore[arg-type]
    refused = run([sys.executable, "-c", "pass"], policy=policy)
    assert refused.verdict == "refused", refused
    assert path in refused.message
    assert "symbolic link" in refused.message
    # The control: a path that need not be exact is followed, and a real one is shown.
    assert run([sys.executable, "-c", "pass"], policy=Policy(read=(path,), without=layers)).verdict == "ok"
    real = f"{secret}{below}"
    shown = Policy(**{field: (real,)}, exact=frozenset({real}), without=layers)  # type: ignore[arg-type]
    assert run([sys.executable, "-c", f"import os; os.listdir({real!r})"], policy=shown).verdict == "ok"


@pytest.mark.parametrize("field", ["keep", "pin"])
def test_what_is_kept_is_no_link(home: Path, field: str) -> None:
    (home / "link").symlink_to("a")
    policy = Policy(write=(str(home),), **{field: (f"{home}/link/b",)})  # type: ignore[arg-type]
    refused = run([sys.executable, "-c", "pass"], policy=policy)
    assert refused.verdict == "refused", refused
    assert f"{home}/link" in refused.message


def test_what_was_kept_under_this_name_yesterday_is_not_what_is_kept(home: Path) -> None:
    """A server that waits for the next command still holds what lay there before."""
    policy, kept = Policy(write=(str(home),), keep=(f"{home}/a/b/kept",)), home / "a/b/kept"
    assert tried(policy, f"open('{kept}/config', 'w')") == ["EROFS"]
    kept.rename(home / "before")
    kept.mkdir()
    (kept / "config").write_text("mine, and new")
    assert tried(policy, f"open('{kept}/config', 'w')") == ["EROFS"]


def test_what_is_mounted_is_reached_by_no_link(tmp_path: Path) -> None:
    """Also one that was put there after it had been looked at: so it is opened."""
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    for path in ("link", "link/inner"):
        with pytest.raises(OSError, match="symbolic link"):
            kernel.open_exact(str(tmp_path / path))
