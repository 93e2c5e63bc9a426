"""A small file that only saves work: whole or not at all, and no harm when it can't be written."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path


def replace(file: Path, content: bytes) -> None:
    """Put the content in the place of what was there."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.name}.")
        with os.fdopen(handle, "wb") as written:
            written.write(content)
        Path(name).replace(file)
