"""What is observed of functions while tests run, in one version of a project and in another."""

from __future__ import annotations

import msgspec

from treadle.core.records import FileChange, Job
from treadle.core.tree.workspace import Tree
from treadle.plugins.behaviour.changed import changed_between, users
from treadle.plugins.behaviour.comparison import compared, steady, worded
from treadle.plugins.behaviour.jobs import MOST_BYTES, Behaviour, Call, Function, again, behaviour_of, observing

SHOP = '''
import asyncio


def price(pieces, each=2, *, off=0, **more):
    """Of so many.

    >>> price(100)
    200
    """
    return round(_total(pieces, each) - off, 2)


def _total(pieces, each):
    return pieces * each


def countdown(n):
    while n != 0:
        n -= 1
        yield n


def sort_it(values):
    print("sorting")
    values.sort()


async def later(n):
    await asyncio.sleep(0)
    return n + 1


def unrelated(n):
    return n


class Box:
    def __init__(self, *things):
        self.things = list(things)

    def put(self, thing):
        self.things.append(thing)
        return len(self.things)
'''
TESTS = """
import asyncio
import pytest
from shop import Box, countdown, later, price, sort_it, unrelated

@pytest.mark.parametrize("pieces", [3, 5])
def test_price(pieces):
    assert price(pieces, off=1, kind="x") == 2 * pieces - 1

def test_others():
    assert list(countdown(2)) == [1, 0]
    values = [2, 1]
    sort_it(values)
    assert asyncio.run(later(1)) == 2
    assert unrelated(1) == 1

def test_box():
    box = Box(1)
    assert box.put(4) == 2
"""


def observed(project, *versions: str) -> list[Behaviour]:
    """What the versions of the shop do."""
    context = project.context()
    changes = [(FileChange(path="shop.py", content=text.encode()),) for text in versions]
    jobs = observing(
        project.check(), [f"job-{n}" for n in range(len(versions))], Tree(project.workspace), changes, {"test_shop.py"}
    )
    return [behaviour_of(execution) for execution in context.execute(jobs)]


def ends(behaviour: Behaviour, name: str) -> dict[str, str]:
    return {call.call: ", ".join(worded(call)) for call in behaviour.functions[f"shop.py::{name}"].calls}


def test_a_call_that_waits_for_what_nothing_will_bring_is_endless(project):
    project.write(shop=SHOP, test_shop=TESTS)
    waits = "    if n != 1:\n        await asyncio.get_running_loop().create_future()\n    return n + 1"
    (found,) = observed(project, SHOP.replace("    return n + 1", waits))
    calls = {call.call: call.how for call in found.functions["shop.py::later"].calls}
    assert calls.pop("later(1)") == "returns" and set(calls.values()) == {"endless"}


def test_it_is_told_whether_the_order_of_a_set_may_matter(project):
    project.write(shop=SHOP, test_shop=TESTS)
    changed = SHOP.replace("pieces * each", "pieces * each + 0")
    without, made = observed(project, changed, SHOP.replace("pieces * each", "sum({pieces * each})"))
    assert (without.has_order, made.has_order) == (False, True)
    project.write(test_shop=TESTS.replace("Box(1)", "Box({1})"))
    (given,) = observed(project, SHOP.replace("append(thing)", "append(str(thing))"))
    assert given.has_order


def test_the_changed_function_is_observed_and_what_leads_to_it(project):
    project.write(shop=SHOP, test_shop=TESTS)
    (found,) = observed(project, SHOP.replace("pieces * each", "pieces * each + 0"))
    assert set(found.functions) == {"shop.py::_total", "shop.py::price"}
    price = ends(found, "price")
    assert price["price(3, 2, off=1, kind='x')"] == "gives 5"
    assert price["price(100, 2, off=0)"] == "gives 200", "the example of its docstring"
    assert len(price) > 30
    assert price["price.__defaults__"] == "gives (2,)"
    assert price["price.__kwdefaults__"] == "gives {'off': 0}"
    assert found.functions["shop.py::price"].module == "shop"


def test_of_what_leads_to_a_change_the_calls_that_do_so_are_kept(project):
    """However many others the tests make before, and so whether or not those run."""
    text = "def inner(n):\n    return n\n\n\ndef outer(n, deep=False):\n    return inner(n) if deep else n\n"
    shallow, deep = "[outer(n) for n in range(30)]", "outer(3, True)"
    told = []
    for calls in (f"{shallow}\n    {deep}", deep):
        project.write(shop=text, test_shop=f"from shop import outer\n\n\ndef test():\n    {calls}\n")
        (found,) = observed(project, text.replace("return n\n\n", "return +n\n\n"))
        told.append([call.call for call in found.functions["shop.py::outer"].calls])
    assert told[0] == told[1]
    assert "outer(3, True)" in told[0]


