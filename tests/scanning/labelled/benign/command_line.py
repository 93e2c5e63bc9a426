# Command-line programs.

# === argparse-main
import argparse


def main() -> int:
    parser = argparse.ArgumentParser(description="Count words")
    parser.add_argument("path")
    parser.add_argument("-n", "--top", type=int, default=10)
    args = parser.parse_args()
    with open(args.path, encoding="utf-8") as file:
        words = file.read().split()
    print(len(words), args.top)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

# === sys-exit-in-main
import sys


def main(argv: list[str]) -> None:
    if len(argv) != 2:
        print("usage: tool FILE", file=sys.stderr)
        sys.exit(2)
    print(argv[1])


if __name__ == "__main__":
    main(sys.argv)

# === subcommands
import argparse


def add(args):
    print("added", args.name)


def remove(args):
    print("removed", args.name)


def build_parser():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    for name, handler in {"add": add, "remove": remove}.items():
        command = commands.add_parser(name)
        command.add_argument("name")
        command.set_defaults(handler=handler)
    return parser

# === getattr-handler-by-name
class Shell:
    def do_help(self):
        return "help"

    def dispatch(self, name):
        handler = getattr(self, "do_" + name, None)
        if handler is None:
            raise ValueError(f"unknown command: {name}")
        return handler()

# === cmd-module
import cmd


class Todo(cmd.Cmd):
    prompt = "> "

    def __init__(self):
        super().__init__()
        self.items = []

    def do_add(self, line):
        self.items.append(line)

    def do_quit(self, line):
        return True

# === stdin-filter
import sys

for line in sys.stdin:
    line = line.rstrip("\n")
    if line:
        sys.stdout.write(line.upper() + "\n")

# === progress-bar
import sys
import time


def progress(total):
    for done in range(total + 1):
        filled = "#" * (20 * done // total)
        sys.stdout.write(f"\r[{filled:<20}] {done}/{total}")
        sys.stdout.flush()
        time.sleep(0.01)

# === environment-variable-default
import os

LEVEL = os.environ.get("LOG_LEVEL", "INFO")
WIDTH = int(os.getenv("COLUMNS", "80"))

# === getpass
import getpass


def ask():
    password = getpass.getpass("Password: ")
    return len(password) >= 12

# === input-loop
def menu():
    while True:
        choice = input("1) list 2) quit: ").strip()
        if choice == "2":
            break
        print("listing")

# === click-command
import click


@click.command()
@click.option("--count", default=1, help="How often.")
@click.argument("name")
def hello(count, name):
    for _ in range(count):
        click.echo(f"Hello {name}")


if __name__ == "__main__":
    hello()

# === configparser-read
import configparser


def read(path="settings.ini"):
    config = configparser.ConfigParser()
    config.read(path)
    return {section: dict(config[section]) for section in config.sections()}

# === toml-config
import tomllib
from pathlib import Path


def load(path: Path) -> dict:
    with path.open("rb") as file:
        return tomllib.load(file)

# === colour-output
RED = "\033[31m"
RESET = "\033[0m"


def warn(text: str) -> None:
    print(f"{RED}{text}{RESET}")

# === signal-handler
import signal
import threading

stop = threading.Event()


def on_term(number, frame):
    stop.set()


signal.signal(signal.SIGTERM, on_term)

# === version-flag
from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("tally")
except PackageNotFoundError:
    __version__ = "0.0.0"

# === python-version-check
import sys

if sys.version_info < (3, 9):
    raise RuntimeError("Python 3.9 or newer is needed")

# === glob-files
import glob


def sources():
    return sorted(glob.glob("src/**/*.py", recursive=True))

# === terminal-size
import shutil


def width():
    return shutil.get_terminal_size((80, 24)).columns

# === which-git
import shutil


def has_git():
    return shutil.which("git") is not None

# === git-describe
import subprocess


def revision():
    result = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    return result.stdout.strip()

# === keyboard-interrupt
import time


def watch(step):
    try:
        while True:
            step()
            time.sleep(1)
    except KeyboardInterrupt:
        print("stopped")
