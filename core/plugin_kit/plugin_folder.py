"""What plugins a folder holds, by its pyproject.toml, or which one a file is: read without running any of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import treadle
from treadle.core.config import toml_files
from treadle.core.config.settings import plugin_name
from treadle.core.errors import ConfigError, UsageError
from treadle.core.plugin_host import finding
from treadle.core.plugin_host.finding import Found
from treadle.core.plugin_host.index import GROUP
from treadle.core.plugin_host.names import is_plain, shown, why_not
from treadle.core.plugin_kit.new_plugin import BUILT_IN_NAMES, version_bound
from treadle.core.plugin_worker import boot
from treadle.core.versions import NoVersion, is_among, requirement_of

if TYPE_CHECKING:
    from packaging.requirements import Requirement


class Held(msgspec.Struct, kw_only=True):
    """The plugins that were found, and what is wrong before any of them is run; `clashes` are with what else is
    installed here."""

    plugins: list[Found] = []
    errors: list[str] = []
    clashes: list[str] = []
    warnings: list[str] = []


def read(path: Path) -> Held:
    """The plugins of a project's folder, or the one that a Python file is. Raises `UsageError` for what is neither."""
    path = path.resolve()
    if path.is_file() and path.suffix == ".py":
        name = plugin_name(path.stem)
        found = Found(name=name, version="", source=str(path), entry=str(path), place=path, in_development=True)
        return Held(plugins=[found], errors=list(_no_name(name)), clashes=list(_clashes(name, "")))
    file = path / "pyproject.toml"
    if not file.is_file():
        raise UsageError(
            f"{path} is no plugin: name a folder with a pyproject.toml, or a Python file; "
            "`treadle plugin new NAME` writes one"
        )
    try:
        document = toml_files.read(file)
    except ConfigError as error:
        return Held(errors=[str(error)])
    return _of_document(document, path)


def _of_document(document: dict[str, Any], folder: Path) -> Held:
    project = _table(document, "project")
    held = Held()
    _look_at_dependencies(project, held)
    points = _table(project, "entry-points", GROUP)
    if not points:
        held.errors.append(
            f"pyproject.toml: there is no entry point of the group {GROUP!r}; write [project.entry-points.{GROUP}] and "
            'below it `NAME = "MODULE"`'
        )
    seen: set[str] = set()
    for point, entry in points.items():
        name = plugin_name(point)
        if name in seen:
            held.errors.append(f"{name}: two entry points have this name (`-` and `_`, small and large are the same)")
        seen.add(name)
        held.errors += _no_name(name)
        held.clashes += _clashes(name, str(project.get("name", "")))
        place = _place_of(str(entry), folder, document)
        if place is None:
            top = boot.top_name(str(entry))
            held.errors.append(
                f"{name}: the entry point names the module {top!r}, which is not here: in src/, beside it, or "
                "installed from here"
            )
            continue
        version = str(project.get("version", ""))
        held.plugins.append(
            Found(name=name, version=version, source=str(folder), entry=str(entry), place=place, in_development=True)
        )
    return held


def _table(document: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        inner = document.get(name)
        document = inner if isinstance(inner, dict) else {}
    return document


def _place_of(entry: str, folder: Path, document: dict[str, Any]) -> Path | None:
    top = boot.top_name(entry)
    where = _table(document, "tool", "setuptools", "packages", "find").get("where", [])
    roots = [*(where if isinstance(where, list) else []), "src", "."]
    for root in roots:
        base = _resolved(folder, str(root))
        if base is None or not base.is_relative_to(folder):
            continue  # what lies there is not the author's to show
        if top and (base / top).is_dir():
            return base / top
        if top and (base / f"{top}.py").is_file():
            return base / f"{top}.py"
    # Laid out in another way, and installed from there.
    place = boot.place_of(entry)
    if place is None or not place.parent.resolve().is_relative_to(folder):
        return None
    return place.parent.resolve() / place.name


def _resolved(folder: Path, root: str) -> Path | None:
    """None for what is no path, or links that go round in a circle."""
    try:
        return (folder / root).resolve()
    except (OSError, ValueError, RuntimeError):
        return None


def _look_at_dependencies(project: dict[str, Any], held: Held) -> None:
    """What it says about the versions of Treadle that it works with."""
    wanted: list[Requirement] = []
    dependencies = project.get("dependencies", [])
    for text in dependencies if isinstance(dependencies, list) else []:
        try:
            wanted.append(requirement_of(str(text)))
        except NoVersion as error:
            held.errors.append(f"pyproject.toml: {shown(str(text))!r} is no dependency: {error}")
    advice = f'write "treadle{version_bound(treadle.__version__)}" in its dependencies'
    ours = [each for each in wanted if each.name.lower() == "treadle"]
    if not ours:
        held.warnings.append(f"pyproject.toml: it does not say which versions of Treadle it works with; {advice}")
    for each in ours:
        if not any(bound.operator in ("<", "<=", "==", "~=", "===") for bound in each.specifier):
            held.warnings.append(f"pyproject.toml: {str(each)!r} lets in every later Treadle; {advice}")
        if not is_among(treadle.__version__, str(each.specifier)):
            held.warnings.append(f"pyproject.toml: {str(each)!r} leaves out this Treadle, {treadle.__version__}")


def _no_name(name: str) -> Iterator[str]:
    if not is_plain(name):
        yield why_not(name)
    if name in BUILT_IN_NAMES:
        yield f"{name}: Treadle itself has a plugin of this name; take another"


def _clashes(name: str, distribution: str) -> Iterator[str]:
    """Plugins of this name in other distributions that are installed here."""
    for other in finding.third_party(None).get(name, []):
        if _same(other.source.rpartition(" ")[0]) != _same(distribution):
            yield f"{name}: {other.source}, which is installed here, has a plugin of this name; take another"


def _same(distribution: str) -> str:
    return distribution.lower().replace("_", "-").replace(".", "-")
