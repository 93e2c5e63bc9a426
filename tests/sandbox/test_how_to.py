"""What docs/how-to/use-the-sandbox-alone.md shows is true: each block runs and prints what its comments say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from treadle.sandbox import has_layer, run
from treadle.sandbox.policy import LAYERS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "use-the-sandbox-alone.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_a_block_prints_what_it_says(number: int, tmp_path: Path) -> None:
    source = BLOCKS[number]
    if "Overlay" in source and not has_layer("overlay"):
        pytest.skip("this machine has no overlay: treadle doctor says why")
    ran = subprocess.run(
        [sys.executable, "-c", source],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    expected = re.findall(r"^[^#\n]*print\(.*  # (.+)$", source, re.MULTILINE)
    lines = [line for line in ran.stdout.splitlines() if line]
    if expected:
        assert lines == expected
    else:
        # The last block lists the layers, and of the one that only root has nothing to others.
        listed = {line[4:].split()[0]: line[:4] for line in lines}
        assert listed.keys() == set(LAYERS) - (set() if os.geteuid() == 0 else {"nobody"})
        on = {name for name, said in listed.items() if said == "on  "}
        assert on == set(run(["true"]).layers)
        assert on >= {"session", "rlimits", "no_new_privs"}
