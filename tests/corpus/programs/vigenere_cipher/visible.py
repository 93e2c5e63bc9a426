import pytest
from subject import BadKey, decrypt, encrypt, find_key


def test_encrypt():
    assert encrypt("attack at dawn", "lemon") == "lxfopv ef rnhr"


def test_case_is_kept():
    assert encrypt("Hello, World!", "b") == "Ifmmp, Xpsme!"


def test_wraps_around():
    assert encrypt("xyz", "d") == "abc"


def test_decrypt():
    assert decrypt("lxfopv ef rnhr", "LEMON") == "attack at dawn"
    assert decrypt("Ifmmp, Xpsme!", "b") == "Hello, World!"


def test_bad_keys():
    for key in ("", "two words", "k3y"):
        with pytest.raises(BadKey):
            encrypt("x", key)


def test_find_key():
    assert find_key("attack at dawn", "lxfopv ef rnhr") == "lemon"


def test_no_key():
    with pytest.raises(BadKey):
        find_key("ab!", "ab?")
