"""What plugins bring: the same in both places, run by whoever may, and a wrong answer is its plugin's fault."""

from __future__ import annotations

import dataclasses
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from tests.core.plugin_workshop import info
from tests.plugin_workers.conftest import Apart
from tests.plugin_workers.made_records import values
from treadle.core import contributions as c
from treadle.core import hook_types
from treadle.core.contribution_calls import MOST_DEEP, ContributionCalls
from treadle.core.errors import NoPlugin, UsageError
from treadle.core.models.messages import Message, ModelFailure, ModelReply, ModelRequest, Offer, OfferedModel
from treadle.core.plugin_host.brought import Brought
from treadle.core.plugin_host.plugin_manager import PluginManager

EVERY = """
BROUGHT = (
    Model(name="parrot", summary="Says it again.", roles=("coder",)),
    Provider(name="aviary", summary="Many parrots.", counts=True),
    Tool(name="shout", summary="Says it loudly.", parameters={"type": "object", "properties": {"text": {}}}),
    Language(name="cobol", summary="COBOL.", files=(".cob",)),
    Agent(name="reviewer", summary="Reads.", prompt="Read it.", tools=("shout",),
          documents=(Document(name="d", text="t"),)),
    Skill(name="double", summary="Twice a number.", words=("twice",), signature="double(x)"),
    Operator(name="plus one", summary="Add one.", cost=1.5),
    ScanRule(name="no-wip", summary="WIP came in.", severity="ask"),
    Command(name="greet", summary="Greets.", words="names", options=(Setting(name="loud", default=False),)),
    Panel(name="tasks", summary="What is open."),
)

@hookimpl
def treadle_contributions():
    return BROUGHT

@hookimpl
def treadle_call(kind, name, arguments, context):
    match kind:
        case "model":
            return ModelReply(text=" ".join(message["text"] for message in arguments["request"]["messages"]))
        case "provider":
            return Offer(models=(OfferedModel(name="small", context=8192),))
        case "token count":
            return len(arguments["request"]["messages"])
        case "tool":
            return arguments["text"].upper()
        case "skill":
            return "def double(x):\\n    return 2 * x\\n"
        case "operator":
            return ((Change(start=0, end=1, text=arguments["source"][0] + "1"),),)
        case "scan rule":
            return (Hit(line=len(arguments["text"].splitlines()), message=arguments["path"]),)
        case "command":
            return Said(view=View(text=f"hello {arguments['words']}"), exit_code=3)
        case "panel":
            return View(rows=(("a", "b"),), bars=(Bar(label="x", done=1, total=2),))
"""
ARGUMENTS: dict[str, dict[str, object]] = {
    "model": {"request": ModelRequest(role="coder", system="s", messages=(Message(text="a"), Message(text="b")))},
    "provider": {},
    "token count": {"request": ModelRequest(role="coder", messages=(Message(text="a"),))},
    "tool": {"text": "hey"},
    "skill": {},
    "operator": {"path": "a.py", "source": "x = 1\n", "lines": (1,)},
    "scan rule": {"path": "a.py", "text": "one\ntwo"},
    "command": {"words": ["you"], "loud": True},
    "panel": {},
}
ANSWERS: dict[str, object] = {
    "model": ModelReply(text="a b"),
    "provider": Offer(models=(OfferedModel(name="small", context=8192),)),
    "token count": 1,
    "tool": "HEY",
    "skill": "def double(x):\n    return 2 * x\n",
    "operator": ((c.Change(start=0, end=1, text="x1"),),),
    "scan rule": (c.Hit(line=2, message="a.py"),),
    "command": c.Said(view=c.View(text="hello ['you']"), exit_code=3),
    "panel": c.View(rows=(("a", "b"),), bars=(c.Bar(label="x", done=1, total=2),)),
}
NAMES = {
    "token count": "aviary/small",
    "model": "parrot",
    "provider": "aviary",
    "tool": "shout",
    "language": "cobol",
    "agent": "reviewer",
    "skill": "double",
    "operator": "plus one",
    "scan rule": "no-wip",
    "command": "greet",
    "panel": "tasks",
}


