"""What a plugin brings, as a person meets it: commands, panels, skills, rules, operators and models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

PLUGIN = """
from treadle import *
from treadle import hookimpl

@hookimpl
def treadle_contributions():
    return (
        Command(name="greet", summary="Say hello to people.", words="names", options=(
            Setting(name="loud", default=False, summary="With an exclamation mark."),
            Setting(name="code", default=0, summary="The exit code."),
            Setting(name="times", default=1, least=1, most=3, summary="How often."),
            Setting(name="tone", default="kind", choices=("kind", "curt")),
            Setting(name="warm", default=True, summary="Warm\\x1b[2J\\x1b]0;owned\\x07ly."),
        )),
        Command(name="fix", summary="Not the one that is meant."),
        Command(name="ask-me", summary="Asks."),
        Command(name="breaks", summary="Breaks."),
        Command(name="think", summary="Asks a model."),
        Model(name="parrot", summary="Says one word."),
        Panel(name="tasks", summary="What is open."),
        Skill(name="wibble", summary="Make a wibble.", words=("wobble",)),
        ScanRule(name="no-wip", summary="WIP came in.", severity="ask", advice="do it now"),
        Operator(name="call it a day", summary="Answer 42.", cost=0.1),
    )

@hookimpl
def treadle_call(kind, name, arguments, context):
    if name == "greet":
        end = "!" if arguments["loud"] else "."
        line = f"hello {', '.join(arguments['words'])}{end} ({arguments['tone']})"
        text = "\\n".join([line] * arguments["times"])
        return Said(view=View(text=text), exit_code=arguments["code"] or int(arguments["loud"]))
    if name == "ask-me":
        context.note("a note")
        return Said(view=View(text=context.ask(Question(id="q", text="Which?", options=("red", "blue")))))
    if name == "think":
        return Said(view=View(text=context.complete(ModelRequest(role="coder", messages=())).text))
    if kind == "model":
        return ModelReply(text="Polly.")
    if name == "breaks":
        raise ValueError("broken")
    if kind == "panel":
        rows = (("1", "sleep \\x1b[31mred"),)
        return View(title="Tasks", heads=("id", "what"), rows=rows, bars=(Bar(label="done", done=1, total=4),))
    if kind == "skill":
        return "def wibble():\\n    return 1\\n"
    if kind == "scan rule":
        lines = enumerate(arguments["text"].splitlines(), 1)
        return tuple(Hit(line=number, message="WIP is left") for number, line in lines if "WIP" in line)
    if kind == "operator":
        source = arguments["source"]
        at = source.find("return 41")
        return ((Change(start=at, end=at + 9, text="return 42"),),) if at >= 0 else ()
