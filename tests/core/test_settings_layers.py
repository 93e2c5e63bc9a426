"""Five layers: which value wins, where it came from, and how each place writes it."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.config.layers import load
from treadle.core.config.settings import KEYS, Keys, describe

SOURCES = ("default", "user file", "project file", "environment", "command line")


class Person:
    """A project and its person's settings file."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.user_file = folder / "home" / "config.toml"
        (self.project / ".treadle").mkdir(parents=True)
        self.user_file.parent.mkdir()

    def user(self, text: str) -> None:
        self.user_file.write_text(text)

    def own(self, text: str) -> None:
        (self.project / ".treadle" / "config.toml").write_text(text)

    def load(self, env=None, overrides=None, trust=None):
        return load(self.project, user_file=self.user_file, env=env or {}, overrides=overrides or {}, trust=trust)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_without_any_file_everything_is_a_default(person):
    settings = person.load()
    assert settings.loop.stage_timeout_s == 300
    assert settings.loop.ladder == ("generate", "repair", "repair", "another", "another")
    assert {source for _, _, source in settings.explain()} == {"default"}
    assert not settings.notices


# The value of each layer is smaller than that of the one before, so that the project may set it, too.
@given(present=st.sets(st.sampled_from(SOURCES[1:])))
def test_the_later_layer_wins_and_the_origin_names_it(tmp_path_factory, present):
    person = Person(tmp_path_factory.mktemp("layers"))
    number = {source: 200 - 10 * i for i, source in enumerate(SOURCES)}
    if "user file" in present:
        person.user(f"[loop]\nstage_timeout_s = {number['user file']}\n")
    if "project file" in present:
        person.own(f"[loop]\nstage_timeout_s = {number['project file']}\n")
    env = {"TREADLE_LOOP__STAGE_TIMEOUT_S": str(number["environment"])} if "environment" in present else {}
    overrides = {"loop.stage_timeout_s": number["command line"]} if "command line" in present else {}
    settings = person.load(env, overrides)
    winner = max(present, key=SOURCES.index, default="default")
    assert settings.loop.stage_timeout_s == (300 if winner == "default" else number[winner])
    explained = {key: source for key, _, source in settings.explain()}
    assert explained["loop.stage_timeout_s"].startswith(winner)


def test_where_a_value_came_from_names_the_file_or_variable(person):
    person.user('python = "/opt/python"\n')
    settings = person.load({"TREADLE_APPROVAL": "ask"}, {"log.level": "debug"})
    explained = {key: (value, source) for key, value, source in settings.explain()}
    assert explained["python"] == ("/opt/python", f"user file {person.user_file}")
    assert explained["approval"] == ("ask", "environment TREADLE_APPROVAL")
    assert explained["log.level"] == ("debug", "command line")
    assert explained["workspace"] == ("auto", "default")
    assert set(KEYS) <= set(explained)


def test_a_table_is_joined_from_all_layers(person):
    person.user('[scan.severity]\na = "note"\nb = "note"\n[plugins.search]\nlimit = 5\ndepth = 1\n')
    env = {"TREADLE_SCAN__SEVERITY": '{b = "deny"}', "TREADLE_PLUGINS__SEARCH__DEPTH": "2"}
    settings = person.load(env, {"scan.severity.B602": "ask"})
    assert settings.scan.severity == {"a": "note", "b": "deny", "B602": "ask"}
    assert settings.plugins == {"search": {"limit": 5, "depth": 2}}
    assert settings.origins["plugins.search.limit"].source == "user file"
    assert settings.origins["plugins.search.depth"].place == "TREADLE_PLUGINS__SEARCH__DEPTH"


def test_one_value_deep_in_a_plugins_table_can_be_set(person):
    person.user("[plugins.talk.services.near]\nurl = 'x'\nwait = 1\n")
    env = {"TREADLE_PLUGINS__TALK__SERVICES__NEAR__WAIT": "2"}
    overrides = {"plugins.talk.services.far.wait": "4", 'plugins.talk.services."my.own".wait': "5"}
    services = {"near": {"url": "x", "wait": 2}, "far": {"wait": 4}, "my.own": {"wait": 5}}
    assert person.load(env, overrides).plugins == {"talk": {"services": services}}


@pytest.mark.parametrize("variable", ["TREADLE_PLUGINS__MY_MEMORY__SIZE", "TREADLE_PLUGINS__My-Memory__SIZE"])
def test_a_plugins_name_has_one_spelling(person, variable):
    person.user("[plugins.My_Memory]\nsize = 1\n")
    assert person.load({variable: "2"}).plugins == {"my-memory": {"size": 2}}


