"""GPS tracks: their length, simplified lines, and points along the way."""

from itertools import pairwise
from math import hypot

Point = tuple[float, float]


def _distance(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def length(track: list[Point]) -> float:
    """The length of the way."""
    return sum(_distance(a, b) for a, b in pairwise(track))


def _off_line(point: Point, a: Point, b: Point) -> float:
    """How far the point lies from the straight line through a and b, or from a where they are the same."""
    base = _distance(a, b)
    if base == 0:
        return _distance(point, a)
    area = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
    return abs(area) / base


def simplify(track: list[Point], tolerance: float) -> list[Point]:
    """Fewer points, from which none of the others lies further off than the tolerance; the ends stay."""
    if len(track) < 3:
        return list(track)
    furthest, worst = 0, 0.0
    for index in range(1, len(track) - 1):
        off = _off_line(track[index], track[0], track[-1])
        if off > worst:
            furthest, worst = index, off
    if worst <= tolerance:
        return [track[0], track[-1]]
    left = simplify(track[: furthest + 1], tolerance)
    right = simplify(track[furthest:], tolerance)
    return left[:-1] + right


def point_at(track: list[Point], way: float) -> Point:
    """Where one is after so much of the way; before the start and after the end one stays there."""
    if not track:
        raise ValueError("an empty track")
    rest = max(way, 0)
    for a, b in pairwise(track):
        step = _distance(a, b)
        if step > 0 and rest <= step:
            part = rest / step
            return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
        rest -= step
    return track[-1]
