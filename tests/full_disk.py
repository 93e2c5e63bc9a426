"""A small file system of a test's own, to see what becomes of a program when it is full, or can't be written."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def said_on(folder: Path, options: str, program: str) -> str:
    """What this Python program prints with a tmpfs of these mount options in the folder's place, for it alone."""
    own = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    apart = ["unshare", *own, "--mount", "sh", "-c"]
    mounted = f"mount -t tmpfs -o {options} none {shlex.quote(str(folder))}"
    if not shutil.which("unshare") or subprocess.run([*apart, mounted], capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    command = [*apart, f"{mounted} && exec {shlex.join([sys.executable, '-c', program])}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
