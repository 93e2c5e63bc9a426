"""A PostgreSQL server for the tests: in a temporary folder, on a Unix socket alone, gone with the tests."""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65_534
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_START_S = 60.0


def binaries() -> Path | None:
    """The folder of initdb and postgres, the newest where Debian keeps several; None when there is none."""
    found = shutil.which("initdb")
    if found and shutil.which("postgres"):
        return Path(found).parent
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    fitting = [folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()]
    return max(fitting, key=lambda folder: float(folder.parent.name), default=None)


def missing() -> str:
    """Why there can be no server here, empty when there can."""
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed: pip install 'treadle[postgres]'"
    if binaries() is None:
        return "no PostgreSQL server is installed (on Debian: apt-get install postgresql)"
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        return "PostgreSQL does not run for a user without a name: this one is only a number here"
    return ""


class Server:
    """A running server, whose superuser is called `admin`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None

    def url(self, user: str = "treadle", database: str = "treadle") -> str:
        """How a client names a database of it."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def execute(self, *statements: str, database: str = "treadle") -> list[tuple[object, ...]]:
        """Execute statements as the superuser; the rows of the last one."""
        import psycopg

        with psycopg.connect(self.url("admin", database), autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def create(self) -> None:
        """Make its files, its database and its ordinary users; `guarded` needs the password "open sesame"."""
        tool = binaries()
        assert tool is not None
        _as_ordinary_user(
            [str(tool / "initdb"), "-D", str(self.data), "-U", "admin", "-A", "trust", "-E", "UTF8", "--no-sync"],
            self.folder,
        )
        rules = "local all guarded scram-sha-256\nlocal all all trust\n"
        (self.data / "pg_hba.conf").write_text(rules)
        self.start()
        self.execute("CREATE DATABASE treadle", database="postgres")
        self.execute(
            "CREATE ROLE treadle LOGIN",
            "CREATE ROLE ann LOGIN",
            "CREATE ROLE bob LOGIN",
            "CREATE ROLE guest LOGIN",
            "CREATE ROLE guarded LOGIN PASSWORD 'open sesame'",
            "GRANT CREATE ON DATABASE treadle TO treadle, ann, bob, guarded",
        )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        import psycopg

        tool = binaries()
        assert tool is not None
        # The files need no protection from a power cut, and so no fsync.
        settings = ("listen_addresses=", "fsync=off", f"unix_socket_directories={self.folder}", "max_connections=40")
        arguments = [piece for setting in settings for piece in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(tool / "postgres"), "-D", str(self.data), *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_die_with_parent,  # noqa: PLW1509 - it makes one system call
                **_ordinary_user(),
            )
        deadline = time.monotonic() + _START_S
        while True:
            try:
                psycopg.connect(self.url("admin", "postgres")).close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it by its pid; SIGINT ends its clients' connections, SIGQUIT is a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None


@contextmanager
def running() -> Iterator[Server]:
    """A server as long as the block runs."""
    folder = Path(tempfile.mkdtemp(prefix="treadle-pg-"))
    try:
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        server = Server(folder)
        try:
            server.create()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def _as_ordinary_user(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, **_ordinary_user())


def _ordinary_user() -> dict[str, object]:
    """The server refuses to run as root."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def _die_with_parent() -> None:
    # Tests that are killed leave no server behind. It holds for the new user, to whom the child has changed by now.
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGQUIT)
