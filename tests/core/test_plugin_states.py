"""Who may switch a plugin on or off, and whose word counts."""

from __future__ import annotations

import itertools
import multiprocessing
import tomllib
from pathlib import Path

import pytest

from treadle.core.errors import ConfigError
from treadle.core.plugin_host.state import PluginStates, decide


class Person:
    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.project.mkdir()
        self.user_file, self.project_file = folder / "state" / "plugins.toml", folder / "state" / "p" / "plugins.toml"

    def states(self, **run: bool) -> PluginStates:
        return PluginStates(self.project, user_file=self.user_file, project_file=self.project_file, run=run)

    def shared(self, text: str) -> Path:
        file = self.project / ".treadle" / "plugins.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return file


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path)


def test_a_built_in_is_on_and_a_third_party_plugin_is_off_until_enabled(person):
    states = person.states()
    assert states.choice("search", built_in=True).enabled
    off = states.choice("acme", built_in=False)
    assert not off.enabled
    assert off.why == "not enabled yet: `treadle plugin enable acme`"
    states.enable("acme")
    assert person.states().choice("acme", built_in=False).enabled


@pytest.mark.parametrize("scope", ["project", "user"])
def test_a_choice_is_kept_and_can_be_changed(person, scope):
    person.states().disable("search", scope=scope)
    assert not person.states().choice("search", built_in=True).enabled
    person.states().enable("search", scope=scope)
    assert person.states().choice("search", built_in=True).enabled


def test_a_choice_for_one_project_is_none_for_another(person, tmp_path):
    person.states().disable("search")
    other = PluginStates(tmp_path, user_file=person.user_file, project_file=tmp_path / "state" / "other.toml")
    assert other.choice("search", built_in=True).enabled


VOICES = (None, True, False)


@pytest.mark.parametrize(("run", "mine", "shared", "user"), [*itertools.product(VOICES, VOICES, (False, True), VOICES)])
@pytest.mark.parametrize("built_in", [True, False])
def test_the_first_voice_that_says_something_wins(run, mine, shared, user, built_in):
    def said(voice: bool | None) -> dict[str, bool]:
        return {} if voice is None else {"x": voice}

    choice = decide("x", built_in, said(run), said(mine), {"x"} if shared else (), said(user))
    voices = [v for v in (run, mine, user, False if shared and built_in else None) if v is not None]
    assert choice.enabled == (voices[0] if voices else built_in)
    assert choice.made == bool(voices)


def test_a_project_can_not_enable_a_plugin(person):
    person.shared("enable = ['acme']\n")
    with pytest.raises(ConfigError, match="unknown key 'enable'"):
        person.states()


def test_a_project_can_not_be_made_to_enable_a_plugin(person):
    with pytest.raises(ConfigError, match="each of them runs"):
        person.states().enable("acme", scope="shared")


def test_a_project_can_switch_a_plugin_off_for_everybody_and_it_is_said(person):
    person.states().disable("memory", scope="shared")
    states = person.states()
    assert not states.choice("memory", built_in=True).enabled
    (notice,) = states.notices(["memory", "search"])
    assert ".treadle/plugins.toml" in notice
    assert "'memory'" in notice


def test_a_project_can_not_switch_off_the_scanners_that_watch_it(person):
    person.shared("disable = ['scan-rules', 'scan_bandit', 'validate-tests']\n")
    states, names = person.states(), ["scan-rules", "scan-bandit", "validate-tests"]
    assert all(states.choice(name, built_in=True).enabled for name in names)
    assert [("may not disable" in notice) for notice in states.notices(names)] == [True, True, True]
    states.disable("scan-rules")
    assert not person.states().choice("scan-rules", built_in=True).enabled


@pytest.mark.parametrize(
    ("version", "unmet"), [("1.2", ""), ("1.9.1", ""), ("2.0", ">=1.2,<2"), ("1.1", ">=1.2,<2"), ("1.3rc1", "")]
)
def test_a_project_can_require_a_version(person, version, unmet):
    person.shared("[require]\nAcme_Memory = '>=1.2,<2'\n")
    assert unmet in person.states().unmet("acme-memory", version)
    assert bool(person.states().unmet("acme-memory", version)) == bool(unmet)


