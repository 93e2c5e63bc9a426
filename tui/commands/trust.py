"""`treadle trust`: let exactly this content of the project's own settings loosen what only you may loosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from treadle.core.config.layers import project_content
from treadle.core.config.settings import Settings
from treadle.core.config.trust import Content, Trust
from treadle.core.plugin_host.finding import names_in, project_origin, shown_origin
from treadle.core.plugin_host.names import shown
from treadle.core.plugin_host.needs import OWN
from treadle.core.project import Project
from treadle.tui.commands.options import open_project, show_notice
from treadle.tui.confirmation import confirmed
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean_line


@click.command()
@click.option("--revoke", is_flag=True, help="Trust it no longer.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def trust(revoke: bool, yes: bool) -> int:
    """Trust the settings and plugins that this project brings, as they are now.

    A project can only tighten what you have set. Once trusted, exactly this content may also loosen it; when the
    content changes, the trust ends.
    """
    with open_project() as project:
        kept = Trust(project.places.trust)
        if revoke:
            gone = kept.revoke(project.root)
            tell("It is trusted no longer." if gone else "It was not trusted.")
            return 0
        content = project_content(project.root)
        for left_out in project.left_out_files():
            show_notice(left_out)
        if not content.hash:
            tell("This project brings no settings and no plugins: there is nothing to trust.")
            return 0
        standing = kept.state(project.root, content.hash)
        if standing == "trusted":
            tell(f"It is trusted, as it is now: {_listed(content.covers)}.")
            _show(_rights(content, project))
            return 0
        if standing == "changed":
            tell(f"You trusted it when it was other content: {_listed(kept.covers(project.root))}.")
        tell("This would be trusted, as it is now:")
        for item in content.covers:
            tell(f"  {clean_line(item)}")
        _show(_rights(content, project))
        loosening = tuple(_loosening(project.settings))
        if loosening:
            tell("These settings of it do not count now, and would count then:")
            for line in loosening:
                tell(f"  {clean_line(line)}")
        if not yes and not confirmed("Trust it?", instead="say --yes, or run it in a terminal"):
            return 1
        kept.grant(project.root, content)
        tell("Trusted. `treadle trust --revoke` takes it back.")
    return 0


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        tell(f"  {clean_line(line)}")


def _rights(content: Content, project: Project) -> Iterator[str]:
    """A line for each plugin of the project: where it would run, with what it was granted, or why it can't."""
    states, never = project.plugin_states, project.plugins_unloaded.unusable_of_project()
    origin = project_origin(content.plugins_hash)
    for name in dict.fromkeys(names_in(content)):
        if name in never:
            yield f"the plugin {shown(name)} can't run: {never[name]}"
            continue
        choice = states.choice(name, built_in=True)  # like those it is on once it is trusted
        permit = states.permit(name, origin)
        holds = permit.origin == origin
        may = (
            "do whatever you can do yourself" if permit.inside else "; ".join((*OWN, *permit.needs.lines(permit.real)))
        )
        if not choice.enabled:
            yield f"the plugin {name} stays off, {choice.why}; `treadle plugin enable {name}` switches it on"
        elif not holds and permit.grants_anything:
            yield (
                f"the plugin {name} is left out: what you granted it ({may}) was for {shown_origin(permit.origin)}; "
                f"`treadle plugin enable {name}` asks you for this one"
            )
        elif permit.inside:
            yield f"the plugin {name} runs inside of Treadle, and may {may}"
        else:
            yield f"the plugin {name} runs in a process of its own, and may {may if holds else '; '.join(OWN)}"


def _listed(names: tuple[str, ...]) -> str:
    return clean_line(", ".join(names))


def _loosening(settings: Settings) -> Iterator[str]:
    """A line for each value that only trust would let in, and what it would take the place of."""
    now = {key: value for key, value, _ in settings.explain()}
    for left_out in settings.ignored:
        instead = f" (now {now[left_out.key]!r})" if left_out.key in now else ""
        yield f"{left_out.key} = {left_out.value!r}{instead}"
