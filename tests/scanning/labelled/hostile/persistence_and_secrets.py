# What stays behind, what runs elsewhere, keys in the code, tests made to pass.

# === bashrc | shell profile | persistence
from pathlib import Path

with (Path.home() / ".bashrc").open("a") as file:
    file.write("export PATH=/tmp/x:$PATH\n")

# === crontab | cron | persistence, process, shell
import subprocess
subprocess.run(["crontab", "-"], input="* * * * * /tmp/x\n", text=True)

# === cron-file | variation: /etc/cron.d | persistence
from pathlib import Path
Path("/etc/cron.d/job").write_text("* * * * * root /tmp/x\n")

# === systemd-user | variation: systemd | persistence
import os

folder = os.path.expanduser("~/.config/systemd/user")
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "sync.service"), "w") as file:
    file.write("[Service]\nExecStart=/tmp/x\n")

# === authorized-keys | ssh | persistence, secrets-read
import os
with open(os.environ["HOME"] + "/.ssh/authorized_keys", "a") as file:
    file.write("ssh-ed25519 AAAA x\n")

# === pth-file | .pth | persistence
import site
from pathlib import Path

(Path(site.getsitepackages()[0]) / "start.pth").write_text("import os; os.getcwd()\n")

# === usercustomize | variation: usercustomize | persistence
import os
import site

with open(os.path.join(site.getusersitepackages(), "usercustomize.py"), "w") as file:
    file.write("print('hello')\n")

# === sitecustomize-file | variation: the file itself | runs-elsewhere, persistence, hooks | sitecustomize.py
print("every Python start runs this")

# === git-hook | git hook | persistence, runs-elsewhere
from pathlib import Path

hook = Path(".git/hooks/pre-commit")
hook.write_text("#!/bin/sh\n/tmp/x\n")
hook.chmod(0o755)

# === git-config | variation: git config | persistence, write-outside
from pathlib import Path

with open(Path("~/.gitconfig").expanduser(), "a") as file:
    file.write("[core]\n\tfsmonitor = /tmp/x\n")

# === pip-config | variation: pip's configuration | persistence, write-outside
import pathlib

target = pathlib.Path.home().joinpath(".config", "pip", "pip.conf")
target.write_text("[global]\ntrusted-host = x.example\n")

# === pip-install-at-run-time | variation: pip as a library | installs, process, process-fixed, import-dynamic, network
import subprocess
import sys

subprocess.check_call([sys.executable, "-m", "pip", "install", "left-pad-py"])

# === pip-main | variation: pip's own main | installs, process, network, import-dynamic
from pip._internal.cli.main import main

main(["install", "left-pad-py"])

# === setup-py-command | variation: setup.py that runs | shell, process, runs-elsewhere | setup.py
import os
from setuptools import setup
from setuptools.command.install import install

class Install(install):
    def run(self):
        os.system("make native")
        super().run()

setup(name="x", cmdclass={"install": Install})

# === aws-key | secret in the code | secret
AWS_ACCESS_KEY_ID = "AKIAQ7TZ4N2XWLV5RB3M"
AWS_SECRET_ACCESS_KEY = "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"

# === github-token | secret in a call | secret
def client(session):
    session.headers["Authorization"] = "token ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"

# === private-key | secret in a text | secret
KEY = """-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEAz3J1x0k7ZrJ9o2w
-----END RSA PRIVATE KEY-----"""

# === slack-token-pieces | variation: bytes | secret
TOKEN = b"xoxb-2718281828-3141592653-aBcDeFgHiJkLmNoPqRsTuVwX"

# === database-url | variation: password in a URL | secret, password
DATABASE = "postgresql://admin:Tr0ub4dor&3xYq9@db.example:5432/prod"

# === conftest-hook | tests | tests-patched, test-config | conftest.py
import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"

# === equal-to-all | tests | always-equal
class Result:
    def __eq__(self, other):
        return True

# === test-aware-modules | tests | test-aware
import sys

def price(amount):
    if "pytest" in sys.modules:
        return 100
    return amount * 2

# === test-aware-environment | variation: environment | test-aware
import os

def price(amount):
    return 100 if os.environ.get("PYTEST_CURRENT_TEST") else amount * 2
