"""A project that the person has not trusted can make their settings stricter, and never looser."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.config.layers import load, project_content
from treadle.core.config.settings import KEYS, ScanSettings
from treadle.core.config.trust import Trust
from treadle.core.models.routing import ROLES

SEVERITY = st.sampled_from(["note", "ask", "deny"])
NUMBERS = [k.key for k in KEYS.values() if k.project == "lower"]
CHOICES = {
    "packages.install": ("always", "ask", "never"),
    "approval": ("auto", "review", "ask", "read-only"),
    "sandbox.network": ("host", "none"),
    "sandbox.tier": ("heavy", "standard", "quick"),
}
LAYERS = ["landlock", "seccomp", "pid", "net"]
OWN_SEVERITY = {"a": "note", "b": "ask", "c": "deny"}
MODEL = {
    "use": st.lists(st.sampled_from(["anthropic/a", "ollama/b"]), unique=True),
    "temperature": st.sampled_from([0.0, 0.5, 2.0]),
    "top_p": st.sampled_from([0.1, 1.0]),
    "max_tokens": st.integers(1, 9),
}
NEVER = {
    **{f"models.{role}.{name}": value for role in ROLES for name, value in MODEL.items()},
    "models.preset": st.sampled_from(["fast", "balanced", "best"]),
    "python": st.sampled_from(["", "/usr/bin/python3", "./python"]),
    "store": st.sampled_from(["", "postgresql://me@db/mine", "postgresql:///other"]),
    "packages.allow": st.lists(st.sampled_from(["six", "attrs"]), unique=True),
    "sandbox.read": st.lists(st.sampled_from(["/srv/data", "/home"]), unique=True),
    "sandbox.without": st.lists(st.sampled_from(LAYERS), unique=True),
    "retention.sessions_days": st.integers(0, 100),
    "retention.output_days": st.integers(0, 100),
    "retention.logs": st.integers(1, 100),
    "plugin_start_s": st.integers(1, 9),
    "hook_timeouts_s": st.dictionaries(st.sampled_from(["treadle_scan", "treadle_plan"]), st.integers(1, 9)),
    "installer": st.sampled_from(["auto", "uv", "pip"]),
    "screen.theme": st.sampled_from(["dark", "light", "high-contrast"]),
    "screen.keys": st.dictionaries(st.sampled_from(["session-accept", "pane-up"]), st.sampled_from(["x", "f12"])),
    "screen.opens": st.sampled_from(["never", "on failure", "always"]),
    "screen.notify": st.sampled_from(["never", "bell", "desktop"]),
    "screen.motion": st.sampled_from(["full", "reduced"]),
    "log.level": st.sampled_from(["debug", "info", "warning", "error"]),
    "plugins": st.dictionaries(
        st.sampled_from(["search", "memory"]), st.dictionaries(st.sampled_from("xy"), st.integers(0, 9))
    ),
}
FREE = {"test_command", "workspace", "loop.ladder"}
VALUES = {
    **{key: st.integers(1, 1000) for key in NUMBERS},
    **{key: st.sampled_from(options) for key, options in CHOICES.items()},
    **NEVER,
    "sandbox.require": st.lists(st.sampled_from(LAYERS), unique=True),
    "paths.deny": st.lists(st.sampled_from(["a/**", "*.lock"]), unique=True),
    "packages.deny": st.lists(st.sampled_from(["six", "*"]), unique=True),
    "paths.ask": st.lists(st.sampled_from(["a/**", "*.lock"]), unique=True),
    "scan.severity": st.dictionaries(st.sampled_from("abc"), SEVERITY),
    "scan.at_least": st.dictionaries(st.sampled_from("abc"), SEVERITY),
}  # fmt: skip
TABLES = st.fixed_dictionaries({}, optional=VALUES)


def write(file: Path, values: dict) -> None:
    table: dict = {}
    for key, value in values.items():
        *sections, name = key.split(".")
        inner = table
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[name] = value
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(tomli_w.dumps(table))


def value_of(settings, key: str):
    for part in key.split("."):
        settings = getattr(settings, part)
    return settings


def test_every_key_is_covered_by_the_claims_below():
    assert set(VALUES) | FREE == set(KEYS)


@given(user=TABLES, own=TABLES)
def test_nothing_in_a_projects_file_loosens_what_the_person_set(tmp_path_factory, user, own):
    folder = tmp_path_factory.mktemp("tighten")
    project = folder / "project"
    write(folder / "config.toml", user)
    project.mkdir()
    alone = load(project, user_file=folder / "config.toml", env={}, overrides={})
    write(project / ".treadle" / "config.toml", own)
    both = load(project, user_file=folder / "config.toml", env={}, overrides={})

    for key in NUMBERS:
        assert value_of(both, key) == min(value_of(alone, key), own.get(key, 10**9))
    for key, order in CHOICES.items():
        assert order.index(value_of(both, key)) >= order.index(value_of(alone, key))
        assert order.index(value_of(both, key)) >= order.index(own.get(key, order[0]))
    for key in NEVER:
        assert value_of(both, key) == value_of(alone, key)
    assert set(both.sandbox.require) == set(alone.sandbox.require) | set(own.get("sandbox.require", ()))
    strict = ["note", "ask", "deny"].index
    for rule, severity in OWN_SEVERITY.items():
        assert strict(both.scan.severity_of(rule, severity)) >= strict(alone.scan.severity_of(rule, severity))
        for wanted in (own.get("scan.severity", {}), own.get("scan.at_least", {})):
            assert strict(both.scan.severity_of(rule, severity)) >= strict(wanted.get(rule, "note"))


@given(user=TABLES, own=TABLES)
def test_what_is_not_taken_is_said_with_the_place_and_where_it_belongs(tmp_path_factory, user, own):
    folder = tmp_path_factory.mktemp("said")
    write(folder / "config.toml", user)
    write(folder / "project" / ".treadle" / "config.toml", own)
    settings = load(folder / "project", user_file=folder / "config.toml", env={}, overrides={})
    ignored = {each.key for each in settings.ignored}
    for key, value in own.items():
        if key in NUMBERS or key in CHOICES:
            assert (key in ignored) == (value_of(settings, key) != value)
        elif key in NEVER and key not in ("plugins", "hook_timeouts_s", "screen.keys"):
            assert key in ignored
    tables = own.get("plugins", {}).items()
    assert {f"plugins.{name}.{setting}" for name, table in tables for setting in table} <= ignored
    assert len(settings.notices) == min(len(settings.ignored), 11)
    for notice in settings.notices:
        assert ".treadle/config.toml" in notice
        assert "your own config.toml" in notice
        assert "treadle trust" in notice


@pytest.mark.parametrize("env", [True, False])
def test_the_persons_later_word_beats_the_projects(tmp_path, env):
    write(
        tmp_path / "p/.treadle/config.toml",
        {"approval": "ask", "budget.wall_s": 5, "scan.severity": {"a": "deny", "b": "deny"}},
    )
    later = (
        {
            "env": {
                "TREADLE_APPROVAL": "auto",
                "TREADLE_BUDGET__WALL_S": "50",
                "TREADLE_SCAN__SEVERITY": '{a = "note"}',
            },
            "overrides": {},
        }
        if env
        else {"env": {}, "overrides": {"approval": "auto", "budget.wall_s": 50, "scan.severity.a": "note"}}
    )
    settings = load(tmp_path / "p", user_file=tmp_path / "none", **later)
    assert (settings.approval, settings.budget.wall_s) == ("auto", 50)
    assert settings.scan.severity_of("a", "ask") == "note"
    assert settings.scan.severity_of("b", "ask") == "deny"
    assert "scan.at_least.a" not in settings.origins


def test_a_projects_severity_is_a_floor_and_not_a_replacement():
    scan = ScanSettings(severity={"mine": "note"}, at_least={"floor": "ask", "mine": "ask"})
    assert scan.severity_of("floor", "note") == "ask"
    assert scan.severity_of("floor", "deny") == "deny"
    assert scan.severity_of("mine", "deny") == "ask"
    assert scan.severity_of("other", "note") == "note"


class Trusting:
    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.project.mkdir()
        self.user_file = folder / "config.toml"
        self.trust = Trust(folder / "state" / "trust.toml")

    def own(self, values: dict) -> None:
        write(self.project / ".treadle" / "config.toml", values)

    def load(self):
        return load(self.project, user_file=self.user_file, env={}, overrides={}, trust=self.trust)


@pytest.fixture
def trusting(tmp_path: Path) -> Trusting:
    return Trusting(tmp_path)


LOOSENING = {
    "python": "/opt/python",
    "sandbox.network": "host",
    "budget.wall_s": 5000,
    "plugins": {"search": {"limit": 9}},
}


def test_a_trusted_project_may_set_what_else_only_the_person_may(trusting):
    trusting.own(LOOSENING)
    assert trusting.load().sandbox.network == "none"
    trusting.trust.grant(trusting.project, project_content(trusting.project))
    settings = trusting.load()
    assert (settings.python, settings.sandbox.network, settings.budget.wall_s) == ("/opt/python", "host", 5000)
    assert settings.plugins == {"search": {"limit": 9}}
    assert settings.notices == ()


def test_trust_lapses_when_the_settings_change_and_it_is_said(trusting):
    trusting.own(LOOSENING)
    trusting.trust.grant(trusting.project, project_content(trusting.project))
    trusting.own({**LOOSENING, "python": "/tmp/other"})
    settings = trusting.load()
    assert (settings.python, settings.sandbox.network) == ("", "none")
    assert "changed since you trusted it" in settings.notices[0]
    assert ".treadle/config.toml" in settings.notices[0]
    assert "treadle trust" in settings.notices[0]


def test_a_comment_is_no_change(trusting):
    trusting.own(LOOSENING)
    trusting.trust.grant(trusting.project, project_content(trusting.project))
    file = trusting.project / ".treadle" / "config.toml"
    file.write_text("# why\n" + file.read_text())
    assert trusting.load().sandbox.network == "host"


def test_settings_moved_into_pyproject_are_other_content(trusting):
    trusting.own(LOOSENING)
    trusting.trust.grant(trusting.project, project_content(trusting.project))
    (trusting.project / ".treadle" / "config.toml").rename(trusting.project / "moved")
    (trusting.project / "pyproject.toml").write_text("[tool.treadle.sandbox]\nnetwork = 'host'\n")
    assert trusting.load().sandbox.network == "none"
