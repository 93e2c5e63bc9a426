"""The person's Python: which one runs the project's code, and which folders a job must be able to read for it to start.

Nothing is executed here. An environment inside the project may have come with a clone, so what it is follows from
files alone (its links, `pyvenv.cfg`, the standard library's `os.py`), and whatever it names must prove to be a Python:
the folders found become readable for the job, and a link must not be able to turn them into the person's home.
The layout follows CPython's `getpath.py` and the `site` module's documentation.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from treadle.core.errors import InterpreterError
from treadle.core.records import Record
from treadle.core.site_paths import named_folders

_EXECUTABLE = re.compile(r"(python|pypy)(\d+(\.\d+)?)?t?d?(\.exe)?")
_STDLIB = re.compile(r"(?:python|pypy)(\d+\.\d+)t?")


class Interpreter(Record, frozen=True, kw_only=True):
    """A Python to run the project with. `path` is what to execute (a link inside an environment stays one, or it would
    lose the environment); `version` is like `3.12`; `prefix` and `base_prefix` as in `sys`. `read_paths` are the files
    and folders that it must be able to read to start and to import what is installed, under every name that it will
    use for them: resolved, and through the links that lead there. `site_paths` are its site-packages folders.
    `left_out` are folders outside of the project that an environment inside it names (editable
    installs), which stay unreadable until the person chooses that environment themselves."""

    path: str
    version: str
    prefix: str
    base_prefix: str
    read_paths: tuple[str, ...]
    in_project: bool = False
    site_paths: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def has(self, package: str) -> bool:
        """Whether a package of that import name is installed, by the look of its files."""
        return any(Path(site, package, "__init__.py").is_file() for site in self.site_paths)


def find(project: str | os.PathLike[str], *, asked: str | None, env: Mapping[str, str]) -> Interpreter:
    """The interpreter for a project: the one asked for, else `VIRTUAL_ENV`, else the project's `.venv` or `venv`, else
    a `python3` on `PATH` that has pytest, else the one that Treadle runs on.

    `asked` is a path, an environment's folder or a name on `PATH`. Raises `InterpreterError` when the one asked for,
    or the environment that is there, can't be used: another one is never taken silently in its place.
    """
    root = Path(project).resolve()
    if asked:
        return describe(_asked_path(asked, root, env), project=root, chosen=True, env=env)
    active = env.get("VIRTUAL_ENV")
    if active and (python := _environment_python(Path(active))):
        return describe(python, project=root, chosen=True, env=env)
    for name in (".venv", "venv"):
        if python := _environment_python(root / name):
            return describe(python, project=root, env=env)
    for python in _on_path(root, env):
        try:
            found = describe(python, project=root, env=env)
        except InterpreterError:
            continue
        if found.has("pytest"):
            return found
    return describe(sys.executable, project=root, chosen=True, env=env)


def describe(
    python: str,
    *,
    project: str | os.PathLike[str] | None = None,
    chosen: bool = False,
    env: Mapping[str, str] = os.environ,
) -> Interpreter:
    """What an interpreter is, by its files. `chosen`: the person named or activated it, so the folders that its
    editable installs name are readable wherever they are. Raises `InterpreterError` when it is not a Python with its
    standard library beside it, or when using it would open the person's home folder to the job."""
    path = Path(python).absolute()
    real = _executable(path)
    root = Path(project).resolve() if project is not None else None
    prefix = path.parent.parent
    cfg = prefix / "pyvenv.cfg"
    facts = _pyvenv(cfg) if cfg.is_file() else {}
    if facts:
        base = _base_of_environment(path, real, facts)
        version, stdlib = _stdlib(base, real, prefix)
        own = _sites(prefix, version)
        system = facts.get("include-system-site-packages", "").lower() == "true"
        sites = (*own, *_sites(base, version)) if system else own
        places = [cfg, path.parent, *(site.parent for site in own), *own, prefix / "share"]
    else:
        prefix = base = real.parent.parent
        version, stdlib = _stdlib(base, real, prefix)
        sites = _sites(base, version)
        places = []
    for folder in (prefix, base):
        _refuse_home(folder.resolve(), path, env)
    readable = [_below(prefix, place, path) for place in places if place.exists()]
    readable += [_below(base, place, path) for place in (base / "bin", stdlib.parent, stdlib)]
    readable += [site.resolve() for site in sites]
    readable += [*_links(path), *_as_named(facts.get("home", ""), base, stdlib)]
    in_project = root is not None and (path.is_relative_to(root) or prefix.resolve().is_relative_to(root))
    named = [p for p in named_folders(sites) if root is None or not p.is_relative_to(root)]
    open_named = [p for p in named if chosen or not in_project]
    for folder in open_named:
        _refuse_home(folder, path, env)
    return Interpreter(
        path=str(path),
        version=version,
        prefix=str(prefix),
        base_prefix=str(base),
        read_paths=_outermost([*readable, *open_named]),
        in_project=in_project,
        site_paths=tuple(map(str, sites)),
        left_out=tuple(str(p) for p in named if p not in open_named),
    )


