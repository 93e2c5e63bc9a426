"""Areas and positions of polygons whose corners are (x, y) pairs."""

Point = tuple[float, float]


def signed_area(corners: list[Point]) -> float:
    """The area, positive when the corners go counterclockwise; ValueError for fewer than three."""
    if len(corners) < 3:
        raise ValueError("a polygon has three corners at least")
    total = 0.0
    for index, (x, y) in enumerate(corners):
        next_x, next_y = corners[(index + 1) % len(corners)]
        total += x * next_y - next_x * y
    return total / 2


def contains(corners: list[Point], point: Point) -> bool:
    """Whether the point lies inside; for one on the border either answer may come."""
    x, y = point
    inside = False
    for index, (ax, ay) in enumerate(corners):
        bx, by = corners[index - 1]
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def bounding_box(corners: list[Point], margin: float = 0) -> tuple[Point, Point]:
    """The lower left and the upper right corner of the box around the polygon."""
    xs = [x for x, _ in corners]
    ys = [y for _, y in corners]
    return (min(xs) - margin, min(ys) - margin), (max(xs) + margin, max(ys) + margin)


def counterclockwise(corners: list[Point]) -> list[Point]:
    """The corners in counterclockwise order, beginning with the lowest, of several the leftmost."""
    ordered = corners[::-1] if signed_area(corners) < 0 else list(corners)
    start = min(range(len(ordered)), key=lambda i: (ordered[i][1], ordered[i][0]))
    return ordered[start:] + ordered[:start]
