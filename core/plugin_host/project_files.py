"""What a project consists of that lies elsewhere: what the links right in it lead to, and the Python that runs it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from treadle.core import interpreter, site_paths
from treadle.core.errors import InterpreterError
from treadle.core.plugin_host.links import links_in
from treadle.core.plugin_host.start_files import home
from treadle.sandbox.interpreter import is_never_whole


def parts(project: Path, python: str | None, env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Paths, and what each is; some more than once. `python` is the interpreter that was asked for, as of
    `interpreter.find`."""
    around = [str(folder) for folder in (project, home()) if folder is not None]
    for link in links_in(project):
        # What holds the project itself, or all that is the person's, does not belong to the project by a link.
        if not any(Path(folder).is_relative_to(os.path.realpath(link)) for folder in around):
            yield link, "which a link in this project leads to"
    try:
        found = interpreter.find(project, asked=python, env=env)
    except (InterpreterError, OSError, ValueError):
        return  # no job is run with it
    what = "the Python that this project is run with"
    for prefix in dict.fromkeys((found.prefix, found.base_prefix)):
        if not is_never_whole(prefix):
            yield prefix, what
    sites = map(Path, found.site_paths)
    named = map(str, site_paths.named_places(sites))
    yield from ((path, what) for path in (found.path, *found.read_paths, *found.site_paths, *found.left_out, *named))
