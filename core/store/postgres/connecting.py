"""Connecting to a server: who it is, without secrets, and what to do when it is not there."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from treadle.core.config.server_url import WHERE_A_PASSWORD_GOES, check_no_password, is_server_url
from treadle.core.errors import ConfigError, StoreError, StoreUnreachable
from treadle.core.records import Record
from treadle.core.store.postgres import naming

# Seconds, unless the URL says otherwise: a server that is gone without a word is noticed.
_DEFAULTS: dict[str, str | int] = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}


class Server(Record, frozen=True, kw_only=True):
    """A database as messages name it; empty fields are for libpq to find."""

    host: str = ""
    port: str = ""
    database: str = ""
    user: str = ""

    def __str__(self) -> str:
        at = f"{self.host}:{self.port}" if self.host and self.port else self.host or "this machine"
        who = f" as {self.user}" if self.user else ""
        return f"PostgreSQL at {at}{f', database {self.database}' if self.database else ''}{who}"


def described(url: str) -> Server:
    """Which database a URL names. Raises `ConfigError`, without repeating the URL, when it can't be read or holds a
    password."""
    check_no_password("the PostgreSQL URL", url, "settings")
    try:
        if not is_server_url(url):
            raise psycopg.ProgrammingError("no URL")
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        # libpq's words would repeat a piece of the URL, and nobody knows yet what is in it.
        raise ConfigError(
            "the PostgreSQL URL in the settings can't be read; it must be like postgresql://USER@HOST/DATABASE"
        ) from None
    if any(name in parts for name in ("password", "sslpassword")):
        raise ConfigError(f"the PostgreSQL URL in the settings holds a password; take it out: {WHERE_A_PASSWORD_GOES}")
    host, port, database, user = (str(parts.get(name) or "") for name in ("host", "port", "dbname", "user"))
    return Server(host=host, port=port, database=database, user=user)


def connect(url: str, server: Server, *, busy_s: float) -> psycopg.Connection[Any]:
    """A connection whose statements wait `busy_s` seconds for others. Raises `StoreUnreachable`, `StoreError`."""
    given = conninfo_to_dict(url)
    own: dict[str, str | int] = {name: value for name, value in _DEFAULTS.items() if name not in given}
    own |= {"application_name": naming.this_program(), "client_encoding": "UTF8"}
    try:
        connection = psycopg.connect(make_conninfo(url, **own), autocommit=True)
    except psycopg.OperationalError as error:
        raise _not_reached(error, server) from error
    try:
        (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
        if encoding != "UTF8":
            raise StoreError(
                f"{server} keeps text as {encoding}, which can't hold everything. Name a database that was created "
                "with: createdb --encoding=UTF8 --template=template0"
            )
        connection.execute(f"SET lock_timeout TO {max(1, round(busy_s * 1000))}")
        # A program that was halted in the middle must not keep the others waiting for ever, nor one whose machine died.
        connection.execute("SET idle_in_transaction_session_timeout TO '60s'")
        for name in ("idle", "interval", "count"):
            connection.execute(f"SET tcp_keepalives_{name} TO {_DEFAULTS[f'keepalives_{name}']}")
        # A notice would be a line on the person's screen.
        connection.execute("SET client_min_messages TO error")
    except BaseException:
        connection.close()
        raise
    return connection


def _not_reached(error: psycopg.OperationalError, server: Server) -> StoreUnreachable:
    said = " ".join(str(error).split())
    if "password" in said:
        how = f"Settings hold no password: {WHERE_A_PASSWORD_GOES}."
    else:
        how = (
            "Start the server, or mend the setting that names it (`treadle config` says where it is set); without the "
            "setting `store`, sessions are kept in a file of this machine."
        )
    return StoreUnreachable(f"{server} can't be reached: {said}. {how}")
