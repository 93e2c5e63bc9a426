"""`treadle trust`: let exactly this content of the project's own settings loosen what only you may loosen."""

from __future__ import annotations

import click

from treadle.core.config import project_content
from treadle.core.trust import Trust
from treadle.tui.commands.options import open_project
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
            click.echo("It is trusted no longer." if gone else "It was not trusted.")
            return 0
        content = project_content(project.root)
        if not content.hash:
            click.echo("This project brings no settings and no plugins: there is nothing to trust.")
            return 0
        click.echo("This would be trusted, as it is now:")
        for item in content.covers:
            click.echo(f"  {clean_line(item)}")
        if not yes and not click.confirm("Trust it?", default=False):
            return 1
        kept.grant(project.root, content)
        click.echo("Trusted. `treadle trust --revoke` takes it back.")
    return 0
