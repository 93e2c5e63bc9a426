import pytest
from subject import Version, fits, newest

V = Version.parse


def test_parse():
    assert V("1.2.3") == Version(1, 2, 3)
    assert V("v2.0") == Version(2, 0, 0)
    assert V("1.0.0-rc.1") == Version(1, 0, 0, "rc.1")
    for text in ("1", "a.b", "1.2.3.4", ""):
        with pytest.raises(ValueError):
            V(text)


def test_order():
    assert V("1.9.0") < V("1.10.0")
    assert V("1.0.0-rc.1") < V("1.0.0")
    assert V("1.0.0-rc.2") < V("1.0.0-rc.10")
    assert V("1.0.0-alpha") < V("1.0.0-beta")


def test_text():
    assert str(V("v1.2")) == "1.2.0"
    assert str(V("1.2.3-b.4")) == "1.2.3-b.4"


def test_raised():
    assert V("1.2.3").raised("major") == V("2.0.0")
    assert V("1.2.3").raised("minor") == V("1.3.0")
    assert V("1.2.3").raised("patch") == V("1.2.4")
    assert V("1.2.3-rc.1").raised("patch") == V("1.2.3")
    with pytest.raises(ValueError):
        V("1.2.3").raised("build")


def test_fits():
    assert fits(V("1.5.0"), ">=1.2, <2.0")
    assert not fits(V("2.0.0"), ">=1.2, <2.0")
    assert fits(V("1.2.9"), "~1.2.3")
    assert not fits(V("1.3.0"), "~1.2.3")
    assert fits(V("1.9.0"), "^1.2.3")
    assert not fits(V("1.2.2"), "^1.2.3")


def test_bad_condition():
    with pytest.raises(ValueError):
        fits(V("1.0.0"), "1.0.0")


def test_newest():
    texts = ["1.2.0", "1.10.0", "1.9", "2.0.0", "1.11.0-rc.1"]
    assert newest(texts, "^1.0") == "1.10.0"
    assert newest(texts, "<2.0", previews=True) == "1.11.0-rc.1"
    assert newest(texts, ">3.0") is None