def test_each_way_in_which_a_call_ends_is_told(project):
    project.write(shop=SHOP, test_shop=TESTS)
    text = SHOP.replace("n -= 1", "n = n - 1").replace('"sorting"', '"sorting" ""').replace("n + 1", "1 + n")
    text = text.replace("self.things.append(thing)", "self.things += [thing]")
    (found,) = observed(project, text)
    countdown = ends(found, "countdown")
    assert countdown["countdown(2)"] == "gives ('elements', 1, 0)"
    assert (
        ends(found, "sort_it")["sort_it([2, 1])"]
        == "gives None, prints 'sorting\\n', leaves its arguments as ([1, 2],)"
    )
    assert ends(found, "later")["later(1)"] == "gives 2"
    assert (
        ends(found, "Box.put")["Box(things=[1]).put(4)"] == "gives 2, leaves its arguments as (Box(things=[1, 4]), 4)"
    )
    assert "shop.py::unrelated" not in found.functions


def test_what_does_not_end_is_told_and_so_is_what_raises(project):
    project.write(shop="def down(n):\n    while n != 0:\n        n -= 1\n    return 1 // n if n else n\n")
    project.write(test_shop="from shop import down\n\n\ndef test():\n    assert down(2) == 0\n")
    (found,) = observed(project, "def down(n):\n    while n != 0:\n        n = n - 1\n    return [0][n]\n")
    down = ends(found, "down")
    assert down["down(2)"] == "gives 0"
    assert down["down(-2)"] == "does not end"


def test_versions_are_compared_by_what_comes_of_the_same_call(project):
    project.write(shop=SHOP, test_shop=TESTS)
    same, other = observed(project, SHOP, SHOP.replace("pieces * each", "pieces * abs(each)"))
    count, differences = compared(same, other)
    assert count > 60
    assert differences
    assert all("-" in difference.one.call for difference in differences), "only a negative price shows it"
    assert differences[0].both_return
    assert compared(same, same) == (count, ())


TYPED = """
from __future__ import annotations
import enum
from typing import Literal, Optional, Sequence


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


def paint(by: Optional[str], way: Literal["thin", "thick"], colour: Colour = Colour.RED) -> str:
    return f"{colour.name} {way} {by}"


def late(dates: Sequence[tuple[int, str]], unknown: Nowhere = 1):
    return list(dates)


def most(names: dict[str, list[int]] | None) -> int:
    return max(map(len, names), default=0) if names else -1
"""


def test_values_of_declared_types_are_tried_though_no_test_gives_them(project):
    project.write(shop=TYPED)
    project.write(
        test_shop="from shop import *\n\n\ndef test():\n    assert paint('me', 'thin') == 'RED thin me'\n"
        "    assert most(None) == -1\n    assert late([]) == []\n"
    )
    text = TYPED.replace('f"{', 'f"" f"{').replace("list(dates)", "[*dates]").replace("else -1", "else 0 - 1")
    (found,) = observed(project, text)
    paint = ends(found, "paint")
    for start in ("paint('me', 'thick'", "paint(None, 'thin'", "paint('me', 'thin', Colour(_name_='BLUE'"):
        assert any(call.startswith(start) for call in paint)
    assert {"most({})", "most({'': []})"} <= set(ends(found, "most"))
    assert "late([], 1)" in ends(found, "late"), "annotations that mean nothing hinder nobody"


def test_calls_are_compared_that_came_to_a_steady_end():
    def behaving(**ends: Call) -> Behaviour:
        calls = tuple(msgspec.structs.replace(call, call=name) for name, call in ends.items())
        return Behaviour(functions={"a.py::f": Function(module="a", calls=calls)})

    def gives(what: str, **more: bool) -> Call:
        return Call(call="", how="returns", what=what, **more)

    endless = Call(call="", how="endless", what="", long=True)
    one, again = behaving(same=gives("1"), clock=gives("2")), behaving(same=gives("1"), clock=gives("3"))
    other = behaving(same=gives("4"), clock=gives("4"))
    assert [len(compared(each, other)[1]) for each in (one, steady(one, again))] == [2, 1]
    assert steady(one, Behaviour()).functions["a.py::f"].calls == ()
    assert compared(behaving(x=gives("1", long=True)), behaving(x=endless)) == (0, ()), "a few more steps, no loop"
    assert compared(behaving(x=gives("1")), behaving(x=endless))[0] == 1