def _asked_path(asked: str, project: Path, env: Mapping[str, str]) -> str:
    path = Path(asked).expanduser()
    if path.is_dir():
        python = _environment_python(path)
        if python is None:
            raise InterpreterError(f"{path} holds no Python environment (bin/python); name the interpreter itself")
        return python
    found = str(path) if path.exists() or os.sep in asked else shutil.which(asked, path=env.get("PATH"))
    if found is None:
        raise InterpreterError(f"there is no {asked!r} on PATH; give the path of a Python interpreter")
    return next(_pyenv_versions(Path(found), project, env), found)


def _environment_python(folder: Path) -> str | None:
    """The interpreter of the environment in that folder, None when the folder is none (a package called `venv`)."""
    for name in ("bin/python", "bin/python3", "Scripts/python.exe"):
        if os.path.lexists(folder / name):
            return str(folder / name)
    return None


def _executable(path: Path) -> Path:
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise InterpreterError(f"the interpreter {path} can't be found ({error}); choose one with --python") from error
    if not _EXECUTABLE.fullmatch(real.name) or not real.is_file() or not os.access(real, os.X_OK):
        raise InterpreterError(f"{path} leads to {real}, which is no Python interpreter; choose one with --python")
    return real


def _pyvenv(cfg: Path) -> dict[str, str]:
    try:
        text = cfg.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InterpreterError(f"{cfg} can't be read: {error}") from error
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _base_of_environment(path: Path, real: Path, facts: Mapping[str, str]) -> Path:
    """Where the standard library of an environment lies. CPython takes `home`; the link must say the same, unless the
    interpreter was copied into the environment."""
    home = facts.get("home", "")
    said = Path(home).resolve().parent if Path(home).is_absolute() else None
    linked = real.parent.parent
    if real.is_relative_to(path.parent.resolve()):
        if said is None:
            raise InterpreterError(f"{path.parent.parent}/pyvenv.cfg names no home; make the environment anew")
        return said
    if said is not None and said != linked:
        raise InterpreterError(
            f"{path} leads to {real}, but its pyvenv.cfg names {home}; make the environment anew, or use --python"
        )
    return linked


def _stdlib(base: Path, real: Path, prefix: Path) -> tuple[str, Path]:
    """The version and the folder of the standard library, which is where `os.py` is (CPython's own landmark)."""
    found: dict[str, Path] = {}
    for lib in (base / "lib", base / "lib64"):
        for folder in sorted(lib.glob("p*")) if lib.is_dir() else ():
            match = _STDLIB.fullmatch(folder.name)
            if match and (folder / "os.py").is_file():
                found.setdefault(match[1], folder)
    named = re.search(r"\d+\.\d+", real.name)
    if named and named[0] in found:
        return named[0], found[named[0]]
    inside = [v for v in found if any((prefix / lib / found[v].name).is_dir() for lib in ("lib", "lib64"))]
    if not named and len(inside) == 1:
        return inside[0], found[inside[0]]
    raise InterpreterError(f"no standard library belongs to {real} (looked for {base}/lib/pythonX.Y/os.py)")