@dataclasses.dataclass(frozen=True)
class Caller(ContributionCalls):
    """The part of a context that runs what plugins bring, and nothing else of it."""

    manager: PluginManager

    def brought(self) -> Brought:
        return self.manager.brought

    def cancelled(self) -> bool:
        return False


@pytest.fixture(params=[False, True], ids=["inside", "apart"])
def every(request: pytest.FixtureRequest, workshop: Apart) -> Caller:
    workshop.enabled("acme", EVERY)
    return Caller(workshop.start(apart=request.param))


def test_every_kind_is_tried_here() -> None:
    assert set(NAMES) == set(c.KINDS) | set(c.SPOKEN)
    assert set(ARGUMENTS) == set(ANSWERS) == set(c.SPOKEN)


@pytest.mark.parametrize("kind", sorted(c.KINDS))
def test_a_descriptor_crosses_the_wire_as_it_is(kind: str) -> None:
    answer = hook_types.hook_types()["treadle_contributions"].answer

    def check(given: Any) -> None:
        assert hook_types.checked("treadle_contributions", (given,), answer) == (given,)
        assert c.kind_of(given) == kind

    from hypothesis import given as hypothesis_given

    settings(max_examples=10, deadline=None)(hypothesis_given(values(c.KINDS[kind]))(check))()


@pytest.mark.parametrize("kind", sorted(c.KINDS))
def test_it_is_listed_by_its_kind(every: Caller, kind: str) -> None:
    (found,) = every.contributions(kind)
    assert (c.kind_of(found), found.name) == (kind, NAMES[kind])
    assert every.brought().owner(kind, found.name) == "acme"


@pytest.mark.parametrize("kind", sorted(c.SPOKEN))
def test_it_answers_with_what_is_due_of_its_kind(every: Caller, kind: str) -> None:
    assert every.run(kind, NAMES[kind], ARGUMENTS[kind]) == ANSWERS[kind]
    assert every.call(kind, NAMES[kind], ARGUMENTS[kind]) == msgspec.to_builtins(ANSWERS[kind])


@pytest.mark.parametrize("kind", sorted(set(c.KINDS) - set(c.SPOKEN)))
def test_what_is_data_can_not_be_run(every: Caller, kind: str) -> None:
    with pytest.raises(UsageError, match="is data"):
        every.call(kind, NAMES[kind], {})


def test_a_provider_answers_for_each_of_its_models(every: Caller) -> None:
    request = ARGUMENTS["model"]
    assert every.run("model", "aviary/small", request) == ANSWERS["model"]
    assert every.brought().owner("model", "aviary/small") == "acme"
    with pytest.raises(NoPlugin, match="no enabled plugin brings the model 'zoo/small'"):
        every.run("model", "zoo/small", request)


def test_a_model_may_say_why_there_is_no_reply(workshop: Apart) -> None:
    source = (
        "@hookimpl\ndef treadle_contributions():\n    return (Model(name='m', summary='s'),)\n"
        "@hookimpl\ndef treadle_call():\n"
        "    return ModelFailure(trouble='busy', message='wait', retry_after_s=2.5)\n"
    )
    workshop.enabled("busy", source)
    for apart in (False, True):
        answer = Caller(workshop.start(apart=apart)).run("model", "m", ARGUMENTS["model"])
        assert answer == ModelFailure(trouble="busy", message="wait", retry_after_s=2.5)
    assert not workshop.faults


def test_what_nobody_brings_and_wrong_arguments_are_said(every: Caller) -> None:
    with pytest.raises(NoPlugin, match="no enabled plugin brings the tool 'whisper'"):
        every.call("tool", "whisper", {})
    with pytest.raises(UsageError, match="there is no kind of contribution 'hammer'"):
        every.call("hammer", "x", {})
    with pytest.raises(UsageError, match="'plus one' takes path, source, lines, and was given path"):
        every.call("operator", "plus one", {"path": "a.py"})
    with pytest.raises(UsageError, match="'plus one' was given the wrong lines: due is a tuple of int"):
        every.call("operator", "plus one", {"path": "a.py", "source": "x = 1", "lines": "x"})


