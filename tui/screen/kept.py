"""What somebody had written on the screen when it was ended: kept in files, where they find it again."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path


def keep(folder: Path, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Write each of the texts into a file of its own, in a new folder below that one that nobody else reads; the files.
    Their names remind of those of the texts. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    below = Path(tempfile.mkdtemp(prefix="unsaved-", dir=folder))
    kept = []
    for number, (name, text) in enumerate(texts.items(), 1):
        file = below / f"{number}-{re.sub('[^A-Za-z0-9._-]+', '-', name)[-100:]}"
        file.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        kept.append(file)
    return tuple(kept)
