"""What somebody had written on the screen and saved nowhere when that went: kept in files, where they find it again."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from treadle.core.errors import TreadleError
from treadle.core.paths import encode
from treadle.core.places import Places, is_plain_folder, make_private
from treadle.core.tree.remove_tree import remove_tree
from treadle.tui.widgets.unsaved import Texts

_TOLD = ".told"
"""A file that lies beside what a person was told of at a start."""


def keep(root: Path, texts: Texts) -> tuple[Path, ...]:
    """Write each of the texts into a file of its own, in a new folder that nobody else reads; the files. It lies in the
    state of the project at `root`, which is not opened for that, and where that can't be written among the system's
    temporary files. Raises `OSError` where nothing can be written there either."""
    if not texts:
        return ()
    try:
        folder = Places.find(root).unsaved
        make_private(folder)
        return _written(folder, texts)
    except (OSError, TreadleError):
        return _written(Path(tempfile.gettempdir()), texts)


def tell_of_kept(root: Path, before: float, tell: Callable[[str], None]) -> None:
    """Tell what was kept in the state of the project at `root` before that time, in seconds as of `time.time`, and
    nobody was told of at a start yet: who lost their terminal has not read it at the end. It is told once."""
    try:
        new = [each for each in sorted(Places.find(root).unsaved.iterdir()) if _is_untold(each, before)]
        names = ", ".join(sorted(file.name for each in new for file in each.iterdir())) if len(new) == 1 else ""
    except (OSError, TreadleError):  # there is none, or it is told at another start
        return
    if not new:
        return
    where = f"{encode(new[0])}: {names}" if names else f"{len(new)} folders of {encode(new[0].parent)}"
    tell(f"Something that you had written and not saved is kept in {where}")
    for each in new:
        with contextlib.suppress(OSError):  # it is told once more
            (each / _TOLD).touch()


def _is_untold(folder: Path, before: float) -> bool:
    return is_plain_folder(folder) and folder.stat().st_mtime < before and not (folder / _TOLD).exists()


def _written(folder: Path, texts: Texts) -> tuple[Path, ...]:
    below = Path(tempfile.mkdtemp(prefix="treadle-unsaved-", dir=folder))
    kept = []
    try:
        for number, (name, text) in enumerate(texts, 1):
            kept.append(below / f"{number}-{re.sub('[^A-Za-z0-9._-]+', '-', name)[-100:]}")
            kept[-1].write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    except OSError:
        with contextlib.suppress(OSError):
            remove_tree(folder, below.name)  # a part of it would be taken for all
        raise
    return tuple(kept)