@pytest.mark.parametrize("text", ["landlock, seccomp", '["landlock", "seccomp"]'])
def test_a_list_in_the_environment_is_toml_or_words_with_commas(person, text):
    assert person.load({"TREADLE_SANDBOX__REQUIRE": text}).sandbox.require == ("landlock", "seccomp")


@pytest.mark.parametrize("text", ["\"pytest -q 'my tests'\"", '["pytest", "-q", "my tests"]'])
def test_a_test_command_is_a_list_or_split_as_a_shell_would(person, text):
    person.own(f"test_command = {text}\n")
    assert person.load().test_command == ("pytest", "-q", "my tests")
    assert person.load({"TREADLE_TEST_COMMAND": "make check"}).test_command == ("make", "check")


def test_a_string_that_looks_like_a_number_stays_a_string(person):
    assert person.load({"TREADLE_PYTHON": "3"}).python == "3"


def test_an_empty_variable_and_those_that_are_no_settings_are_passed_over(person):
    env = {
        "TREADLE_PYTHON": "",
        "TREADLE_HOME": "/somewhere",
        "TREADLE_JOB": "/job",
        "TREADLE_DEBUG": "1",
        "PATH": "/bin",
    }
    assert person.load(env) == person.load()


def test_the_settings_can_come_from_pyproject(person):
    (person.project / "pyproject.toml").write_text('[tool.treadle]\napproval = "ask"\n')
    settings = person.load()
    assert settings.approval == "ask"
    assert settings.origins["approval"].place.endswith("pyproject.toml [tool.treadle]")


def test_a_pyproject_of_somebody_elses_does_not_hinder_our_own_file(person):
    (person.project / "pyproject.toml").write_text("[tool.black]\nline-length = 100\n# treadle is fine\n")
    person.own('approval = "ask"\n')
    assert person.load().approval == "ask"


def test_a_broken_pyproject_that_does_not_speak_of_us_is_left_to_others(person):
    (person.project / "pyproject.toml").write_text("[project\n")
    assert not person.load().notices


def test_no_file_of_the_persons_is_written(person):
    person.user("# mine\n[loop]\nmax_attempts = 3 # few\n")
    person.own("# ours\n")
    before = {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in person.user_file.parent.parent.rglob("*.toml")
    }
    person.load({"TREADLE_APPROVAL": "ask"}, {"loop.max_attempts": 2})
    after = {
        path: (path.read_bytes(), path.stat().st_mtime_ns) for path in person.user_file.parent.parent.rglob("*.toml")
    }
    assert after == before
    assert len(before) == 2


def test_a_file_with_a_byte_order_mark_is_read(person):
    person.user_file.write_bytes(b'\xef\xbb\xbfapproval = "ask"\n')
    assert person.load().approval == "ask"


def test_every_key_is_described_with_a_sentence_a_default_and_its_variable(person):
    explained = person.load().explain()
    for info in describe():
        assert info.description.endswith("."), info.key
        assert len(info.description.split()) >= 3, info.key
        if not isinstance(info.default, dict):
            assert (info.key, info.default, "default") in explained
        assert info.variable == "TREADLE_" + info.key.upper().replace(".", "__")


def test_the_defaults_can_be_written_into_a_file_and_read_back(person):
    table: dict = {}
    for info in describe():
        if info.default is None:
            continue  # TOML has no word for what is not set
        *sections, name = info.key.split(".")
        inner = table
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[name] = list(info.default) if isinstance(info.default, tuple) else info.default
    person.user(tomli_w.dumps(table))
    settings = person.load()
    for field in Keys.__struct_fields__:
        assert getattr(settings, field) == getattr(Keys(), field)


def test_sections_of_one_kind_have_the_defaults_of_their_places(person: Person) -> None:
    assert (KEYS["budget.day.usd"].default, KEYS["budget.month.usd"].default) == (20.0, 200.0)
    person.user("[budget.day]\nusd = 3\n")
    budget = person.load().budget
    assert (budget.day.usd, budget.month.usd) == (3.0, 200.0)
    assert (budget.day.calls, budget.month.calls) == (2_000, 20_000)


def test_of_many_settings_that_a_project_may_not_set_the_first_are_told(person):
    person.own("[plugins]\n" + "".join(f"x{number} = {{a = 1}}\n" for number in range(500)) + f"{'y' * 9_000} = {{}}\n")
    settings = person.load()
    assert len(settings.notices) == 11
    assert ": 490 more that a project may not set are ignored" in settings.notices[-1]
    assert len(settings.ignored) == 500
    person.own(f"[plugins]\n{'y' * 9_000} = {{a = 1}}\n")
    assert len(person.load().notices[0]) < 500
