"""Tasks whose right file is known, over packages that a checkout's environment has anyway.

The right file is where the change would have to be made, as its code says, not as the ranking does. Where versions of a
package keep it in different places there are several, and the first that is there counts.
"""

from __future__ import annotations

import shutil
import sysconfig
from dataclasses import dataclass
from pathlib import Path

STANDARD_LIBRARY = "standard library"
_TEXT = frozenset({".py", ".pyi", ".md", ".rst", ".txt", ".toml", ".cfg", ".json"})
_NO_PART = frozenset({"site-packages", "dist-packages", "__pycache__"})


@dataclass(frozen=True)
class Sought:
    """A task, the project that it is for, and the files one of which is the right one."""

    size: str
    project: str
    text: str
    right: tuple[str, ...]


def copied(project: str, folder: Path) -> Path | None:
    """The folder below that one with the project's text files, copied unless they are there; None when it is not
    installed."""
    place = folder / project
    if place.is_dir():
        return place
    packages = project != STANDARD_LIBRARY
    source = Path(sysconfig.get_path("purelib"), project) if packages else Path(sysconfig.get_path("stdlib"))
    if not source.is_dir():
        return None
    for file in source.rglob("*"):
        inner = file.relative_to(source)
        if file.suffix in _TEXT and file.is_file() and _NO_PART.isdisjoint(inner.parts):
            copy = place / project / inner if packages else place / inner
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    return place


TASKS = (
    Sought(
        "small",
        "pluggy",
        "A hook wrapper that raises in its teardown hides the exception of the hook it wraps; keep "
        "the original as its context",
        ("pluggy/_execution.py", "pluggy/_callers.py"),
    ),
    Sought(
        "small",
        "click",
        "When a prompt with confirmation gets two different answers, say that they differ and how many tries are left",
        ("click/termui.py",),
    ),
    Sought(
        "small",
        "structlog",
        "Timestamps of log lines should be able to have milliseconds instead of microseconds",
        ("structlog/processors.py",),
    ),
    Sought(
        "small",
        "platformdirs",
        "On Android the folder for downloads is wrong when the external storage is not mounted",
        ("platformdirs/android.py",),
    ),
    Sought(
        "medium",
        "hypothesis",
        "Shrinking a float like 1e300 never tries the nearest integer",
        ("hypothesis/internal/conjecture/shrinking/floats.py",),
    ),
    Sought(
        "medium",
        "distributed",
        "A worker should stop taking new tasks earlier when its memory runs short: make the "
        "fraction at which it pauses a setting of each worker",
        ("distributed/worker_memory.py",),
    ),
    Sought(
        "medium",
        "dask",
        "Reading a CSV file in blocks breaks a row whose quoted field holds a line break",
        ("dask/dataframe/io/csv.py",),
    ),
    Sought(
        "medium",
        "_pytest",
        "Tests that did not run because of --maxfail are forgotten by --last-failed the next time",
        ("_pytest/cacheprovider.py",),
    ),
    Sought(
        "large",
        STANDARD_LIBRARY,
        "Opening a zip archive with a long comment after its end record fails",
        ("zipfile.py", "zipfile/__init__.py"),
    ),
    Sought(
        "large",
        STANDARD_LIBRARY,
        "A folded e-mail header with two encoded words loses the space between them",
        ("email/_header_value_parser.py",),
    ),
    Sought(
        "large",
        "anthropic",
        "Wait as long as the server's Retry-After says before a request is sent again, also when "
        "that is more than a minute",
        ("anthropic/_base_client.py",),
    ),
    Sought(
        "large",
        "anthropic",
        "When a stream of server-sent events ends in the middle of a line, the last event is dropped without a word",
        ("anthropic/_streaming.py",),
    ),
)
"""Of three sizes: up to some twenty files, up to some hundred, and more than a thousand."""

TASKS_TO_CHOOSE_BY = (
    Sought(
        "", "click", "Shell completion for zsh breaks when a help text contains a colon", ("click/shell_completion.py",)
    ),
    Sought("", "click", "A flag that counts how often it is given should take an upper bound", ("click/core.py",)),
    Sought(
        "",
        "structlog",
        "A value bound to the logger in one coroutine leaks into another",
        ("structlog/contextvars.py",),
    ),
    Sought("", "pluggy", "Registering the same plugin twice under different names must fail", ("pluggy/_manager.py",)),
    Sought(
        "",
        "_pytest",
        "approx compares arrays of integers wrong when the tolerance is nan",
        ("_pytest/approx.py", "_pytest/python_api.py"),
    ),
    Sought(
        "",
        "_pytest",
        "Capturing output at the level of file descriptors leaves a temporary file open",
        ("_pytest/capture.py",),
    ),
    Sought("", "_pytest", "The JUnit report puts a wrong time for tests whose setup is slow", ("_pytest/junitxml.py",)),
    Sought(
        "", "hypothesis", "Generated domain names can be longer than 255 characters", ("hypothesis/provisional.py",)
    ),
    Sought(
        "", "hypothesis", "The example database fails when its directory can't be written", ("hypothesis/database.py",)
    ),
    Sought(
        "",
        "distributed",
        "Work stealing moves tasks to a worker that lacks the resources they are restricted to",
        ("distributed/stealing.py",),
    ),
    Sought(
        "",
        "distributed",
        "Adaptive scaling retires workers too quickly when the queue is short",
        ("distributed/deploy/adaptive.py",),
    ),
    Sought(
        "",
        STANDARD_LIBRARY,
        "Abbreviated long options are accepted by subparsers although allow_abbrev is off",
        ("argparse.py",),
    ),
    Sought(
        "", STANDARD_LIBRARY, "Copying a tree follows a symbolic link to a folder into itself for ever", ("shutil.py",)
    ),
    Sought(
        "",
        STANDARD_LIBRARY,
        "A process pool hangs at shutdown when one of its workers was killed",
        ("concurrent/futures/process.py",),
    ),
    Sought("", STANDARD_LIBRARY, "Weekday names of a text calendar are wrong in another locale", ("calendar.py",)),
    Sought("", STANDARD_LIBRARY, "The HTTP client should refuse header names that hold a newline", ("http/client.py",)),
    Sought(
        "",
        STANDARD_LIBRARY,
        "The rotating log file is not rolled over at midnight when the clocks change",
        ("logging/handlers.py",),
    ),
    Sought(
        "", "anthropic", "Uploading a file that is given as a path reads it whole into memory", ("anthropic/_files.py",)
    ),
    Sought(
        "",
        "anthropic",
        "Credentials for AWS Bedrock are taken from the profile only, not from the environment",
        ("anthropic/lib/aws/_credentials.py",),
    ),
    Sought("", "rich", "A table with a wide emoji in one of its cells is misaligned", ("rich/cells.py",)),
    Sought("", "rich", "The remaining time of a progress bar jumps when it is paused", ("rich/progress.py",)),
    Sought(
        "",
        "textual",
        "The data table loses its cursor when rows above it are removed",
        ("textual/widgets/_data_table.py",),
    ),
    Sought(
        "",
        "setuptools",
        "An editable install of a namespace package with a space in its path can't be imported",
        ("setuptools/command/editable_wheel.py",),
    ),
    Sought(
        "",
        "dask",
        "Slicing an array with a boolean mask of unknown length gives wrong chunks",
        ("dask/array/slicing.py",),
    ),
)
"""Others, by which the weights of the ranking were chosen."""
