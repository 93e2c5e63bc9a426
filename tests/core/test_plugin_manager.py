"""Which plugins are loaded, which are never imported, and what is told of each."""

from __future__ import annotations

import importlib
import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.plugin_workshop import Workshop, info
from treadle.core.config.layers import load
from treadle.core.config.settings import Settings
from treadle.core.errors import ConfigError
from treadle.core.plugin_check import check
from treadle.core.plugin_host import index
from treadle.core.plugin_host.guard import FAULTS_ALLOWED
from treadle.core.plugin_host.plugin_manager import PluginManager
from treadle.core.plugin_host.shipped import BUILTINS, ON_REQUEST
from treadle.core.plugin_host.state import PROTECTING

ROOT = Path(__file__).parents[2]
GOOD = "@hookimpl\ndef treadle_recall(task):\n    return (Lesson(id='1', signature='s', text='t'),)\n"
SETTINGS = (
    "@hookimpl\ndef treadle_settings():\n"
    "    tables = {'deep': {'size': 1}, 'free': {}}\n"
    "    defaults = {'ratio': 0.5, 'name': 'x', 'on': True, 'words': ['a'], 'any': None, **tables}\n"
    "    return (\n"
    "        Setting(name='limit', default=3, least=1, most=10),\n"
    "        Setting(name='pace', default='slow', choices=('slow', 'fast')),\n"
    "        *(Setting(name=name, default=default) for name, default in defaults.items()),\n"
    "    )\n"
)


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    return Workshop(tmp_path, monkeypatch)


def marking(workshop: Workshop) -> tuple[str, Path]:
    """A plugin that leaves a file behind when it is imported."""
    mark = workshop.project / "imported"
    return f"open({str(mark)!r}, 'w').close()\n" + GOOD, mark


# ---------------------------------------------------------------- never imported


@pytest.mark.parametrize("scope", ["project", "user", "shared", "run"])
def test_a_disabled_built_in_is_never_imported(workshop, scope):
    source, mark = marking(workshop)
    workshop.built_in("marks", source)
    if scope != "run":
        workshop.states().disable("marks", scope=scope)
    manager = workshop.manager(**({"marks": False} if scope == "run" else {}))
    assert info(manager, "marks").state == "disabled"
    assert info(manager, "marks").why
    assert manager.call("treadle_recall", task=None, context=None) == []
    assert not mark.exists()
    workshop.manager(marks=True)
    assert mark.exists(), "the mark is left when it is imported"


def test_a_third_party_plugin_is_never_imported_before_the_person_enables_it(workshop):
    source, mark = marking(workshop)
    workshop.installed("acme-memory", source, version="2.5")
    acme = info(workshop.manager(), "acme-memory")
    assert (acme.state, acme.version, acme.source) == ("disabled", "2.5", "acme-memory 2.5")
    assert acme.why == "not enabled yet: `treadle plugin enable acme-memory`"
    assert not mark.exists()
    workshop.states().enable("acme_memory")
    assert info(workshop.manager(), "acme-memory").state == "enabled"
    assert mark.exists()
    mark.unlink()
    workshop.states().disable("Acme-Memory")
    assert info(workshop.manager(), "acme-memory").why == "by you, for this project"
    assert not mark.exists()


def test_a_project_can_not_bring_a_plugin_to_life(workshop):
    source, mark = marking(workshop)
    workshop.installed("acme", source)
    (workshop.project / ".treadle").mkdir()
    (workshop.project / ".treadle" / "plugins.toml").write_text("[require]\nacme = '>=1'\n")
    assert info(workshop.manager(), "acme").state == "disabled"
    assert not mark.exists()


def test_of_many_that_the_project_requires_the_first_are_told_and_those_of_the_person_all(workshop):
    workshop.states().enable("wanted")
    (workshop.project / ".treadle").mkdir()
    required = "".join(f"x{number} = '>=1'\n" for number in range(500))
    (workshop.project / ".treadle" / "plugins.toml").write_text(f"[require]\n{required}")
    told = workshop.manager().left_out()
    assert len(told) == 12
    assert told[0].startswith("the plugin wanted takes no part")
    assert told[-1] == "and 490 plugins that the project requires are not installed here"


def test_a_version_that_the_project_does_not_want_is_told_and_takes_nothing_out(workshop):
    workshop.installed("acme", GOOD, version="1.0")
    workshop.states().enable("acme")
    (workshop.project / ".treadle").mkdir()
    (workshop.project / ".treadle" / "plugins.toml").write_text("[require]\nacme = '>=2'\n")
    manager, told = workshop.manager(), "the project requires acme >=2, and 1.0 is installed"
    assert (info(manager, "acme").state, info(manager, "acme").why) == ("enabled", told)
    assert manager.left_out() == (told,)
    assert manager.answerers("treadle_recall") == ("acme",)