@pytest.mark.parametrize("apart", [False, True], ids=["inside", "apart"])
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("None", "answered with the wrong type: due is a tuple of Hit, and nothing came"),
        ("3", "answered with the wrong type: due is a tuple of Hit, and an int came"),
        ("View()", "due is a tuple of Hit, and a View came"),
        (
            "({'line': 'x', 'message': 'm'},)",
            "due is a tuple of Hit, and a tuple of dict came: Expected `int`, got `str` - at `$[0].line`",
        ),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_wrong_answer_is_a_fault_of_its_plugin(workshop: Apart, apart: bool, answer: str, said: str) -> None:
    source = (
        "@hookimpl\ndef treadle_contributions():\n    return (ScanRule(name='r', summary='s'),)\n"
        f"@hookimpl\ndef treadle_call(kind):\n    return {answer}\n"
    )
    workshop.enabled("wrong", source)
    caller = Caller(workshop.start(apart=apart))
    for _ in range(4):
        assert caller.call("scan rule", "r", {"path": "a.py", "text": "x"}) is None
    assert workshop.faults[0].error.endswith(said)
    assert workshop.faults[0].error.startswith("the scan rule 'r'")
    assert workshop.faults[0].error.count("the scan rule 'r'") == 1
    assert len(workshop.faults) == 3  # then it is off, and not asked any more
    assert info(caller.manager, "wrong").state == "faulty"


SPOKEN_BY_TWO = """
@hookimpl
def treadle_contributions():
    return (Command(name="c", summary="s"), Panel(name="p", summary="s"), Provider(name="o", summary="s"))
@hookimpl
def treadle_call(name, arguments):
    return {}
"""


@pytest.mark.parametrize("apart", [False, True], ids=["inside", "apart"])
@pytest.mark.parametrize(
    ("kind", "name", "answer", "said"),
    [
        ("command", "c", "View()", "`answer` is a View where a Said is due; make one with `Said(...)`"),
        ("panel", "p", "Said()", "`answer` is a Said where a View is due; make one with `View(...)`"),
        ("provider", "o", "View()", "`answer` is a View where an Offer is due; make one with `Offer(...)`"),
        ("command", "c", "Said(view=Said())", "`answer.view` is a Said where a View is due"),
        ("command", "c", "{'view': Said()}", "`answer.view` is a Said where a View is due"),
        ("provider", "o", "{'models': 3}", "due is an Offer, and a dict with models came"),
        (
            "provider",
            "o",
            "{'models': [Model(name='m', summary='s')]}",
            "`answer.models[0]` is a Model where an OfferedModel is due",
        ),
    ],
)
def test_a_record_of_another_kind_is_told_although_it_fits(
    workshop: Apart, apart: bool, kind: str, name: str, answer: str, said: str
) -> None:
    workshop.enabled("wrong", SPOKEN_BY_TWO.format(answer))
    caller = Caller(workshop.start(apart=apart))
    arguments = {"words": []} if kind == "command" else {}
    assert caller.call(kind, name, arguments) is None
    (fault,) = workshop.faults
    assert fault.error.startswith(f"the {kind} '{name}': treadle_call answered with the wrong type: ")
    assert said in fault.error


@pytest.mark.parametrize("apart", [False, True], ids=["inside", "apart"])
@pytest.mark.parametrize(
    "answer", ["{'exit_code': 3, 'view': View(rows=[['a']])}", "Said(exit_code=3, view={'rows': (('a',),)})"]
)
def test_plain_values_may_stand_for_records(workshop: Apart, apart: bool, answer: str) -> None:
    workshop.enabled("plain", SPOKEN_BY_TWO.format(answer))
    caller = Caller(workshop.start(apart=apart))
    assert caller.run("command", "c", {"words": []}) == c.Said(exit_code=3, view=c.View(rows=(("a",),)))
    assert workshop.faults == []


