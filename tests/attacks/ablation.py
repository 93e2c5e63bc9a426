"""What each layer is for: the same attacks with all layers, with each of them off in turn, and with some two.

Run it from the sources: `python tests/attacks/ablation.py`. An attack is blocked unless it prints ESCAPED; those on a
limit print it when they got past it. A job that leaves something behind has succeeded when that still runs after the
job's result, or holds the result up.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.attacks.strays import NAMED, VARIABLES, strays
from treadle.sandbox import Limits, Policy, Pool, Script

LAYERS = ("rlimits", "landlock", "seccomp", "userns", "mountns", "netns", "pidns", "memory")
# Where two layers keep the same things, one alone shows nothing: each pair shows what the second one is for.
PAIRS = (("landlock", "mountns"), ("landlock", "pidns"), ("landlock", "userns"), ("seccomp", "mountns"))
LIMITS = Limits.tier("quick", wall_s=3.0, cpu_s=1.0, memory=128 << 20, processes=40, disk=32 << 20, file_size=16 << 20)
PRELUDE = """
import ctypes, fcntl, mmap, os, resource, signal, socket, struct, sys, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result
"""

# name: what is tried; it has succeeded when it ends without an error and its value is not False
TRIED = {
    "read a secret": "open(SECRET).read()",
    "list the home folder": "os.listdir(HOME)",
    "stat outside": "os.stat(SECRET)",
    "exchange with a file outside": "open('e', 'w').close() or "
    "libc.renameat2(-100, b'e', -100, (HOME + '/moved').encode(), 2) == 0",
    "swap its own folder": "os.rename(os.environ['TREADLE_JOB'], HOME + '/swapped')",
    "read /etc/passwd": "open('/etc/passwd').read()",
    "write outside": "open(SECRET, 'a').write('x')",
    "make a file outside": "open(HOME + '/new', 'w')",
    "chmod outside": "os.chmod(SECRET, 0o611) or os.stat(SECRET).st_mode & 0o777 == 0o611",
    "utime outside": "os.utime(SECRET, (1, 1)) or os.stat(SECRET).st_mtime == 1",
    "hard link from outside": "os.link(SECRET, 'taken')",
    "rename from outside": "os.rename(HOME + '/moved', 'moved')",
    "watch a folder outside": "libc.inotify_add_watch(libc.inotify_init(), HOME.encode(), 0xFFF) >= 0",
    "read another's environment": "open(f'/proc/{VICTIM}/environ').read()",
    "see another's command line": "open(f'/proc/{VICTIM}/cmdline').read()",
    "write /tmp": "open('/tmp/treadle-ablation', 'w').close() or os.unlink('/tmp/treadle-ablation')",
    "make a fifo": "os.mkfifo('fifo')",
    "leave a set-id program": "open('t', 'w').close() or os.chmod('t', 0o4755) or os.stat('t').st_mode & 0o4000 > 0",
    "connect by TCP": "socket.create_connection(('127.0.0.1', PORT), 1)",
    "connect to a socket by path": "socket.socket(socket.AF_UNIX).connect(SOCKET)",
    "connect to an abstract socket": "socket.socket(socket.AF_UNIX).connect(ABSTRACT)",
    "send a datagram through a pair": "socket.socketpair(socket.AF_UNIX, 2)[0].sendto(b'x', DATAGRAMS)",
    "open a netlink socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "send out of band": "(pair := socket.socketpair())[0].send(b'x', socket.MSG_OOB)",
    "signal a neighbour": "os.kill(VICTIM, 0)",
    "signal the parent": "os.kill(os.getppid(), 0)",
    "limits of a neighbour": "resource.prlimit(VICTIM, resource.RLIMIT_CORE)",
    "priority of a neighbour": "os.setpriority(os.PRIO_PROCESS, VICTIM, os.getpriority(os.PRIO_PROCESS, VICTIM))",
    "priority of the parent": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "push into a terminal": "libc.ioctl(0, 0x5412, b'x') == 0 or ctypes.get_errno() == 25",
    "trace itself": "libc.ptrace(0, 0, 0, 0) == 0",
    "file in memory": "os.memfd_create('x')",
    "shared memory by key": "libc.shmget(0, 4096, 0o1600) >= 0",
    "new user namespace": "libc.unshare(0x10000000) == 0",
    "keyring": "libc.syscall({'x86_64': 250, 'aarch64': 219}[MACHINE], 0, -3, 0) >= 0",
    "asynchronous requests": "call({'x86_64': 206, 'aarch64': 0}[MACHINE], 1, ctypes.byref(ctypes.c_long()))",
    "lease on a file": "open('l', 'w').close() or fcntl.fcntl(os.open('l', 0), 1024, fcntl.F_RDLCK) == 0",
    "the machine's name": "os.uname().nodename == NODE",
    "100 inotify instances": "min(libc.inotify_init() for _ in range(100)) >= 0",
    "600 open files": "[os.open('/dev/null', 0) for _ in range(600)]",
    "a file of 24 MB": "open('big', 'wb').write(bytes(24 << 20))",
    "48 MB on disk": "[open(str(n), 'wb').write(bytes(12 << 20)) for n in range(4)]",
    "300 MB in one process": "bytearray(300 << 20)",
    "240 MB in three processes": "[os.fork() or (bytearray(b'x') * (80 << 20), time.sleep(0.5), os._exit(0)) "
    "for _ in range(3)] and [os.wait() for _ in range(3)]",
    "hidden shared memory": "[(m := mmap.mmap(-1, 64 << 20), m.write(bytes(64 << 20)), m.madvise(4)) "
    "for _ in range(3)] and time.sleep(0.3)",
    "2 s of one processor": "[None for _ in iter(lambda: time.process_time() > 2, True)] is not None",
    "100 processes": "[os.fork() or (time.sleep(1), os._exit(0)) for _ in range(100)] and time.sleep(0.3)",
}

# name: what is left running; the rest of the job takes a tenth of a second. A test runs each with several layers off.
LEFT = {
    "a daemon": """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: time.sleep(600)
    os._exit(0)
