"""Making the environment of one plugin: a virtual environment that pip fills, and what came to lie in it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from treadle.core.errors import InstallError
from treadle.core.plugin_host import tree_mark
from treadle.core.plugin_host.index import GROUP
from treadle.core.plugin_host.source import Source

LOCK = "treadle-lock.txt"
"""The file in each environment that says what pip put there, in pip's own form."""
_LAST_LINES = 12
# Without the current folder on its import path: a clone may hold a file that is called like a module of pip's.
_PYTHON = (sys.executable, "-P")
# Settings of a person's pip by which it would install elsewhere, or other things than were asked for.
_OTHER_WAYS = frozenset(
    f"PIP_{name}"
    for name in (
        "TARGET",
        "PREFIX",
        "ROOT",
        "USER",
        "PYTHON",
        "DRY_RUN",
        "REPORT",
        "EDITABLE",
        "REQUIREMENT",
        "NO_DEPS",
    )
)
_OTHER_PYTHONS = frozenset({"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"})
# Left beside sources by those who work on them; not what is installed.
_NOT_SOURCE = frozenset(
    {".git", "__pycache__", "build", ".venv", "venv", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """What an environment came to hold: the distribution that was asked for, its entry points, where their packages'
    folder is, and the lock's lines."""

    distribution: str
    version: str
    plugins: dict[str, str]
    site: Path
    lock: tuple[str, ...]
    commit: str = ""
    source_digest: str = ""


def make(folder: Path, source: Source, log: Path, *, allow_build: bool) -> Made:
    """A virtual environment in `folder`, with the source and what it depends on. pip's output goes to `log`. Raises
    `InstallError` when that fails; the folder is then the caller's to remove."""
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")
    # What pip leaves half-done when it is ended lies in the folder, and goes with it.
    scratch = folder / "scratch"
    scratch.mkdir(parents=True)
    run = _Runner(log, scratch)
    run([*_PYTHON, "-m", "venv", "--without-pip", str(folder)], "an environment can't be made")
    source_digest = _source_digest(source)
    report = scratch / "report.json"
    # Wheels alone, so that nobody's code runs on the way: but what stands in a path or a repository has to be built.
    only = () if allow_build else ("--only-binary", ":all:")
    hint = "" if allow_build else "What there is as source only needs --allow-build, which runs its build code. "
    run(
        [
            *(*_pip(scratch, run), "--python", str(folder / "bin" / "python")),
            *("install", "--no-input", "--report", str(report), *only, source.text),
        ],
        f"{source} can't be installed",
        hint,
    )
    packages = json.loads(report.read_bytes())["install"]
    shutil.rmtree(scratch)
    asked = next(package for package in packages if package["requested"])
    lock = tuple(sorted(_locked(package, source_digest) for package in packages))
    (folder / LOCK).write_text("\n".join(lock) + "\n")
    site = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)}))
    name, version = asked["metadata"]["name"], asked["metadata"]["version"]
    return Made(
        distribution=_canonical(name),
        version=version,
        plugins=_entry_points(site, _canonical(name)),
        site=site,
        lock=lock,
        commit=asked["download_info"].get("vcs_info", {}).get("commit_id", ""),
        source_digest=source_digest,
    )


def read_lock(folder: Path) -> dict[str, str]:
    """The versions in an environment, by distribution; what can't be read counts as nothing."""
    try:
        lines = (folder / LOCK).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return versions(lines)


def versions(lock: Sequence[str]) -> dict[str, str]:
    """The versions by distribution, as the lines of a lock say them."""
    found = {}
    for line in lock:
        name, _, rest = line.partition("==")
        if rest:
            found[name] = rest.split(" ", 1)[0]
    return found


def distribution_of(requirement: str) -> str:
    """The one spelling of the name in a requirement such as `Acme>=1`."""
    from packaging.requirements import Requirement

    return _canonical(Requirement(requirement).name)


# ---------------------------------------------------------------- what came to lie there


def _canonical(name: str) -> str:
    from packaging.utils import canonicalize_name

    return str(canonicalize_name(name))


def _locked(package: dict[str, Any], source_digest: str) -> str:
    """One line: the version, and what it can be told by from another that calls itself the same."""
    line = f"{_canonical(package['metadata']['name'])}=={package['metadata']['version']}"
    came = package["download_info"]
    hashes = came.get("archive_info", {}).get("hashes", {})
    if "sha256" in hashes:
        return f"{line} --hash=sha256:{hashes['sha256']}"
    if commit := came.get("vcs_info", {}).get("commit_id"):
        return f"{line} # {came['url']} at commit {commit}"
    return f"{line} # {came['url']} with tree sha256:{source_digest}"


def _source_digest(source: Source) -> str:
    if source.kind != "path":
        return ""
    path = Path(source.text)
    try:
        return tree_mark.content_digest(path, _NOT_SOURCE) if path.is_dir() else tree_mark.file_digest(path)
    except OSError as error:
        raise InstallError(f"{source} can't be read: {error.strerror}; mend that and install it again") from None


def _entry_points(site: Path, distribution: str) -> dict[str, str]:
    for found in metadata.distributions(path=[str(site)]):
        if _canonical(found.name) == distribution:
            try:
                return {point.name: point.value for point in found.entry_points.select(group=GROUP)}
            except (TypeError, ValueError) as error:
                raise InstallError(f"the entry points of {distribution} can't be read: {error}") from None
    return {}


# ---------------------------------------------------------------- running pip


def _pip(scratch: Path, run: _Runner) -> list[str]:
    """How to run pip: that of Treadle's own interpreter, else one that Python brings, in the scratch folder."""
    if find_spec("pip") is not None:
        return [*_PYTHON, "-m", "pip"]
    installer = scratch / "installer"
    run(
        [*_PYTHON, "-m", "venv", str(installer)],
        "there is no pip for Treadle's Python, and it brings none (install pip, or your system's python3-venv)",
    )
    return [str(installer / "bin" / "python"), "-P", "-m", "pip"]


class _Runner:
    """Runs commands to their end, with their output in the log."""

    def __init__(self, log: Path, scratch: Path) -> None:
        self._log = log
        self._env = {name: value for name, value in os.environ.items() if name not in _OTHER_WAYS | _OTHER_PYTHONS}
        # They have no terminal: whoever would ask a question there, as git does for a password, must fail instead.
        self._env |= {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "GIT_TERMINAL_PROMPT": "0"}
        self._env["TMPDIR"] = str(scratch)

    def __call__(self, command: list[str], trouble: str, hint: str = "") -> None:
        """Run it. When we are interrupted, it is ended with all that it started. Raises `InstallError`, with `trouble`
        and the last lines, when it fails."""
        with self._log.open("ab") as output:
            output.write(f"$ {' '.join(command)}\n".encode(errors="surrogateescape"))
            output.flush()
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self._env,
                start_new_session=True,
            )
            try:
                code = process.wait()
            except BaseException:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise
        if code != 0:
            lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST_LINES:]
            said = "\n".join(f"  {line}" for line in lines)
            raise InstallError(f"{trouble}. The last that was said:\n{said}\n{hint}All of it is in {self._log}")
