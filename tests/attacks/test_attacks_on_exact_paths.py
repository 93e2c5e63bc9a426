"""Paths of a policy that are to be what they are written as, and that somebody has led elsewhere meanwhile."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from treadle.sandbox import Policy, run
from treadle.sandbox.server import kernel


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


def test_what_is_mounted_is_reached_by_no_link(tmp_path: Path) -> None:
    """Also one that was put there after it had been looked at: so it is opened."""
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    for path in ("link", "link/inner"):
        with pytest.raises(OSError, match="symbolic link"):
            kernel.open_exact(str(tmp_path / path))
