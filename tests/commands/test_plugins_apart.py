"""Third-party plugins as a person meets them: enabled with what they ask for, run apart, at fault, trusted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.commands.conftest import HEAD

NEEDS = "treadle_needs = {'read': ['project'], 'network': True}\n"
SCAN = (
    "@hookimpl\ndef treadle_scan(candidate, context):\n    context.note('looked at by acme')\n"
    "    return tuple(Finding(rule='acme', path=f.path, line=1, severity='note', message='seen by acme')\n"
    "                 for f in candidate.files)\n"
)
CRASH = "@hookimpl\ndef treadle_event(event):\n    os._exit(9)\n"


def test_what_it_asks_for_is_shown_and_granted(treadle: Any, install: Any) -> None:
    install("acme", NEEDS + SCAN)
    asked = treadle("plugin", "enable", "acme", stdin="n\n")
    assert asked.code != 0
    assert "read this project's files" in asked.out
    assert "use the network" in asked.out
    assert "to send there what it sees, and what code sees that it has run" in " ".join(asked.out.split())
    assert "acme" in treadle("plugins").out
    assert "not enabled yet" in next(line for line in treadle("plugins").out.splitlines() if line.startswith("acme"))
    assert treadle("plugin", "enable", "acme", stdin="y\n").code == 0
    listed = treadle("plugins").out.splitlines()
    place = next(number for number, line in enumerate(listed) if line.startswith("acme"))
    assert "enabled" in listed[place]
    assert "in a process of its own" in listed[place + 1]
    assert "use the network" in listed[place + 1]


def test_what_is_granted_for_all_projects_is_asked_as_that(treadle: Any, install: Any) -> None:
    install("acme", NEEDS + SCAN)
    asked = treadle("plugin", "enable", "acme", "--user", stdin="n\n")
    assert "read the files of every project that you use it in" in asked.out


def test_what_is_granted_and_not_there_is_told(treadle: Any, install: Any, tmp_path: Path) -> None:
    install("acme", f"treadle_needs = {{'write': [{str(tmp_path / 'nothing')!r}]}}\n" + SCAN)
    told = " ".join(treadle("plugin", "enable", "acme", "--yes").out.split())
    assert f"{tmp_path / 'nothing'} is not there: make it" in told


def test_one_that_asks_for_nothing_is_enabled_without_a_question(treadle: Any, install: Any) -> None:
    install("acme", SCAN)
    ran = treadle("plugin", "enable", "acme")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "acme is switched on for this project.")
    assert "have code run in the sandbox, where that sees this project's files" in " ".join(ran.out.split())
    assert "have code run in the sandbox" in treadle("plugins", "acme").out


def test_one_that_can_not_be_used_is_not_enabled(treadle: Any, install: Any) -> None:
    install("acme", "import nothing_of_that_name\n" + SCAN)
    ran = treadle("plugin", "enable", "acme")
    assert ran.code != 0
    assert "the plugin acme can't be enabled: " in ran.err
    assert "nothing_of_that_name" in ran.err
    assert "Traceback" not in ran.err
    assert "not enabled yet" in treadle("plugins").out


def test_it_takes_part_in_a_repair_and_its_process_ends_with_it(treadle: Any, install: Any, tmp_path: Path) -> None:
    install("acme", SCAN)
    treadle("plugin", "enable", "acme")
    ran = treadle("fix")
    assert "seen by acme" in ran.out + ran.err
    assert "looked at by acme" in ran.out + ran.err
    ours = [each for each in psutil.process_iter(["cmdline"]) if str(tmp_path) in " ".join(each.info["cmdline"] or ())]
    assert psutil.wait_procs(ours, timeout=30)[1] == []


def test_a_crash_is_told_once_and_the_repair_goes_on(treadle: Any, install: Any) -> None:
    install("acme", CRASH)
    treadle("plugin", "enable", "acme")
    ran = treadle("fix", "--apply")
    assert ran.code == 0
    faults = [line for line in (ran.out + ran.err).splitlines() if line.startswith("fault ")]
    assert len(faults) == 2, faults
    assert "acme, treadle_event: its process exited with code 9" in faults[0]
    assert "acme is told nothing more in this session, and still asked" in faults[1]
    assert "Note      the plugin acme was at fault in event, and is told nothing more in this session: " in ran.out
    assert treadle("plugin", "disable", "acme").code == 0


DENIES = (
    "@hookimpl\ndef treadle_scan(candidate):\n"
    "    return (Finding(rule='acme', path='stats.py', line=1, severity='deny', message='never ship this'),)\n"
)
FAILS = "@hookimpl\ndef treadle_{}({}):\n    raise ValueError('no')\n"


def test_who_fails_in_watching_keeps_the_veto(treadle: Any, install: Any) -> None:
    install("acme", FAILS.format("event", "event") + FAILS.format("remember", "outcome") + DENIES)
    treadle("plugin", "enable", "acme")
    ran = treadle("check", "stats.py")
    assert ran.code == 3, ran
    assert "Refused: stats.py:1: never ship this" in ran.out


# Three faults in answers, before anything is scanned.
THREE = "".join(FAILS.format(*hook) for hook in (("recall", "task"), ("plan", "task"), ("generate", "request")))
RULE = (
    "from treadle import ScanRule\n@hookimpl\ndef treadle_contributions():\n"
    "    return (ScanRule(name='acme', summary='s', severity='deny'),)\n"
    "@hookimpl\ndef treadle_call(kind, name, arguments):\n    return ()\n"
)


@pytest.mark.parametrize(
    ("looks", "where"),
    [
        (DENIES, "scan"),
        (FAILS.format("validate", "candidate"), "validate"),
        (RULE, "scan"),
    ],
    ids=["scan", "validate", "rule"],
)
def test_what_a_plugin_that_is_switched_off_did_not_look_at_is_not_applied_without_asking(
    treadle: Any, install: Any, project: Path, looks: str, where: str
) -> None:
    install("acme", THREE + looks)
    treadle("plugin", "enable", "acme")
    before = (project / "stats.py").read_bytes()
    ran = treadle("fix", "--apply", "--json")
    assert (ran.code, ran.result["exit_code"]) == (5, 5), ran
    assert ran.result["partial"] is True
    assert f"the plugin acme was not asked in {where}: it was switched off for its faults" in ran.result["notes"]
    assert "not applied, since not everything could be looked at: read the notes and the patch" in ran.result["notes"]
    assert (project / "stats.py").read_bytes() == before
    # Who has seen that, and names the session, has said it.
    assert treadle("resume", "--apply").code == 0
    assert (project / "stats.py").read_bytes() != before


def test_a_projects_own_plugin_waits_for_trust_in_exactly_its_content(treadle: Any, project: Path) -> None:
    own = project / ".treadle" / "plugins" / "house-rules.py"
    own.parent.mkdir(parents=True)
    own.write_text(HEAD + SCAN)

    def state() -> str:
        return next(line for line in treadle("plugins").out.splitlines() if line.startswith("house-rules"))

    assert "untrusted" in state()
    assert "treadle plugin trust" in state()
    treadle("plugin", "disable", "house-rules")
    stays_off = " ".join(treadle("plugin", "trust", "--yes").out.split())
    assert "the plugin house-rules stays off, by you" in stays_off
    assert "; `treadle plugin enable house-rules` switches it on" in stays_off
    assert treadle("plugin", "enable", "house-rules", "--yes").code == 0
    assert " enabled " in state()
    assert "seen by acme" in "".join((ran := treadle("fix")).out + ran.err)
    own.write_text(own.read_text() + "# changed\n")
    assert "untrusted" in state()


def test_an_interpreter_of_its_own_choice_is_not_used(treadle: Any, install: Any) -> None:
    asks = "    context.execute((Job(id='x', script='pass', python='/usr/bin/python3.99'),))\n"
    install("acme", "from treadle import Job\n@hookimpl\ndef treadle_recall(task, context):\n" + asks)
    treadle("plugin", "enable", "acme")
    ran = treadle("fix")
    assert "acme, treadle_recall: the job 'x' names the interpreter '/usr/bin/python3.99'" in ran.out + ran.err


def test_an_untrusted_one_can_not_be_enabled_and_trust_says_where_it_runs(treadle: Any, project: Path) -> None:
    own = project / ".treadle" / "plugins" / "house-rules.py"
    own.parent.mkdir(parents=True)
    own.write_text(HEAD + "print('it was run')\n" + NEEDS + SCAN)
    refused = treadle("plugin", "enable", "house-rules", "--yes")
    assert refused.code != 0
    assert "treadle plugin trust" in refused.err
    assert not list(treadle.home.glob("projects/*/logs/plugin-*"))
    shown = treadle("plugin", "trust", "--yes")
    assert "the plugin house-rules runs in a process of its own, and may read and write its own folder" in shown.out
    assert treadle("plugin", "enable", "house-rules", "--yes").code == 0
    assert "read this project's files; use the network" in treadle("plugin", "trust").out
    own.write_text(own.read_text() + "# changed\n")
    changed = treadle("plugin", "trust", "--yes")
    assert "the plugin house-rules is left out" in changed.out
    assert ") was for a project's own with the content sha256:" in changed.out
    assert "treadle plugin enable house-rules" in treadle("plugins").out
    assert treadle("plugin", "enable", "house-rules", "--inside", "--yes").code == 0
    assert "runs inside of Treadle, and may do whatever you can do yourself" in treadle("plugin", "trust").out


def test_one_that_hangs_is_named_beside_the_output_and_can_be_switched_off_at_once(
    treadle: Any, install: Any, project: Path
) -> None:
    own = project / ".treadle" / "plugins" / "hangs.py"
    own.parent.mkdir(parents=True)
    own.write_text(f"import time\ntime.sleep(600)\n{HEAD}{SCAN}")
    assert treadle("plugin", "trust", "--yes").code == 0
    ran = treadle("plugins", "--json", TREADLE_PLUGIN_START_S="4")
    found = {each["name"]: each for each in json.loads(ran.out)}
    assert found["hangs"]["state"] == "faulty"
    assert found["search"]["state"] == "enabled"
    assert "note: waiting for the plugin hangs to be imported, for 4 s at the most" in ran.err
    install("acme", SCAN)
    assert "waiting" not in treadle("plugin", "enable", "acme").err  # which imports no other
    assert treadle("plugin", "disable", "hangs").err == ""
    assert treadle("plugins").err == ""


def test_a_check_says_which_plugins_took_no_part(treadle: Any, install: Any, tmp_path: Path) -> None:
    install("rub", "@hookimpl\ndef treadle_validate(candidate):\n    raise ValueError(os.environ['HOME'] and 'no')\n")
    install("gone", SCAN)
    for name in ("rub", "gone"):
        assert treadle("plugin", "enable", name).code == 0
    (tmp_path / "packages" / "gone_plugin.py").write_text("import nothing_of_that_name\n")
    ran = treadle("check", "stats.py")
    assert ran.code == 1, ran
    fault = "the plugin rub was at fault in validate, and its answer there is missing: ValueError: no"
    out = "the plugin gone takes no part: can't be imported from gone_plugin: ModuleNotFoundError"
    for told in (ran.out, treadle("show").out):
        assert "Checked: nothing was found, but not everything could be looked at: see the notes.\n" in told
        assert f"Note      {fault}" in told
        assert f"Note      {out}" in told
    result = treadle("check", "stats.py", "--json").result
    assert [note for note in result["notes"] if note.startswith(out)]
    assert result["partial"] is True
    for name, partial in (("rub", True), ("gone", False)):
        assert treadle("plugin", "disable", name).code == 0
        ran = treadle("check", "stats.py")
        assert ran.out.startswith("Checked: nothing was found, but" if partial else "Checked: nothing speaks against")
        assert ran.code == partial


PLAIN = "from treadle import hookimpl\n@hookimpl\ndef treadle_event(event):\n    pass\n"


@pytest.fixture
def own(project: Path) -> Path:
    """The folder of the project's own plugins."""
    folder = project / ".treadle" / "plugins"
    folder.mkdir(parents=True)
    return folder


