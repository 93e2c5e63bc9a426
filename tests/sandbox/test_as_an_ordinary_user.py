"""A cross-section of the attacks, and the overlay, by an ordinary user, when the test run is root's.

It is those attacks that end differently without root: on files and their owners, system calls that need privileges,
other processes of the same user, the network, what jobs share, the job's folder, and what is left running; those that
are made in two ways, in a pool alone. All others are run as an ordinary user when the whole suite is: they ask for
nothing that root has, and all would take minutes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
ATTACKS = "files", "exact_paths", "the_kernel", "the_network", "other_processes", "shared_things", "the_job_folder"
RUNS = {
    "attacks": (*(f"tests/attacks/test_attacks_on_{what}.py" for what in ATTACKS),
                "tests/attacks/test_attacks_by_what_is_left.py"),
    "overlay": ("tests/sandbox/test_overlay.py",),
    "grants": ("tests/plugin_workers/test_where_grants_lead.py",),
}  # fmt: skip


def interpreter_for_all() -> str | None:
    """A Python of this version that everybody may run, since root's own may lie in root's home."""
    for candidate in (sys.executable, f"/usr/bin/python{sys.version_info[0]}.{sys.version_info[1]}"):
        found = shutil.which(candidate)
        with contextlib.suppress(PermissionError):
            if found and subprocess.run([found, "-c", ""], user=NOBODY, group=NOBODY, check=False).returncode == 0:
                return found
    return None


@pytest.mark.skipif(os.geteuid() != 0, reason="this test run is an ordinary user's already")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("tests", RUNS)
def test_an_ordinary_user_is_as_safe(tests: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    python = interpreter_for_all()
    if python is None:
        pytest.skip("no interpreter of this version that an ordinary user may run")
    if not os.access(ROOT, os.R_OK) or ROOT.stat().st_mode & 0o005 != 0o005:
        pytest.skip("an ordinary user can't read these sources")
    packages = Path(pytest.__file__).resolve().parents[1]
    base = Path("/var/tmp") / f"treadle-nobody-{os.getpid()}"
    base.mkdir()
    os.chown(base, NOBODY, NOBODY)
    argv = [
        python,
        "-m",
        "pytest",
        *RUNS[tests],
        "-q",
        "-x",
        "-k",
        "not cold",
        "-p",
        "no:cacheprovider",
        f"--basetemp={base}/t",
    ]
    environment = {
        "PATH": os.defpath,
        "HOME": str(base),
        "PYTHONPATH": f"{ROOT}:{packages}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        done = subprocess.run(
            argv,
            cwd=ROOT,
            env=environment,
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        shutil.rmtree(base, ignore_errors=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
