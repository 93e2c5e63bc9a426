"""A change that needs a package: asked about, installed for the sandbox alone, and found there by its tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.conftest import Treadle
from tests.commands.scripted_agent import EDIT, FINISH, Agent, calls
from tests.made_packages import pip_settings, wheel
from tests.plugins.models.scripted_service import serving

PLAN = {"steps": ["Take the range from tiny"], "files": ["stats.py", "requirements.txt"], "mends_failing_tests": True}
DECLARE = calls("write", path="requirements.txt", content="tiny>=1\n")
USE = calls(
    "edit",
    path="stats.py",
    search="    return max(values) + min(values)",
    replace="    from tiny import span\n\n    return span(values)",
)


@pytest.fixture
def agent(treadle: Treadle, tmp_path: Path) -> Iterator[Agent]:
    packages = tmp_path / "packages"
    files = {"tiny.py": "def span(values):\n    return max(values) - min(values)\n"}
    wheel(packages, "tiny", "1.5", files, requires=["tinier"])
    wheel(packages, "tinier", "0.1", {"tinier.py": ""})
    with serving() as service:
        agent = Agent(treadle, service)
        treadle.env = {name: value for name, value in treadle.env.items() if not name.startswith(("PIP_", "UV_"))}
        treadle.env |= {"PIP_CONFIG_FILE": str(pip_settings(packages)), "TREADLE_INSTALLER": "pip"}
        yield agent


def folders(agent: Agent) -> list[Path]:
    return sorted(path for path in (agent.treadle.home / "packages").glob("*/site"))


def test_the_person_is_asked_and_the_tests_find_the_package(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), DECLARE, USE, calls("run_tests"), FINISH)
    ran = agent.run()
    assert ran.code == 5
    assert "tiny>=1" in ran.out
    assert "May these packages be installed for the sandbox? (install / run without / deny)" in ran.out
    assert not folders(agent)

    ended = agent.treadle("resume", "last", "--answer", "install")
    assert ended.code == 0, ended.out + ended.err
    assert "packages   installed for the sandbox in" in ended.err
    assert "tinier==0.1, tiny==1.5" in ended.err
    assert "installed for the sandbox alone, tiny>=1" in ended.out
    (site,) = folders(agent)
    assert {"tiny.py", "tinier.py"} < {path.name for path in site.iterdir()}
    lock = (site.parent / "treadle-lock.txt").read_text().splitlines()
    assert [line.partition(" --hash=sha256:")[0] for line in lock] == ["tinier==0.1", "tiny==1.5"]
    # The tool that the model called found it as well, before the change was handed in.
    results = [part for message in agent.sent[-1]["messages"] for part in message["content"] if "tool_use_id" in part]
    assert "5 passed" in json.dumps(results[-1]), results[-1]
    assert not (agent.treadle.folder / "requirements.txt").exists()


def test_a_second_session_has_it_at_once_from_where_it_was_kept(agent: Agent, tmp_path: Path) -> None:
    agent.treadle.env["TREADLE_PACKAGES__INSTALL"] = "always"
    script = (calls("submit_plan", **PLAN), DECLARE, USE, FINISH)
    agent.will(*script)
    assert agent.run("--approve", "auto").code == 0
    agent.will(*script)
    # What the person has allowed by its name is asked about in no mode.
    del agent.treadle.env["TREADLE_PACKAGES__INSTALL"]
    agent.treadle.env["TREADLE_PACKAGES__ALLOW"] = '["Tiny"]'
    agent.treadle.env["PIP_CONFIG_FILE"] = str(tmp_path / "nowhere")
    assert agent.run("--approve", "auto").code == 0
    assert len(folders(agent)) == 1


def test_a_package_that_is_not_declared_is_named_to_the_model_and_to_the_person(agent: Agent) -> None:
    agent.will(calls("submit_plan", **{**PLAN, "files": ["stats.py"]}), USE, calls("run_tests"), FINISH)
    ran = agent.run("--approve", "auto", "--attempts", "1")
    assert ran.code != 0
    told = "tiny can't be imported. If it is a package from elsewhere, declare it"
    results = [part for message in agent.sent[-1]["messages"] for part in message["content"] if "tool_use_id" in part]
    assert told in json.dumps(results[-1])
    assert told in " ".join(agent.treadle("show", "--attempt", "1").out.split())


@pytest.mark.parametrize("answer", ["run without", "deny"])
def test_without_the_package_the_change_does_not_pass(agent: Agent, answer: str) -> None:
    agent.will(calls("submit_plan", **PLAN), DECLARE, USE, FINISH)
    assert agent.run("--attempts", "1").code == 5
    agent.will(calls("reflect", wrong="no tiny", advice="do without", next="give up"))
    ended = agent.treadle("resume", "last", "--answer", answer)
    assert ended.code == 1, ended.out + ended.err
    assert not folders(agent)
    assert ("the person does not want tiny>=1 installed" in ended.out) == (answer == "deny")


def test_who_does_not_want_it_can_say_what_to_use_instead(agent: Agent) -> None:
    agent.will(calls("submit_plan", **PLAN), DECLARE, USE, FINISH)
    assert agent.run("--attempts", "1").code == 5
    agent.will(calls("reflect", wrong="no tiny", advice="do without", next="give up"))
    ended = agent.treadle("resume", "last", "--answer", "deny", "--words", "the standard library has it")
    told = "the person does not want tiny>=1 installed: the standard library has it"
    assert told in " ".join(ended.out.split())


def test_a_package_that_there_is_not_fails_the_attempt_with_what_the_installer_said(agent: Agent) -> None:
    agent.treadle.env["TREADLE_PACKAGES__INSTALL"] = "always"
    declare = calls("write", path="requirements.txt", content="tiny>=7\n")
    agent.will(calls("submit_plan", **PLAN), declare, USE, FINISH)
    agent.will(calls("reflect", wrong="no such tiny", advice="do without", next="give up"))
    ended = agent.run("--approve", "auto", "--attempts", "1")
    assert ended.code == 1
    assert "tiny>=7 from the package index can't be installed" in ended.out
    assert "No matching distribution found for tiny>=7" in ended.out
    assert not list((agent.treadle.home / "packages").glob("*.begun"))


def test_who_let_a_package_be_installed_that_can_not_be_is_asked_again(agent: Agent) -> None:
    declare = calls("write", path="requirements.txt", content="tiny>=7\n")
    agent.will(calls("submit_plan", **PLAN), declare, EDIT, FINISH)
    assert agent.run("--attempts", "1").code == 5
    again = "deny / run without / try again"
    for answer, options in (("install", again), ("try again", again), ("try again", "deny / run without")):
        ran = agent.treadle("resume", "last", "--answer", answer)
        assert ran.code == 5, ran.out + ran.err
        assert f"These packages could not be installed. What shall be done? ({options})" in ran.out
        assert "No matching distribution found for tiny>=7" in ran.out
        assert " --answer deny\n" in ran.out
    log = agent.treadle("show", "--json").out
    assert log.count('"kind":"packages.failed"') == 3
    ended = agent.treadle("resume", "last", "--answer", "run without")
    assert ended.code == 0, ended.out + ended.err
    assert agent.treadle("show", "--json").out.count('"kind":"packages.failed"') == 3


def test_after_a_failed_install_it_can_be_denied_with_words(agent: Agent) -> None:
    declare = calls("write", path="requirements.txt", content="tiny>=7\n")
    agent.will(calls("submit_plan", **PLAN), declare, USE, FINISH)
    assert agent.run("--attempts", "1").code == 5
    assert agent.treadle("resume", "last", "--answer", "install").code == 5
    agent.will(calls("reflect", wrong="no tiny", advice="do without", next="give up"))
    ended = agent.treadle("resume", "last", "--answer", "deny", "--words", "the standard library has it")
    told = "the person does not want tiny>=7 installed: the standard library has it"
    assert (ended.code, told in " ".join(ended.out.split())) == (1, True)


def test_what_the_environment_has_already_is_a_dependency_like_any_other(agent: Agent) -> None:
    declare = calls("write", path="requirements.txt", content="pytest\n")
    right = calls("edit", path="stats.py", search="max(values) + min", replace="max(values) - min")
    agent.will(calls("submit_plan", **PLAN), declare, right, FINISH)
    ran = agent.run()
    assert ran.code == 5
    assert "requirements.txt: a new dependency, pytest" in ran.out
    assert "May this code run in the sandbox?" in ran.out
    session = agent.treadle("sessions", "--json").lines[0][0]["id"]
    assert f"treadle show {session} --attempt 1 --diff" in " ".join(ran.out.split())
    assert "+pytest" in agent.treadle("show", session, "--attempt", "1", "--diff").out