def test_what_can_be_no_plugins_file_is_left_out_all_of_it_at_once(treadle: Any, project: Path, own: Path) -> None:
    (own / "good.py").write_text(PLAIN)
    os.mkfifo(own / "fifo.py")
    (own / "loop.py").symlink_to("loop.py")
    (own / "out.py").symlink_to("/etc/hostname")
    (own / "dir.py").mkdir()
    for command, code in ((("check", "stats.py"), 0), (("plugins",), 0), (("plugin", "trust", "--yes"), 0)):
        ran = treadle(*command)
        assert ran.code == code, ran
        left_out = [line for line in ran.err.splitlines() if line.startswith("note: left out: ")]
        assert [line.split(": ")[2] for line in left_out] == [
            f".treadle/plugins/{n}.py" for n in ("fifo", "loop", "out")
        ]
        assert "is no regular file where a plugin's file is due" in left_out[0]
    assert "  .treadle/plugins/good.py" in ran.out
    assert "fifo.py" not in ran.out
    listed = {line.split()[0]: line for line in treadle("plugins").out.splitlines() if not line.startswith(" ")}
    assert "enabled" in listed["good"]
    assert listed.keys().isdisjoint({"fifo", "loop", "out", "dir"})


def test_a_folder_of_plugins_that_leads_out_is_left_out(treadle: Any, project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "bad.py").write_text(PLAIN)
    (project / ".treadle").mkdir()
    (project / ".treadle" / "plugins").symlink_to(tmp_path / "elsewhere")
    ran = treadle("plugins")
    assert ran.code == 0
    assert "note: left out: .treadle/plugins: is a symlink that leads out of the project" in ran.err
    assert "bad" not in ran.out.split()


