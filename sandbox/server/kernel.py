"""The system calls that Python has no name for, each raising OSError like the functions of `os` do.

Numbers and flags are from the kernel's own headers (include/uapi/linux); those from 424 on are the same on every
architecture.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys

_libc = ctypes.CDLL(None, use_errno=True)
_long, _pointer, _text = ctypes.c_ulong, ctypes.c_void_p, ctypes.c_char_p
if sys.platform == "linux":
    _libc.syscall.restype = ctypes.c_long
    # Declared once: the server calls these some thirty times for each job. A pointer takes integers and bytes too.
    _libc.syscall.argtypes = [_long, *[_pointer] * 6]
    _libc.mount.argtypes = [_text, _text, _text, _long, _text]
    _libc.prctl.argtypes = [ctypes.c_int, _long, _pointer, _long, _long]

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 0x1, 0x2, 0x4, 0x8
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
MNT_DETACH = 2

ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 0x1, 0x2, 0x4

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

_NR_OPEN_TREE, _NR_MOVE_MOUNT, _NR_OPENAT2, _NR_MOUNT_SETATTR = 428, 429, 437, 442
_AT_FDCWD = -100
_AT_EMPTY_PATH = 0x1000
_AT_RECURSIVE = 0x8000
_OPEN_TREE_CLONE = 0x1
_MOVE_MOUNT_EMPTY_PATHS = 0x4 | 0x40  # of the tree, and of its target
_RESOLVE_NO_SYMLINKS = 0x4
_NOTHING = (0,) * 6
_CAPABILITY_VERSION_3 = 0x20080522
# SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP and SECBIT_KEEP_CAPS off, each locked: uid 0 gains nothing by execve.
_SECUREBITS = 0x2F


def _checked(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), what)
    return result


def syscall(number: int, *args: int | bytes | None) -> int:
    """A raw system call of up to six arguments; integers are passed as longs, bytes as pointers."""
    return _checked(_libc.syscall(number, *args, *_NOTHING[len(args) :]), f"syscall {number}")


def prctl(option: int, argument: int = 0, pointer: ctypes.Array[ctypes.c_char] | None = None) -> int:
    """prctl(2); `pointer` is a ctypes buffer for the options that take one."""
    return _checked(_libc.prctl(option, argument, pointer, 0, 0), f"prctl {option}")


def unshare(flags: int) -> None:
    """unshare(2)."""
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str | None, target: str, kind: str | None, flags: int = 0, data: str | None = None) -> None:
    """mount(2)."""
    result = _libc.mount(_encoded(source), _encoded(target), _encoded(kind), flags, _encoded(data))
    _checked(result, f"mount {kind or 'bind'} on {target}")


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else os.fsencode(text)


def unmount(target: str) -> None:
    """umount2(2) with MNT_DETACH: gone from the view at once, freed when the last user is gone."""
    _checked(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def open_exact(path: str) -> int:
    """A descriptor (O_PATH) of what lies at an absolute path, by openat2(2): OSError with ELOOP where the path is a
    symbolic link, or leads through one."""
    how = struct.pack("=3Q", os.O_PATH | os.O_CLOEXEC, 0, _RESOLVE_NO_SYMLINKS)
    try:
        return syscall(_NR_OPENAT2, _AT_FDCWD, os.fsencode(path), how, len(how))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def bind(source: str, target: str, attributes: int = 0) -> None:
    """Mount what lies at `source`, with all that is mounted below, at `target`, with these attributes. Whoever can
    change a folder on the way can't lead it elsewhere: neither path may go through a symbolic link (ELOOP), and what
    was opened is what is mounted."""
    opened: list[int] = []
    try:
        for path in (source, target):
            opened.append(open_exact(path))
        flags = _AT_EMPTY_PATH | _AT_RECURSIVE
        opened.append(syscall(_NR_OPEN_TREE, opened[0], b"", flags | _OPEN_TREE_CLONE | os.O_CLOEXEC))
        if attributes:
            packed = struct.pack("=4Q", attributes, 0, 0, 0)
            syscall(_NR_MOUNT_SETATTR, opened[2], b"", flags, packed, len(packed))
        syscall(_NR_MOVE_MOUNT, opened[2], b"", opened[1], b"", _MOVE_MOUNT_EMPTY_PATHS)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"mount {source} on {target}") from None
    finally:
        for descriptor in opened:
            os.close(descriptor)


def set_mount_attributes(target: str, on: int, *, recursive: bool) -> None:
    """mount_setattr(2) on a mount point and, when recursive, on all below it."""
    attributes = struct.pack("=4Q", on, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    syscall(_NR_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(target), flags, attributes, len(attributes))


def pivot_root(new: str, put_old: str) -> None:
    """pivot_root(2)."""
    _checked(_libc.pivot_root(os.fsencode(new), os.fsencode(put_old)), f"pivot_root {new}")


def drop_capabilities() -> None:
    """Give up every capability for good: bounding set, securebits, then the permitted and effective sets."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last capability that this kernel has
    # Who has no capability in the first place may not change these: no_new_privs then keeps execve from giving any.
    with contextlib.suppress(PermissionError):
        prctl(PR_SET_SECUREBITS, _SECUREBITS)
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    _checked(_libc.capset(header, struct.pack("=6I", 0, 0, 0, 0, 0, 0)), "capset")
