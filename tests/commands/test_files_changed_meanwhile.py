"""The person goes on with their own work while a session works, or before they accept what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.finished_sessions import patch_found
from tests.commands.scripted_agent import EDIT, FINISH, PLAN, RIGHT, WRONG, Agent, calls
from tests.commands.test_interruptions import run_on_terminal

TEXT = "".join(f"line {n}\n" for n in range(9))
PATCHED = TEXT.replace("line 7\n", "seven\n")
MINE = TEXT.replace("line 1\n", "mine\n")


class Meanwhile(tuple[Any, ...]):
    """An answer of the service, before which something is done."""

    do: Callable[[], object]

    def __iter__(self) -> Iterator[Any]:
        self.do()
        return super().__iter__()


def meanwhile(answer: bytes, do: Callable[[], object]) -> Meanwhile:
    made = Meanwhile([answer])
    made.do = do
    return made


@pytest.mark.parametrize("before", ["the edit", "the end"])
def test_the_diff_shows_what_the_model_changed_and_nothing_of_what_the_person_did(agent: Agent, before: str) -> None:
    stats = agent.treadle.folder / "stats.py"
    text = stats.read_text()
    mine = text.replace('"""Statistics', '"""My statistics')

    def write() -> None:
        stats.write_text(mine)

    agent.will(calls("submit_plan", **PLAN), calls("read", path="stats.py"))
    agent.service.ready += [meanwhile(EDIT, write), (FINISH,)] if before == "the edit" else [(EDIT,)]
    if before == "the end":
        agent.service.ready.append(meanwhile(FINISH, write))
    ran = agent.run("--apply")
    changed = [line for line in ran.out.splitlines() if line.startswith(("+", "-"))]
    assert changed == ["--- a/stats.py", "+++ b/stats.py", f"-{WRONG}", f"+{RIGHT}"]
    shown = agent.treadle("show", "last", "--attempt", "1", "--diff").out
    assert [line for line in shown.splitlines() if line.startswith(("+", "-"))] == changed
    assert ran.code == 1
    (listed,) = agent.treadle("sessions", "--json").lines[0]
    assert f"both go together: `treadle resume {listed['id']} --apply --merge`" in ran.err
    assert stats.read_text() == mine
    together = agent.treadle("resume", "last", "--apply", "--merge")
    assert together.code == 0, together
    assert "not tested together" in together.out
    assert stats.read_text() == mine.replace(WRONG, RIGHT)
    assert agent.treadle("undo").code == 0
    assert stats.read_text() == mine


def test_nobody_is_asked_about_what_they_have_written_meanwhile(agent: Agent) -> None:
    stats = agent.treadle.folder / "stats.py"
    mine = stats.read_text() + "\n\ndef mine():\n    return 1\n"
    agent.will(calls("submit_plan", **PLAN), EDIT)
    agent.service.ready.append(meanwhile(FINISH, lambda: stats.write_text(mine)))
    ran = agent.run()
    assert (ran.code, "mine" in ran.out + ran.err) == (0, False), ran


@pytest.fixture
def session(treadle: Any, project: Path) -> str:
    (project / "text").write_text(TEXT)
    return patch_found(treadle, {"text": PATCHED.encode()})


def test_a_change_of_the_same_lines_is_not_merged_and_the_way_on_is_named(
    treadle: Any, project: Path, session: str
) -> None:
    mine = TEXT.replace("line 7\n", "my seven\n")
    (project / "text").write_text(mine)
    for options in (["--apply"], ["--apply", "--merge"]):
        ran = treadle("resume", session, *options)
        assert ran.code == 1
        assert "text has changed since" in ran.err
        assert f'`treadle run "TASK" --continue {session}` has it made anew' in ran.err
    assert (project / "text").read_text() == mine


@pytest.mark.parametrize("where", ["the result", "the attempt", "what was put together"])
def test_what_a_change_hides_from_a_terminal_is_shown_wherever_it_is(treadle: Any, project: Path, where: str) -> None:
    (project / "text").write_text(TEXT)
    session = patch_found(treadle, {"text": PATCHED.replace("seven\n", "evil\r+seven\n").encode()})
    if where == "what was put together":
        (project / "text").write_text(MINE)
        shown, _ = run_on_terminal(treadle, "resume", session, answer=b"y\n", question=b"[y/N]:")
        shown = shown.partition("Apply this patch?")[2]
    else:
        shown = treadle("show", session, *(("--attempt", "1", "--diff") if where == "the attempt" else ())).out
    assert "+evil\\015+seven" in shown


@pytest.mark.parametrize("answer", [b"y\n", b"n\n"])
def test_on_a_terminal_the_person_is_asked_whether_both_go_together(
    treadle: Any, project: Path, session: str, answer: bytes
) -> None:
    (project / "text").write_text(MINE)
    shown, code = run_on_terminal(treadle, "resume", session, answer=answer, question=b"[y/N]:")
    assert code == 0
    assert ("Apply it like this?" in shown) is (answer == b"y\n")
    wanted = MINE.replace("line 7\n", "seven\n") if answer == b"y\n" else MINE
    assert (project / "text").read_text() == wanted


def test_merge_goes_with_apply(treadle: Any, session: str) -> None:
    assert treadle("resume", session, "--merge").code == 2


@pytest.mark.parametrize("options", [[], ["--apply"], ["--json"]])
def test_a_change_that_is_in_the_files_already_is_told(
    treadle: Any, project: Path, session: str, options: list[str]
) -> None:
    (project / "text").write_text(PATCHED)
    ran = treadle("resume", session, *options)
    assert ran.code == 0
    assert "the files are as the patch would make them already: nothing was changed" in ran.out
    assert "Apply it with" not in ran.out + treadle("show", session).out


def test_two_runs_that_make_the_same_change_are_told_apart(agent: Agent) -> None:
    """The second one has read the file before the first one has applied its patch."""
    stats = agent.treadle.folder / "stats.py"
    agent.will(calls("submit_plan", **PLAN), EDIT)
    agent.service.ready.append(meanwhile(FINISH, lambda: stats.write_text(stats.read_text().replace(WRONG, RIGHT))))
    ran = agent.run("--apply")
    assert ran.code == 0
    assert f"+{RIGHT}" in ran.out
    assert "the files are as the patch would make them already: nothing was changed" in ran.out
    assert "Applied" not in ran.out


def test_what_the_person_has_taken_back_themselves_is_applied_again(treadle: Any, project: Path, session: str) -> None:
    assert treadle("resume", session, "--apply").code == 0
    (project / "text").write_text(TEXT)
    ran = treadle("resume", session, "--apply")
    assert ran.code == 0, ran
    assert "applied before" not in ran.out
    assert (project / "text").read_text() == PATCHED
    (project / "text").write_text(TEXT)
    ran = treadle("undo", session)
    assert ran.code == 0, ran
    assert f"There is nothing to take back of the patch of session {session}" in ran.out
    assert treadle("undo", session).code == 2
    assert treadle("resume", session, "--apply").code == 0
    assert (project / "text").read_text() == PATCHED


def test_the_diff_alone_is_shown(treadle: Any, session: str) -> None:
    ran = treadle("show", session, "--diff")
    assert ran.code == 0, ran
    assert [line for line in ran.out.splitlines() if line.startswith(("+", "-"))] == [
        "--- a/text",
        "+++ b/text",
        "-line 7",
        "+seven",
    ]
    assert ran.out.startswith("diff --git")
    assert treadle("show", session, "--diff", "--events").code == 2


def test_files_that_have_all_of_the_patch_and_more_are_left_as_they_are(
    treadle: Any, project: Path, session: str
) -> None:
    mine = PATCHED.replace("line 2\n", "my two\n")
    (project / "text").write_text(mine)
    for options in (["--apply"], ["--apply", "--merge"]):
        ran = treadle("resume", session, *options)
        assert (ran.code, "already: nothing was changed" in ran.out) == (0, True), ran
    assert (project / "text").read_text() == mine
