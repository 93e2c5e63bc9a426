import pytest
from subject import IniError, parse, switch, write

TEXT = """
name = demo
; a comment
[server]
Host = example.org
port=8080

[ paths ]
data = a
  b
# end
"""


def test_parse():
    assert parse(TEXT) == {
        "": {"name": "demo"},
        "server": {"host": "example.org", "port": "8080"},
        "paths": {"data": "a\nb"},
    }


def test_equals_in_the_value():
    assert parse("a = b = c") == {"": {"a": "b = c"}}


def test_section_twice():
    assert parse("[x]\na=1\n[y]\n[x]\nb=2") == {"x": {"a": "1", "b": "2"}, "y": {}}


def test_errors():
    for text, line in (("a=1\nnonsense", 2), ("[open", 1), ("a=1\na=2", 2), ("=1", 1)):
        with pytest.raises(IniError) as caught:
            parse(text)
        assert caught.value.line == line


def test_write():
    assert write({"": {"a": "1"}, "s": {"b": "2\n3"}}) == "a = 1\n\n[s]\nb = 2\n    3\n"


def test_switch():
    sections = parse("[s]\na=Yes\nb=off\nc=maybe")
    assert switch(sections, "s", "a") is True
    assert switch(sections, "s", "b", default=True) is False
    assert switch(sections, "s", "x", default=True) is True
    assert switch(sections, "t", "a") is False
    with pytest.raises(ValueError):
        switch(sections, "s", "c")
