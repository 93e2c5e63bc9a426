import configparser
import random

import pytest
from subject import IniError, parse, switch, write


def test_there_and_back():
    rng = random.Random(0)
    for _ in range(60):
        sections = {}
        for name in rng.sample(["", "a", "b c", "D"], rng.randint(0, 3)):
            values = ["", "1", "x = y", "two\nlines", "; no comment", "[x]"]
            keys = rng.sample(["k", "l m", "n.o"], rng.randint(1, 3))
            sections[name] = {key: rng.choice(values) for key in keys}
        sections = {**({"": sections.pop("")} if "" in sections else {}), **sections}
        assert parse(write(sections)) == sections


def test_against_configparser():
    rng = random.Random(1)
    for _ in range(40):
        lines = ["[first]"]
        for n in range(rng.randint(0, 8)):
            lines.append(rng.choice([f"Key{n} = v{n}", f"k{n}=", "", "# c", "; c", f"[s{n}]", f"k{n} =  a b "]))
        text = "\n".join(lines)
        other = configparser.ConfigParser(interpolation=None, delimiters=["="])
        other.read_string(text)
        assert parse(text) == {name: dict(other[name]) for name in other.sections()}


def test_going_on():
    assert parse("a = 1\n\n  2\n # c\n\t3") == {"": {"a": "1\n2\n3"}}
    assert parse("[s]\n  a = 1") == {"s": {"a": "1"}}
    with pytest.raises(IniError, match="line 2: no setting: stray"):
        parse("[s]\n  stray")
    assert parse("a=1\n [x]") == {"": {"a": "1\n[x]"}}


def test_errors():
    with pytest.raises(IniError, match="line 3: a is set twice"):
        parse("[s]\nA = 1\na = 2")
    with pytest.raises(IniError, match="not closed"):
        parse("[s]x")
    assert parse("[a]\nk=1\n[b]\nk=2") == {"a": {"k": "1"}, "b": {"k": "2"}}
    assert parse("") == parse("\n#x\n") == {}


def test_switches():
    for word in ("1", "YES", "true", "On"):
        assert switch({"s": {"k": word}}, "s", "k") is True
    for word in ("0", "no", "False", "OFF"):
        assert switch({"s": {"k": word}}, "s", "k", default=True) is False
    with pytest.raises(ValueError, match=r"s\.k is neither on nor off: 2"):
        switch({"s": {"k": "2"}}, "s", "k")
    with pytest.raises(ValueError):
        switch({"s": {"k": ""}}, "s", "k", True)
    assert switch({}, "s", "k") is False
    assert switch({"s": {"k": "no"}}, "s", "K", True) is True
    assert write({}) == ""
