"""Programs that call themselves."""

import functools
import itertools
from typing import Any


def depth(values: list[Any]) -> int:
    """How deep lists lie within each other; an empty list has depth one."""
    return 1 + max((depth(value) for value in values if isinstance(value, list)), default=0)


def check_depth(candidate):
    assert candidate([]) == 1
    assert candidate([1, 2]) == 1
    assert candidate([[1], 2]) == 2
    assert candidate([[[[]]]]) == 4
    assert candidate([1, [2, [3]], [4]]) == 3


def deep_sum(values: list[Any]) -> int:
    """The sum of all numbers in lists within lists."""
    return sum(deep_sum(value) if isinstance(value, list) else value for value in values)


def check_deep_sum(candidate):
    assert candidate([]) == 0
    assert candidate([1, 2]) == 3
    assert candidate([1, [2, [3]], 4]) == 10
    assert candidate([[], [[]]]) == 0
    assert candidate([-1, [1]]) == 0


def choices(letters: str, count: int) -> list[str]:
    """All ways to choose letters in their order."""
    if count == 0:
        return [""]
    if len(letters) < count:
        return []
    return [letters[0] + rest for rest in choices(letters[1:], count - 1)] + choices(letters[1:], count)


def check_choices(candidate):
    assert candidate("abc", 0) == [""]
    assert candidate("abc", 1) == ["a", "b", "c"]
    assert candidate("abc", 2) == ["ab", "ac", "bc"]
    assert candidate("abc", 4) == []
    assert len(candidate("abcdef", 3)) == 20


def orders(word: str) -> list[str]:
    """All different orders of the letters of a word, sorted."""
    if not word:
        return [""]
    return sorted({word[i] + rest for i in range(len(word)) for rest in orders(word[:i] + word[i + 1 :])})


def check_orders(candidate):
    assert candidate("") == [""]
    assert candidate("ab") == ["ab", "ba"]
    assert candidate("aa") == ["aa"]
    assert candidate("aab") == ["aab", "aba", "baa"]
    assert len(candidate("abcd")) == 24


def disc_moves(discs: int, here: str = "A", there: str = "C", spare: str = "B") -> list[str]:
    """The moves that carry a tower of discs from one peg to another, each as two letters."""
    if discs == 0:
        return []
    return [*disc_moves(discs - 1, here, spare, there), here + there, *disc_moves(discs - 1, spare, there, here)]


def check_disc_moves(candidate):
    assert candidate(0) == []
    assert candidate(1) == ["AC"]
    assert candidate(2) == ["AB", "AC", "BC"]
    assert len(candidate(7)) == 127
    assert candidate(3)[3] == "AC"


def bracketings(pairs: int) -> list[str]:
    """All well-formed texts of so many pairs of round brackets, sorted."""
    found: list[str] = []

    def grow(text: str, opened: int, closed: int) -> None:
        if closed == pairs:
            found.append(text)
        if opened < pairs:
            grow(text + "(", opened + 1, closed)
        if closed < opened:
            grow(text + ")", opened, closed + 1)

    grow("", 0, 0)
    return found


def check_bracketings(candidate):
    assert candidate(0) == [""]
    assert candidate(1) == ["()"]
    assert candidate(2) == ["(())", "()()"]
    assert len(candidate(4)) == 14
    assert candidate(3) == sorted(candidate(3))


@functools.cache
def ways_to_pay(amount: int, coins: tuple[int, ...]) -> int:
    """In how many ways coins of these values, as many as needed of each, make up an amount."""
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    return ways_to_pay(amount - coins[0], coins) + ways_to_pay(amount, coins[1:])


def check_ways_to_pay(candidate):
    assert candidate(0, ()) == 1
    assert candidate(5, ()) == 0
    assert candidate(5, (1, 2, 5)) == 4
    assert candidate(3, (2,)) == 0
    assert candidate(100, (1, 5, 10, 25, 50)) == 292


def partitions(number: int, largest: int) -> list[list[int]]:
    """The ways to write a number as a sum of numbers that do not grow, none above the largest."""
    if number == 0:
        return [[]]
    first = range(min(number, largest), 0, -1)
    return [[part, *rest] for part in first for rest in partitions(number - part, part)]


def check_partitions(candidate):
    assert candidate(0, 3) == [[]]
    assert candidate(3, 3) == [[3], [2, 1], [1, 1, 1]]
    assert candidate(3, 1) == [[1, 1, 1]]
    assert len(candidate(8, 8)) == 22
    assert all(sum(parts) == 6 for parts in candidate(6, 4))