def test_an_untrusted_file_is_the_same_to_a_check_whatever_its_name(treadle: Any, own: Path) -> None:
    for name in ("good", "with space", "search", "l" * 250):
        (own / f"{name}.py").write_text(PLAIN)
    assert treadle("check", "stats.py").out.startswith("Checked: nothing speaks against it.")
    listed = treadle("plugins").out
    long = next(line for line in listed.splitlines() if line.startswith("lll"))
    assert "its name has 250 characters, and 100 are the most" in long
    assert max(line.index("  ") for line in listed.splitlines() if line[:1].isalpha()) <= 61
    shown = treadle("plugin", "trust", stdin="n\n").out
    assert "the plugin good runs in a process of its own" in shown
    assert "the plugin with space can't run: it can't be called 'with space': a name is letters" in shown
    assert "the plugin search can't run: a plugin of this name comes from" in shown
    assert f"the plugin {'l' * 59}… can't run: it can't be called" in shown


def test_settings_for_a_plugin_that_there_is_not(treadle: Any, project: Path) -> None:
    ran = treadle("check", "--set", "plugins.serch.max_seconds=1", "stats.py")
    assert ran.code == 2, ran
    assert "there is no plugin 'serch'; did you mean 'search'?" in ran.err
    (project / ".treadle").mkdir()
    (project / ".treadle" / "config.toml").write_text("[plugins.nope]\nx = 1\n")
    assert treadle("trust", "--yes").code == 0
    ran = treadle("check", "stats.py")
    assert ran.code == 0
    assert "[plugins.nope] is set, and there is no plugin 'nope'" in ran.err


