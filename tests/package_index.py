"""A package index on this machine's loopback, of wheels in a folder: the simple API (PEP 503), with hashes."""

from __future__ import annotations

import contextlib
import hashlib
import html
import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from treadle.core.errors import InstallError
from treadle.core.installers import by_uv


class PackageIndex:
    """What is served. `yanked` says why, by the file's name; `claimed` is given out as the SHA-256 in place of the
    file's own."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.address = address
        self.yanked: dict[str, str] = {}
        self.claimed: dict[str, str] = {}

    def sha256(self, file: str) -> str:
        """Of what is served under this name."""
        return hashlib.sha256((self.folder / file).read_bytes()).hexdigest()

    def page(self, project: str) -> str | None:
        """The links to the files of one project, None when there are none."""
        links = [
            f'<a href="../../files/{file}#sha256={self.claimed.get(file) or self.sha256(file)}"'
            + (f' data-yanked="{html.escape(self.yanked[file])}"' if file in self.yanked else "")
            + f">{file}</a><br>"
            for file in sorted(path.name for path in self.folder.iterdir())
            if re.sub(r"[-_.]+", "-", file.partition("-")[0]).lower() == project
        ]
        return f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>" if links else None


@contextlib.contextmanager
def served(folder: Path) -> Iterator[PackageIndex]:
    """Serve the folder's files, as they are when they are asked for."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.wfile.write(self.answer())

        def do_HEAD(self) -> None:
            self.answer()

        def answer(self) -> bytes:
            _, top, *rest = self.path.split("/")
            content: bytes | None = None
            if top == "index" and rest:
                page = index.page(rest[0])
                content = page.encode() if page else None
            elif top == "files" and rest and (folder / Path(rest[0]).name).is_file():
                content = (folder / Path(rest[0]).name).read_bytes()
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Type", "text/html" if top == "index" else "application/octet-stream")
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            return content or b""

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    index = PackageIndex(folder, f"http://127.0.0.1:{server.server_port}/index/")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield index
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def path_with_uv() -> str:
    """A PATH on which there is a uv, that beside the Python of the tests if need be. Skips the test without one."""
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
    try:
        by_uv.find(path)
    except InstallError as error:
        pytest.skip(str(error))
    return path


def path_without_uv() -> str:
    """This PATH, less the folders that hold a uv."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if shutil.which("uv", path=folder) is None)
