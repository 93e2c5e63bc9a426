"""A program in a process of its own: what it imports, and how it ends, is nobody else's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def run(program: str, folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in `folder`. It can import Treadle; of keys it has those that are in `env`."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    path = os.pathsep.join((str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])))
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**kept, "PYTHONPATH": path, **env},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
