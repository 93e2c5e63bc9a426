"""Programs with a small algorithm at their heart."""

import heapq
import itertools
from collections import deque
from collections.abc import Callable


def sieve(limit: int) -> list[int]:
    """The primes below a limit."""
    prime = bytearray([1]) * limit
    prime[:2] = bytes(min(2, limit))
    for number in range(2, int(limit**0.5) + 1):
        if prime[number]:
            prime[number * number :: number] = bytes(len(range(number * number, limit, number)))
    return [number for number in range(limit) if prime[number]]


def check_sieve(candidate):
    assert candidate(0) == []
    assert candidate(2) == []
    assert candidate(3) == [2]
    assert candidate(20) == [2, 3, 5, 7, 11, 13, 17, 19]
    assert len(candidate(1000)) == 168


def cheapest_route(roads: list[tuple[str, str, int]], start: str, goal: str) -> int | None:
    """The length of the shortest route on roads that go both ways; None without a route."""
    ways: dict[str, list[tuple[str, int]]] = {}
    for one, other, length in roads:
        ways.setdefault(one, []).append((other, length))
        ways.setdefault(other, []).append((one, length))
    queue, done = [(0, start)], set()
    while queue:
        travelled, place = heapq.heappop(queue)
        if place == goal:
            return travelled
        if place not in done:
            done.add(place)
            for neighbour, length in ways.get(place, []):
                heapq.heappush(queue, (travelled + length, neighbour))
    return None


def check_cheapest_route(candidate):
    assert candidate([], "a", "a") == 0
    assert candidate([], "a", "b") is None
    assert candidate([("a", "b", 3)], "b", "a") == 3
    assert candidate([("a", "b", 9), ("a", "c", 2), ("c", "b", 3)], "a", "b") == 5
    assert candidate([("a", "b", 1), ("c", "d", 1)], "a", "d") is None


def build_order(needs: dict[str, list[str]]) -> list[str]:
    """An order in which each comes after what it needs, alphabetical where free. Raises ValueError for a circle."""
    left = {name: set(wanted) for name, wanted in needs.items()}
    for wanted in needs.values():
        for name in wanted:
            left.setdefault(name, set())
    order: list[str] = []
    while left:
        ready = min((name for name, wanted in left.items() if not wanted - set(order)), default=None)
        if ready is None:
            raise ValueError("a circle")
        order.append(ready)
        del left[ready]
    return order


def check_build_order(candidate):
    assert candidate({}) == []
    assert candidate({"b": ["a"]}) == ["a", "b"]
    assert candidate({"c": ["a", "b"], "b": [], "a": []}) == ["a", "b", "c"]
    assert candidate({"a": ["z"], "b": []}) == ["b", "z", "a"]
    try:
        candidate({"a": ["b"], "b": ["a"]})
    except ValueError:
        pass
    else:
        raise AssertionError("a circle has an order")


def edit_distance(one: str, other: str) -> int:
    """The fewest letters to insert, delete or replace to make one text of the other."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        corner, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (a != b))
    return row[-1]


def check_edit_distance(candidate):
    assert candidate("", "") == 0
    assert candidate("abc", "") == 3
    assert candidate("weave", "weaver") == 1
    assert candidate("kitten", "sitting") == 3
    assert candidate("ab", "ba") == 2
    assert candidate("same", "same") == 0


def shared_letters(one: str, other: str) -> str:
    """A longest text whose letters stand in both texts in this order."""
    best = [[""] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            best[i][j] = best[i - 1][j - 1] + a if a == b else max(best[i - 1][j], best[i][j - 1], key=len)
    return best[-1][-1]


def check_shared_letters(candidate):
    assert candidate("", "abc") == ""
    assert candidate("abc", "abc") == "abc"
    assert candidate("axbxc", "abc") == "abc"
    assert len(candidate("abcbdab", "bdcaba")) == 4
    assert candidate("xy", "ab") == ""


def pack(items: list[tuple[int, int]], room: int) -> int:
    """The largest value of items (weight, value), each taken once at most, that the room holds."""
    best = [0] * (room + 1)
    for weight, value in items:
        for left in range(room, weight - 1, -1):
            best[left] = max(best[left], best[left - weight] + value)
    return best[room]


def check_pack(candidate):
    assert candidate([], 10) == 0
    assert candidate([(5, 10)], 4) == 0
    assert candidate([(5, 10)], 5) == 10
    assert candidate([(1, 1), (3, 4), (4, 5), (5, 7)], 7) == 9
    assert candidate([(2, 3)], 10) == 3


# passes=False: taking the largest coin first is not always best
def fewest_coins(amount: int, coins: list[int]) -> int | None:
    """The fewest coins that make up an amount; None when they can't."""
    count = 0
    for coin in sorted(coins, reverse=True):
        count += amount // coin
        amount %= coin
    return count if amount == 0 else None


def check_fewest_coins(candidate):
    assert candidate(0, [5]) == 0
    assert candidate(11, [1, 5]) == 3
    assert candidate(3, [2]) is None
    assert candidate(6, [1, 3, 4]) == 2
    assert candidate(8, [3, 5]) == 2


class Groups:
    """Sets that only ever grow together."""

    def __init__(self, size: int) -> None:
        self.parent = list(range(size))

    def find(self, member: int) -> int:
        while self.parent[member] != member:
            self.parent[member] = member = self.parent[self.parent[member]]
        return member

    def join(self, one: int, other: int) -> bool:
        one, other = self.find(one), self.find(other)
        self.parent[one] = other
        return one != other


