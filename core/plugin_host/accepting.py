"""Whether what lies in a new environment can be taken as plugins: what it brings, and under which names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from treadle.core.config.settings import plugin_name
from treadle.core.errors import InstallError
from treadle.core.plugin_host.environment import Made
from treadle.core.plugin_host.index import GROUP
from treadle.core.plugin_host.installed import Installed
from treadle.core.plugin_host.names import is_plain, why_not
from treadle.core.plugin_worker import boot


def accepted(
    made: Made, entries: Mapping[str, Installed], taken: Mapping[str, str], instead_of: Installed | None
) -> dict[str, str]:
    """The entry points by the one spelling of their names. `entries` is what is installed, `taken` where the plugins of
    other names come from, `instead_of` what this is an update of. Raises `InstallError` when they can't be taken."""
    what = f"{made.distribution} {made.version}"
    if instead_of is None:
        refuse_second(made.distribution, entries)
    elif made.distribution != instead_of.distribution:
        raise InstallError(f"the source of {instead_of.distribution} is now {what}: remove the one, install the other")
    if not made.plugins:
        raise InstallError(f"{what} is no plugin of Treadle: it has no entry point in the group {GROUP!r}")
    others = {
        name: f"{entry.distribution} {entry.version}"
        for entry in entries.values()
        if entry.distribution != made.distribution
        for name in entry.plugins
    }
    plugins: dict[str, str] = {}
    for name, value in made.plugins.items():
        spelt = plugin_name(name)
        if not is_plain(spelt):
            raise InstallError(f"{what} brings a plugin that can't be one: {why_not(name)}")
        elsewhere = taken.get(spelt) or others.get(spelt) or ("itself, a second time" if spelt in plugins else "")
        if elsewhere:
            raise InstallError(f"{what} brings a plugin {spelt!r}, and one of that name comes from {elsewhere}")
        plugins[spelt] = value
    return plugins


def refuse_second(distribution: str, entries: Mapping[str, Installed]) -> None:
    """Raises `InstallError` when this distribution is installed already."""
    if distribution in entries:
        version = entries[distribution].version
        raise InstallError(
            f"{distribution} {version} is installed already; `treadle plugin update {distribution}` "
            f"looks for a newer one, `treadle plugin remove {distribution}` makes room for another source"
        )


def place_of(name: str, value: str, made: Made) -> Path:
    """Where the package or module of a plugin lies. Raises `InstallError` when it is not there."""
    place = boot.place_of(value, made.site)
    if place is None or not place.is_relative_to(made.site):
        raise InstallError(
            f"{made.distribution} {made.version} says that its plugin {name!r} is {value!r}, and brings no such module"
        )
    return place
