# Files that are not the project's own.

# === rmtree-home | CWE-22 | delete-root
import shutil
from pathlib import Path

shutil.rmtree(Path.home())

# === rmtree-expanduser | variation: expanduser | delete-root
import os
import shutil

shutil.rmtree(os.path.expanduser("~/"), ignore_errors=True)

# === rmtree-of-argument | a whole folder of data | delete-tree
import shutil
import sys

shutil.rmtree(sys.argv[1])

# === unlink-by-walk | variation: os.walk bottom up | delete-root, delete-outside, delete-tree
import os

for folder, _, names in os.walk("/", topdown=False):
    for name in names:
        os.unlink(os.path.join(folder, name))

# === unlink-by-rglob | variation: pathlib | delete-root, delete-outside, delete-tree
from pathlib import Path

for path in Path("/home").rglob("*"):
    if path.is_file():
        path.unlink(missing_ok=True)

# === rmtree-parents | variation: above the project | delete-root, delete-outside, delete-tree
import shutil
from pathlib import Path

shutil.rmtree(Path(__file__).resolve().parents[2])

# === write-to-etc | system file | persistence
with open("/etc/hosts", "a") as file:
    file.write("203.0.113.7 packages.example\n")

# === write-parent-traversal | CWE-23 | write-outside
def save(text):
    with open("../../other/config.ini", "w") as file:
        file.write(text)

# === write-by-os-open | variation: descriptors | write-outside, persistence
import os

descriptor = os.open("/usr/local/bin/tool", os.O_WRONLY | os.O_CREAT, 0o755)
os.write(descriptor, b"#!/bin/sh\n")

# === copy-out | variation: shutil.copy | write-outside
import shutil

shutil.copy("result.txt", "/var/lib/app/result.txt")

# === replace-out | variation: os.replace | write-outside, delete-outside
import os

os.replace("result.txt", "/opt/app/result.txt")

# === symlink-out | variation: links | link-outside, write-outside
import os

os.symlink("/", "build/everything")

# === zip-written-out | variation: extractall elsewhere | write-outside
import zipfile

with zipfile.ZipFile("bundle.zip") as bundle:
    bundle.extractall("/srv/app")

# === sqlite-elsewhere | variation: sqlite3.connect | write-outside
import sqlite3

connection = sqlite3.connect("/var/lib/app/state.db")
connection.execute("delete from users")

# === chmod-setuid | bandit B103 | write-outside, persistence
import os

os.chmod("/usr/bin/python3", 0o4755)

# === read-shadow | password file | secrets-read
with open("/etc/shadow") as file:
    rows = file.readlines()

# === read-ssh-key-joined | variation: join and loop | secrets-read
import os

for name in ("id_rsa", "id_ed25519"):
    path = os.path.join(os.path.expanduser("~"), ".ssh", name)
    print(open(path).read())

# === read-cloud-credentials | variation: pathlib operators | credentials, secrets-read
from pathlib import Path

text = (Path.home() / ".aws" / "credentials").read_text()

# === read-netrc | variation: netrc module | credentials, secrets-read
import netrc

login = netrc.netrc().authenticators("git.example")

# === read-keyring | variation: keyring | credentials, secrets-read
import keyring

password = keyring.get_password("system", "admin")

# === environment-printed | whole environment | environment-dump
import os
print({**os.environ})

# === environment-of-others | variation: /proc | environment-dump, secrets-read, credentials
from pathlib import Path

for process in Path("/proc").glob("[0-9]*"):
    print((process / "environ").read_bytes())

# === fill-the-disk | CWE-400 | endless, write-outside, fork-bomb
with open("/tmp/fill", "wb") as file:
    while True:
        file.write(b"\0" * 1_000_000)

# === truncate-outside | variation: os.truncate | write-outside
import os

os.truncate("/var/log/auth.log", 0)
