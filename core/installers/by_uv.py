"""Filling an environment with uv."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence, Set
from importlib import metadata
from pathlib import Path

from treadle.core.errors import InstallError
from treadle.core.installers import compile_all, pylock, uv_settings
from treadle.core.installers.installer import Package, Wanted, canonical
from treadle.core.installers.pylock import Pinned
from treadle.core.installers.running import Runner
from treadle.core.installers.source import Source
from treadle.core.tree import tree_mark
from treadle.core.versions import requirement_of

_OLDEST = (0, 7)  # it writes pylock.toml


class Uv:
    """The `Installer` that is another program. What has to be built is installed first and alone, since uv builds all
    or nothing; what is left to be had is then resolved to one archive each, and these are installed by their hashes."""

    name = "uv"

    def __init__(self, program: str) -> None:
        self._program = program

    def fill(self, wanted: Wanted, run: Runner) -> tuple[Package, ...]:
        """As `Installer.fill`."""
        uv = _Commands(self._program, wanted, run)
        filled: list[Package] = []
        needed: list[str] = []
        for source in wanted.sources:
            if source.is_built:
                built = uv.build(source)
                filled.append(_built(built, source))
                needed += _needed_by(built)
            else:
                needed.append(_requirement(source))
        pinned = uv.resolve(needed)
        if pinned:
            file = wanted.scratch / "pinned.txt"
            file.write_text("".join(f"{each.line}\n" for each in pinned), encoding="utf-8")
            uv.install(["--no-deps", "--requirements", str(file)])
        uv.compile()
        versions = {canonical(each.name): each.version for each in metadata.distributions(path=[str(wanted.site)])}
        asked = {_name_in(source) for source in wanted.sources if not source.is_built}
        return (*filled, *(_package(each, versions[each.name], asked) for each in pinned))


def find(path: str) -> Uv:
    """The uv on this PATH. Raises `InstallError` with the reason when there is none that can be used."""
    # A folder that is named from where we are may be one of a clone.
    folders = os.pathsep.join(folder for folder in path.split(os.pathsep) if Path(folder).is_absolute())
    program = shutil.which("uv", path=folders)
    if program is None:
        raise InstallError("there is no uv on PATH")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    said = re.match(r"uv (\d+)\.(\d+)", done.stdout)
    if said is None or (int(said[1]), int(said[2])) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise InstallError(
            f"{program} says that it is {done.stdout.strip()!r}, where uv {oldest} is the oldest to do it"
        )
    return Uv(program)


class _Commands:
    """The two commands of uv, with what is the same in each call."""

    def __init__(self, program: str, wanted: Wanted, run: Runner) -> None:
        self._program = program
        self._wanted = wanted
        self._run = run
        self._env = uv_settings.variables(run.env) | {"UV_NO_PROGRESS": "1", "UV_PYTHON_DOWNLOADS": "never"}
        self._settings = uv_settings.write(wanted.scratch / "uv.toml", run.env)

    def install(self, what: Sequence[str]) -> None:
        """Install these. As copies, since links would lead into the cache or change with it."""
        building = () if self._wanted.may_build else ("--no-build",)
        place = (*self._wanted.place, *self._wanted.version)
        self._call("install", "--link-mode", "copy", "--no-compile-bytecode", *place, *building, *what)

    def compile(self) -> None:
        """Compile what was installed, since a plugin that runs may not write what it compiles."""
        self._run([sys.executable, "-I", "-S", compile_all.__file__, str(self._wanted.site)], self._wanted.trouble)

    def build(self, source: Source) -> metadata.Distribution:
        """Install what has to be built, alone; what came of it."""
        before = {each.name for each in self._installed()}
        self.install(["--no-deps", _requirement(source)])
        return next(each for each in self._installed() if each.name not in before)

    def _installed(self) -> Iterator[metadata.Distribution]:
        return iter(list(metadata.distributions(path=[str(self._wanted.site)])))

    def resolve(self, requirements: Sequence[str]) -> tuple[Pinned, ...]:
        """One archive for each distribution that these lines come to."""
        if not requirements:
            return ()
        asked, lock = self._wanted.scratch / "asked.txt", self._wanted.scratch / "pylock.toml"
        asked.write_text("".join(f"{line}\n" for line in requirements), encoding="utf-8")
        building = () if self._wanted.allow_build else ("--no-build",)
        constraints = ("--constraints", str(self._wanted.constraints), *self._wanted.version)
        self._call("compile", "--quiet", "--generate-hashes", "-o", str(lock), *constraints, *building, str(asked))
        return pylock.read(lock, self._wanted.target.version if self._wanted.target else "")

    def _call(self, command: str, *arguments: str) -> None:
        # A cache of its own: in the person's, what was built once lies as a wheel, and would be taken for the index's.
        cache = ("--cache-dir", str(self._wanted.scratch / "uv-cache"))
        same = ("--python", str(self._wanted.python), "--config-file", str(self._settings), *cache, "--no-sources")
        self._run(
            [self._program, "pip", command, *same, *arguments],
            self._wanted.trouble,
            self._wanted.hint,
            env=self._env,
        )


def _requirement(source: Source) -> str:
    """The source as a line of a file of requirements names it."""
    return Path(source.text).as_uri() if source.kind == "path" else source.text


def _name_in(source: Source) -> str:
    """The distribution's name in a source that need not be built: a name with versions, or the path of a wheel."""
    from packaging.requirements import Requirement
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename

    if source.kind == "name":
        return canonical(Requirement(source.text).name)
    try:
        return str(parse_wheel_filename(Path(source.text).name)[0])
    except InvalidWheelFilename as error:
        raise InstallError(f"{source} is no wheel: {error}") from None


def _built(found: metadata.Distribution, source: Source) -> Package:
    try:
        came = json.loads(found.read_text("direct_url.json") or "{}")
    except (ValueError, RecursionError) as error:
        raise InstallError(f"{source}: where it came from can't be read (direct_url.json: {error})") from None
    is_archive = source.kind == "path" and Path(source.text).is_file()
    return Package(
        name=canonical(found.name),
        version=found.version,
        url=came.get("url", ""),
        asked=True,
        sha256=tree_mark.file_digest(Path(source.text)) if is_archive else "",
        commit=came.get("vcs_info", {}).get("commit_id", ""),
    )


def _needed_by(found: metadata.Distribution) -> Iterator[str]:
    for text in found.requires or ():
        try:
            marker = requirement_of(text).marker
            is_meant = marker is None or marker.evaluate({"extra": ""})
        except ValueError as error:  # also what a marker compares may be no version
            raise InstallError(f"what {found.name} needs can't be read ({text[:60]!r}): {error}") from None
        if is_meant:
            yield text


def _package(pinned: Pinned, version: str, asked: Set[str]) -> Package:
    return Package(
        name=pinned.name,
        version=version,
        url=pinned.url,
        asked=pinned.name in asked,
        sha256=pinned.sha256,
        commit=pinned.commit,
    )
