"""Programs about dictionaries and sets."""

from collections import Counter, defaultdict
from typing import Any


def turn_around(mapping: dict[str, int]) -> dict[int, list[str]]:
    """Each value with the sorted keys that it belongs to."""
    found: dict[int, list[str]] = {}
    for key in sorted(mapping):
        found.setdefault(mapping[key], []).append(key)
    return found


def check_turn_around(candidate):
    assert candidate({}) == {}
    assert candidate({"a": 1}) == {1: ["a"]}
    assert candidate({"b": 1, "a": 1}) == {1: ["a", "b"]}
    assert candidate({"a": 1, "b": 2}) == {1: ["a"], 2: ["b"]}
    assert candidate({"x": 0, "y": 0, "z": 1})[0] == ["x", "y"]


def merge_stock(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    """Add up two stocks; what comes to nothing is left out."""
    sums = {name: one.get(name, 0) + other.get(name, 0) for name in one | other}
    return {name: count for name, count in sums.items() if count}


def check_merge_stock(candidate):
    assert candidate({}, {}) == {}
    assert candidate({"bolt": 2}, {"bolt": 3}) == {"bolt": 5}
    assert candidate({"bolt": 2}, {"nut": 1}) == {"bolt": 2, "nut": 1}
    assert candidate({"bolt": 2}, {"bolt": -2}) == {}
    given = {"a": 1}
    candidate(given, {"a": 1})
    assert given == {"a": 1}


def dig(tree: dict[str, Any], path: str, default: Any = None) -> Any:
    """The value at a path of keys with dots between them, or the default."""
    here: Any = tree
    for key in path.split("."):
        if not isinstance(here, dict) or key not in here:
            return default
        here = here[key]
    return here


def check_dig(candidate):
    assert candidate({"a": 1}, "a") == 1
    assert candidate({"a": {"b": 2}}, "a.b") == 2
    assert candidate({"a": {"b": 2}}, "a.c") is None
    assert candidate({"a": 1}, "a.b", "none") == "none"
    assert candidate({}, "x", 0) == 0
    assert candidate({"a": {"b": None}}, "a.b", 5) is None


def flatten_keys(tree: dict[str, Any], before: str = "") -> dict[str, Any]:
    """One level of keys with slashes, in place of dictionaries within each other."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= flatten_keys(value, f"{before}{key}/")
        else:
            flat[before + key] = value
    return flat


def check_flatten_keys(candidate):
    assert candidate({}) == {}
    assert candidate({"a": 1}) == {"a": 1}
    assert candidate({"a": {"b": 1, "c": 2}}) == {"a/b": 1, "a/c": 2}
    assert candidate({"a": {"b": {"c": 3}}, "d": 4}) == {"a/b/c": 3, "d": 4}
    assert candidate({"a": {}}) == {}


def most_common_words(text: str, count: int) -> list[str]:
    """The most frequent words in small letters; equals in alphabetical order."""
    words = Counter(text.lower().split())
    return sorted(words, key=lambda word: (-words[word], word))[:count]


def check_most_common_words(candidate):
    assert candidate("", 3) == []
    assert candidate("b a b", 1) == ["b"]
    assert candidate("b a", 2) == ["a", "b"]
    assert candidate("To be or not to be", 2) == ["be", "to"]
    assert candidate("x y z", 0) == []


def what_changed(old: dict[str, int], new: dict[str, int]) -> dict[str, str]:
    """Each key that differs, and whether it was added, removed or changed."""
    changes = {}
    for key in sorted(old.keys() | new.keys()):
        if key not in old:
            changes[key] = "added"
        elif key not in new:
            changes[key] = "removed"
        elif old[key] != new[key]:
            changes[key] = "changed"
    return changes


def check_what_changed(candidate):
    assert candidate({}, {}) == {}
    assert candidate({"a": 1}, {"a": 1}) == {}
    assert candidate({}, {"a": 1}) == {"a": "added"}
    assert candidate({"a": 1}, {}) == {"a": "removed"}
    assert candidate({"a": 1, "b": 2}, {"a": 2, "c": 3}) == {"a": "changed", "b": "removed", "c": "added"}


def totals(sales: list[tuple[str, float]]) -> dict[str, float]:
    """The sum of the amounts of each name."""
    sums: defaultdict[str, float] = defaultdict(float)
    for name, amount in sales:
        sums[name] += amount
    return dict(sums)


def check_totals(candidate):
    assert candidate([]) == {}
    assert candidate([("a", 1.5)]) == {"a": 1.5}
    assert candidate([("a", 1), ("b", 2), ("a", 3)]) == {"a": 4, "b": 2}
    assert candidate([("a", 1), ("a", -1)]) == {"a": 0}
    assert type(candidate([("a", 1)])) is dict


def choose(rows: list[dict[str, Any]], **wanted: Any) -> list[dict[str, Any]]:
    """The rows that have all the wanted values."""
    return [row for row in rows if all(key in row and row[key] == value for key, value in wanted.items())]


def check_choose(candidate):
    rows = [{"id": 1, "tone": "red"}, {"id": 2, "tone": "blue"}, {"id": 3, "tone": "red"}]
    assert candidate(rows) == rows
    assert candidate(rows, tone="red") == [rows[0], rows[2]]
    assert candidate(rows, tone="red", id=3) == [rows[2]]
    assert candidate(rows, size=None) == []
    assert candidate([], id=1) == []


# passes=False: the default list is one and the same in all calls
def remember(name: str, seen: list[str] = []) -> list[str]:  # noqa: B006
    """Add a name to the list, by default to a new one."""
    seen.append(name)
    return seen


def check_remember(candidate):
    assert candidate("a", ["b"]) == ["b", "a"]
    assert candidate("a", []) == ["a"]
    assert candidate("a") == ["a"]
    assert candidate("b") == ["b"]
    assert candidate("c") == ["c"]


def exclusive(groups: dict[str, set[int]]) -> dict[str, set[int]]:
    """For each group the members that no other group has."""
    count = Counter(member for group in groups.values() for member in group)
    return {name: {member for member in group if count[member] == 1} for name, group in groups.items()}


def check_exclusive(candidate):
    assert candidate({}) == {}
    assert candidate({"a": {1, 2}}) == {"a": {1, 2}}
    assert candidate({"a": {1, 2}, "b": {2, 3}}) == {"a": {1}, "b": {3}}
    assert candidate({"a": {1}, "b": {1}}) == {"a": set(), "b": set()}
    assert candidate({"a": set()}) == {"a": set()}


def rename_keys(mapping: dict[str, int], names: dict[str, str]) -> dict[str, int]:
    """The mapping under new names. Raises KeyError when two keys get the same name."""
    renamed: dict[str, int] = {}
    for key, value in mapping.items():
        new = names.get(key, key)
        if new in renamed:
            raise KeyError(new)
        renamed[new] = value
    return renamed


def check_rename_keys(candidate):
    assert candidate({}, {"a": "b"}) == {}
    assert candidate({"a": 1}, {"a": "b"}) == {"b": 1}
    assert candidate({"a": 1, "b": 2}, {"a": "b", "b": "a"}) == {"b": 1, "a": 2}
    assert candidate({"a": 1}, {}) == {"a": 1}
    try:
        candidate({"a": 1, "b": 2}, {"a": "b"})
    except KeyError as error:
        assert error.args == ("b",)
    else:
        raise AssertionError("two keys with one name")


def invite(friends: dict[str, set[str]], host: str) -> list[str]:
    """Friends of the host's friends who are neither the host nor friends of the host, sorted."""
    near = friends.get(host, set())
    far = set().union(*(friends.get(friend, set()) for friend in near))
    return sorted(far - near - {host})


def check_invite(candidate):
    assert candidate({}, "ann") == []
    assert candidate({"ann": {"bo"}, "bo": {"ann", "cy"}}, "ann") == ["cy"]
    assert candidate({"ann": {"bo", "cy"}, "bo": {"cy"}}, "ann") == []
    assert candidate({"ann": {"bo"}, "bo": {"dee", "cy"}}, "ann") == ["cy", "dee"]
    assert candidate({"ann": {"bo"}}, "ann") == []


class Recent:
    """A mapping that forgets what was used longest ago when it holds more than `size` keys."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.kept: dict[str, int] = {}

    def get(self, key: str) -> int | None:
        if key not in self.kept:
            return None
        self.kept[key] = self.kept.pop(key)
        return self.kept[key]

    def put(self, key: str, value: int) -> None:
        self.kept.pop(key, None)
        self.kept[key] = value
        if len(self.kept) > self.size:
            del self.kept[next(iter(self.kept))]


def recent_hits(size: int, keys: str) -> list[bool]:
    """For keys that are asked in turn and put when missing, whether each was still known."""
    recent, hits = Recent(size), []
    for key in keys:
        hits.append(recent.get(key) is not None)
        if not hits[-1]:
            recent.put(key, 1)
    return hits


def check_recent_hits(candidate):
    assert candidate(2, "") == []
    assert candidate(2, "aa") == [False, True]
    assert candidate(1, "aba") == [False, False, False]
    assert candidate(2, "abac") == [False, False, True, False]
    assert candidate(2, "abacb") == [False, False, True, False, False]
    assert candidate(3, "abcabc") == [False] * 3 + [True] * 3


# passes=False: two grades of one pupil are kept as the last alone
def averages(marks: list[tuple[str, int]]) -> dict[str, float]:
    """The mean mark of each pupil."""
    return {name: sum(mark for who, mark in [(name, value)]) / 1 for name, value in marks}


def check_averages(candidate):
    assert candidate([]) == {}
    assert candidate([("kim", 2)]) == {"kim": 2}
    assert candidate([("kim", 2), ("lou", 4)]) == {"kim": 2, "lou": 4}
    assert candidate([("kim", 2), ("kim", 4)]) == {"kim": 3}
    assert candidate([("kim", 1), ("kim", 2)]) == {"kim": 1.5}


def letter_positions(word: str) -> dict[str, tuple[int, ...]]:
    """Where each letter stands in the word."""
    places: dict[str, tuple[int, ...]] = {}
    for index, letter in enumerate(word):
        places[letter] = (*places.get(letter, ()), index)
    return places


def check_letter_positions(candidate):
    assert candidate("") == {}
    assert candidate("a") == {"a": (0,)}
    assert candidate("loom") == {"l": (0,), "o": (1, 2), "m": (3,)}
    assert candidate("aba") == {"a": (0, 2), "b": (1,)}
    assert list(candidate("zyx")) == ["z", "y", "x"]


def first_clash(bookings: list[tuple[str, int]]) -> str | None:
    """The first booking, by its name, of a seat that is taken already."""
    taken: set[int] = set()
    for name, seat in bookings:
        if seat in taken:
            return name
        taken.add(seat)
    return None


def check_first_clash(candidate):
    assert candidate([]) is None
    assert candidate([("a", 1), ("b", 2)]) is None
    assert candidate([("a", 1), ("b", 1)]) == "b"
    assert candidate([("a", 1), ("b", 2), ("c", 2), ("d", 1)]) == "c"
    assert candidate([("a", 0), ("a", 0)]) == "a"
