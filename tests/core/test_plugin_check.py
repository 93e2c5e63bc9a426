"""What keeps a plugin out is found before any of its hooks is called, and the message holds the mend."""

from __future__ import annotations

import pytest

from tests.core.plugin_workshop import Workshop, info


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    return Workshop(tmp_path, monkeypatch)


GOOD = "@hookimpl\ndef treadle_recall(task):\n    return (Lesson(id='1', signature='s', text='t'),)\n"

BROKEN = {
    "a misspelt hook": (
        "@hookimpl\ndef treadle_recal(task):\n    return None\n",
        "there is no hook 'treadle_recal'; did you mean 'treadle_recall'?",
    ),
    "a marked function that is no hook": (
        "@hookimpl\ndef recall(task):\n    return None\n",
        "there is no hook 'recall'",
    ),
    "a wrong argument": (
        "@hookimpl\ndef treadle_recall(tasks):\n    return None\n",
        "treadle_recall has no argument 'tasks'; did you mean 'task'? it takes task, context",
    ),
    "an argument that is never passed": (
        "@hookimpl\ndef treadle_recall(task=None):\n    return None\n",
        "argument 'task' would never be passed",
    ),
    "a keyword-only argument": (
        "@hookimpl\ndef treadle_recall(*, task):\n    return None\n",
        "argument 'task' would never be passed",
    ),
    "all arguments at once": (
        "@hookimpl\ndef treadle_recall(**arguments):\n    return None\n",
        "name those that you need",
    ),
    "async": ("@hookimpl\nasync def treadle_recall(task):\n    return None\n", "hooks are synchronous: write `def`"),
    "async generator": ("@hookimpl\nasync def treadle_recall(task):\n    yield 1\n", "hooks are synchronous"),
    "generator": ("@hookimpl\ndef treadle_recall(task):\n    yield 1\n", "return a tuple of it"),
    "wrapper without yield": (
        "@hookimpl(wrapper=True)\ndef treadle_recall(task):\n    return ()\n",
        "write `answer = yield`",
    ),
    "old wrapper": (
        "@hookimpl(hookwrapper=True)\ndef treadle_recall(task):\n    yield\n",
        "write @hookimpl(wrapper=True)",
    ),
    "wrapper of what each is told alone": (
        "@hookimpl(wrapper=True)\ndef treadle_stop(session):\n    return (yield)\n",
        "wraps what others are told, and each is told alone",
    ),
    "no hook": ("x = 1\n", "it has no hook"),
    "import error": (
        "import no_such_module_anywhere\n",
        "No module named 'no_such_module_anywhere'; install what it needs",
    ),
    "syntax error": ("def broken(:\n", "SyntaxError"),
    "raises at import": ("raise RuntimeError('not\\ntoday')\n", "RuntimeError: not today"),
    "leaves at import": ("import sys; sys.exit(0)\n", "SystemExit: 0"),
    "raises what can't be printed": (
        "class E(Exception):\n    def __str__(self): raise ValueError\nraise E\n",
        "its author has to mend it",
    ),
    "raises a message to the loop": ("raise errors.ConfigError('stop')\n", "can't be imported"),
    "settings that are no table": (
        "@hookimpl\ndef treadle_settings():\n    return ['x']\n",
        "treadle_settings: treadle_settings answered with the wrong type",
    ),
    "settings that raise": ("@hookimpl\ndef treadle_settings():\n    raise errors.UsageError('no')\n", "no"),
}


@pytest.mark.parametrize("why", BROKEN)
def test_a_broken_plugin_is_out_with_the_mend_and_the_others_go_on(workshop, why):
    source, mend = BROKEN[why]
    workshop.built_in("broken", source)
    workshop.built_in("good", GOOD)
    manager = workshop.manager()
    broken = info(manager, "broken")
    assert broken.state == "faulty"
    assert mend in broken.why
    assert "\n" not in broken.why
    assert info(manager, "good").state == "enabled"
    assert len(manager.call("treadle_recall", task=None, context=None)) == 1


