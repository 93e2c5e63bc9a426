"""The demo: a billing library with one wrong character is repaired, the patch applied, and taken back. Offline.

Everything happens in a temporary folder that is removed at the end; nothing of yours is read or written.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NEEDS_PERSON = 5
"""The exit code of a command that leaves the decision to a person."""
HERE = Path(__file__).resolve().parent
BOLD, DIM, RED, GREEN, PLAIN = ("\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[0m")
if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
    BOLD = DIM = RED = GREEN = PLAIN = ""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="treadle-demo-") as scratch:
        project = Path(scratch, "tillroll")
        shutil.copytree(HERE / "project", project, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
        surroundings = os.environ | {
            "TREADLE_HOME": str(Path(scratch, "home")),
            "PYTHONPATH": str(HERE.parents[1]),  # so that a checkout that is not installed will do
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        another = Path(scratch, "parcels")
        shutil.copytree(HERE / "unclear", another, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
        return demo(project, surroundings) or unclear(another, surroundings)


def demo(project: Path, surroundings: dict[str, str]) -> int:
    before = fingerprint(project)
    tests = ("pytest", "-q", "--tb=no", "-p", "no:cacheprovider")

    headline("1", "A small billing library. Three of its tests fail, none of them a test of the module that is wrong.")
    run(project, surroundings, *tests, expect=1)

    headline("2", "Treadle looks for a repair: in a sandbox, without a model, a key or a network.")
    run(project, surroundings, "treadle", "fix")
    require(fingerprint(project) == before, "a file changed before the patch was accepted")
    say("Nothing in the project has changed so far.")

    headline("3", "The patch is good: apply it.")
    run(project, surroundings, "treadle", "resume", "last", "--apply")
    require(fingerprint(project) != before, "the patch was not applied")

    headline("4", "Do the tests pass now?")
    run(project, surroundings, *tests)

    headline("5", "And take it back.")
    run(project, surroundings, "treadle", "undo")
    require(fingerprint(project) == before, "undo did not restore every file")
    say("Every file is as it was, to the byte.")
    return 0


def unclear(project: Path, surroundings: dict[str, str]) -> int:
    """A project whose one test admits several repairs."""
    headline("6", "A project with a single test. Several changes make it pass, and they are not the same.")
    run(project, surroundings, "treadle", "fix", "--apply", expect=NEEDS_PERSON)
    say("It was not applied: with so few tests, only you know which one is meant.")

    headline("7", "Whole parcels are meant: take that one, and keep the call that tells them apart as a test.")
    run(project, surroundings, "treadle", "resume", "last", "--choose", "2", "--keep-example", "--apply")
    require("//" in Path(project, "parcels.py").read_text(encoding="utf-8"), "another change was taken")
    run(project, surroundings, "pytest", "-q", "--tb=no", "-p", "no:cacheprovider")
    return 0


def run(project: Path, surroundings: dict[str, str], *command: str, expect: int = 0) -> None:
    """Show the command, run it as a person would, and end the demo when it does not end as it should."""
    print(f"{DIM}${PLAIN} {BOLD}{' '.join(command)}{PLAIN}", flush=True)
    python = [sys.executable, "-m", *command]
    done = subprocess.run(python, cwd=project, env=surroundings, stdin=subprocess.DEVNULL, check=False)
    require(done.returncode == expect, f"`{' '.join(command)}` ended with {done.returncode}, not {expect}")


def headline(number: str, text: str) -> None:
    print(f"\n{BOLD}{number}. {text}{PLAIN}\n", flush=True)


def say(text: str) -> None:
    print(f"\n{GREEN}{text}{PLAIN}", flush=True)


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SystemExit(f"{RED}The demo stops here: {otherwise}.{PLAIN}")


def fingerprint(folder: Path) -> dict[str, tuple[str, int]]:
    """Each file with the hash of its content and its mode."""
    return {
        str(path.relative_to(folder)): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


if __name__ == "__main__":
    sys.exit(main())
