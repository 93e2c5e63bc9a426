"""Why the sandbox could not run anything: in one line, with what to do about it."""

from __future__ import annotations

MORE_OPEN_FILES = "allow more open files: ulimit -n 1024"
_TRACEBACK = "Traceback (most recent call last):"
# What the operating system said, and what a person can do about it.
_ADVICE = (
    ("Too many open files", MORE_OPEN_FILES),
    ("/dev/null", "this system, container or chroot lacks it; make it as root: mknod -m 666 /dev/null c 1 3"),
    ("Resource temporarily unavailable", "this user runs as many processes as it may: end some, or raise ulimit -u"),
    ("Cannot allocate memory", "the machine's memory, or the container's, is used up: free some"),
    ("No space left on device", "make room in the temporary folder, or name another one with TMPDIR"),
    ("temporary directory", "make a temporary folder that you may write into, and name it with TMPDIR"),
    ("is no folder", "name a folder that exists"),
    ("/proc is not mounted", "mount it: mount -t proc proc /proc"),
)


def in_one_line(message: str) -> str:
    """The message; of a traceback that came with it, only what went wrong in the end."""
    before, found, trace = message.partition(_TRACEBACK)
    lines = trace.strip().splitlines()
    parts = [before.strip(), lines[-1].strip()] if found and lines else message.strip().splitlines()
    return ": ".join(part for part in parts if part)


def advice(message: str) -> str:
    """What to do about it; "" when nothing is known."""
    return next((what for words, what in _ADVICE if words in message), "")
