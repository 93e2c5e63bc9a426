"""What is hidden from models: by which names, and wherever a model could be shown it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.plugins.agents.scripted_context import request as asked
from tests.plugins.agents.workplace import Workplace, make_place
from treadle.core.contributions import Tool
from treadle.core.errors import ReplyError, UnsafeReply
from treadle.core.records import Candidate, FileChange, GenerateRequest, Lesson, Plan, Task
from treadle.core.tree.hidden_names import why_hidden
from treadle.core.tree.workspace import Tree
from treadle.plugins.agents.diff_shown import diff_shown
from treadle.plugins.agents.draft import Draft
from treadle.plugins.agents.files_in_text import take_files
from treadle.plugins.agents.opening import opening
from treadle.plugins.agents.shown_files import shown_files
from treadle.plugins.agents.tools.capped import MOST
from treadle.plugins.agents.tools.toolbox import Toolbox

HIDDEN = [
    *(".git/config", "sub/.GIT/config", ".git", ".treadle/config.toml", "sub/.Treadle/x.py", ".ssh/config"),
    *(".env", ".ENV", "app/.env.local", ".env.production", ".envrc", ".env_old", "prod.env", "prod.env.bak", ".env~"),
    *("sample-app.env", "id_rsa", "id_ed25519", "keys/id_rsa_work", "id_ecdsa.old", "server.pem", "a.KEY", "a.key.bak"),
    *("a.p12", "a.pfx", "a.keystore", "a.jks", "a.crt", ".key", "vpn.ovpn", "secrets.pem"),
    *(".netrc", "_netrc", ".npmrc", "web/.npmrc", ".pypirc", ".htpasswd", ".pgpass", ".git-credentials"),
    *(".docker/config.json", ".kube/config", "infra/prod.tfvars", "terraform.tfstate", "terraform.tfstate.backup"),
    *(
        "credentials",
        ".aws/credentials",
        "credentials-prod",
        "credentials.json",
        "credentials.yml.enc",
        "passwords.txt",
    ),
    *("secrets.yaml", ".secrets.toml", "config/client_secret_1.json", "awsCredentials.json", "service-account.json"),
    *(
        "secrets/db_password",
        "secrets/production.json",
        "sample-credentials.json",
        "secrets.json.bak",
        "%73ecrets.json",
    ),
]
SHOWN = [
    *("main.py", "README.md", "pyproject.toml", "package.json", ".gitignore", ".github/workflows/ci.yml", "Makefile"),
    *(".env.example", ".env.sample", ".env.template", "app/.env.dist", "example.env", "environment.yml", "env.py"),
    *("id_rsa.pub", "id_rsa.py", "keys.py", "keyboard.json", "public.keys", "a.key.py", "tests/test_id_rsa.py"),
    *("secrets.py", "test_secrets.py", "credentials.go", "src/secrets/reader.py", "docs/secrets.md", "Secrets.java"),
    *("secrets.example.json", "credentials.json.example", "credentials.sample.yml", "terraform.tfvars.example"),
    *(
        ".secrets.baseline",
        "bin/rotate-secrets",
        "secretary.json",
        "design/tokens.json",
        "monkey.json",
        "passwordless.txt",
    ),
    *(".envs.py", "config/process.env.ts", ".gitattributes", "git/config", "treadle/x.py"),
]


@pytest.mark.parametrize("path", HIDDEN)
def test_what_is_made_to_hold_secrets_is_hidden(path: str) -> None:
    assert why_hidden(path)


@pytest.mark.parametrize("path", SHOWN)
def test_what_a_model_works_on_is_shown(path: str) -> None:
    assert not why_hidden(path)


WORD = "hunter2"
SECRET = {
    ".env": f"LOGIN_PASSWORD={WORD}\nlogin fix login\n",
    "id_rsa": f"-----BEGIN {WORD}\nlogin\n",
    ".treadle/config.toml": f"# login {WORD}\n",
    "credentials.json": f'{{"login": "{WORD}"}}\n',
}


@pytest.fixture
def safe(place: Workplace) -> Workplace:
    """A project with secrets, and with links to them."""
    place.write({**SECRET, "login.py": "def login(): ...\n", "notes.xyz": f"login {WORD}\n", "run": f"login {WORD}\n"})
    (place.root / "link.txt").symlink_to(".env")
    (place.root / "other.py").symlink_to(".treadle/config.toml")
    return place


def test_no_opening_holds_a_secret_or_names_its_file(safe: Workplace) -> None:
    task = Task(id="t", kind="run", project=str(safe.root), python=sys.executable, text="fix login")
    told = opening(task, Tree(safe.workspace))
    assert "def login()" in told and "notes.xyz: 1 line" in told
    assert WORD not in told
    assert not [path for path in SECRET if path in told]


def test_a_model_without_tools_is_shown_no_secret_even_if_the_plan_names_it(safe: Workplace) -> None:
    (safe.root / "notes.xyz").unlink()
    (safe.root / "run").unlink()
    plan = Plan(steps=("fix login",), checks=(), files=(".env", "link.txt", "login.py"))
    told = shown_files(safe.draft, GenerateRequest(task=safe.task, plan=plan, workspace=safe.workspace, baseline=()))
    assert "def login()" in told and WORD not in told


@pytest.mark.parametrize("path", [*(p for p in SECRET if p != ".treadle/config.toml"), "link.txt", "other.py"])
def test_no_tool_shows_or_changes_what_is_hidden(safe: Workplace, path: str) -> None:
    for said in (
        safe.refused("read", path=path),
        safe.refused("outline", path=path),
        safe.refused("write", path=path, content="x"),
        safe.refused("edit", path=path, search="login", replace="x"),
        safe.refused("delete", path=path),
        safe.refused("move", path=path, to="seen.txt"),
    ):
        assert "hidden: " in said or "refused" in said
        assert WORD not in said
    assert safe.draft.changes() == ()


def test_what_is_hidden_is_told_with_the_reason(safe: Workplace) -> None:
    said = safe.refused("read", path=".env")
    assert said.startswith(".env is hidden: such a file holds the settings of one machine")
    assert "it is a key" in safe.refused("list", path="id_rsa")
    assert "it is a key" in safe.refused("search", path="id_rsa", pattern="x")
    with pytest.raises(UnsafeReply, match="is hidden"):
        safe.draft.move("login.py", "new.env")


def test_hidden_files_are_neither_listed_nor_searched(safe: Workplace) -> None:
    assert not set(SECRET).intersection(safe.call("list").splitlines())
    assert safe.call("search", pattern=WORD).splitlines() == [f"notes.xyz:1: login {WORD}", f"run:1: login {WORD}"]
    assert safe.draft.glob("*.json") == ()


def test_a_draft_that_goes_on_from_a_hidden_file_keeps_it_and_does_not_show_it(place: Workplace) -> None:
    draft = Draft(place.workspace, (FileChange(path=".env", content=WORD.encode()),))
    assert draft.files == () and [change.path for change in draft.changes()] == [".env"]
    with pytest.raises(ReplyError, match="hidden"):
        draft.text(".env")


def test_a_diff_names_a_hidden_file_and_shows_nothing_of_it(safe: Workplace) -> None:
    changes = tuple(FileChange(path=path, content=b"new\n") for path in (".env", "login.py"))
    told = diff_shown("The change", Candidate(files=changes, why="a rule"), safe.workspace)
    assert "+new" in told and "-def login" in told and WORD not in told
    assert "no model is shown: .env" in told


def test_a_link_out_of_the_project_is_no_way_to_a_secret(place: Workplace, tmp_path: Path) -> None:
    (tmp_path / "id_rsa").write_text(WORD)
    (place.root / "a.py").symlink_to(tmp_path / "id_rsa")
    assert WORD not in opening(place.task, Tree(place.workspace))


def test_a_reply_in_text_changes_nothing_that_is_hidden(safe: Workplace) -> None:
    reply = "```python login.py\nx = 1\n```\n\n```ini .env\nLOGIN_PASSWORD=mine\n```\n"
    read = take_files(reply, safe.draft)
    assert ".env is hidden" in str(read.refused[0])
    assert [change.path for change in safe.draft.changes()] == ["login.py"]


@pytest.fixture(params=["overlay", "copy"])
def tracked(request: pytest.FixtureRequest, tmp_path: Path) -> Workplace:
    """A repository that ignores a file and a folder, neither of them hidden by its name. Nothing runs in it."""
    place = make_place(tmp_path, request.param)
    place.write(
        {
            ".gitignore": "notes.cfg\nout/\nmade.py\n",
            "notes.cfg": f"login {WORD}\n",
            "out/log.cfg": f"login {WORD}\n",
            "login.py": "def login(): ...\n",
            "made.py": f"def login_{WORD}(): ...\n",
        }
    )
    (place.root / "link.cfg").symlink_to("notes.cfg")
    subprocess.run(["git", "init", "-q"], cwd=place.root, check=True, env={"PATH": os.environ["PATH"], "HOME": "/"})
    return place


@pytest.mark.parametrize("path", ["notes.cfg", "out/log.cfg", "link.cfg"])
def test_what_git_ignores_is_no_part_of_the_project(tracked: Workplace, path: str) -> None:
    for said in (
        tracked.refused("read", path=path),
        tracked.refused("outline", path=path),
        tracked.refused("edit", path=path, search="login x", replace="x"),
        tracked.refused("write", path=path, content="x"),
    ):
        assert f"{path} is ignored by git and no part of the project" in said or "is a link" in said
        assert WORD not in said
    assert WORD not in tracked.call("search", pattern="login")
    assert not {"notes.cfg", "out/log.cfg"}.intersection(tracked.call("list").splitlines())
    tracked.call("write", path="out/new.cfg", content="x\n")


def test_a_model_is_told_nothing_of_what_git_ignores_when_it_begins(tracked: Workplace) -> None:
    told = opening(tracked.task, Tree(tracked.workspace))
    assert "login.py" in told
    assert WORD not in told
    assert "made.py" not in told
    assert "log.cfg" not in told


@pytest.mark.parametrize(
    ("text", "files", "path"),
    [
        ("mend what ./notes.cfg says.", (), "notes.cfg"),
        ("mend `log.cfg`", (), "out/log.cfg"),
        ("mend", ("notes.cfg",), "notes.cfg"),
        ("mend", ("out",), "out/log.cfg"),
    ],
)
def test_what_git_ignores_is_shown_when_the_person_names_it(
    tracked: Workplace, text: str, files: tuple[str, ...], path: str
) -> None:
    task = msgspec.structs.replace(tracked.task, text=text, files=files)
    assert WORD in Draft(tracked.workspace, task=task).shown(path)
    for other in {"notes.cfg", "out/log.cfg"} - {path}:
        with pytest.raises(UnsafeReply, match="is ignored by git"):
            Draft(tracked.workspace, task=task).shown(other)


SHAPED = "sk-ant-api03-planted-QfT7x-Zm41"


@pytest.mark.parametrize("before", [3, 8, 20])
def test_where_what_others_say_is_cut_no_part_of_a_secret_is_left(place: Workplace, before: int) -> None:
    for name, most in (("long", MOST * 2 // 3), ("folded later", 200)):
        place.context.bring(Tool(name=name, summary="Says it"), "x" * (most - before) + f" {SHAPED} " + "x" * MOST)
    place.box = Toolbox(["search_tools"])
    place.call("search_tools", words="says")
    assert SHAPED[:3] not in place.call("long") + place.call("folded later")
    lesson = Lesson(id="l", signature="s", text="x" * (1_500 - before) + " " + SHAPED)
    assert SHAPED[:3] not in opening(place.task, Tree(place.workspace), lessons=(lesson,))


BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"
IN_CODE = f'''\
"""A server."""
KEY = """
-----BEGIN PRIVATE KEY-----
{BODY}
# {BODY}
-----END PRIVATE KEY-----
"""
PORT = 1
'''


def test_a_part_of_a_key_is_shown_by_no_tool(place: Workplace) -> None:
    place.write({"serve.py": IN_CODE, "serve.md": IN_CODE})
    assert "    8  PORT = 1" in place.call("read", path="serve.py")
    shown = [
        place.call("read", path="serve.py", start=5, end=5),
        place.call("search", pattern=BODY[:4]),
        place.call("search", pattern=".", path="serve.py"),
        place.call("outline", path="serve.md"),
        place.refused("edit", path="serve.py", search=BODY[:-1], replace="x"),
        place.call("edit", path="serve.py", search="PORT = 1", replace="PORT = 2"),
        shown_files(place.draft, asked(place)),
        diff_shown("x", Candidate(files=place.draft.changes(), why=""), place.workspace),
    ]
    assert not [said for said in shown if BODY in said]
    assert "+PORT = 2" in shown[-1]
    assert place.draft.read("serve.py").decode() == IN_CODE.replace("PORT = 1", "PORT = 2")
