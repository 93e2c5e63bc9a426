"""The seccomp filter: system calls that a job never needs and an attacker likes answer an error, or kill.

Default allow with a list of denials, as classic BPF (https://docs.kernel.org/userspace-api/seccomp_filter.html).
A call through a foreign architecture's table (int 0x80) or with an x32 number kills the process, since the numbers
there mean other calls. A call of a newer kernel than this table knows does not exist.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from treadle.sandbox.server import kernel
from treadle.sandbox.server.syscall_numbers import AUDIT_ARCH, FIRST_UNKNOWN, NUMBERS

_SOCKETS = ("connect", "bind", "listen", "accept", "accept4")
_DENIED = (
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise", "process_mrelease",
    "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "fsopen", "fsconfig", "fsmount", "fspick",
    "open_tree", "open_tree_attr", "move_mount", "mount_setattr", "bpf", "perf_event_open", "userfaultfd", "keyctl",
    "add_key", "request_key", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module",
    "reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "settimeofday", "clock_settime", "adjtimex",
    "clock_adjtime", "sethostname", "setdomainname", "iopl", "ioperm", "open_by_handle_at", "name_to_handle_at",
    "memfd_create", "memfd_secret", "chown", "fchown", "lchown",
    "fchownat", "setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "setxattrat",
    "removexattrat", "file_setattr", "syslog", "vhangup", "nfsservctl", "lookup_dcookie", "modify_ldt", "uselib",
    "ustat", "sysfs", "migrate_pages", "move_pages", "fanotify_init",
    # Pages that a pipe holds are counted nowhere, and with huge ones that is 32 MB for each pipe.
    "vmsplice",
    # Who knows or guesses the number or name of one, needs no call that makes it: each is refused by itself, since not
    # every machine has a namespace for them.
    "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semtimedop",
    "semctl", "mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr",
    # The whole machine has one number of asynchronous requests (fs.aio-max-nr), and a single job could take it all.
    "io_setup",
)  # fmt: skip
# libc and runtimes try these first and fall back when the kernel seems not to have them.
# openat2 takes its mode through a pointer, where no filter sees it (see _SET_ID).
_ABSENT = ("clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register")
# Landlock has no say over them, so without a read-only mount they must do nothing. They answer success, since
# shutil.copy and tarfile fail otherwise.
_PRETENDED = ("chmod", "fchmod", "fchmodat", "fchmodat2", "utime", "utimes", "futimesat", "utimensat")
_ON_SELF_ONLY = ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr")
_PRIO_PROCESS, _IOPRIO_PROCESS = 0, 1
_NAMESPACE_FLAGS = 0x7E020080  # CLONE_NEW*: user, pid, net, ipc, uts, cgroup, mount, time
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
# Never a unix socket of one's own, with the network either: behind those of the machine stand programs that do for the
# person whatever they are told (tmux, Docker, D-Bus, an ssh agent), and no read-only mount keeps anybody from
# connecting. Names are looked up without them, and without netlink: getaddrinfo of glibc and musl then goes on to DNS.
_OF_NETWORKS = (_AF_INET, _AF_INET6)
# Streams and packets in order, with or without SOCK_NONBLOCK and SOCK_CLOEXEC. No datagrams: one end of such a pair can
# send to any socket with a name, as the journal's or a service manager's.
_PAIRS = tuple(kind | flags for kind in (1, 5) for flags in (0, 0x800, 0x80000, 0x80800))
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
# What a descriptor that only reads can change of a file: FS_IOC_SETFLAGS, its 32-bit form, FS_IOC_FSSETXATTR,
# FS_IOC_SETVERSION, FS_IOC_ENABLE_VERITY (include/uapi/linux/fs.h, fsverity.h). Landlock has no say over them.
_FILE_ATTRIBUTES = (0x40086602, 0x40046602, 0x401C5820, 0x40087602, 0x40806685)
# Of the requests to sockets (linux/sockios.h) some work on any, a unix one that the caller handed over too, and tell of
# the interfaces and addresses of whoever made it.
_SOCKET_REQUESTS, _SOCKET_REQUESTS_MASK = 0x8900, 0xFFFFFF00
_PERSONALITY_QUERY = 0xFFFFFFFF
# With a lease all others that open for writing wait 45 s, even on a file that may only be read. dnotify is as old.
_F_SETLEASE, _F_NOTIFY = 1024, 1026
# Out-of-band data on unix sockets is used by nobody, and has let processes out of sandboxes (CVE-2025-38236); with the
# network, too, there are pairs of them, and no filter tells whose descriptor it is.
_MSG_OOB = 1
# A program that runs as its owner must never be left in a folder that outlives the job: an upper folder of the person's
# (where a job of root stays root), or one of `Policy.write`. (name, which argument is the mode)
_SET_ID = 0o6000
_TAKE_MODE = (
    ("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("fchmodat2", 2), ("open", 2), ("creat", 1), ("openat", 3),
    ("mknod", 1), ("mknodat", 2),
)  # fmt: skip
_X32_BIT = 0x40000000

_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_EPERM = _ERRNO | errno.EPERM
_LOAD, _AND, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_OFFSET_NUMBER, _OFFSET_ARCH = 0, 4
_SECCOMP_MODE_FILTER = 2

_Instruction = tuple[int, int, int, int]


class _Program:
    """Collects BPF instructions; the system call's number is in the accumulator between the statements."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = numbers
        self.instructions: list[_Instruction] = []

    def add(self, code: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        self.instructions.append((code, if_true, if_false, value & 0xFFFFFFFF))

    def answer(self, name: str, action: int) -> None:
        if name in self.numbers:
            self.add(_JUMP_EQUAL, self.numbers[name], 0, 1)
            self.add(_RETURN, action)

    def deny_argument(self, name: str, argument: int, test: int, value: int) -> None:
        """EPERM when the argument's low 32 bits pass the test."""
        if name in self.numbers:
            self.add(_JUMP_EQUAL, self.numbers[name], 0, 4)
            self.add(_LOAD, 16 + 8 * argument)
            self.add(test, value, 0, 1)
            self.add(_RETURN, _EPERM)
            self.add(_LOAD, _OFFSET_NUMBER)

    def deny_masked(self, name: str, argument: int, mask: int, value: int) -> None:
        """EPERM when the masked low 32 bits of the argument are this value."""
        if name in self.numbers:
            self.add(_JUMP_EQUAL, self.numbers[name], 0, 5)
            self.add(_LOAD, 16 + 8 * argument)
            self.add(_AND, mask)
            self.add(_JUMP_EQUAL, value, 0, 1)
            self.add(_RETURN, _EPERM)
            self.add(_LOAD, _OFFSET_NUMBER)

    def require_argument(self, name: str, argument: int, values: tuple[int, ...]) -> None:
        """EPERM unless the argument's low 32 bits are one of the values."""
        if name in self.numbers:
            count = len(values)
            self.add(_JUMP_EQUAL, self.numbers[name], 0, 3 + count)
            self.add(_LOAD, 16 + 8 * argument)
            for index, value in enumerate(values):
                self.add(_JUMP_EQUAL, value, count - index, 0)
            self.add(_RETURN, _EPERM)
            self.add(_LOAD, _OFFSET_NUMBER)


def program(machine: str, *, network: bool, pretend: bool) -> list[_Instruction]:
    """The filter for a machine of `AUDIT_ARCH`. `network` allows sockets of IPv4 and IPv6; `pretend` makes chmod and
    utime do nothing, for when no read-only mount keeps them from files outside."""
    filter_ = _Program(NUMBERS[machine])
    filter_.add(_LOAD, _OFFSET_ARCH)
    filter_.add(_JUMP_EQUAL, AUDIT_ARCH[machine], 1, 0)
    filter_.add(_RETURN, _KILL_PROCESS)
    filter_.add(_LOAD, _OFFSET_NUMBER)
    if machine == "x86_64":
        filter_.add(_JUMP_GREATER_EQUAL, _X32_BIT, 0, 1)
        filter_.add(_RETURN, _KILL_PROCESS)
    filter_.add(_JUMP_GREATER_EQUAL, FIRST_UNKNOWN, 0, 1)
    filter_.add(_RETURN, _ERRNO | errno.ENOSYS)
    for name in _DENIED + (() if network else _SOCKETS):
        filter_.answer(name, _EPERM)
    for name in _ABSENT:
        filter_.answer(name, _ERRNO | errno.ENOSYS)
    for name in _PRETENDED if pretend else ():
        filter_.answer(name, _ERRNO)
    if network:
        filter_.require_argument("socket", 0, _OF_NETWORKS)
    else:
        filter_.answer("socket", _EPERM)
    filter_.require_argument("socketpair", 0, (_AF_UNIX,))
    filter_.require_argument("socketpair", 1, _PAIRS)
    filter_.deny_argument("clone", 0, _JUMP_ANY_BIT, _NAMESPACE_FLAGS)
    for request in (_TIOCSTI, _TIOCLINUX, *_FILE_ATTRIBUTES):
        filter_.deny_argument("ioctl", 1, _JUMP_EQUAL, request)
    if not network:
        filter_.deny_masked("ioctl", 1, _SOCKET_REQUESTS_MASK, _SOCKET_REQUESTS)
    filter_.deny_argument("fcntl", 1, _JUMP_EQUAL, _F_SETLEASE)
    filter_.deny_argument("fcntl", 1, _JUMP_EQUAL, _F_NOTIFY)
    for name, argument in _TAKE_MODE:
        filter_.deny_argument(name, argument, _JUMP_ANY_BIT, _SET_ID)
    for name, argument in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)):
        filter_.deny_argument(name, argument, _JUMP_ANY_BIT, _MSG_OOB)
    for name in _ON_SELF_ONLY:
        filter_.require_argument(name, 0, (0,))
    # Of a process, and not of a group or a user, whose other processes would be changed as well.
    for name, one_process in (("setpriority", _PRIO_PROCESS), ("ioprio_set", _IOPRIO_PROCESS)):
        filter_.require_argument(name, 0, (one_process,))
        filter_.require_argument(name, 1, (0,))
    filter_.require_argument("personality", 0, (_PERSONALITY_QUERY,))
    filter_.add(_RETURN, _ALLOW)
    return filter_.instructions


def enforce(instructions: list[_Instruction]) -> None:
    """Install the filter for this process and all that come from it. Needs no_new_privs."""
    raw = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
    code = ctypes.create_string_buffer(raw, len(raw))
    packed = struct.pack("@HP", len(instructions), ctypes.addressof(code))
    kernel.prctl(kernel.PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.create_string_buffer(packed, len(packed)))