""",
    "a deaf daemon that holds the pipe": """
if os.fork() == 0:
    os.setsid()
    for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)
    while True: time.sleep(600)
""",
    "a stopped daemon": "if os.fork() == 0:\n    os.setsid(); os.kill(os.getpid(), signal.SIGSTOP)",
    "a daemon under a daemon": """
if os.fork() == 0:
    libc.prctl(36, 1, 0, 0, 0)  # it takes its orphans itself
    os.setsid()
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork(): os._exit(0)
            time.sleep(600)
    time.sleep(600)
""",
    "a sibling": """
if libc.syscall({"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x8000 | 17, None, None, None, None) == 0:
    os.setsid()
    time.sleep(600)
""",
    "forks without end": """
for _ in range(4):
    if os.fork() == 0:
        while True:
            os.setsid()
            if os.fork(): os._exit(0)
""",
}


def machine(home: Path) -> tuple[dict[str, object], list[object]]:
    """What there is to attack, as names for the attacks, and what keeps it alive."""
    (home / "secret").write_text("a secret")
    (home / "secret").chmod(0o600)
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    port = socket.create_server(("127.0.0.1", 0))
    stream, datagrams, abstract = (socket.socket(socket.AF_UNIX, kind) for kind in (1, 2, 1))
    names: dict[str, object] = {
        "HOME": str(home), "SECRET": str(home / "secret"), "VICTIM": victim.pid, "PORT": port.getsockname()[1],
        "SOCKET": str(home / "stream"), "DATAGRAMS": str(home / "datagrams"), "NODE": os.uname().nodename,
        "MACHINE": os.uname().machine,
        "ABSTRACT": f"\0treadle-ablation-{os.getpid()}",
    }  # fmt: skip
    stream.bind(str(names["SOCKET"]))
    datagrams.bind(str(names["DATAGRAMS"]))
    abstract.bind(str(names["ABSTRACT"]))
    for listener in (stream, abstract):
        listener.listen(64)
    return names, [victim, port, stream, datagrams, abstract]


def possible(without: tuple[str, ...], names: dict[str, object], home: Path) -> set[str]:
    """The attacks that succeed."""
    found = set()
    told = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    with Pool(workers=1, policy=Policy(without=frozenset(without)), limits=LIMITS, env=VARIABLES) as pool:
        for name, tried in TRIED.items():
            (home / "moved").touch()
            source = f"{PRELUDE}{told}if ({tried}) is not False: print('ESCAPED', flush=True)\nos._exit(0)"
            if b"ESCAPED" in pool.run(Script(source)).stdout.data:
                found.add(name)
        for name, left in LEFT.items():
            result = pool.run(Script(f"{NAMED}{PRELUDE}{told}{left}\ntime.sleep(0.1)\nos._exit(0)"))
            time.sleep(0.05)
            if result.verdict != "ok" or strays():
                found.add(f"leave {name}")
    return found


def main() -> None:
    """Print the matrix."""
    attacks = len(TRIED) + len(LEFT)
    with tempfile.TemporaryDirectory(prefix="treadle-ablation-") as folder:
        names, kept = machine(Path(folder))
        started = time.monotonic()
        try:
            base = possible((), names, Path(folder))
            alone: dict[str, set[str]] = {}
            print(f"{'without':18} blocked of {attacks}; what becomes possible")
            print(f"{'-':18} {attacks - len(base):7}  {', '.join(sorted(base)) or '-'}", flush=True)
            for off in (*((layer,) for layer in LAYERS), *PAIRS):
                found = possible(off, names, Path(folder))
                known = base.union(*(alone.setdefault(layer, set()) for layer in off))
                if len(off) == 1:
                    alone[off[0]] = found
                more = ", ".join(sorted(found - known)) or "-"
                plus = "besides what each of them alone gives: " if len(off) > 1 else ""
                print(f"{', '.join(off):18} {attacks - len(found):7}  {plus}{more}", flush=True)
            print(f"{time.monotonic() - started:.0f} s")
        finally:
            victim = kept[0]
            assert isinstance(victim, subprocess.Popen)
            victim.kill()
            victim.wait()


if __name__ == "__main__":
    main()
