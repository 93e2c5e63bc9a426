"""What is said and done about a patch of which only a part is in the files: its apply, or undo, was cut off."""

from __future__ import annotations

from collections.abc import Callable

from treadle.core.acceptance import cut_off
from treadle.core.counting import counted
from treadle.core.patches.cut_off import CutOff, all_cut_off
from treadle.core.paths import shown
from treadle.core.project import Project
from treadle.tui.commands.options import show_notice


def tell_of_half_applied(project: Project) -> dict[str, CutOff]:
    """Say it, in a line for each session, and touch nothing; the answer is those by their sessions' ids."""
    found = cut_off(project.store, project.places)
    for each in found:
        if each.changed:
            way = f"{_some(each.changed)} changed since: `treadle undo {each.session} --force` leaves that as it is"
            way += " and takes back the rest"
        else:
            way = f"`treadle undo {each.session}` takes that back"
        show_notice(f"{_what(each)} was cut off: {each.written} of {each.total} files are as it makes them; {way}")
    return {each.session: each for each in found}


def settle_half_applied(project: Project, tell: Callable[[str], None] = show_notice) -> None:
    """Bring each to its end, and tell so, before anybody works on these files. Raises `PatchConflict` where somebody
    has changed one of them since."""
    if not any(all_cut_off(project.places.sessions)):
        return  # without opening the log, which a new project does not have yet
    for each in cut_off(project.store, project.places):
        state = project.acceptance(each.session).settle()
        if state == "applied":
            came = f"all its files were written, so it stands; `treadle undo {each.session}` takes it back"
        else:
            written = counted(each.written, "file")
            came = f"what was written of it ({written}) is taken back, the files are as they were before"
        tell(f"{_what(each)} was cut off: {came}")


def _what(each: CutOff) -> str:
    return f"{'taking back' if each.undoing else 'applying'} the patch of session {each.session}"


def _some(names: tuple[str, ...]) -> str:
    return shown(names[0]) if len(names) == 1 else f"{shown(names[0])} and {len(names) - 1} more"
