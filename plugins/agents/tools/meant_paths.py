"""Which file of the project a call names: small models leave folders out, or write where the project lies before them.

What is answered still goes through the rules for names: it is no more than another way to write one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from treadle.core.errors import ReplyError
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.hidden import refuse_hidden
from treadle.plugins.agents.meant_files import MeantFiles, in_project, only_namesake

_FROM_A_ROOT = re.compile(r"/|\w:\\")


def file_meant(draft: Draft, name: str, likely: Sequence[str], text: str | None = None) -> str:
    """The file that is looked at or edited by a name, or is to hold a `text`: of that name, where there is one or it is
    `likely` to be made; else the only one of that last name, for a text as `MeantFiles` has it."""
    path = in_project(draft, name)
    if text is not None:
        return MeantFiles(draft, likely).called(path, text) if _may_be_meant(draft, path) else path
    return only_namesake(draft, path) or path if path not in likely and _may_be_meant(draft, path) else path


def _may_be_meant(draft: Draft, path: str) -> bool:
    """Whether nothing but its folder is wrong with the name of a file that is not there."""
    try:
        refuse_hidden(path.replace("\\", "/").lstrip("/"))
        return bool(_FROM_A_ROOT.match(path)) or not draft.exists(path)
    except ReplyError:
        return False
