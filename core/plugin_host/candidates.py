"""The plugins that there are, and which of them may be loaded: what the person chose, granted and trusts decides.

None of them is imported for that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from treadle.core.plugin_host import finding, one_name
from treadle.core.plugin_host.finding import Found, built_in, shown_origin
from treadle.core.plugin_host.loading import Workshop
from treadle.core.plugin_host.names import is_plain, shown, why_not
from treadle.core.plugin_host.state import PluginStates
from treadle.core.plugin_host.trusted_copy import TrustedCopy
from treadle.core.records import Record

PluginState = Literal["enabled", "disabled", "untrusted", "faulty", "missing", "incompatible"]


class Candidate(Record, frozen=True, kw_only=True):
    """A found plugin and whether it may be loaded: only what is "enabled". `why` says who switched it off, or what is
    wrong with it. `unmet`: the project asks for another version of it, which takes nothing out. `pushed_out`: the one
    that has its name is another."""

    found: Found
    state: PluginState
    why: str = ""
    unmet: str = ""
    pushed_out: bool = False


class Candidates:
    """Those that a project has: the built-ins, in order, and the third-party ones, by name."""

    def __init__(
        self,
        states: PluginStates,
        shipped: tuple[tuple[str, str], ...],
        on_request: tuple[tuple[str, str], ...],
        workshop: Workshop | None,
        trusted: TrustedCopy | None,
        developed: tuple[Found, ...],
    ) -> None:
        """The arguments as in `PluginManager`; `developed` take the place of what is installed."""
        self._states = states
        self._workshop = workshop
        self._trusted = trusted
        self._developed = developed
        built_ins = (
            *(built_in(name, module, on_request=True) for name, module in on_request),
            *(built_in(name, module) for name, module in shipped),
        )
        self._built_in_names = {found.name for found in built_ins}
        self.built_ins = tuple(map(self._consider, built_ins))

    def third_party_enabled(self) -> list[Candidate]:
        """Those that the person, or trust in the project, switches on, with those that are missing. Looking through the
        installed distributions takes time, so it is left out when no plugin could come of it."""
        own = finding.of_project(self._states.project, self._trusted)
        wanted = {*self._states.enabled_names(), *self._states.required(), *own} - self._built_in_names
        return self.third_party(only=wanted) if wanted else []

    def third_party(self, only: Iterable[str] | None = None) -> list[Candidate]:
        """All of them, or those of some names; what was named and is not there is "missing"."""
        names = None if only is None else frozenset(only)
        by_name = self._installed()
        candidates = []
        for name, founds in finding.of_project(self._states.project, self._trusted).items():
            # It came with a clone: it must not take the place of what the person installed, nor switch that off.
            if any(found.in_development for found in by_name.get(name, ())):
                continue
            if name in by_name:
                candidates += [_pushed_out(found, by_name[name]) for found in founds if names is None or name in names]
            else:
                by_name[name] = founds
        for name, founds in sorted(by_name.items()):
            if names is None or name in names:
                candidates.append(self._one_of(name, founds))
        required = filter(self._states.wants, self._states.required())
        named = {*self._states.enabled_names(), *required} - self._built_in_names - by_name.keys()
        return candidates + [_missing(name, self._states) for name in sorted(named)]

    def named(self, name: str) -> Candidate | None:
        """The third-party plugin that has this name; None for a built-in's, which no other can take."""
        found = () if name in self._built_in_names else self.third_party(only=(name,))
        return next((each for each in found if each.state != "missing" and not each.pushed_out), None)

    def untrusted(self, found: Found) -> str:
        """Why a project's own plugin is not run, empty for one that may be."""
        if not found.of_project or self._trusted:
            return ""
        return f"it lies in the project, in {found.source}: read it, then `treadle plugin trust`"

    def _installed(self) -> dict[str, list[Found]]:
        by_name = finding.third_party(self._workshop.index_file if self._workshop else None)
        apart = finding.installed_apart(self._workshop.environments) if self._workshop else {}
        for name, founds in apart.items():
            by_name.setdefault(name, []).extend(founds)
        by_name.update({found.name: [found] for found in self._developed})
        return by_name

    def _one_of(self, name: str, founds: list[Found]) -> Candidate:
        is_treadles = name in self._built_in_names
        if len(founds) == 1 and not is_treadles:
            return self._consider(founds[0])
        return Candidate(found=founds[0], state="faulty", why=one_name.told(founds, with_treadle=is_treadles))

    def _consider(self, found: Found) -> Candidate:
        if not is_plain(found.name):
            return Candidate(found=found, state="faulty", why=why_not(found.name))
        comes_on = (found.built_in and not found.on_request) or found.of_project
        choice = self._states.choice(found.name, built_in=comes_on, of_project=found.of_project)
        if not choice.enabled:
            return Candidate(found=found, state="disabled", why=choice.why)
        untrusted = self.untrusted(found) or self._granted_to_another(found)
        if untrusted:
            return Candidate(found=found, state="untrusted", why=untrusted)
        if found.environment and found.environments and (trouble := found.environment.trouble(found.environments)):
            return Candidate(found=found, state="incompatible", why=trouble)
        # What the project asks for came with a clone: if it took a plugin out, it would switch off whoever guards.
        unmet = self._states.unmet(found.name, found.version)
        return Candidate(found=found, state="enabled", why=unmet or choice.why, unmet=unmet)

    def _granted_to_another(self, found: Found) -> str:
        """Why what the person said of this name does not hold for this plugin, empty when it does."""
        if found.built_in or found.in_development:
            return ""
        permit = self._states.permit(found.name, found.origin)
        if permit.origin == found.origin or not (permit.grants_anything or (permit.origin and not found.of_project)):
            return ""
        given = shown_origin(permit.origin)
        return (
            f"what you granted this name was for {given}, and this one is {shown_origin(found.origin)}: "
            f"`treadle plugin enable {found.name}` asks you for this one"
        )


def _pushed_out(found: Found, by: list[Found]) -> Candidate:
    why = f"a plugin of this name comes from {by[0].source}, and stays; rename or delete {found.source}"
    return Candidate(found=found, state="faulty", why=why, pushed_out=True)


def _missing(name: str, states: PluginStates) -> Candidate:
    required = states.required().get(name)
    who = f"enabled {states.choice(name, built_in=False).why}"
    if required:
        who = f"the project requires {shown(name)} {shown(required)}"
    found = Found(name=name, version="", source="", entry="")
    return Candidate(found=found, state="missing", why=f"{who}, and it is not installed here")
