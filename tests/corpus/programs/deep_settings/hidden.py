import random
from copy import deepcopy

import pytest
from subject import changes, flatten, get, merge, put


def some(rng, depth=3):
    out = {}
    for key in rng.sample("abcd", rng.randint(0, 3)):
        out[key] = some(rng, depth - 1) if depth and rng.random() < 0.5 else rng.choice([0, "s", [1], False])
    return out


def test_random_settings():
    rng = random.Random(0)
    for _ in range(100):
        one, other = some(rng), some(rng)
        copies = deepcopy((one, other))
        result = merge(one, other)
        assert (one, other) == copies
        assert merge(result, other) == result
        assert merge(one, {}) == merge({}, one) == one
        flat, late = flatten(result), flatten(other)
        for path, value in late.items():
            if value != {}:
                assert flat[path] == value
        for path, value in flatten(one).items():
            shadowed = any(p == path or p.startswith(path + ".") or path.startswith(p + ".") for p in late)
            if not shadowed:
                assert flat[path] == value
        for path, value in flat.items():
            assert get(result, path) == value
        rebuilt = {}
        for path, value in flat.items():
            put(rebuilt, path, value)
        assert rebuilt == result
        lines = changes(one, other)
        before, after = flatten(one), flatten(other)
        assert [line[2:].split(" = ")[0] for line in lines] == sorted(
            p for p in before.keys() | after.keys() if p not in before or p not in after or before[p] != after[p]
        )
        for line in lines:
            path = line[2:].split(" = ")[0]
            assert line[0] == ("+" if path not in before else "-" if path not in after else "~")


def test_three_layers():
    assert merge({"a": 1}, {"a": 2, "b": {"c": 1}}, {"b": {"d": 2}}) == {"a": 2, "b": {"c": 1, "d": 2}}
    assert merge({"a": {"b": 1}}, {"a": 5}) == {"a": 5}
    assert merge({"a": 5}, {"a": {"b": 1}}) == {"a": {"b": 1}}
    assert merge({}, {"x": None, "l+": [1]}, {"l+": [2]}) == {"l": [1, 2]}
    assert merge({}, {"n+": 3}) == {"n+": 3}


def test_results_share_nothing():
    other = {"d": {"l": [1]}, "l+": [[2]]}
    result = merge({}, other)
    result["d"]["l"].append(9)
    result["l"][0].append(9)
    assert other == {"d": {"l": [1]}, "l+": [[2]]}


def test_paths():
    assert get({"a": None}, "a", 1) is None
    assert get({"a": {"": 2}}, "a.") == 2
    assert get({}, "a.b", 0) == 0
    settings = {"a": {"b": 1}}
    put(settings, "a.b", {"c": 2})
    put(settings, "a.b.c", 3)
    assert settings == {"a": {"b": {"c": 3}}}
    with pytest.raises(TypeError, match=r"c in a\.b\.c\.d holds no settings"):
        put(settings, "a.b.c.d", 1)


def test_changes_of_kind():
    assert changes({"a": {}}, {"a": {"b": None}}) == ["- a = {}", "+ a.b = None"]
    assert changes({"a": "x"}, {"a": "y"}) == ["~ a = 'x' -> 'y'"]
    assert changes({"a": 1}, {"a": 1}) == []
