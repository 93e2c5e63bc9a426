"""What acts for whoever uses git in a project: the folders of its repositories, and what links in these lead to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from treadle.core.plugin_host.links import links_in
from treadle.core.tree.git_files import named_in


def parts(project: Path) -> Iterator[tuple[str, str]]:
    """Paths, and what each is, of the repositories around the project. Not of the nearest alone: git passes over one
    that is no repository, which anybody can make. One may lie elsewhere than in its `.git`, as that of a worktree."""
    what = "of this project's repository"
    for top in (project, *project.parents):
        if os.path.lexists(top / ".git"):
            own = named_in(top / ".git", b"gitdir:") or top / ".git"
            common = named_in(own / "commondir")
            for folder in (top / ".git", own, *filter(None, (common,))):
                yield str(folder), what
                for inside in (folder, folder / "hooks", folder / "info"):
                    yield from ((link, what) for link in links_in(inside))
    own_folder = project / ".treadle"
    yield str(own_folder), "where this project keeps what Treadle reads"
    yield from ((link, "a link of this project's .treadle") for link in links_in(own_folder))