def test_a_projects_file_can_not_switch_off_what_the_person_enabled(workshop):
    workshop.installed("acme", GOOD)
    workshop.states().enable("acme", scope="user")
    workshop.states().disable("acme", scope="shared")
    manager = workshop.manager()
    assert manager.answerers("treadle_recall") == ("acme",)
    (notice,) = manager.of_projects_file()
    assert "stays on, since you enabled it for all your projects" in notice
    workshop.states().disable("acme", scope="user")
    assert (workshop.manager().answerers("treadle_recall"), workshop.manager().of_projects_file()) == ((), ())


def test_built_ins_that_scan_validate_or_approve_are_those_that_a_project_can_not_switch_off():
    protecting = set()
    for name, module in (*BUILTINS, *ON_REQUEST):
        hooks = {each.hook.name for each in check(importlib.import_module(module)).implementations}
        if hooks & {"treadle_scan", "treadle_validate", "treadle_approve"}:
            protecting.add(name)
    assert protecting == PROTECTING


def test_listing_imports_nothing(workshop):
    source, mark = marking(workshop)
    workshop.built_in("marks", source)
    manager = PluginManager(workshop.states(), Settings(), workshop.faults.append, builtins=tuple(workshop.builtins))
    assert info(manager, "marks").state == "enabled"
    assert not mark.exists()


