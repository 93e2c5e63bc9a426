"""Which plugins there are, found without importing any of them."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path, PurePosixPath

import msgspec

import treadle
from treadle.core import paths
from treadle.core.config.settings import plugin_name
from treadle.core.config.trust import MOST_PLUGIN_FILES, PROJECT_PLUGINS, Content, plugin_trouble
from treadle.core.errors import PluginError
from treadle.core.plugin_host import index, installed
from treadle.core.plugin_host.installed import Installed
from treadle.core.plugin_host.trusted_copy import TrustedCopy
from treadle.core.plugin_worker import entry

_PLAIN = re.compile(r"[A-Za-z0-9._-]{1,100}")  # names of distributions, as almost all are


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin that could be loaded. `entry` is `module` or `module:attribute`, or the absolute path of a project's
    file; `interpreter` is who can import that in another process, and `place` where its own top package or module lies,
    if that is known. `in_development`: it is its author's folder that counts, and how the files are now, whatever is
    installed. `environment` is what it was installed as, in the folder `environments`, if it has one of its
    own. `origin` is whom a grant is given to: `distribution NAME`, `environment NAME` or `project HASH`. `beside` are
    the packages and modules that its distribution says are its own."""

    name: str
    version: str
    source: str
    entry: str
    built_in: bool = False
    on_request: bool = False
    of_project: bool = False
    in_development: bool = False
    interpreter: str = sys.executable
    place: Path | None = None
    beside: tuple[Path, ...] = ()
    origin: str = ""
    environment: Installed | None = None
    environments: Path | None = None

    @property
    def keeps_in(self) -> str:
        """The name of the folder of its own (`Places.plugin_folder`): that of a built-in, which no other can take, else
        with whom it comes from, so that one that takes the name later does not find what was kept for another."""
        if self.built_in:
            return self.name
        if self.in_development:
            return kept_in(self.name, f"development {self.source}")
        return kept_in(self.name, "project" if self.of_project else self.origin)

    @property
    def is_among_plugins(self) -> bool:
        """Whether it lies where a project keeps plugins of its own, which may share modules."""
        return self.place is not None and self.place.parent.parts[-2:] == PROJECT_PLUGINS.parts

    def load(self) -> object:
        """Import it into this process. Raises whatever that raises, and `PluginError` for one that has an environment
        of its own: what that holds would get in the way of Treadle's."""
        if self.environment is not None:
            raise PluginError(
                "it has an environment of its own, so it can't run inside of Treadle; "
                f"`treadle plugin enable {self.name}` lets it run apart"
            )
        return entry.load(self.entry)


def built_in(name: str, module: str, *, on_request: bool = False) -> Found:
    """One of the plugins that ship with Treadle; `on_request`: it is off until the person enables it."""
    return Found(
        name=name,
        version=treadle.__version__,
        source="built-in",
        entry=module,
        built_in=True,
        on_request=on_request,
    )


def third_party(index_file: Path | None) -> dict[str, list[Found]]:
    """Those of this environment's distributions, by name; more than one of a name is a fault for others to tell.
    `index_file` as in `index.points`."""
    by_name: dict[str, list[Found]] = {}
    for point in index.points(index_file):
        source = f"{point.distribution} {point.version}" if point.distribution else "an unknown package"
        found = Found(
            name=plugin_name(point.name),
            version=point.version,
            source=source,
            entry=point.value,
            place=Path(point.place) if point.place else None,
            beside=tuple(map(Path, point.beside)),
            origin=f"distribution {point.distribution}",
        )
        by_name.setdefault(found.name, []).append(found)
    return by_name


def installed_apart(environments: Path) -> dict[str, list[Found]]:
    """Those that have an environment of their own, by name. Raises `ConfigError` for an index that can't be read."""
    by_name: dict[str, list[Found]] = {}
    for package in installed.read(environments).values():
        for name, value in package.plugins.items():
            found = Found(
                name=name,
                version=package.version,
                source=f"{package.distribution} {package.version}, in an environment of its own",
                entry=value,
                interpreter=str(package.interpreter(environments)),
                place=environments / package.folder / package.places[name],
                origin=package.origin,
                environment=package,
                environments=environments,
            )
            by_name.setdefault(name, []).append(found)
    return by_name


def of_project(project: Path, trusted: TrustedCopy | None = None) -> dict[str, list[Found]]:
    """The plugins that lie in the project itself: the files of `.treadle/plugins` whose names do not begin with `_`; or
    those of the copy that was made of them when they were trusted."""
    by_name: dict[str, list[Found]] = {}
    root = trusted.folder if trusted else project
    files = sorted((trusted.folder if trusted else project / PROJECT_PLUGINS).glob("[!_.]*.py"))
    for file in files[:MOST_PLUGIN_FILES]:
        if plugin_trouble(file, root):
            continue  # `Content.left_out` tells of it
        found = Found(
            name=plugin_name(file.stem),
            version="",
            source=str(PROJECT_PLUGINS / file.name),
            entry=str(file),
            place=file,
            of_project=True,
            origin=project_origin(trusted.hash) if trusted else "",
        )
        by_name.setdefault(found.name, []).append(found)
    return by_name


def names_in(content: Content) -> tuple[str, ...]:
    """The names of the plugins that a project's content holds."""
    files = (PurePosixPath(name) for name in content.plugins)
    tops = (file for file in files if file.parent == PurePosixPath(PROJECT_PLUGINS) and file.suffix == ".py")
    return tuple(plugin_name(paths.decode(file.stem)) for file in tops if not file.name.startswith(("_", ".")))


def kept_in(name: str, origin: str) -> str:
    """The name of the folder of the plugin with this name and `Found.origin`; no name of a plugin holds an `@`."""
    kind, _, whose = origin.partition(" ")
    if whose and not (kind in ("distribution", "environment") and _PLAIN.fullmatch(whose)):
        whose = hashlib.sha256(whose.encode(errors="surrogateescape")).hexdigest()[:16]
    return f"{name}@{kind}-{whose.lower()}" if whose else f"{name}@{kind}"


def shown_origin(origin: str) -> str:
    """The origin of a plugin as a person is told it."""
    kind, _, name = origin.partition(" ")
    match kind:
        case "distribution":
            return f"the distribution {name}"
        case "environment":
            return f"{name}, in an environment of its own"
        case "project":
            return f"a project's own with the content {name[:19]}"
    return "one of which nothing was kept"


def project_origin(plugins_hash: str) -> str:
    """The `Found.origin` of a project's plugins with this `Content.plugins_hash`."""
    return f"project {plugins_hash}"
