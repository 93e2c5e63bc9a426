"""The program that runs Node's tests in the sandbox: its modules as one self-contained Python script."""

from __future__ import annotations

import functools
import importlib.resources

_PARTS = ("report_readers.py", "test_run.py")
_OWN_IMPORT = f"from {__name__}."
_FUTURE = "from __future__ import annotations\n"


@functools.cache
def runner_script() -> str:
    """The script of a test job. It takes as arguments: the runner's name, the package's folder ("." is the working
    folder), the source of the reporter for `node --test`, and the command to start."""
    folder = importlib.resources.files(__name__)
    texts = [folder.joinpath(part).read_text("utf-8") for part in _PARTS]
    lines = "\n\n".join(texts).replace(_FUTURE, "").splitlines(keepends=True)
    return _FUTURE + "".join(line for line in lines if not line.startswith(_OWN_IMPORT))


@functools.cache
def reporter_source() -> str:
    """The reporter for `node --test`: it writes each test's end as a line of JSON."""
    return importlib.resources.files(__name__).joinpath("reporter.mjs").read_text("utf-8")