def cable_length(houses: int, cables: list[tuple[int, int, int]]) -> int | None:
    """The least total length of cables (house, house, length) that connects all houses; None when they can't."""
    groups, used, total = Groups(houses), 0, 0
    for one, other, length in sorted(cables, key=lambda cable: cable[2]):
        if groups.join(one, other):
            used, total = used + 1, total + length
    return total if used == houses - 1 else None


def check_cable_length(candidate):
    assert candidate(1, []) == 0
    assert candidate(2, []) is None
    assert candidate(2, [(0, 1, 5)]) == 5
    assert candidate(3, [(0, 1, 1), (1, 2, 2), (0, 2, 9)]) == 3
    assert candidate(4, [(0, 1, 4), (1, 2, 8), (2, 3, 7), (3, 0, 9), (0, 2, 2)]) == 13


def largest_block(values: list[int]) -> int:
    """The largest sum of values that stand beside each other, at least one."""
    best = current = values[0]
    for value in values[1:]:
        current = max(value, current + value)
        best = max(best, current)
    return best


def check_largest_block(candidate):
    assert candidate([5]) == 5
    assert candidate([-3, -1, -2]) == -1
    assert candidate([1, -2, 3, 4, -1]) == 7
    assert candidate([2, -1, 2]) == 3
    assert candidate([0, 0]) == 0


def window_maxima(values: list[int], width: int) -> list[int]:
    """The largest value of each window, in one pass."""
    queue: deque[int] = deque()
    maxima = []
    for index, value in enumerate(values):
        while queue and values[queue[-1]] <= value:
            queue.pop()
        queue.append(index)
        if queue[0] <= index - width:
            queue.popleft()
        if index >= width - 1:
            maxima.append(values[queue[0]])
    return maxima


def check_window_maxima(candidate):
    assert candidate([], 2) == []
    assert candidate([1, 2, 3], 1) == [1, 2, 3]
    assert candidate([4, 3, 2, 1], 2) == [4, 3, 2]
    assert candidate([1, 3, -1, -3, 5, 3], 3) == [3, 3, 5, 5]
    assert candidate([1], 2) == []


def josephus(count: int, step: int) -> int:
    """Who of a circle, counted from one, stays when every step-th leaves."""
    last = 0
    for size in range(2, count + 1):
        last = (last + step) % size
    return last + 1


def check_josephus(candidate):
    assert candidate(1, 3) == 1
    assert candidate(5, 2) == 3
    assert candidate(41, 3) == 31
    assert candidate(6, 1) == 6
    assert candidate(8, 2) == 1


def root_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is zero, by halving."""
    for _ in range(80):
        middle = (low + high) / 2
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return high


def check_root_between(candidate):
    assert abs(candidate(lambda x: x, -1, 2)) < 1e-9
    assert abs(candidate(lambda x: x * x - 2, 0, 2) - 2**0.5) < 1e-9
    assert abs(candidate(lambda x: x**3 - 27, 0, 10) - 3) < 1e-9
    assert abs(candidate(lambda x: 2 * x - 1, 0, 1) - 0.5) < 1e-9
    assert abs(candidate(lambda x: x - 1, 1, 5) - 1) < 1e-9


def rooms_needed(meetings: list[tuple[int, int]]) -> int:
    """How many rooms meetings need; one may begin when another ends."""
    changes = sorted([(start, 1) for start, _ in meetings] + [(end, -1) for _, end in meetings])
    return max(itertools.accumulate((change for _, change in changes)), default=0)


def check_rooms_needed(candidate):
    assert candidate([]) == 0
    assert candidate([(1, 2)]) == 1
    assert candidate([(1, 3), (2, 4)]) == 2
    assert candidate([(1, 2), (2, 3)]) == 1
    assert candidate([(0, 9), (1, 2), (1, 5), (6, 7)]) == 3


def join_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Make one of ranges that overlap or touch."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return joined


def check_join_ranges(candidate):
    assert candidate([]) == []
    assert candidate([(1, 2)]) == [(1, 2)]
    assert candidate([(3, 4), (1, 2)]) == [(1, 2), (3, 4)]
    assert candidate([(1, 3), (2, 5)]) == [(1, 5)]
    assert candidate([(1, 9), (2, 3), (9, 10)]) == [(1, 10)]


def trapped_water(heights: list[int]) -> int:
    """How much rain stays between walls of these heights."""
    left = list(itertools.accumulate(heights, max))
    right = list(itertools.accumulate(reversed(heights), max))[::-1]
    return sum(min(a, b) - h for a, b, h in zip(left, right, heights, strict=True))


def check_trapped_water(candidate):
    assert candidate([]) == 0
    assert candidate([3, 0, 3]) == 3
    assert candidate([1, 2, 3]) == 0
    assert candidate([4, 1, 3, 0, 2]) == 4
    assert candidate([0, 1, 0, 2, 1, 0, 1, 3]) == 5


def prefix_codes(counts: dict[str, int]) -> int:
    """How many bits a text takes when frequent letters get short codes, for at least two letters."""
    queue = list(counts.values())
    heapq.heapify(queue)
    bits = 0
    while len(queue) > 1:
        both = heapq.heappop(queue) + heapq.heappop(queue)
        bits += both
        heapq.heappush(queue, both)
    return bits


def check_prefix_codes(candidate):
    assert candidate({"a": 1, "b": 1}) == 2
    assert candidate({"a": 5, "b": 1}) == 6
    assert candidate({"a": 1, "b": 1, "c": 1}) == 5
    assert candidate({"a": 1, "b": 1, "c": 1, "d": 1}) == 8
    assert candidate({"a": 45, "b": 13, "c": 12, "d": 16, "e": 9, "f": 5}) == 224