@pytest.mark.parametrize("apart", [False, True], ids=["inside", "apart"])
@pytest.mark.parametrize(
    ("brought", "said"),
    [
        ("Tool(name='t', summary='s'), Tool(name='t', summary='s')", "the tool 't' is there twice"),
        ("Command(name='Greet all', summary='s')", "can't be typed"),
        ("Tool(name='t', summary='s', parameters={'type': 'string'})", "must be a JSON Schema with"),
        ("Tool(name='t' * 65, summary='s')", "its name has 65 characters; services take 64"),
        (
            "Tool(name='t', summary='s', parameters={'type': 'object', 'properties': ['a']})",
            'the "properties" of its parameters must be an object',
        ),
        (
            "Tool(name='t', summary='s', parameters={'type': 'object', 'properties': {'a': 'text'}})",
            "with a JSON Schema for each name",
        ),
        (
            "Tool(name='t', summary='s', parameters={'type': 'object', 'required': 'a'})",
            'what is "required" of its parameters must be a list of names',
        ),
        ("Command(name='c', summary='s', options=(Setting(name='Ö', default=1),))", "its option 'Ö'"),
    ],
)
def test_what_is_wrong_with_a_descriptor_keeps_it_out(workshop: Apart, apart: bool, brought: str, said: str) -> None:
    source = (
        f"@hookimpl\ndef treadle_contributions():\n    return ({brought},)\n@hookimpl\ndef treadle_call():\n    pass\n"
    )
    workshop.enabled("wrong", source)
    manager = workshop.start(apart=apart)
    found = info(manager, "wrong")
    assert found.contributions == ()
    (left_out,) = manager.left_out()
    assert "the plugin wrong" in left_out
    assert said in left_out
    assert said in (found.why if apart else workshop.faults[0].error)


def test_what_is_run_needs_the_hook_that_runs_it(workshop: Apart) -> None:
    workshop.enabled("wrong", "@hookimpl\ndef treadle_contributions():\n    return (Panel(name='p', summary='s'),)\n")
    assert "the panel 'p' is run by the hook treadle_call, which the plugin does not have" in (
        info(workshop.start(), "wrong").why
    )


def test_of_two_with_one_name_the_first_is_asked(workshop: Apart) -> None:
    for name in ("one", "two"):
        workshop.enabled(
            name,
            "@hookimpl\ndef treadle_contributions():\n    return (Tool(name='t', summary='s'),)\n"
            f"@hookimpl\ndef treadle_call():\n    return '{name}'\n",
        )
    caller = Caller(workshop.start())
    assert caller.call("tool", "t", {}) == "one"
    assert len(caller.contributions("tool")) == 1


# ---------------------------------------------------------------- plugins that call each other

CALLS = (
    "@hookimpl\ndef treadle_contributions():\n    return (Tool(name='{own}', summary='s'),)\n"
    "@hookimpl\ndef treadle_call(name, arguments, context):\n"
    "    return str(context.call('{kind}', '{other}', {arguments}))\n"
)


@pytest.mark.parametrize("apart", [False, True], ids=["inside", "apart"])
def test_one_that_calls_itself_for_ever_is_stopped(workshop: Apart, apart: bool) -> None:
    source = CALLS.format(own="loop", kind="tool", other="loop", arguments="{}")
    workshop.enabled("loops", source)
    Caller(workshop.start(apart=apart)).call("tool", "loop", {})
    assert f"was called by {MOST_DEEP} contributions that call each other" in workshop.faults[0].error


def test_one_apart_can_call_operators_and_rules_of_others_and_no_more(workshop: Apart) -> None:
    workshop.enabled("acme", EVERY)
    asks = "{'path': 'a.py', 'text': 'x'}"
    workshop.enabled("may", CALLS.format(own="may", kind="scan rule", other="no-wip", arguments=asks))
    workshop.enabled("must-not", CALLS.format(own="must-not", kind="tool", other="shout", arguments="{'text': 'x'}"))
    caller = Caller(workshop.start())
    assert caller.call("tool", "may", {}) == "[{'line': 1, 'message': 'a.py'}]"
    assert workshop.faults == []
    assert caller.call("tool", "must-not", {}) is None
    assert "the tool 'shout' is another plugin's" in workshop.faults[0].error
