import pytest
from subject import changes, flatten, get, merge, put

BASE = {"server": {"host": "a", "port": 80}, "tags": ["x"], "debug": False}


def test_merge():
    assert merge(BASE, {"server": {"port": 81}, "debug": True}) == {
        "server": {"host": "a", "port": 81},
        "tags": ["x"],
        "debug": True,
    }


def test_lists():
    assert merge(BASE, {"tags": ["y"]})["tags"] == ["y"]
    assert merge(BASE, {"tags+": ["y"]})["tags"] == ["x", "y"]


def test_none_takes_out():
    assert merge(BASE, {"server": {"host": None}, "tags": None}) == {"server": {"port": 80}, "debug": False}


def test_nothing_is_shared():
    result = merge(BASE)
    result["server"]["port"] = 1
    result["tags"].append("z")
    assert BASE["server"]["port"] == 80
    assert BASE["tags"] == ["x"]


def test_get():
    assert get(BASE, "server.port") == 80
    assert get(BASE, "server.name", "none") == "none"
    assert get(BASE, "debug.level") is None


def test_put():
    settings = {"a": 1}
    put(settings, "b.c.d", 2)
    assert settings == {"a": 1, "b": {"c": {"d": 2}}}
    with pytest.raises(TypeError):
        put(settings, "a.x", 1)


def test_flatten():
    assert flatten({"a": {"b": {"c": 1}, "d": {}}, "e": 2}) == {"a.b.c": 1, "a.d": {}, "e": 2}


def test_changes():
    assert changes({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 5, "d": 3}, "e": 4}) == [
        "- a = 1",
        "~ b.c = 2 -> 5",
        "+ e = 4",
    ]