def _sites(prefix: Path, version: str) -> tuple[Path, ...]:
    candidates = [
        prefix / lib / f"{kind}{version}{threads}" / "site-packages"
        for lib in ("lib", "lib64")
        for kind in ("python", "pypy")
        for threads in ("", "t")
    ]
    if prefix == Path("/usr"):
        candidates += [Path(f"/usr/local/lib/python{version}/dist-packages"), Path("/usr/lib/python3/dist-packages")]
    there = [site for site in candidates if site.is_dir()]
    return tuple({site.resolve(): site for site in reversed(there)}.values())[::-1]


def _below(prefix: Path, place: Path, python: Path) -> Path:
    real = place.resolve()
    if not real.is_relative_to(prefix.resolve()):
        raise InterpreterError(
            f"{place}, which a job would be allowed to read for {python}, leads out of {prefix} to {real}; "
            "make the environment anew, or choose another with --python"
        )
    return real


def _links(path: Path) -> list[Path]:
    """The interpreter's names on the way to the real file: each link of the chain must be there for it to start."""
    names = [path]
    while names[-1].is_symlink():
        names.append(Path(os.path.normpath(names[-1].parent.resolve() / names[-1].readlink())))
    return names


def _as_named(home: str, base: Path, stdlib: Path) -> list[Path]:
    """The base's folders as CPython reaches them from `home`, which may lead through a link (a version's alias)."""
    named = Path(home).parent
    pairs = ((Path(home), base / "bin"), (named / stdlib.parent.name, stdlib.parent))
    return [place for place, real in pairs if home and place.resolve() == real.resolve()]


def _refuse_home(folder: Path, python: Path, env: Mapping[str, str]) -> None:
    try:
        home = Path(env.get("HOME") or Path.home()).resolve()
    except RuntimeError:  # a user without a home folder
        return
    if home.is_relative_to(folder):
        raise InterpreterError(
            f"{python} is refused: a job would be allowed to read {folder}, which holds your home folder; "
            "choose another interpreter with --python"
        )


def _outermost(places: list[Path]) -> tuple[str, ...]:
    unique = list(dict.fromkeys(places))
    return tuple(str(p) for p in unique if not any(p != q and p.is_relative_to(q) for q in unique))


def _on_path(project: Path, env: Mapping[str, str]) -> Iterator[str]:
    for folder in env.get("PATH", os.defpath).split(os.pathsep):
        python = Path(folder, "python3")
        if not Path(folder).is_absolute() or not _is_file(python):
            continue
        if _is_script(python):
            yield from _pyenv_versions(python, project, env)
        else:
            yield str(python)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        # A folder on PATH that only another user may enter, as after `su`.
        return False


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def _pyenv_versions(shim: Path, project: Path, env: Mapping[str, str]) -> Iterator[str]:
    """The interpreters that a pyenv shim would start, by pyenv's own rules: `PYENV_VERSION`, the nearest
    `.python-version`, then the global `version` file."""
    if shim.parent.name != "shims":
        return
    root = Path(env.get("PYENV_ROOT") or shim.parent.parent)
    files = [*(folder / ".python-version" for folder in (project, *project.parents)), root / "version"]
    wanted = env.get("PYENV_VERSION", "").replace(":", "\n") or next(
        (f.read_text(encoding="utf-8", errors="replace") for f in files if _is_file(f)), ""
    )
    for name in wanted.split():
        if not re.fullmatch(r"[A-Za-z0-9][\w.+-]*", name):
            continue
        newest_first = sorted((root / "versions").glob(f"{name}.*"), key=_as_numbers, reverse=True)
        for version in (root / "versions" / name, *newest_first):
            if _is_file(version / "bin" / shim.name):
                yield str(version / "bin" / shim.name)
                break


def _as_numbers(folder: Path) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", folder.name)]