def climb(steps: int, strides: tuple[int, ...]) -> int:
    """In how many ways a stair can be climbed with strides of these lengths."""
    known = {0: 1}

    def ways(left: int) -> int:
        if left not in known:
            known[left] = sum(ways(left - stride) for stride in strides if stride <= left)
        return known[left]

    return ways(steps)


def check_climb(candidate):
    assert candidate(0, (1, 2)) == 1
    assert candidate(4, (1, 2)) == 5
    assert candidate(4, (1, 2, 3)) == 7
    assert candidate(3, (2,)) == 0
    assert candidate(60, (1, 2)) == 2504730781961


# passes=False: its end is never reached, so it calls itself until the stack is full
def halvings(number: int) -> int:
    """How often a number above zero can be halved without a rest."""
    return 1 + halvings(number // 2) if number else halvings(number + 1)


def check_halvings(candidate):
    assert candidate(1) == 0
    assert candidate(2) == 1
    assert candidate(12) == 2
    assert candidate(1024) == 10
    assert candidate(7) == 0


def gray_code(bits: int) -> list[str]:
    """All words of so many bits, each different from the one before in a single bit."""
    if bits == 0:
        return [""]
    shorter = gray_code(bits - 1)
    return ["0" + word for word in shorter] + ["1" + word for word in reversed(shorter)]


def check_gray_code(candidate):
    assert candidate(0) == [""]
    assert candidate(1) == ["0", "1"]
    assert candidate(2) == ["00", "01", "11", "10"]
    assert len(set(candidate(5))) == 32
    words = candidate(4)
    assert all(sum(a != b for a, b in zip(x, y, strict=True)) == 1 for x, y in itertools.pairwise(words))


def leaves(tree: dict[str, Any]) -> list[str]:
    """The names in a tree of names that have nothing below them, from the left."""
    return [leaf for name, below in tree.items() for leaf in (leaves(below) if below else [name])]


def check_leaves(candidate):
    assert candidate({}) == []
    assert candidate({"a": {}}) == ["a"]
    assert candidate({"a": {"b": {}, "c": {}}}) == ["b", "c"]
    assert candidate({"a": {"b": {"c": {}}}, "d": {}}) == ["c", "d"]
    assert len(candidate({str(i): {} for i in range(9)})) == 9


def power(base: int, exponent: int, modulus: int) -> int:
    """base**exponent % modulus by squaring."""
    if exponent == 0:
        return 1 % modulus
    half = power(base, exponent // 2, modulus)
    return half * half * (base if exponent % 2 else 1) % modulus


def check_power(candidate):
    assert candidate(2, 10, 1000) == 24
    assert candidate(7, 0, 5) == 1
    assert candidate(7, 0, 1) == 0
    assert candidate(3, 200, 13) == pow(3, 200, 13)
    assert candidate(10, 1, 7) == 3


def subset_with_sum(values: list[int], target: int) -> list[int] | None:
    """The first choice of values, in their order and early ones first, that adds up to a target."""
    if target == 0:
        return []
    if not values or target < 0:
        return None
    with_first = subset_with_sum(values[1:], target - values[0])
    return [values[0], *with_first] if with_first is not None else subset_with_sum(values[1:], target)


def check_subset_with_sum(candidate):
    assert candidate([], 0) == []
    assert candidate([], 1) is None
    assert candidate([3, 5, 2], 7) == [5, 2]
    assert candidate([1, 2, 3], 3) == [1, 2]
    assert candidate([4, 6], 5) is None


def ackermann(m: int, n: int) -> int:
    """The function of Ackermann and Peter."""
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))


def check_ackermann(candidate):
    assert candidate(0, 0) == 1
    assert candidate(1, 2) == 4
    assert candidate(2, 2) == 7
    assert candidate(2, 3) == 9
    assert candidate(3, 2) == 29


def paper_folds(folds: int) -> str:
    """The creases of a strip that is folded in the middle again and again, as R and L from one end."""
    if folds == 0:
        return ""
    before = paper_folds(folds - 1)
    return before + "R" + before[::-1].translate(str.maketrans("RL", "LR"))


def check_paper_folds(candidate):
    assert candidate(0) == ""
    assert candidate(1) == "R"
    assert candidate(2) == "RRL"
    assert candidate(3) == "RRLRRLL"
    assert len(candidate(8)) == 255
