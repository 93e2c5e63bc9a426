"""What somebody had written on the screen when it was ended: kept in files, where they find it again."""

from __future__ import annotations

import contextlib
import re
import tempfile
from pathlib import Path

from treadle.core.errors import TreadleError
from treadle.core.places import Places, make_private
from treadle.core.tree.remove_tree import remove_tree
from treadle.tui.widgets.unsaved import Texts


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