def test_settings_that_do_not_fit_a_plugin_stand_in_nobodys_way_to_see_it(
    treadle: Any, project: Path, own: Path
) -> None:
    (own / "mine.py").write_text(PLAIN)
    (project / ".treadle" / "config.toml").write_text("[plugins.mine]\nnope = 1\n")
    assert treadle("trust", "--yes").code == 0
    ran = treadle("plugins")
    assert ran.code == 0, ran
    line = next(line for line in ran.out.splitlines() if line.startswith("mine "))
    assert "faulty" in line
    assert "mend that there, or `treadle plugin disable mine` does without the plugin" in line
    ran = treadle("check", "stats.py")
    assert ran.code == 2
    assert "`treadle plugin disable mine`" in ran.err
    assert treadle("plugin", "disable", "mine").code == 0
    assert treadle("check", "stats.py").code == 0


@pytest.mark.parametrize("scope", [(), ("--user",)])
@pytest.mark.parametrize("command", ["disable", "remove"])
def test_one_that_is_gone_can_still_be_switched_off(
    treadle: Any, install: Any, command: str, scope: tuple[str, ...]
) -> None:
    install("acme", SCAN)
    assert treadle("plugin", "enable", "acme", *scope).code == 0
    treadle.env["PYTHONPATH"] = treadle.env["PYTHONPATH"].split(":")[0]
    assert "missing" in treadle("plugins").out
    assert treadle("check", "-", "--off", "acme", stdin="```python a.py\nx = 1\n```\n").code == 0
    ran = treadle("plugin", command, "acme", *(scope if command == "disable" else ()))
    assert ran.code == 0, ran
    assert "acme" not in treadle("plugins").out
    assert "acme" not in treadle("check", "-", stdin="```python a.py\nx = 1\n```\n").out


