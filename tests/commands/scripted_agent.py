"""`treadle run` as a person runs it, before a service of Anthropic's protocol that the test scripts."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.plugins.models.anthropic import said
from tests.plugins.models.scripted_service import Act, Service

if TYPE_CHECKING:
    from tests.commands.conftest import Ran, Treadle

KEY = "sk-ant-api03-planted-QfT7x"
PLAIN_NAME = "WORK_ACCESS"
"""A variable by whose name nobody would take its value for a key."""
MODEL = "anthropic/claude-sonnet-5-5"
PLAN = {
    "steps": ["Mend spread in stats.py"],
    "files": ["stats.py"],
    "difficulty": "simple",
    "mends_failing_tests": True,
}
WRONG = "    return max(values) + min(values)"
RIGHT = "    return max(values) - min(values)"


def calls(name: str, **arguments: object) -> bytes:
    """A reply that calls one tool."""
    return said.answer(said.call(0, name, json.dumps(arguments)), stop="tool_use")


def words(text: str, stop: str = "end_turn") -> bytes:
    """A reply in words."""
    return said.answer(said.text(0, text), stop=stop)


EDIT = calls("edit", path="stats.py", search=WRONG, replace=RIGHT)
FINISH = calls("finish", summary="The spread is a difference.")


class Agent:
    """The command, and the service that it speaks to."""

    def __init__(self, treadle: Treadle, service: Service) -> None:
        self.treadle = treadle
        self.service = service
        treadle.home.mkdir(parents=True, exist_ok=True)
        (treadle.home / "config.toml").write_text(
            f'[models]\nretries = 1\n[plugins.anthropic]\nbase_url = "{service.url}"\n'
        )
        treadle.env["ANTHROPIC_API_KEY"] = KEY

    def will(self, *answers: bytes | tuple[Act, ...]) -> None:
        for answer in answers:
            self.service.will(*(answer if isinstance(answer, tuple) else (answer,)))

    def run(self, *arguments: str) -> Ran:
        return self.treadle("run", "mend the spread", "--model", MODEL, *arguments)

    @contextmanager
    def start(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """The same in the background, once its model hangs. It is gone at the end."""
        with self.hangs("run", "mend the spread", "--model", MODEL, *arguments) as process:
            yield process

    @contextmanager
    def hangs(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A command in the background, once its model hangs. It is gone at the end."""
        process = subprocess.Popen(
            self.treadle.command(*arguments),
            cwd=self.treadle.folder,
            env=self.treadle.env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert self.service.reached.wait(60)
            yield process
        finally:
            process.kill()
            process.wait(30)

    def keeps_its_key(self, kept: str, folder: Path) -> str:
        """Keep the key of the service in this way; the key. The keyring is a package of that name."""
        if kept == "shaped":
            return KEY
        key = "planted/QfT7x-Zm41"
        with (self.treadle.home / "config.toml").open("a") as file:
            file.write(f'key_variable = "{PLAIN_NAME}"\n')
        self.treadle.env["ANTHROPIC_API_KEY"] = ""
        if kept == "of a plain name":
            self.treadle.env[PLAIN_NAME] = key
            return key
        package = folder / "keyrings" / "keyring"
        package.mkdir(parents=True)
        (package / "errors.py").write_text("class KeyringError(Exception):\n    pass\n")
        (package / "__init__.py").write_text(
            f"def get_password(service, user):\n    return {{{PLAIN_NAME!r}: {key!r}}}.get(user)\n"
        )
        self.treadle.env["PYTHONPATH"] += f"{os.pathsep}{package.parent}"
        return key

    @property
    def sent(self) -> list[Any]:
        """The bodies of all requests to the model."""
        return [asked.body for asked in self.service.asked if asked.method == "POST"]
