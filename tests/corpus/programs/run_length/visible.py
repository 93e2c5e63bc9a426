import pytest
from subject import Malformed, pack, saved, unpack


def test_pack():
    assert pack("aaabccd") == "3ab2cd"


def test_pack_last_run():
    assert pack("abb") == "a2b"
    assert pack("a") == "a"
    assert pack("") == ""


def test_digits():
    with pytest.raises(ValueError):
        pack("a1")


def test_unpack():
    assert unpack("3ab2cd") == "aaabccd"
    assert unpack("12x") == "x" * 12


def test_malformed():
    with pytest.raises(Malformed):
        unpack("ab3")
    with pytest.raises(Malformed):
        unpack("03a")


def test_saved():
    assert saved("aaaaaaaa") == 0.75
    assert saved("abc") == 0
    assert saved("") == 0