def test_one_that_only_a_clone_asks_for_can_be_refused(treadle: Any, project: Path) -> None:
    (project / ".treadle").mkdir()
    (project / ".treadle" / "plugins.toml").write_text('[require]\nacme = ">=1"\n')
    assert "missing" in treadle("plugins").out
    assert treadle("plugin", "disable", "acme").code == 0
    assert "acme" not in treadle("plugins").out


def test_a_name_that_nobody_knows_can_not_be_switched_off(treadle: Any) -> None:
    for words in (["plugin", "disable", "gone"], ["plugin", "remove", "gone"], ["fix", "--off", "gone"]):
        ran = treadle(*words)
        assert (ran.code, "no plugin 'gone'" in ran.err) == (2, True), ran


def test_where_this_project_was_told_otherwise_that_is_said(treadle: Any) -> None:
    assert treadle("plugin", "disable", "memory").code == 0
    ran = treadle("plugin", "enable", "memory", "--user")
    assert "In this project it stays off, by you, for this project: `treadle plugin enable memory`" in ran.out
    assert "stays" not in treadle("plugin", "enable", "memory").out


KEEPS = """
from pathlib import Path
@hookimpl
def treadle_start(session, context):
    kept = Path(context.folder('project'), 'kept')
    context.note(f'kept: {kept.read_text() if kept.exists() else None}')
    kept.write_text('mine')
"""
CHECK = ("check", "-", "--json")
PRINTS = "```python a.py\nprint(1)\n```\n"


def kept(ran: Any) -> list[str]:
    return [note for note in ran.result["notes"] if note.startswith("kept: ")]


def test_what_one_keeps_is_not_another_ones_that_takes_its_name(treadle: Any, install: Any, project: Path) -> None:
    install("acme", KEEPS)
    assert treadle("plugin", "enable", "acme").code == 0
    found = [kept(treadle(*CHECK, stdin=PRINTS)) for _ in range(2)]
    assert found == [["kept: None"], ["kept: mine"]]
    (project / "acme.py").write_text(HEAD + KEEPS)
    tried = treadle("plugin", "dev", "acme.py", "--once", "--yes", "--", *CHECK, stdin=PRINTS)
    assert "kept: None" in tried.out, tried
    install("acme", KEEPS, package="other")
    assert treadle("plugin", "enable", "acme").code == 0
    assert kept(treadle(*CHECK, stdin=PRINTS)) == ["kept: None"]
    treadle.env["PYTHONPATH"] = treadle.env["PYTHONPATH"].split(":")[0]
    (project / ".treadle" / "plugins").mkdir(parents=True)
    (project / "acme.py").rename(project / ".treadle" / "plugins" / "acme.py")
    treadle("plugin", "trust", "--yes")
    treadle("plugin", "enable", "acme")
    assert kept(treadle(*CHECK, stdin=PRINTS)) == ["kept: None"]


LINKS = (
    "from pathlib import Path\nfrom treadle import Command, Said, View\n"
    "@hookimpl\ndef treadle_contributions():\n    return (Command(name='relink', summary='x'),)\n"
    "@hookimpl\ndef treadle_call(kind, name, arguments, context):\n"
    "    own = Path(context.folder('project')) / 'sessions'\n"
    "    {before}\n"
    "    own.symlink_to({victim!r})\n"
    "    try:\n        return Said(view=View(text=context.folder('session')))\n"
    "    except Exception as error:\n        return Said(view=View(text=f'refused: {{error}}'))\n"
)


