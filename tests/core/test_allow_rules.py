"""What the person is not asked about any more, as a file of theirs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treadle.core.allowances import rules_for
from treadle.core.concerns import said
from treadle.core.config.allow_rules import AllowRule, AllowRules
from treadle.core.errors import ConfigError, UsageError
from treadle.core.places import Places
from treadle.core.records import Concern
from treadle.core.tree.globs import Glob

ONE = AllowRule(rule="network", path="fetch.py", why='fetch.py:3: uses the network ("x")\n[[allow]] (network)')
TWO = AllowRule(rule="outside-plan", path="docs/**")


@pytest.fixture
def rules(tmp_path: Path) -> AllowRules:
    return AllowRules(tmp_path / "state" / "allow.toml")


def test_they_lie_in_the_persons_own_state(tmp_path: Path) -> None:
    places = Places(tmp_path / "home", tmp_path / "project")
    assert places.allow_rules.is_relative_to(places.home)
    assert not places.allow_rules.is_relative_to(places.project)


def test_what_is_added_is_read_back_and_nothing_twice(rules: AllowRules) -> None:
    assert rules.read() == ()
    rules.add((ONE,))
    rules.add((ONE, TWO))
    assert rules.read() == (ONE, TWO)
    assert rules.file.stat().st_mode & 0o777 == 0o600


def test_what_the_person_wrote_there_stays(rules: AllowRules) -> None:
    rules.add((ONE,))
    written = rules.file.read_text() + '# mine\n[[allow]]\npath = "a.py" # here\nrule = "shell"'
    rules.file.write_text(written)
    rules.add((TWO,))
    assert rules.file.read_text().startswith(written)
    assert [rule.rule for rule in rules.read()] == ["network", "shell", "outside-plan"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_one_can_be_taken_back_and_the_others_stay(rules: AllowRules, number: int) -> None:
    three = (ONE, TWO, AllowRule(rule="shell", path="a.py"))
    rules.add(three)
    assert rules.remove(number) == three[number - 1]
    assert rules.read() == (*three[: number - 1], *three[number:])


def test_one_that_is_not_there_can_not(rules: AllowRules) -> None:
    with pytest.raises(UsageError, match="there is no rule 1: there are none"):
        rules.remove(1)
    rules.add((ONE,))
    with pytest.raises(UsageError, match="there is no rule 2: there are 1"):
        rules.remove(2)


@pytest.mark.parametrize(
    "written",
    [
        'allow = [{rule = "a", path = "b"}, {rule = "c", path = "d"}]\n',
        '[[allow]]\nrule = "a"\npath = "b"\nwhy = """\n[[allow]]\n"""\n[[allow]]\nrule = "c"\npath = "d"\n',
    ],
)
def test_where_it_can_not_be_cut_out_the_file_stays_and_the_person_is_told(rules: AllowRules, written: str) -> None:
    rules.file.parent.mkdir()
    rules.file.write_text(written)
    assert len(rules.read()) == 2
    with pytest.raises(ConfigError, match="take rule 1 out of it there"):
        rules.remove(1)
    assert rules.file.read_text() == written


@pytest.mark.parametrize("written", ["allow = []\n", 'allow = [{rule = "a", path = "b"}]\n'])
def test_where_none_can_be_added_the_file_stays_and_the_person_is_told(rules: AllowRules, written: str) -> None:
    rules.file.parent.mkdir()
    rules.file.write_text(written)
    with pytest.raises(ConfigError, match="write each rule below a line"):
        rules.add((ONE,))
    assert rules.file.read_text() == written


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("allow = 1", "must be tables, each below a line [[allow]]"),
        ("[allow]\nrule = 'a'", "must be tables"),
        ("deny = []", "unknown key 'deny'"),
        ("[[allow]]\nrule = 'a'\npath = 'b'\nfile = 'c'", "rule 1: unknown key 'file'"),
        ("[[allow]]\nrule = 'a'\npath = 'b'\n[[allow]]\nrule = 'a'", "rule 2: it says no path"),
        ("[[allow]]\nrule = ' '\npath = 'b'", "rule 1: it says no rule"),
        ("[[allow]]\nrule = 'a'\npath = ['b']", "rule 1: path must be a text"),
        ("[[allow]]\nrule = 'path-deny'\npath = 'b'", "only the setting paths.deny itself"),
        ("[[allow]]\nrule = 'by-model'\npath = '**'", "'by-model' can't be allowed for good"),
        ("[[allow]]\nrule = 'unscanned'\npath = '**'", "no scanner has looked at"),
        ("[[allow]]\nrule = 'js-unscanned'\npath = '**'", "no scanner has looked at"),
        ("[[allow]]\nrule = 'new-dependency'\npath = '**'", "each new package"),
        ("[[allow", "is not valid TOML"),
    ],
)
def test_a_file_that_says_anything_else_is_refused_with_its_name(rules: AllowRules, written: str, told: str) -> None:
    rules.file.parent.mkdir()
    rules.file.write_text(written)
    with pytest.raises(ConfigError, match=re.escape(told)) as caught:
        rules.read()
    assert str(rules.file) in str(caught.value)
    with pytest.raises(ConfigError):
        rules.add((ONE,))
    assert rules.file.read_text() == written


names = st.text(st.sampled_from("ab.*?[/é %\\\n"), min_size=0, max_size=8)


@given(names, names)
def test_a_rule_that_an_answer_makes_fits_the_very_file_and_no_other(asked: str, other: str) -> None:
    concern = Concern(rule="network", path=asked, line=3, message="uses the network")
    for rule in rules_for((concern,)):
        assert rule == AllowRule(rule="network", path=asked, why=said(concern))
        assert Glob(rule.path).fits(asked)
        assert other == asked or not Glob(rule.path).fits(other)


@given(st.text(min_size=1), st.text(min_size=1), st.text())
def test_any_text_is_kept(tmp_path_factory: pytest.TempPathFactory, rule: str, path: str, why: str) -> None:
    rules = AllowRules(tmp_path_factory.mktemp("kept") / "allow.toml")
    made = AllowRule(rule=f"r{rule}", path=f"p{path}", why=why)
    rules.add((made, TWO))
    assert rules.read() == (made, TWO)
    assert rules.remove(1) == made
    assert rules.read() == (TWO,)
