"""What pytest keeps of a run of tests, and would meet again when it runs the same ones in the same process.

Nothing of that is public, and each version of pytest keeps it elsewhere (6 to 9 are known): what is not there is left
alone.

Runs in the sandbox under the person's Python (3.8 or newer) and pytest (6 or newer).
"""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import sys
from typing import Any

from treadle.plugins.test_runs.runners.time_limit import TestClock


def forget_reports(item: Any) -> None:
    """Forget how the test ended the last time."""
    item._report_sections = []
    item.__dict__.pop("_excinfo", None)  # what is left of a `TestCase` that failed more than once


def tear_down_all(session: Any, clock: TestClock) -> bool:
    """Tear down what tests that are left out would have, and whether that went well. No hook can be asked to: those of
    a test are called once."""
    state = session._setupstate
    tear_down = getattr(state, "teardown_all", None) or functools.partial(state.teardown_exact, None)
    clock.reset()
    clock.start()
    try:
        tear_down()
    except BaseException:  # noqa: BLE001 - whatever it is, the next run does without this process
        return False
    finally:
        clock.stop()
    return True


def can_be_run_again(session: Any) -> bool:
    """Forget the failures and the objects that the tests were run on; whether these would find nothing again."""
    _forget_failures(session.config)
    for item in session.items:
        _forget_objects(item)
    return not any(_keeps_state(item) for item in session.items)


def kept_beside(session: Any) -> list[Any]:
    """Where the next run of the same tests finds what this one has left, besides the project's modules: the parameters,
    the collectors' attributes, and what plugins keep for themselves."""
    parameters = [item.callspec.params for item in session.items if hasattr(item, "callspec")]
    collectors = {id(each): each for item in session.items for each in item.listchain()[1:-1]}
    stash = getattr(session.config, "stash", None) or session.config._store
    kept = (values for values in gc.get_referents(stash) if type(values) is dict)
    by_plugins = [value for values in kept for value in values.values() if not isinstance(value, io.IOBase)]
    return [*parameters, *map(vars, collectors.values()), *by_plugins]


def _forget_failures(config: Any) -> None:
    """Take away what pytest keeps of the tests that failed, and would count among the failures of the next run."""
    for name in ("last_exc", "last_traceback", "last_type", "last_value"):
        vars(sys).pop(name, None)
    with contextlib.suppress(ImportError, KeyError):  # before pytest 9
        from _pytest.subtests import failed_subtests_key

        config.stash[failed_subtests_key].clear()


def _forget_objects(item: Any) -> None:
    """A test method gets another object in the next run, and the class of a `TestCase` is as it was."""
    made, owner = item.__dict__, getattr(item.parent, "obj", None)
    method = made.get("_obj")
    # What a plugin has put in its place stays.
    if type(getattr(method, "__self__", None)) is owner and method.__func__ is getattr(owner, item.originalname, None):
        made.pop("_instance", None)
        made.pop("_obj")
    if isinstance(owner, type) and "tearDown_exceptions" in vars(owner):
        delattr(owner, "tearDown_exceptions")


def _keeps_state(item: Any) -> bool:
    """Whether the object whose method the test is has attributes, which it would find again."""
    instance = item.__dict__.get("_instance")
    if instance is None:  # before pytest 8.2
        instance = getattr(item.__dict__.get("_obj"), "__self__", None)
    return bool(getattr(instance, "__dict__", None))
