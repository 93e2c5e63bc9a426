import pytest
from subject import GradeBook


def book(**options):
    one = GradeBook({"exam": 3}, **options)
    for pupil, kind, points in (
        ("ann", "exam", 90),
        ("ann", "quiz", 70),
        ("ann", "quiz", 80),
        ("bob", "quiz", 50),
        ("cid", "exam", 85),
        ("cid", "exam", 75),
    ):
        one.record(pupil, kind, points)
    return one


def test_average_of_a_kind():
    assert book().average("ann", "quiz") == 75
    assert book().average("bob", "exam") is None


def test_weighted_average():
    assert book().average("ann") == 86.25
    assert book().average("nobody") is None


def test_drop_lowest():
    one = book(drop_lowest=["quiz"])
    assert one.average("ann", "quiz") == 80
    assert one.average("bob", "quiz") == 50


def test_range():
    for points in (-1, 101):
        with pytest.raises(ValueError):
            book().record("ann", "quiz", points)


def test_grade():
    assert [book().grade(p) for p in ("ann", "bob", "cid", "eve")] == ["B", "F", "B", None]


def test_ranking():
    assert book().ranking() == [("ann", 86.25), ("cid", 80), ("bob", 50)]


def test_distribution():
    assert book().distribution() == {"A": 0, "B": 2, "C": 0, "D": 0, "F": 1}


def test_at_risk():
    one = book()
    assert one.at_risk() == ["bob"]
    one.record("cid", "exam", 70)
    assert one.at_risk() == ["bob", "cid"]
    assert one.at_risk(falling=3) == ["bob"]