def test_a_requirement_that_is_no_version_is_an_error_of_that_file(person):
    person.shared("[require]\nacme = 'new'\n")
    with pytest.raises(ConfigError, match=r"plugins\.toml: require\.acme"):
        person.states().unmet("acme", "1.0")


@pytest.mark.parametrize("wanted", ["<=" + "1" * 5_000, ",".join(f"!={number}" for number in range(10_000))])
def test_a_requirement_of_any_length_is_refused_and_not_repeated(person, wanted):
    """Python reads no number of more than 4,300 digits."""
    person.shared(f"[require]\nacme = '{wanted}'\n")
    with pytest.raises(ConfigError, match=r"require\.acme .* characters, and 200 are the most") as refused:
        person.states().unmet("acme", "1.0")
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize("version", ["", "of today", "1" * 5_000])
def test_a_plugin_whose_version_is_none_is_not_what_was_required(person, version):
    person.shared("[require]\nacme = '>=1'\n")
    assert "calls itself" in person.states().unmet("acme", version)


@pytest.mark.parametrize("text", ["disable = 'x'", "disable = [1]", "require = 3", "[require]\nx = 1", "x = ["])
def test_a_wrong_shared_file_is_named(person, text):
    person.shared(text)
    with pytest.raises(ConfigError, match=r"\.treadle/plugins\.toml"):
        person.states()


@pytest.mark.parametrize("text", ["plugins = 3", "[plugins]\nx = 1", "[plugins.x]\nenabled = 'yes'", "plugins = ["])
def test_a_damaged_file_of_the_persons_is_named(person, text):
    person.user_file.parent.mkdir(parents=True)
    person.user_file.write_text(text)
    with pytest.raises(ConfigError, match=r"state/plugins\.toml"):
        person.states()


def test_a_link_out_of_the_project_is_neither_read_nor_written(person, tmp_path):
    (tmp_path / "outside").mkdir()
    (person.project / ".treadle").symlink_to(tmp_path / "outside")
    with pytest.raises(ConfigError, match="leads out of the project"):
        person.states()
    (person.project / ".treadle").unlink()
    states = person.states()
    (person.project / ".treadle").symlink_to(tmp_path / "outside")
    with pytest.raises(ConfigError, match="leads out of the project"):
        states.disable("search", scope="shared")
    assert not list((tmp_path / "outside").iterdir())


def test_what_a_later_version_keeps_in_an_entry_survives_a_choice(person):
    person.project_file.parent.mkdir(parents=True)
    person.project_file.write_text("[plugins.acme]\nisolation = 'process'\ngrants = ['host']\n")
    person.states().enable("acme")
    entry = tomllib.loads(person.project_file.read_text())["plugins"]["acme"]
    assert entry == {"isolation": "process", "grants": ["host"], "enabled": True}


def test_a_run_can_overrule_everything_without_a_trace(person):
    person.states().disable("search")
    before = person.project_file.read_bytes()
    assert person.states(search=True).choice("search", built_in=True).enabled
    assert person.project_file.read_bytes() == before
    assert not person.states(executor=False).choice("executor", built_in=True).enabled


def _enable_many(folder: Path, names: list[str]) -> None:
    states = PluginStates(folder / "project", user_file=folder / "u.toml", project_file=folder / "p.toml")
    for name in names:
        states.enable(name)


def test_two_programs_that_choose_at_once_lose_nothing(person, tmp_path):
    batches = [[f"p{start + i}" for i in range(20)] for start in (0, 100, 200)]
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_enable_many, args=(tmp_path, batch)) for batch in batches]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    written = tomllib.loads((tmp_path / "p.toml").read_text())["plugins"]
    assert set(written) == {name for batch in batches for name in batch}
    assert {file.name for file in tmp_path.iterdir()} == {"p.toml", "project"}
