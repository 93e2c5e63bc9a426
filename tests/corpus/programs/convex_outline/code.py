"""The outline of points: the shortest fence around them."""

from math import hypot


def turn(a, b, c):
    """Positive when the way from a over b to c turns left, negative for right, 0 for straight on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def outline(points):
    """The corners of the fence, counterclockwise from the leftmost (of several the lowest) point.

    Points on the straight line between two corners are no corners.
    """
    points = sorted(set(points))
    if len(points) < 3:
        return points

    def half(ordered):
        chain = []
        for point in ordered:
            while len(chain) >= 2 and turn(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return half(points) + half(reversed(points))


def fence_length(points):
    """The length of the fence."""
    corners = outline(points)
    return sum(hypot(corners[i][0] - corners[i - 1][0], corners[i][1] - corners[i - 1][1]) for i in range(len(corners)))


def widest(points):
    """The two points that are furthest from each other, as a sorted pair; None for fewer than two."""
    best = None
    corners = outline(points)
    for i, one in enumerate(corners):
        for other in corners[i + 1 :]:
            pair = tuple(sorted((one, other)))
            square = (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2
            if best is None or square > best[0] or (square == best[0] and pair < best[1]):
                best = (square, pair)
    return best[1] if best else None
