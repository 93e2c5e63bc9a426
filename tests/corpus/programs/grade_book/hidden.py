import random

import pytest
from subject import GradeBook


def test_random_books():
    rng = random.Random(0)
    for _ in range(50):
        weights = {k: rng.randint(1, 4) for k in rng.sample(["x", "y", "z"], 2)}
        drop = rng.sample(["x", "y"], rng.randint(0, 2))
        book, points = GradeBook(weights, drop), {}
        for _ in range(rng.randint(0, 15)):
            pupil, kind, mark = rng.choice("abc"), rng.choice("xyz"), rng.randint(0, 100)
            book.record(pupil, kind, mark)
            points.setdefault(pupil, {}).setdefault(kind, []).append(mark)
        averages = {}
        for pupil, kinds in points.items():
            total = weight = 0
            for kind, marks in kinds.items():
                kept = list(marks)
                if kind in drop and len(kept) > 1:
                    kept.remove(min(kept))
                mean = sum(kept) / len(kept)
                assert book.average(pupil, kind) == pytest.approx(mean)
                total, weight = total + mean * weights.get(kind, 1), weight + weights.get(kind, 1)
            averages[pupil] = total / weight
            assert book.average(pupil) == pytest.approx(averages[pupil])
            letters = [
                letter for least, letter in ((90, "A"), (80, "B"), (70, "C"), (60, "D")) if averages[pupil] >= least
            ]
            assert book.grade(pupil) == (letters[0] if letters else "F")
        assert [p for p, _ in book.ranking()] == sorted(averages, key=lambda p: (-averages[p], p))
        grades = [book.grade(p) for p in points]
        assert book.distribution() == {letter: grades.count(letter) for letter in "ABCDF"}
        for below, falling in ((60, 2), (30, 1), (0, 3)):
            expected = set()
            for pupil, kinds in points.items():
                for marks in kinds.values():
                    for i in range(len(marks) - falling):
                        run = marks[i : i + falling + 1]
                        if all(b < a for a, b in zip(run, run[1:], strict=False)):  # noqa: RUF007
                            expected.add(pupil)
                if averages[pupil] < below:
                    expected.add(pupil)
            assert book.at_risk(below, falling) == sorted(expected)


def test_borders():
    for points, letter in (
        (90, "A"),
        (89, "B"),
        (80, "B"),
        (79.9, "C"),
        (70, "C"),
        (60, "D"),
        (59.9, "F"),
        (0, "F"),
        (100, "A"),
    ):
        book = GradeBook()
        book.record("p", "k", points)
        assert book.grade("p") == letter
        assert book.at_risk() == (["p"] if points < 60 else [])


def test_equal_points_are_no_fall():
    book = GradeBook()
    for points in (90, 80, 80, 70):
        book.record("p", "k", points)
    assert book.at_risk() == []
    book.record("p", "k", 65)
    assert book.at_risk() == ["p"]


def test_asking_adds_nothing():
    book = GradeBook()
    assert book.average("p", "k") is None
    assert book.grade("p") is None
    assert book.ranking() == []
    book.record("p", "k", 50)
    assert book.average("p", "other") is None
    assert book.average("p") == 50


def test_weights():
    weights = {"a": 0}
    book = GradeBook(weights)
    book.record("p", "a", 10)
    assert book.average("p") is None
    book.record("p", "b", 70)
    assert book.average("p") == 70
    book.weights["a"] = 1
    assert weights == {"a": 0}
    with pytest.raises(ValueError, match=r"100\.5 is not between"):
        book.record("p", "a", 100.5)