def test_the_manager_itself_imports_no_plugin():
    code = (
        "import sys, treadle.core.plugin_host.plugin_manager; "
        "print([m for m in sys.modules if m.startswith(('treadle.plugins', 'importlib.metadata'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_installed_packages_are_not_looked_through_when_nobody_enabled_one(workshop, monkeypatch):
    def looked() -> None:
        raise AssertionError("looked through the installed packages")

    workshop.built_in("good", GOOD)
    monkeypatch.setattr(index, "_entry_points", looked)
    assert workshop.manager().answerers("treadle_recall") == ("good",)


# ---------------------------------------------------------------- what can be wrong with a name


def test_an_enabled_plugin_that_is_not_installed_is_missing(workshop):
    workshop.states().enable("gone")
    gone = info(workshop.manager(), "gone")
    assert (gone.state, gone.why) == ("missing", "enabled by you, for this project, and it is not installed here")


def test_a_required_plugin_that_is_not_installed_is_missing(workshop):
    (workshop.project / ".treadle").mkdir()
    (workshop.project / ".treadle" / "plugins.toml").write_text("[require]\nacme = '>=2'\n")
    assert info(workshop.manager(), "acme").why == "the project requires acme >=2, and it is not installed here"


def test_two_packages_with_one_plugin_name_are_a_fault_that_names_both(workshop):
    source, mark = marking(workshop)
    workshop.installed("acme", source, package="acme-one")
    workshop.installed("acme", source, package="acme-two")
    workshop.states().enable("acme")
    acme = info(workshop.manager(), "acme")
    assert acme.state == "faulty"
    assert "acme-one 1.0 and from acme-two 1.0" in acme.why
    assert not mark.exists()


def test_a_package_can_not_take_the_name_of_a_built_in(workshop):
    source, mark = marking(workshop)
    workshop.built_in("good", GOOD)
    workshop.installed("good", source, package="impostor")
    workshop.states().enable("good")
    built_in, impostor = (p for p in workshop.manager().plugins() if p.name == "good")
    assert (built_in.state, built_in.source) == ("enabled", "built-in")
    assert impostor.state == "faulty"
    assert "impostor 1.0 and from Treadle itself" in impostor.why
    assert not mark.exists()


def test_a_package_whose_entry_points_are_damaged_does_not_hide_the_others(workshop):
    workshop.installed("acme", GOOD)
    damaged = workshop.path / "damaged-1.0.dist-info"
    damaged.mkdir()
    (damaged / "METADATA").write_text("Metadata-Version: 2.1\nName: damaged\nVersion: 1.0\n")
    (damaged / "entry_points.txt").write_text("[treadle]\nno equals sign\n")
    with pytest.raises((TypeError, ValueError)):
        importlib.metadata.entry_points(group="treadle")
    assert info(workshop.manager(acme=True), "acme").state == "enabled"


# ---------------------------------------------------------------- observers

OBSERVES = (
    "@hookimpl\ndef treadle_stop(session):\n    session.append('{0}')\n"
    "@hookimpl\ndef treadle_remember(outcome):\n    outcome.append('{0}')\n"
)


def test_treadles_own_observers_are_told_first_and_each_alone(workshop):
    for name in ("one", "two"):
        workshop.built_in(name, OBSERVES.format(name))
    workshop.installed("acme", OBSERVES.format("acme"))
    manager = workshop.manager(acme=True)
    assert manager.answerers("treadle_stop") == ("acme", "one", "two")
    for hook, argument in (("treadle_stop", "session"), ("treadle_remember", "outcome")):
        told: list[str] = []
        observers = manager.observers(hook)
        assert [each.limit_s for each in observers] == [None] * 3
        for each in observers:
            manager.tell(each, hook, **{argument: told}, context=None)
        assert told == ["one", "two", "acme"]


def test_an_observer_that_fails_too_often_is_told_nothing_more(workshop):
    workshop.built_in("bad", OBSERVES.format("bad"))
    manager = workshop.manager()
    for _ in range(FAULTS_ALLOWED):
        (bad,) = manager.observers("treadle_stop")
        manager.blame("bad", "treadle_stop", "late")
    assert bad.plugin == "bad"
    assert manager.observers("treadle_stop") == ()


# ---------------------------------------------------------------- telling


def test_a_plugin_shows_its_hooks_calls_and_times(workshop):
    workshop.built_in("good", GOOD + "@hookimpl\ndef treadle_stop(session):\n    pass\n")
    manager = workshop.manager()
    manager.call("treadle_recall", task=None, context=None)
    good = info(manager, "good")
    assert good.hooks == ("treadle_recall", "treadle_stop")
    assert (good.calls, good.faults, good.isolation) == (1, 0, "in-process")
    assert 0 < good.p50_ms <= good.p95_ms


def test_a_plugin_shows_what_it_contributes_and_is_asked_once(workshop):
    source = (
        "asked = []\n@hookimpl\ndef treadle_contributions():\n    asked.append(1)\n"
        "    return (Language(name=f'hammer {len(asked)}', summary='s', files=('.h',)),)\n"
    )
    workshop.built_in("tools", source)
    manager = workshop.manager()
    assert [c.name for c in info(manager, "tools").contributions] == ["hammer 1"]
    assert [c.name for c in info(manager, "tools").contributions] == ["hammer 1"]
    assert info(workshop.manager(tools=False), "tools").contributions == ()


def test_a_plugin_that_fails_to_say_what_it_contributes_is_shown_with_its_fault(workshop):
    workshop.built_in("broken", GOOD + "@hookimpl\ndef treadle_contributions():\n    return 1 / 0\n")
    broken = info(workshop.manager(), "broken")
    assert (broken.contributions, broken.faults, broken.state) == ((), 1, "enabled")
    assert workshop.faults[0].hook == "treadle_contributions"


def test_only_plugins_that_are_on_answer_a_hook(workshop):
    workshop.built_in("executor", "@hookimpl\ndef treadle_execute(jobs):\n    return ()\n")
    workshop.built_in("broken", "import no_such_module_anywhere\n")
    assert workshop.manager().answerers("treadle_execute") == ("executor",)
    assert workshop.manager(executor=False).answerers("treadle_execute") == ()


def test_a_wrapper_alone_does_not_answer_a_hook(workshop):
    workshop.built_in("around", "@hookimpl(wrapper=True)\ndef treadle_execute():\n    return (yield)\n")
    assert workshop.manager().answerers("treadle_execute") == ()


# ---------------------------------------------------------------- settings of plugins


def with_table(workshop: Workshop, text: str) -> Settings:
    file = workshop.project.parent / "config.toml"
    file.write_text(text)
    return load(workshop.project, user_file=file, env={}, overrides={})


def test_a_plugins_settings_are_its_defaults_with_the_persons_values(workshop):
    workshop.built_in("search", SETTINGS)
    settings = with_table(
        workshop,
        "[plugins.search]\nlimit = 9\npace = 'fast'\nratio = 1\nany = [1]\ndeep.size = 2\nfree.x = 1\n",
    )
    assert workshop.manager(settings).settings_of("search") == {
        "limit": 9,
        "pace": "fast",
        "ratio": 1.0,
        "name": "x",
        "on": True,
        "words": ["a"],
        "any": [1],
        "deep": {"size": 2},
        "free": {"x": 1},
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limt = 1", "unknown key 'plugins.search.limt'; did you mean 'limit'?"),
        ("limit = 'x'", "plugins.search.limit must be a whole number, not 'x'"),
        ("limit = true", "plugins.search.limit must be a whole number"),
        ("limit = 0", "plugins.search.limit must be at least 1, not 0"),
        ("limit = 11", "plugins.search.limit must be at most 10, not 11"),
        ("pace = 'fsat'", "plugins.search.pace must be one of 'slow' or 'fast', not 'fsat'"),
        ("ratio = true", "plugins.search.ratio must be a number"),
        ("ratio = nan", "plugins.search.ratio must be a number, not nan"),
        ("ratio = inf", "plugins.search.ratio must be a number, not inf"),
        ("on = 1", "plugins.search.on must be true or false"),
        ("words = 'a'", "plugins.search.words must be a list"),
        ("words = ['a', 1]", "plugins.search.words[1] must be a string"),
        ("deep = 1", "plugins.search.deep must be a table"),
        ("deep.sise = 1", "unknown key 'plugins.search.deep.sise'; did you mean 'size'?"),
    ],
)
def test_a_wrong_plugin_setting_names_file_and_key(workshop, text, said):
    workshop.built_in("search", SETTINGS)
    settings = with_table(workshop, f"[plugins.search]\n{text}\n")
    with pytest.raises(ConfigError) as caught:
        workshop.manager(settings)
    assert said in str(caught.value)
    assert "user file" in str(caught.value)
    assert "config.toml" in str(caught.value)


