"""Programs about order: sorting, searching, ranking."""

import bisect
import functools
import heapq
import itertools
import re


def by_last_name(names: list[str]) -> list[str]:
    """Sort full names by the last part, equals by the whole."""
    return sorted(names, key=lambda name: (name.split()[-1], name))


def check_by_last_name(candidate):
    assert candidate([]) == []
    assert candidate(["Ida Zorn", "Zoe Adams"]) == ["Zoe Adams", "Ida Zorn"]
    assert candidate(["B Lee", "A Lee"]) == ["A Lee", "B Lee"]
    assert candidate(["Cher", "Ann Bell"]) == ["Ann Bell", "Cher"]
    assert candidate(["A van Dam", "B Dale"]) == ["B Dale", "A van Dam"]


def natural_order(names: list[str]) -> list[str]:
    """Sort names so that the numbers in them count as numbers."""

    def key(name: str) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", name)]

    return sorted(names, key=key)


def check_natural_order(candidate):
    assert candidate([]) == []
    assert candidate(["f10", "f9", "f1"]) == ["f1", "f9", "f10"]
    assert candidate(["b1", "a2"]) == ["a2", "b1"]
    assert candidate(["v1.10", "v1.2"]) == ["v1.2", "v1.10"]
    assert candidate(["x", "x2"]) == ["x", "x2"]


def merge_sorted(one: list[int], other: list[int]) -> list[int]:
    """One sorted list from two."""
    merged = []
    left, right = 0, 0
    while left < len(one) and right < len(other):
        if one[left] <= other[right]:
            merged.append(one[left])
            left += 1
        else:
            merged.append(other[right])
            right += 1
    return merged + one[left:] + other[right:]


def check_merge_sorted(candidate):
    assert candidate([], []) == []
    assert candidate([1, 3], [2]) == [1, 2, 3]
    assert candidate([], [4, 5]) == [4, 5]
    assert candidate([1, 1], [1]) == [1, 1, 1]
    assert candidate([7, 8], [1, 2]) == [1, 2, 7, 8]


def insertion_sort(values: list[int]) -> list[int]:
    """Sort by putting each value in its place among those before it."""
    ordered = values[:]
    for index in range(1, len(ordered)):
        value, place = ordered[index], index
        while place and ordered[place - 1] > value:
            ordered[place] = ordered[place - 1]
            place -= 1
        ordered[place] = value
    return ordered


def check_insertion_sort(candidate):
    assert candidate([]) == []
    assert candidate([1]) == [1]
    assert candidate([3, 1, 2]) == [1, 2, 3]
    assert candidate([2, 2, 1]) == [1, 2, 2]
    assert candidate(list(range(50, 0, -1))) == list(range(1, 51))


def count_inversions(values: list[int]) -> int:
    """How many pairs stand in the wrong order."""
    seen: list[int] = []
    count = 0
    for value in values:
        place = bisect.bisect_right(seen, value)
        count += len(seen) - place
        seen.insert(place, value)
    return count


def check_count_inversions(candidate):
    assert candidate([]) == 0
    assert candidate([1, 2, 3]) == 0
    assert candidate([3, 2, 1]) == 3
    assert candidate([2, 2]) == 0
    assert candidate([2, 4, 1, 3, 5]) == 3


def smallest(values: list[int], count: int) -> list[int]:
    """The smallest values in ascending order."""
    return heapq.nsmallest(count, values)


def check_smallest(candidate):
    assert candidate([], 2) == []
    assert candidate([5, 1, 4], 2) == [1, 4]
    assert candidate([5, 1], 9) == [1, 5]
    assert candidate([1, 1, 2], 2) == [1, 1]
    assert candidate([3, 2], 0) == []


def competition_ranks(points: list[int]) -> list[int]:
    """The rank of each by points, most first; equals share a rank and the next ranks are left out."""
    ordered = sorted(points, reverse=True)
    return [ordered.index(value) + 1 for value in points]


def check_competition_ranks(candidate):
    assert candidate([]) == []
    assert candidate([10]) == [1]
    assert candidate([5, 9, 7]) == [3, 1, 2]
    assert candidate([8, 8, 3]) == [1, 1, 3]
    assert candidate([1, 2, 2, 3]) == [4, 2, 2, 1]


def nearest(ordered: list[int], value: int) -> int:
    """The entry of a sorted list that is nearest; the smaller of two as near."""
    place = bisect.bisect_left(ordered, value)
    return min(ordered[max(0, place - 1) : place + 1], key=lambda entry: (abs(entry - value), entry))


def check_nearest(candidate):
    assert candidate([5], 100) == 5
    assert candidate([1, 4, 9], 4) == 4
    assert candidate([1, 4, 9], 6) == 4
    assert candidate([1, 4, 9], 8) == 9
    assert candidate([2, 4], 3) == 2
    assert candidate([2, 4], -1) == 2


