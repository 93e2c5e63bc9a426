"""What is observed of functions while tests run, in one version of a project and in another."""

from __future__ import annotations

import msgspec

from treadle.core.records import FileChange
from treadle.core.tree.workspace import Tree
from treadle.plugins.behaviour.changed import changed_functions
from treadle.plugins.behaviour.comparison import compared, worded
from treadle.plugins.behaviour.jobs import Behaviour, behaviour_of, observing

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


def test_a_changed_constant_is_a_change_of_those_that_use_it():
    before = {"a.py": "RATE = 2\n\n\nclass C:\n    most = 3\n\n    def m(self):\n        return self.most\n"}
    before["b.py"] = "from a import RATE\n\n\ndef use():\n    return RATE\n\n\ndef other():\n    return 1\n"
    assert set(changed_functions(before, before | {"a.py": before["a.py"].replace("2", "4")})) == {"b.py::use"}
    assert set(changed_functions(before, before | {"a.py": before["a.py"].replace("3", "4")})) == {"a.py::C.m"}
    assert set(changed_functions(before, before | {"b.py": before["b.py"].replace("1", "4")})) == {"b.py::other"}
    assert set(changed_functions(before, before | {"b.py": "def (:"})) == {"b.py::use", "b.py::other"}


def test_a_run_that_left_nothing_is_no_behaviour(project):
    project.write(shop=SHOP, test_shop="import os\nos._exit(3)\n")
    assert [each.functions for each in observed(project, SHOP.replace("n + 1", "1 + n"))] == [{}]


def test_what_a_project_leaves_in_the_place_of_a_report_harms_nobody(project):
    project.write(shop=SHOP, test_shop=TESTS)
    (execution,) = project.context().execute((project.check(),))
    for content in (b"[]", b"{", b'{"functions": 3}', b'{"functions": {"a": {"module": 1, "calls": []}}}'):
        forged = msgspec.convert({"name": "behaviour.json", "content": content}, type(execution.files[0]))
        assert behaviour_of(msgspec.structs.replace(execution, files=(forged,))) == Behaviour()
