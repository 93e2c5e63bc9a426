import random
from string import ascii_letters

import pytest
from subject import BadKey, decrypt, encrypt, find_key


def reference(text, key):
    out, used = [], 0
    for c in text:
        if c in ascii_letters:
            table = "abcdefghijklmnopqrstuvwxyz" if c.islower() else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
            by = "abcdefghijklmnopqrstuvwxyz".index(key[used % len(key)].lower())
            c = (table + table)[table.index(c) + by]
            used += 1
        out.append(c)
    return "".join(out)


def test_random_texts():
    rng = random.Random(0)
    for _ in range(60):
        text = "".join(rng.choice(ascii_letters + " ,é1") for _ in range(rng.randint(0, 20)))
        key = "".join(rng.choice(ascii_letters) for _ in range(rng.randint(1, 5)))
        secret = encrypt(text, key)
        assert secret == reference(text, key)
        assert decrypt(secret, key) == text
        if any(c in ascii_letters for c in text):
            found = find_key(text, secret)
            assert len(found) <= len(key)
            assert encrypt(text, found) == secret
        else:
            with pytest.raises(BadKey):
                find_key(text, secret)


def test_foreign_letters_stay():
    assert encrypt("naïve ß", "b") == "obïwf ß"
    assert encrypt("äa", "bc") == "äb"
    with pytest.raises(BadKey):
        encrypt("a", "ä")


def test_key_of_a_is_no_change():
    assert encrypt("Same", "aaa") == "Same"
    assert find_key("Same", "Same") == "a"
    assert issubclass(BadKey, ValueError)


def test_found_keys():
    assert find_key("aaaa", "bcbc") == "bc"
    assert find_key("a-a-a", "b-c-d") == "bcd"
    with pytest.raises(BadKey, match="no key"):
        find_key("Aa", "bb")
    with pytest.raises(ValueError):
        find_key("abc", "ab")
    with pytest.raises(BadKey, match="is no word"):
        decrypt("x", "a b")
