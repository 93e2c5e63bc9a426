"""`treadle plugin install|update|remove`: plugins in environments of their own."""

from __future__ import annotations

import click

from treadle.core.config.settings import plugin_name
from treadle.core.counting import called
from treadle.core.errors import InstallError, UsageError
from treadle.core.installers.choosing import Program
from treadle.core.installers.source import Source, source_of
from treadle.core.plugin_host.installed import Installed
from treadle.core.plugin_host.installing import Installing
from treadle.core.project import Project
from treadle.tui.commands.options import open_project
from treadle.tui.confirmation import confirmed
from treadle.tui.exit_codes import ExitCode
from treadle.tui.fitting import tell
from treadle.tui.safe_text import clean, clean_line

_WITH = click.option("--with", "program", type=click.Choice(["uv", "pip"]), help="What installs it, for once.")


@click.command()
@click.argument("source", metavar="NAME|PATH|GIT-ADDRESS")
@click.option("--allow-build", is_flag=True, help="Build what is there as source only; that runs its authors' code.")
@click.option("--yes", is_flag=True, help="Let code run that builds it, without a question.")
@_WITH
def install(source: str, allow_build: bool, yes: bool, program: Program | None) -> int:
    """Install a plugin into an environment of its own.

    NAME is a package of the package index, with versions if you like ('acme>=1,<2'); PATH is a folder or a wheel, and
    holds a `/`. uv does the work where there is one, or else pip, and where packages come from is what its settings say
    (the setting installer chooses for good). What comes from the index is taken as wheels only, so that no code
    of it runs; a folder and a git repository must be built, and you are asked first. The plugin is off until you enable
    it.
    """
    with open_project() as project:
        wanted = source_of(source)
        if not _may_be_built(wanted, allow_build, yes):
            return ExitCode.REFUSED
        installing = _installing(project, program)
        tell(f"Installing {clean_line(str(wanted))} with {installing.installer().name} ...")
        entry = installing.install(wanted, allow_build=allow_build)
        names = ", ".join(entry.plugins)
        what = f"{entry.distribution} {entry.version}"
        tell(clean_line(f"Installed {what}: the {called(len(entry.plugins), 'plugin')} {names}."))
        for name in entry.plugins:
            tell(clean_line(f"Switch it on with `treadle plugin enable {name}`."))
    return 0


@click.command()
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Let code run that builds it, without a question.")
@_WITH
def update(name: str | None, yes: bool, program: Program | None) -> int:
    """Install NAME, or all that was installed, anew from the same source, in its newest version.

    When that fails, what was installed stays. When the new version needs more than you granted, it is left out until
    you enable it again. What installed it before does so again, unless you choose otherwise.
    """
    failed = False
    with open_project() as project:
        installing = _installing(project, program)
        entries = (installing.named(name),) if name else installing.all()
        if not entries:
            tell("No plugin was installed; `treadle plugin install` does that.")
        for entry in entries:
            if not _may_be_built(entry.source, entry.allow_build, yes):
                failed = True
                continue
            try:
                _update(installing, entry)
            except InstallError as error:
                failed = True
                tell(f"treadle: {clean(str(error))}", err=True)
                tell(clean_line(f"{entry.distribution} {entry.version} stays as it is."), err=True)
    return ExitCode.NOT_SOLVED if failed else ExitCode.OK


def _update(installing: Installing, entry: Installed) -> None:
    done = installing.update(entry)
    if done.was_gone:
        tell(clean_line(f"The environment of {entry.distribution} was not there any more."))
    if done.was_changed:
        tell(clean_line(f"The files of {entry.distribution} had been changed since they were installed."))
    if not done.changes:
        same = f"{entry.distribution} {entry.version}: no other version"
        if done.before.commit != done.after.commit:
            same = f"{entry.distribution} {entry.version}, now at commit {done.after.commit}"
        elif done.before.source_digest != done.after.source_digest:
            same = f"{entry.distribution} {entry.version}, now with other content"
        tell(clean_line(f"{same}; it is installed anew."))
    for line in done.changes:
        tell(clean_line(line))
    _tell_if_used(done.before, done.is_used)
    for name in done.after.plugins.keys() - done.before.plugins.keys():
        tell(clean_line(f"It brings a plugin {name}, which `treadle plugin enable {name}` switches on."))
    for name in done.before.plugins.keys() - done.after.plugins.keys():
        tell(clean_line(f"It has no plugin {name} any more."))


@click.command()
@click.argument("name")
@click.option("--data", is_flag=True, help="Delete what its plugins keep for your projects as well.")
def remove(name: str, data: bool) -> int:
    """Delete the plugin NAME that `treadle plugin install` made an environment for, with all plugins of its package.

    They are switched off in every project, and what you granted them is forgotten. What they keep for your projects
    stays, for when you install them again, unless you say --data. For a plugin that is gone, what you
    had chosen for its name is, and with --data what it kept is deleted.
    """
    with open_project() as project:
        installing = Installing(project.places)
        try:
            entry = installing.named(name)
        except UsageError:
            if plugin_name(name) in project.plugins_unloaded.names():
                raise
            is_forgotten = installing.forget(name)
            deleted = installing.remove_data(name) if data else ()
            if not (is_forgotten or deleted):
                raise
            if is_forgotten:
                tell(clean_line(f"{name} was gone already; what you had chosen for it is forgotten, in all projects."))
            if deleted:
                tell(clean_line(f"{name} was gone already; what it kept for your projects is deleted."))
            return ExitCode.OK
        removal = installing.remove(entry, data=data)
        tell(clean_line(f"Removed {entry.distribution} {entry.version}: {', '.join(entry.plugins)}."))
        _tell_if_used(entry, removal.is_used)
        if removal.kept:
            tell("What it keeps for your projects stays, for when you install it again; delete it if you won't:")
            for folder in removal.kept:
                tell(clean_line(f"  {folder}"))
    return 0


def _tell_if_used(entry: Installed, is_used: bool) -> None:
    if is_used:
        tell(
            clean_line(
                f"A program at work goes on with {entry.distribution} {entry.version}, which is deleted when it ends."
            )
        )


def _installing(project: Project, program: Program | None) -> Installing:
    return Installing(project.places, program or project.settings.installer)


def _may_be_built(source: Source, allow_build: bool, yes: bool) -> bool:
    """Whether the person lets code run; where none runs, there is nothing to ask."""
    if not source.is_built and not allow_build:
        return True
    what = clean_line(str(source)) + (", and what it depends on," if allow_build else "")
    tell(f"To install {what} its build code runs on this machine, with all that you can do yourself.")
    return yes or confirmed("Go on?", instead="say --yes, or run it in a terminal")
