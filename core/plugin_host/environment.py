"""Making the environment of one plugin: a virtual environment, what fills it, and what came to lie in it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import msgspec

from treadle.core.errors import InstallError
from treadle.core.installers.installer import Installer, Package, Wanted, canonical
from treadle.core.installers.running import Runner
from treadle.core.installers.source import Source, without_password
from treadle.core.plugin_host import supplied
from treadle.core.plugin_host.index import GROUP
from treadle.core.plugin_worker.boot import SUPPLIED
from treadle.core.tree import tree_mark
from treadle.core.tree.remove_tree import remove_tree

LOCK = "treadle-lock.txt"
"""The file in each environment that says what was put there, as a file of requirements with hashes."""
# Left beside sources by those who work on them, and by what builds them; not what is installed.
_NOT_SOURCE = frozenset(
    {".git", "__pycache__", "build", "*.egg-info", ".venv", "venv", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
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


def make(folder: Path, source: Source, log: Path, installer: Installer, *, allow_build: bool) -> Made:
    """A virtual environment in `folder`, with the source and what it depends on. What the programs say goes to `log`.
    Raises `InstallError` when that fails; the folder is then the caller's to remove."""
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")
    # What a program leaves half-done when it is ended lies in the folder, and goes with it.
    scratch = folder / "scratch"
    scratch.mkdir(parents=True)
    run = Runner(log, scratch, passwords=source.passwords)
    run([sys.executable, "-P", "-m", "venv", "--without-pip", str(folder)], "an environment can't be made")
    source_digest = _source_digest(source)
    wanted = Wanted(
        sources=(source,),
        folder=folder,
        scratch=scratch,
        constraints=supplied.write(scratch / "supplied"),
        allow_build=allow_build,
    )
    packages = [package for package in installer.fill(wanted, run) if package.name not in SUPPLIED]
    supplied.take_out(wanted.site)
    remove_tree(folder, scratch.name)
    asked = next((package for package in packages if package.asked), None)
    if asked is None:
        raise InstallError(f"{source} is no plugin: Treadle supplies it to all plugins")
    lock = tuple(sorted(_locked(package, source_digest) for package in packages))
    (folder / LOCK).write_text("\n".join(lock) + "\n")
    return Made(
        distribution=asked.name,
        version=asked.version,
        plugins=_entry_points(wanted.site, asked.name),
        site=wanted.site,
        lock=lock,
        commit=asked.commit,
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


# ---------------------------------------------------------------- what came to lie there


def _locked(package: Package, source_digest: str) -> str:
    """One line: the version, and what it can be told by from another that calls itself the same."""
    line, url = f"{package.name}=={package.version}", without_password(package.url)
    if package.sha256:
        return f"{line} --hash=sha256:{package.sha256}"
    if package.commit:
        return f"{line} # {url} at commit {package.commit}"
    return f"{line} # {url}" + (f" with tree sha256:{source_digest}" if package.asked else "")


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
        if canonical(found.name) == distribution:
            try:
                return {point.name: point.value for point in found.entry_points.select(group=GROUP)}
            except (TypeError, ValueError) as error:
                raise InstallError(f"the entry points of {distribution} can't be read: {error}") from None
    return {}