def test_a_job_holds_the_files_that_matter_and_there_is_none_where_no_function_is_changed(project):
    project.write(shop="def price():\n    return 1\n", test_shop="", apart="def apart():\n    return 2\n")
    tree, names = Tree(project.workspace), ("one", "two")

    def jobs(text: bytes, path: str = "shop.py") -> tuple[Job, ...]:
        versions = ((), (FileChange(path=path, content=text),))
        return observing(project.check(), names, tree, versions, {"test_shop.py"})

    made = jobs(b"def price():\n    return 3\n")
    assert [job.id for job in made] == ["one", "two"]
    assert all("'shop.py': {1: 'price'}" in job.script and "apart.py" not in job.script for job in made)
    assert ("PYTHONHASHSEED", "1") in again(made[0], "again", Behaviour()).env
    assert again(made[0], "again", Behaviour(has_order=False)).env == made[0].env
    assert jobs(b"def price():\n    return 1\n\n\nprint()\n") == ()
    assert jobs(b"def test():\n    assert price()\n", "test_shop.py") == ()


def test_a_changed_constant_or_import_is_a_change_of_those_that_use_it():
    text = "from m import up\nRATE = 2\n\n\nclass C:\n    most = 3\n\n    def m(self):\n        return self.most\n"
    other = "from a import RATE\n\n\ndef use():\n    return RATE\n\n\ndef other():\n    return 1\n"
    assert changed_between(text, "import n\n" + text) == (set(), {"n"})
    assert changed_between(text, text.replace("2", "4")) == (set(), {"RATE"})
    assert changed_between(text, text.replace("3", "4")) == (set(), {"most"})
    assert changed_between(text, text.replace("from m", "from n")) == (set(), {"up"})
    assert changed_between(text, text.replace("self.most", "3")) == ({"C.m"}, set())
    assert changed_between(other, other.replace("1", "4")) == ({"other"}, set())
    assert set(users(other, {"RATE"})) == {"use"}
    assert set(users(text, {"most"})) == {"C.m"}
    assert not set(users("RATE = (", {"RATE"}))


HOSTILE = """
import functools, os, sys

def leaves(n):
    if n == 0:
        os._exit(3)
    return n

def forks(n):
    return 0 if n == 1 or os.fork() else 3

def closes(n):
    sys.stdout.close()
    print("said")

def many(n):
    return [n] * 9000

def named(n):
    return [functools.partial(leaves, n), (each for each in ())]

def hungry(n):
    return len("x" * 10**11) if n != 1 else n

class Bad:
    def __repr__(self):
        return "\\ud800"
    __slots__ = ()

def unwritable(n):
    return Bad()

def first(values):
    return values[0]
"""


def test_nothing_that_the_code_does_keeps_what_it_does_from_being_told(project):
    project.write(shop=HOSTILE)
    project.write(
        test_shop="""
        import os, shop, tempfile

        def test_each():
            folder = tempfile.mkdtemp()
            os.chdir(folder)
            os.rmdir(folder)
            if not os.fork():
                shop.leaves(7)
                os._exit(0)
            os.wait()
            for name in ("leaves", "forks", "many", "named", "hungry", "unwritable"):
                getattr(shop, name)(1)
            assert shop.first([0] * 10**6) == 0
            shop.closes(1)
        """
    )
    (found,) = observed(project, HOSTILE.replace("(n):", "(n):  # changed").replace("(values)", "(values, *more)"))
    assert ends(found, "leaves")["leaves(0)"] == "raises SystemExit"
    assert "leaves(7)" not in ends(found, "leaves"), "it was called in another process"
    assert ends(found, "forks")["forks(2)"] == "gives 0"
    assert ends(found, "closes")["closes(1)"] == "gives None, prints 'said\\n'"
    many = found.functions["shop.py::many"].calls
    assert not any(call.long for call in many), "how long a value is says nothing of the steps to it"
    assert ends(found, "named")["named(1)"] == (
        "gives [functools.partial(<function leaves>, 1), <generator object named.<locals>.<genexpr>>]"
    )
    hungry = found.functions["shop.py::hungry"].calls
    assert [call.how for call in hungry if call.call != "hungry(1)"] == ["unknown"] * 3, "no more are tried then"
    assert ends(found, "unwritable")["unwritable(1)"] == "gives \\ud800"
    assert "shop.py::first" not in found.functions, "so large an argument is not varied"


def test_a_run_that_left_nothing_is_no_behaviour(project):
    project.write(shop=SHOP, test_shop="import os\nos._exit(3)\n")
    assert [each.functions for each in observed(project, SHOP.replace("n + 1", "1 + n"))] == [{}]


def test_what_a_project_leaves_in_the_place_of_a_report_harms_nobody(project):
    project.write(shop=SHOP, test_shop=TESTS)
    (execution,) = project.context().execute((project.check(),))
    surrogate = b'{"functions": {"a": {"module": "\\ud800", "calls": []}}}'
    for content in (
        b"[]",
        b"{",
        b'{"functions": 3}',
        b'{"functions": {"a": {"module": 1, "calls": []}}}',
        surrogate,
        b" " * MOST_BYTES + b"{}",
    ):
        forged = msgspec.convert({"name": "behaviour.json", "content": content}, type(execution.files[0]))
        assert behaviour_of(msgspec.structs.replace(execution, files=(forged,))) == Behaviour()
