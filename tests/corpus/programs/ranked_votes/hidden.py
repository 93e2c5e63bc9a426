import random

import pytest
from subject import InvalidBallot, borda, check, plurality, runoff


def reference(ballots, standing, gone=()):
    left = [[n for n in ballot if n in standing] for ballot in ballots]
    firsts = [ballot[0] for ballot in left if ballot]
    for name in sorted(standing):
        if firsts.count(name) > len(firsts) / 2 or len(standing) == 1:
            return name, list(gone)
    loser = sorted(standing, key=lambda n: (-firsts.count(n), n))[-1]
    return reference(ballots, standing - {loser}, [*gone, loser])


def test_random_elections():
    rng = random.Random(0)
    for _ in range(120):
        candidates = set("abcd"[: rng.randint(1, 4)])
        ballots = [rng.sample(sorted(candidates), rng.randint(1, len(candidates))) for _ in range(rng.randint(0, 7))]
        copy = [ballot.copy() for ballot in ballots]
        assert runoff(ballots, candidates) == reference(ballots, candidates)
        firsts = [ballot[0] for ballot in ballots]
        most = max(map(firsts.count, firsts), default=0)
        assert plurality(ballots) == sorted({n for n in firsts if firsts.count(n) == most})
        points = borda(ballots, candidates)
        for name in candidates:
            expected = sum(sum(other != name for other in candidates) - b.index(name) for b in ballots if name in b)
            assert points[name] == expected
        assert list(points) == sorted(points, key=lambda n: (-points[n], n))
        assert check([*ballots, []], candidates) == ballots
        assert ballots == copy


def test_half_is_no_majority():
    ballots = [["a"], ["a"], ["b", "c"], ["c", "b"]]
    assert runoff(ballots, {"a", "b", "c"}) == ("a", ["c", "b"])


def test_exhausted_ballots_do_not_count():
    ballots = [["c"], ["c"], ["b", "a"], ["a"], ["a"], ["b", "a"], ["b"]]
    assert runoff(ballots, {"a", "b", "c"}) == ("b", ["c"])


def test_candidates_without_votes():
    assert runoff([], {"x", "y"}) == ("x", ["y"])
    assert runoff([["y"]], {"x", "y", "z"}) == ("y", [])
    candidates = {"x"}
    assert runoff([], candidates) == ("x", [])
    assert candidates == {"x"}


def test_messages():
    with pytest.raises(InvalidBallot, match="ballot 2 names somebody twice"):
        check([["a"], ["a", "a"]], {"a"})
    with pytest.raises(InvalidBallot, match="ballot 1: x, y"):
        check([["y", "a", "x"]], {"a"})
    with pytest.raises(ValueError, match="nobody"):
        runoff([["a"]], set())
    assert issubclass(InvalidBallot, ValueError)