def test_all_problems_are_said_at_once(workshop):
    workshop.built_in("broken", BROKEN["async"][0] + "@hookimpl\ndef treadle_scam(x):\n    pass\n")
    why = info(workshop.manager(), "broken").why
    assert "synchronous" in why
    assert "did you mean 'treadle_scan'?" in why


def test_a_function_without_the_mark_is_a_warning_with_the_mend(workshop):
    workshop.built_in("half", GOOD + "def treadle_scan(candidate):\n    return None\ndef treadle_helper():\n    pass\n")
    half = info(workshop.manager(), "half")
    assert half.state == "enabled"
    (warning,) = half.warnings
    assert warning.startswith("treadle_scan: is never called")
    assert "@hookimpl" in warning


def test_a_misspelt_function_without_the_mark_is_a_warning_too(workshop):
    workshop.built_in("half", GOOD + "def treadle_scam(candidate):\n    return None\n")
    assert "did you mean 'treadle_scan'?" in info(workshop.manager(), "half").warnings[0]


def test_specifications_that_a_plugin_imported_are_no_forgotten_hooks(workshop):
    workshop.built_in("good", "from treadle.core.hooks import treadle_scan, treadle_plan\n" + GOOD)
    assert info(workshop.manager(), "good").warnings == ()


@pytest.mark.parametrize(
    ("version", "mend"), [("0", "newer one"), ("2", "update Treadle"), ("'1'", "a whole number, not '1'")]
)
def test_another_version_of_the_hooks_is_incompatible(workshop, version, mend):
    workshop.built_in("old", f"treadle_api_version = {version}\n" + GOOD)
    old = info(workshop.manager(), "old")
    assert old.state == "incompatible"
    assert ("update Treadle" in old.why) is (mend == "update Treadle")
    assert mend in old.why


def test_this_version_of_the_hooks_is_fine(workshop):
    workshop.built_in("now", "treadle_api_version = 1\n" + GOOD)
    assert info(workshop.manager(), "now").state == "enabled"


def test_an_optional_hook_that_is_not_known_here_does_no_harm(workshop):
    workshop.built_in("new", GOOD + "@hookimpl(optionalhook=True)\ndef treadle_from_the_future(x):\n    return 1\n")
    assert info(workshop.manager(), "new").hooks == ("treadle_recall",)


def test_a_hook_may_carry_another_name(workshop):
    workshop.built_in(
        "named",
        GOOD.replace("@hookimpl", "@hookimpl(specname='treadle_recall')").replace("def treadle_recall", "def mine"),
    )
    manager = workshop.manager()
    assert manager.answerers("treadle_recall") == ("named",)
    assert len(manager.call("treadle_recall", task=None, context=None)) == 1


def test_an_entry_point_may_name_an_object_and_not_a_class(workshop):
    source = (
        "class Memory:\n    " + GOOD.replace("(task)", "(self, task)").replace("\n", "\n    ") + "\nmemory = Memory()\n"
    )
    module = workshop.module(source)
    for name, attribute in (("object", "memory"), ("class", "Memory")):
        folder = workshop.path / f"{name}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[treadle]\n{name} = {module}:{attribute}\n")
    manager = workshop.manager(**{"object": True, "class": True})
    assert info(manager, "object").state == "enabled"
    assert len(manager.call("treadle_recall", task=None, context=None)) == 1
    assert "name a module or an instance" in info(manager, "class").why


def test_looking_at_a_plugin_evaluates_none_of_its_properties(workshop):
    source = "class P:\n    @property\n    def x(self):\n        raise SystemExit\n    " + GOOD.replace(
        "(task)", "(self, task)"
    ).replace("\n", "\n    ")
    module = workshop.module(source + "\np = P()\n")
    folder = workshop.path / "props-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: props\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[treadle]\nprops = {module}:p\n")
    assert info(workshop.manager(props=True), "props").state == "enabled"