def test_a_wrong_plugin_setting_names_no_other_place_than_its_own(workshop):
    workshop.built_in("search", SETTINGS)
    file = workshop.project.parent / "config.toml"
    file.write_text("[plugins.search]\nlimit = 9\ndeep.size = 2\n")
    for key in ("plugins.search.limt", "plugins.search.deep.sise", "plugins.search.deep"):
        settings = load(workshop.project, user_file=file, env={}, overrides={key: "1"})
        with pytest.raises(ConfigError) as caught:
            workshop.manager(settings)
        assert str(caught.value).startswith("command line: "), caught.value


def test_one_that_is_left_out_for_its_settings_is_not_called_and_brings_nothing(workshop):
    tool = "@hookimpl\ndef treadle_contributions():\n    return (Language(name='l', summary='s', files=('.l',)),)\n"
    workshop.built_in("search", SETTINGS + GOOD + tool)
    settings = with_table(workshop, "[plugins.search]\nlimt = 1\n")
    manager = PluginManager(workshop.states(), settings, workshop.faults.append, builtins=tuple(workshop.builtins))
    manager.load(at_any_rate=True)
    search = info(manager, "search")
    assert (search.state, "limt" in search.why) == ("faulty", True)
    assert [setting.name for setting in search.settings] != []
    assert search.contributions == ()
    assert manager.answerers("treadle_recall") == ()
    assert manager.call("treadle_recall", task=None, context=None) == []
    assert manager.brought.of_kind("language") == ()
    assert manager.observers("treadle_stop") == ()


def test_settings_for_a_plugin_without_any_are_an_error(workshop):
    workshop.built_in("good", GOOD)
    with pytest.raises(ConfigError, match="the plugin has no settings"):
        workshop.manager(with_table(workshop, "[plugins.good]\nx = 1\n"))


def test_settings_of_a_disabled_plugin_are_not_looked_at(workshop):
    workshop.built_in("search", SETTINGS)
    misspelt = with_table(workshop, "[plugins.search]\nlimt = 1\n")
    manager = workshop.manager(misspelt, search=False)
    assert (info(manager, "search").state, manager.notices()) == ("disabled", ())
    with pytest.raises(ConfigError, match="limt"):
        workshop.manager(misspelt, search=True)


def test_settings_for_an_unknown_plugin_are_told_with_the_nearest_name(workshop):
    workshop.built_in("search", SETTINGS)
    workshop.installed("acme", GOOD)
    manager = workshop.manager(with_table(workshop, "[plugins.serch]\nlimit = 1\n[plugins.acme]\nx = 1\n"))
    (notice,) = manager.notices()
    assert "'serch'" in notice
    assert "did you mean 'search'?" in notice


# ---------------------------------------------------------------- the built-ins


def test_the_built_ins_are_named_once_and_live_in_the_plugins_room():
    names = [name for name, _ in BUILTINS]
    assert len(set(names)) == len(names)
    assert all(module.startswith("treadle.plugins.") for _, module in BUILTINS)
    assert all(name == name.lower().replace("_", "-") for name in names)
