"""System call numbers by architecture, for the seccomp filter (arch/*/entry/syscalls of the kernel).

A call that an architecture does not have is missing in its table.
"""

from __future__ import annotations

# What `seccomp_data.arch` holds (include/uapi/linux/audit.h).
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

FIRST_UNKNOWN = 470
"""Numbers from here on are calls that these tables have not been held against (6.18 knows none); no fallback of a
program on an older kernel is lost with them."""

_EVERYWHERE = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_open": 434,
    "clone3": 435,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "process_mrelease": 448,
    "openat2": 437,
    "fchmodat2": 452,
    "setxattrat": 463,
    "removexattrat": 466,
    "open_tree_attr": 467,
    "file_setattr": 469,
}

_X86_64 = {
    "shmctl": 31, "semop": 65, "semctl": 66, "shmdt": 67, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "semtimedop": 220,
    "mq_unlink": 241, "mq_timedsend": 242, "mq_timedreceive": 243, "mq_notify": 244, "mq_getsetattr": 245,
    "open": 2, "sendto": 44, "sendmsg": 46, "fcntl": 72, "creat": 85, "mknod": 133, "io_setup": 206, "openat": 257,
    "mknodat": 259, "vmsplice": 278, "sendmmsg": 307,
    "ioctl": 16, "shmget": 29, "shmat": 30, "socket": 41, "connect": 42, "accept": 43, "bind": 49, "listen": 50,
    "socketpair": 53, "clone": 56, "kill": 62, "semget": 64, "msgget": 68, "chmod": 90, "fchmod": 91, "chown": 92,
    "fchown": 93, "lchown": 94, "ptrace": 101, "syslog": 103, "rt_sigqueueinfo": 129, "utime": 132, "uselib": 134,
    "personality": 135, "ustat": 136, "sysfs": 139, "setpriority": 141, "sched_setparam": 142,
    "sched_setscheduler": 144, "vhangup": 153, "modify_ldt": 154, "pivot_root": 155, "adjtimex": 159, "chroot": 161,
    "acct": 163, "settimeofday": 164, "mount": 165, "umount2": 166, "swapon": 167, "swapoff": 168, "reboot": 169,
    "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173, "init_module": 175, "delete_module": 176,
    "quotactl": 179, "nfsservctl": 180, "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197,
    "lremovexattr": 198, "fremovexattr": 199, "tkill": 200, "sched_setaffinity": 203, "lookup_dcookie": 212,
    "clock_settime": 227, "tgkill": 234, "utimes": 235, "mq_open": 240, "kexec_load": 246, "add_key": 248,
    "request_key": 249, "keyctl": 250, "ioprio_set": 251, "migrate_pages": 256, "fchownat": 260, "futimesat": 261,
    "fchmodat": 268, "unshare": 272, "move_pages": 279, "utimensat": 280, "accept4": 288, "rt_tgsigqueueinfo": 297,
    "perf_event_open": 298, "fanotify_init": 300, "prlimit64": 302, "name_to_handle_at": 303,
    "open_by_handle_at": 304, "clock_adjtime": 305, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311,
    "kcmp": 312, "finit_module": 313, "sched_setattr": 314, "memfd_create": 319, "kexec_file_load": 320, "bpf": 321,
    "userfaultfd": 323,
}  # fmt: skip

_AARCH64 = {
    "mq_unlink": 181, "mq_timedsend": 182, "mq_timedreceive": 183, "mq_notify": 184, "mq_getsetattr": 185,
    "msgctl": 187, "msgrcv": 188, "msgsnd": 189, "semctl": 191, "semtimedop": 192, "semop": 193,
    "shmctl": 195, "shmdt": 197,
    "io_setup": 0, "fcntl": 25, "mknodat": 33, "openat": 56, "vmsplice": 75, "sendto": 206, "sendmsg": 211,
    "sendmmsg": 269,
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "lookup_dcookie": 18, "removexattr": 14, "lremovexattr": 15,
    "fremovexattr": 16, "ioctl": 29, "ioprio_set": 30, "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51,
    "fchmod": 52, "fchmodat": 53, "fchownat": 54, "fchown": 55, "vhangup": 58, "quotactl": 60, "utimensat": 88,
    "acct": 89, "personality": 92, "unshare": 97, "kexec_load": 104, "init_module": 105, "delete_module": 106,
    "clock_settime": 112, "syslog": 116, "ptrace": 117, "sched_setparam": 118, "sched_setscheduler": 119,
    "sched_setaffinity": 122, "kill": 129, "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138, "setpriority": 140,
    "reboot": 142, "sethostname": 161, "setdomainname": 162, "settimeofday": 170, "adjtimex": 171, "mq_open": 180,
    "msgget": 186, "semget": 190, "shmget": 194, "shmat": 196, "socket": 198, "socketpair": 199, "bind": 200,
    "listen": 201, "accept": 202, "connect": 203, "add_key": 217, "request_key": 218, "keyctl": 219, "clone": 220,
    "swapon": 224, "swapoff": 225, "migrate_pages": 238, "move_pages": 239, "rt_tgsigqueueinfo": 240,
    "perf_event_open": 241, "accept4": 242, "prlimit64": 261, "fanotify_init": 262, "name_to_handle_at": 264,
    "open_by_handle_at": 265, "clock_adjtime": 266, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271,
    "kcmp": 272, "finit_module": 273, "sched_setattr": 274, "memfd_create": 279, "bpf": 280, "userfaultfd": 282,
    "kexec_file_load": 294,
}  # fmt: skip

NUMBERS: dict[str, dict[str, int]] = {
    "x86_64": _X86_64 | _EVERYWHERE,
    "aarch64": _AARCH64 | _EVERYWHERE,
}
