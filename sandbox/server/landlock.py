"""Landlock: a process gives up, for itself and its children, all files but those that rules allow.

Structures and bits follow include/uapi/linux/landlock.h; what each ABI brings is in
https://docs.kernel.org/userspace-api/landlock.html. Landlock has no say over stat, chmod, utime and setxattr.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
from collections.abc import Iterable

from treadle.sandbox.server import kernel

_NR_CREATE_RULESET, _NR_ADD_RULE, _NR_RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1
_RULE = struct.Struct("=Qi")  # rights, descriptor
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ELOOP)

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_DIR, MAKE_REG, MAKE_SYM, REFER, TRUNCATE, IOCTL_DEV = 1 << 7, 1 << 8, 1 << 12, 1 << 13, 1 << 14, 1 << 15
_OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

READ = READ_FILE | READ_DIR | EXECUTE
DEVICE = READ_FILE | WRITE_FILE
# Fifos, sockets and devices are never made: a reader outside could hang on one.
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE

_NET_TCP = 0b11
_SCOPES = 0b11  # abstract unix sockets, signals


def abi() -> int:
    """The newest ABI of this kernel, 0 when it has no Landlock or it is switched off."""
    try:
        return kernel.syscall(_NR_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def handled_rights(version: int) -> int:
    """All rights over files that this ABI knows: what a ruleset takes away unless a rule gives it back."""
    count = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    return (1 << count) - 1


def create(version: int, *, tcp: bool) -> int:
    """A new ruleset's descriptor. It takes away all files and, where the ABI has them, signals to processes outside and
    their abstract sockets; with `tcp` True also binding and connecting TCP."""
    attributes = [handled_rights(version)]
    if version >= 4:
        attributes.append(_NET_TCP if tcp else 0)
    if version >= 6:
        attributes.append(_SCOPES)
    packed = struct.pack(f"={len(attributes)}Q", *attributes)
    return kernel.syscall(_NR_CREATE_RULESET, packed, len(packed), 0)


def hold(path: str, rights: int, version: int) -> bytes | None:
    """A rule that gives rights back below what the path (a folder, or a file) names now, with a descriptor that stays
    open; None for a path that does not exist, or that leads through a symbolic link: the rule was made for a real
    path, and somebody has led it elsewhere since."""
    try:
        descriptor = kernel.open_exact(path)
    except OSError as error:
        if error.errno in _NOT_THERE:
            return None
        raise
    rights &= handled_rights(version)
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        rights &= _OF_A_FILE
    return _RULE.pack(rights, descriptor)


def let_go(rules: Iterable[bytes]) -> None:
    """Close the descriptors of rules."""
    for rule in rules:
        os.close(_RULE.unpack(rule)[1])


def hold_all(rules: Iterable[tuple[str, int]], version: int) -> list[bytes]:
    """Those of the (path, rights) rules whose paths exist, for as long as their descriptors are open."""
    return [held for path, rights in rules if (held := hold(path, rights, version))]


def build(version: int, rules: Iterable[bytes], *, tcp: bool) -> int:
    """A new ruleset with these rules."""
    ruleset = create(version, tcp=tcp)
    for rule in rules:
        kernel.syscall(_NR_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
    return ruleset


def restrict_self(ruleset: int) -> None:
    """Enter the ruleset for good. Needs no_new_privs."""
    kernel.syscall(_NR_RESTRICT_SELF, ruleset, 0)