AWAY = "context.folder('session'); own.rename(own.with_name('away'))"


@pytest.mark.parametrize(
    ("before", "target"),
    [("pass", ""), (AWAY, ""), (AWAY, "away")],
    ids=["at once", "after it was made", "to where it was moved"],
)
def test_no_link_in_its_own_folder_leads_treadle_anywhere(
    treadle: Any, install: Any, tmp_path: Path, before: str, target: str
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    install("acme", LINKS.format(victim=target or str(victim), before=before))
    assert treadle("plugin", "enable", "acme").code == 0
    ran = treadle("relink")
    assert (ran.code, ran.err) == (0, ""), ran
    assert "refused: " in ran.out
    assert "no link is followed" in " ".join(ran.out.split())
    assert list(victim.iterdir()) == []
    again = treadle("relink")  # and what is left there keeps nothing else from working
    assert "nobody foresaw" not in again.out + again.err


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        ({"read": ["/proc/1/root"]}, "'/proc/1/root' can't be granted"),
        ({"write": ["project"]}, "no plugin may write the project itself"),
    ],
    ids=["processes", "project"],
)
def test_what_can_not_be_granted_is_refused_and_foreseen(
    treadle: Any, install: Any, tmp_path: Path, needs: dict[str, list[str]], told: str
) -> None:
    source = f"treadle_needs = {needs!r}\n" + SCAN
    install("acme", source)
    ran = treadle("plugin", "enable", "acme", "--yes")
    assert ran.code != 0
    assert f"the plugin acme can't be enabled: treadle_needs: {told}" in ran.err
    (tmp_path / "acme.py").write_text(HEAD + source)
    checked = treadle("plugin", "check", str(tmp_path / "acme.py"))
    assert f"error    acme: treadle_needs: {told}" in checked.out
    assert "nobody foresaw" not in checked.out + checked.err + ran.err


def test_what_keeps_another_memory_from_being_told_does_not_keep_treadles_own(treadle: Any, install: Any) -> None:
    raises = (
        "from treadle.core.errors import StageTimeout\n@hookimpl\ndef treadle_remember():\n    raise StageTimeout\n"
    )
    install("acme", raises)
    assert treadle("plugin", "enable", "acme", "--inside", "--yes").code == 0
    first, second = (treadle(*CHECK, stdin=PRINTS) for _ in range(2))
    assert "stage.timed_out" in first.out
    recalled = [json.loads(line) for line in second.out.splitlines() if '"recall.found"' in line]
    assert [len(each["data"]["lessons"]) for each in recalled] == [1]


ASKS = """
from treadle import FileChange, Job
@hookimpl
def treadle_recall(task, context):
    for number, ask in enumerate((
        lambda: context.emit('\\ud800', {}),
        lambda: context.call('scan rule', 'no-such', {'path': 'x', 'text': 'y'}),
        lambda: context.call('operator', 'comparison-neighbour', {'path': 3, 'source': None, 'lines': 'x'}),
        lambda: context.execute((Job(id='j', script='pass', files=(FileChange(path='.git/x', content=b''),)),)),
    )):
        try:
            ask()
        except Exception as error:
            context.note(f'told {number}: {type(error).__name__}')
    return ()
"""


def test_what_it_asks_for_in_error_is_told_to_it_and_ends_no_session(treadle: Any, install: Any) -> None:
    """Nor is it the fault of whoever it has asked."""
    install("acme", ASKS)
    assert treadle("plugin", "enable", "acme", "--yes").code == 0
    ran = treadle("fix", "--json")
    assert (ran.code, ran.result["state"]) == (0, "SOLVED"), ran
    told = [note for note in ran.result["notes"] if "told " in note or "fault" in note]
    assert [note.rpartition(" ")[2] for note in told] == ["ValueError", "UsageError", "UsageError", "ValueError"], told