"""


@pytest.fixture
def acme(treadle: Any, project: Path) -> Any:
    """The command, in a project whose own plugin is trusted."""
    own = project / ".treadle" / "plugins" / "acme.py"
    own.parent.mkdir(parents=True)
    own.write_text(PLUGIN)
    assert treadle("plugin", "trust", "--yes").code == 0
    return treadle


def test_a_command_has_help_options_and_an_exit_code(acme: Any) -> None:
    told = acme("greet", "--help").out
    assert "Say hello to people." in told
    assert "--loud" in told
    assert "[NAMES]..." in told
    assert "--warm / --no-warm  Warmly." in told
    assert "\x1b" not in told
    assert (ran := acme("greet", "bob", "eve")).out == "hello bob, eve. (kind)\n", ran
    ran = acme("greet", "bob", "--loud", "--times", "2", "--tone", "curt")
    assert (ran.code, ran.out) == (1, "hello bob! (curt)\n" * 2)
    assert acme("greet", "--code", "125").code == 125
    for code in (126, -1, 256):
        ran = acme("greet", "--code", str(code))
        told = f"treadle: greet: the plugin acme ended it with {code}, which is no exit code (0 to 125): 1 instead\n"
        assert (ran.code, ran.out, ran.err) == (1, "hello . (kind)\n", told)


def test_wrong_options_of_a_command_are_told_as_for_any_other(acme: Any) -> None:
    assert "--times must be at most 3, not 5" in (ran := acme("greet", "--times", "5")).err
    assert ran.code == 2
    assert "--tone must be one of 'kind' or 'curt', not 'rude'" in acme("greet", "--tone", "rude").err
    assert "No such option" in acme("greet", "--lout").err


def test_commands_are_listed_and_a_misspelt_one_is_found(acme: Any) -> None:
    assert "it brings the command greet, command ask-me" in acme("plugins").out
    said = "the command 'fix' can never be run: Treadle has one of that name itself"
    assert said in " ".join(acme("plugins", "acme").out.split())
    assert "Not the one that is meant" not in acme("fix", "--help").out  # a command of Treadle's own wins
    assert "did you mean 'greet'?" in acme("greeet").err


def test_a_command_that_asks_needs_a_terminal(acme: Any) -> None:
    ran = acme("ask-me")
    assert ran.code == 5
    assert "note: acme: a note" in ran.err
    assert "the plugin acme asks: Which? (red, blue): run it in a terminal to answer" in ran.err


def test_a_command_that_comes_near_the_end_of_a_budget_says_so(acme: Any) -> None:
    acme.env["TREADLE_BUDGET__CALLS"] = "1"
    ran = acme("think")
    assert (ran.code, ran.out) == (0, "Polly.\n"), ran
    assert "1 of 1 requests to models are used up, or set aside for the next step, this session" in ran.err


def test_a_command_that_breaks_says_whose_fault_it_is(acme: Any) -> None:
    ran = acme("breaks")
    assert ran.code == 1
    assert "note: the plugin acme is at fault, in treadle_call: the command 'breaks': ValueError: broken" in ran.err
    assert "Traceback" not in ran.err


def test_a_panel_is_shown_and_can_not_color_the_terminal(acme: Any) -> None:
    assert acme("panel").out == "tasks  What is open.\n"
    told = acme("panel", "tasks").out
    assert "1   sleep red\n" in told
    assert "done  [#####...............] 1 of 4" in told
    assert json.loads(acme("panel", "tasks", "--json").out)["heads"] == ["id", "what"]
    assert "did you mean 'tasks'?" in (ran := acme("panel", "task")).err
    assert ran.code == 2


def test_a_skill_is_found_and_its_code_is_printed(acme: Any) -> None:
    assert acme("skills", "wobble").out.startswith("wibble  Make a wibble.")
    assert acme("skills", "wobble", "--code").out == "def wibble():\n    return 1\n"
    assert json.loads(acme("skills", "wobble", "--json").out)[0]["plugin"] == "acme"


def test_a_rule_asks_about_what_a_change_brings_in_and_about_nothing_else(acme: Any, project: Path) -> None:
    (project / "old.py").write_text("X = 1  # WIP old\n")
    ran = acme("check", "-", stdin="```python old.py\nX = 1  # WIP old\nY = 2\n```\n")
    assert "no-wip" not in ran.out + ran.err
    ran = acme("check", "-", stdin="```python old.py\nX = 1  # WIP old\nY = 2  # WIP new\n```\n")
    assert "WIP is left" in ran.out + ran.err
    assert "old.py:2" in ran.out + ran.err


def test_what_an_operator_proposes_in_vain_is_said(acme: Any, project: Path) -> None:
    own = project / ".treadle" / "plugins" / "acme.py"
    own.write_text(
        own.read_text().replace(
            "return ((Change(start=at",
            "bad = [(0, 10**6, 'x'), (at, at + 9, 'return ('), (at, at + 9, 'return 41'), (at, at, '  ')]\n"
            "        wrong = tuple((Change(start=s, end=e, text=t),) for s, e, t in bad)\n"
            "        return (*wrong, (Change(start=at",
        )
    )
    assert acme("plugin", "trust", "--yes").code == 0
    for file in project.glob("*.py"):
        file.unlink()
    (project / "answer.py").write_text("def answer():\n    return 41\n")
    (project / "test_answer.py").write_text("from answer import answer\n\ndef test_it():\n    assert answer() == 42\n")
    ran = acme("fix", "--json")
    assert (
        "of the 5 proposals of the operator 'call it a day' some are not tried: "
        "1 overlap or reach out of the file, 1 do not compile, 2 change nothing"
    ) in ran.result["notes"]


def test_an_operator_makes_a_repair(acme: Any, project: Path) -> None:
    for file in project.glob("*.py"):
        file.unlink()
    (project / "answer.py").write_text("def answer(x):\n    return 41\n")
    (project / "test_answer.py").write_text(
        "from answer import answer\n\ndef test_it():\n    assert answer('x') == 42\n\n"
        "def test_always():\n    assert answer(None) == 42\n"
    )
    ran = acme("fix", "--apply")
    assert ran.code == 0, ran
    assert "call it a day" in ran.out
    assert (project / "answer.py").read_text() == "def answer(x):\n    return 42\n"


def test_a_plugin_is_told_in_full(acme: Any) -> None:
    acme("fix")
    told = acme("plugins", "acme").out
    assert "runs      in a process of its own\n" in told
    assert "\nused      calls: " in told
    assert ", faults: 0; a call took " in told
    assert "brings    command greet: Say hello to people.\n          command ask-me: Asks.\n" in told.replace(
        "          command fix: Not the one that is meant.\n", ""
    )
    assert "          panel tasks: What is open.\n" in told
    assert 'runner = ""' not in acme("plugins", "javascript").out  # it is off, and not even imported
    assert "max_candidates = 5000: Variants tried in one attempt. (at least 1)\n" in acme("plugins", "search").out
    assert "did you mean 'acme'?" in acme("plugins", "acm").err


def test_what_keeps_all_plugins_out_is_said_when_a_command_of_one_is_asked_for(acme: Any, project: Path) -> None:
    (project / ".treadle" / "config.toml").write_text("nonsense = 1\n")
    ran = acme("greet", "bob")
    assert ran.code == 2
    assert "unknown key 'nonsense'" in ran.err
    assert "there is no command" not in ran.err


def test_a_plugin_that_takes_no_part_is_named_when_something_of_it_is_asked_for(acme: Any, project: Path) -> None:
    own = project / ".treadle" / "plugins" / "acme.py"
    own.write_text("raise ValueError('broken')\n")
    assert acme("plugin", "trust", "--yes").code == 0
    for asked in (("greet",), ("panel", "tasks"), ("panel",)):
        ran = acme(*asked)
        assert "note: the plugin acme takes no part: " in ran.err, ran
        assert "ValueError: broken" in ran.err


def test_a_rule_that_can_not_look_asks_in_its_place(acme: Any, project: Path) -> None:
    own = project / ".treadle" / "plugins" / "acme.py"
    own.write_text(
        own.read_text().replace('if kind == "scan rule":', 'if kind == "scan rule":\n        return "rubbish"')
    )
    assert acme("plugin", "trust", "--yes").code == 0
    ran = acme("check", "-", stdin="```python new.py\nX = 1\n```\n")
    assert ran.code == 1
    told = "the rule 'no-wip' could not look at this file: its plugin is at fault (unscanned)"
    assert told in " ".join(ran.out.split()), "which no one can allow for more than one change"
    told = "Checked: it runs, and there are findings to look at. Not everything could be looked at: see the notes.\n"
    assert ran.out.startswith(told)


def test_where_nobody_can_be_asked_that_is_said(acme: Any, project: Path) -> None:
    own = project / ".treadle" / "plugins" / "acme.py"
    own.write_text(own.read_text() + "# changed\n")
    (project / "lib").mkdir()
    (own.parent / "lib").symlink_to(project / "lib")
    ran = acme("plugin", "trust", stdin="")
    said = "note: left out: .treadle/plugins/lib: is a link to a folder; put the files themselves in its place"
    assert said in ran.err
    assert said in acme("plugins").err
    assert ran.code == 5
    assert "Trust it? Nobody is there to answer: say --yes, or run it in a terminal" in ran.err
