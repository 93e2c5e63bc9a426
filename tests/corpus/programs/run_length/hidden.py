import itertools
import random

import pytest
from subject import Malformed, pack, saved, unpack


def test_against_groupby():
    rng = random.Random(0)
    for _ in range(120):
        text = "".join(rng.choice("ab .") * rng.choice([1, 1, 2, 3, 11]) for _ in range(rng.randint(0, 8)))
        runs = [(key, len(list(group))) for key, group in itertools.groupby(text)]
        packed = "".join((str(n) if n > 1 else "") + key for key, n in runs)
        assert pack(text) == packed
        assert unpack(packed) == text
        assert saved(text) == (1 - len(packed) / len(text) if text else 0)


def test_zeros_within_lengths():
    assert unpack("10a") == "a" * 10
    assert unpack("100b2c") == "b" * 100 + "cc"
    assert pack("z" * 20) == "20z"


def test_where_it_is_malformed():
    with pytest.raises(Malformed, match="begins with 0 at 2"):
        unpack("3a0b")
    with pytest.raises(Malformed, match="length at 4"):
        unpack("ab12")
    with pytest.raises(Malformed, match="at 0"):
        unpack("0")
    assert issubclass(Malformed, ValueError)


def test_lengths_start_anew():
    assert unpack("2ab") == "aab"
    assert unpack("1a") == "a"
    assert unpack("") == ""


def test_saved_values():
    assert saved("aab") == 0.0
    assert saved("aaab") == 0.25


def test_digits_anywhere():
    for text in ("1", "a1", "0aa"):
        with pytest.raises(ValueError, match="digits"):
            pack(text)