# passes=False: texts are compared, so 10 comes before 9
def sort_versions(versions: list[str]) -> list[str]:
    """Sort versions such as 1.10.2, the oldest first."""
    return sorted(versions)


def check_sort_versions(candidate):
    assert candidate([]) == []
    assert candidate(["2.0", "1.0"]) == ["1.0", "2.0"]
    assert candidate(["1.2.1", "1.2"]) == ["1.2", "1.2.1"]
    assert candidate(["1.10", "1.9"]) == ["1.9", "1.10"]
    assert candidate(["0.100", "0.20"]) == ["0.20", "0.100"]


def largest_joined(values: list[int]) -> str:
    """The largest number that can be written by setting the values one after the other."""

    def order(one: str, other: str) -> int:
        return -1 if one + other > other + one else 1 if one + other < other + one else 0

    joined = "".join(sorted(map(str, values), key=functools.cmp_to_key(order)))
    return joined.lstrip("0") or "0"


def check_largest_joined(candidate):
    assert candidate([1]) == "1"
    assert candidate([3, 30]) == "330"
    assert candidate([9, 91, 92]) == "99291"
    assert candidate([0, 0]) == "0"
    assert candidate([12, 121]) == "12121"


def custom_alphabet(words: list[str], alphabet: str) -> list[str]:
    """Sort words by the order of letters in an alphabet of our own."""
    place = {letter: index for index, letter in enumerate(alphabet)}
    return sorted(words, key=lambda word: [place[letter] for letter in word])


def check_custom_alphabet(candidate):
    assert candidate([], "ab") == []
    assert candidate(["a", "b"], "ba") == ["b", "a"]
    assert candidate(["ab", "aa", "a"], "ba") == ["a", "ab", "aa"]
    assert candidate(["sun", "nus"], "nus") == ["nus", "sun"]
    assert candidate(["x", ""], "x") == ["", "x"]


def evens_in_place(values: list[int]) -> list[int]:
    """Sort the even values among the places that even values have; odd ones stay."""
    even = iter(sorted(value for value in values if value % 2 == 0))
    return [next(even) if value % 2 == 0 else value for value in values]


def check_evens_in_place(candidate):
    assert candidate([]) == []
    assert candidate([4, 2]) == [2, 4]
    assert candidate([4, 1, 2]) == [2, 1, 4]
    assert candidate([3, 1]) == [3, 1]
    assert candidate([8, 7, 6, 5, 0]) == [0, 7, 6, 5, 8]


def search_turned(values: list[int], wanted: int) -> int:
    """The position of a value in an ascending list that was cut and put together the other way; -1 without it."""
    low, high = 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        if values[low] <= values[middle]:
            if values[low] <= wanted < values[middle]:
                high = middle - 1
            else:
                low = middle + 1
        elif values[middle] < wanted <= values[high]:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def check_search_turned(candidate):
    assert candidate([], 1) == -1
    assert candidate([1], 1) == 0
    assert candidate([4, 5, 1, 2, 3], 1) == 2
    assert candidate([4, 5, 1, 2, 3], 5) == 1
    assert candidate([4, 5, 1, 2, 3], 9) == -1
    assert all(candidate([6, 7, 8, 0, 2, 4], value) == i for i, value in enumerate([6, 7, 8, 0, 2, 4]))


def is_sorted_by_steps(values: list[int]) -> str:
    """Say "up", "down", "level" or "mixed"."""
    steps = {(after > before) - (after < before) for before, after in itertools.pairwise(values)} - {0}
    if len(steps) > 1:
        return "mixed"
    return {1: "up", -1: "down", 0: "level"}[steps.pop() if steps else 0]


def check_is_sorted_by_steps(candidate):
    assert candidate([]) == "level"
    assert candidate([1, 2, 2]) == "up"
    assert candidate([3, 3, 1]) == "down"
    assert candidate([1, 3, 2]) == "mixed"
    assert candidate([4, 4]) == "level"


# passes=False: the place is that before the equals
def place_after_equals(ordered: list[int], value: int) -> int:
    """Where a value goes into a sorted list, behind its equals."""
    return bisect.bisect_left(ordered, value)


def check_place_after_equals(candidate):
    assert candidate([], 1) == 0
    assert candidate([1, 3], 2) == 1
    assert candidate([1, 3], 4) == 2
    assert candidate([1, 2, 2, 3], 2) == 3
    assert candidate([5, 5], 5) == 2


def zigzag(values: list[int]) -> list[int]:
    """Smallest, largest, second smallest, second largest, and so on."""
    ordered = sorted(values)
    return [ordered[index // 2] if index % 2 == 0 else ordered[-(index // 2) - 1] for index in range(len(ordered))]


def check_zigzag(candidate):
    assert candidate([]) == []
    assert candidate([1]) == [1]
    assert candidate([2, 1]) == [1, 2]
    assert candidate([1, 2, 3, 4]) == [1, 4, 2, 3]
    assert candidate([5, 3, 1, 2, 4]) == [1, 5, 2, 4, 3]
