"""Grids and graphs."""

from collections import deque

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def neighbours(grid, row, column):
    """The places beside a place that lie in the grid."""
    found = []
    for dr, dc in STEPS:
        r, c = row + dr, column + dc
        if 0 <= r < len(grid) and 0 <= c < len(grid[0]):
            found.append((r, c))
    return found


def shortest_path(grid, start, goal):
    """Steps on the shortest way over `.` places, None if there is none."""
    queue = deque([(start, 0)])
    seen = {start}
    while queue:
        place, steps = queue.popleft()
        if place == goal:
            return steps
        for other in neighbours(grid, *place):
            if other not in seen and grid[other[0]][other[1]] == ".":
                seen.add(other)
                queue.append((other, steps + 1))
    return None


def transpose(matrix):
    """Rows become columns."""
    return [[matrix[r][c] for r in range(len(matrix))] for c in range(len(matrix[0]))]


def multiply(a, b):
    """The product of two matrices."""
    rows, inner, columns = len(a), len(b), len(b[0])
    out = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            for k in range(inner):
                out[i][j] += a[i][k] * b[k][j]
    return out


def count_islands(grid):
    """How many groups of `#` there are."""
    seen = set()
    count = 0
    for r in range(len(grid)):
        for c in range(len(grid[0])):
            if grid[r][c] == "#" and (r, c) not in seen:
                count += 1
                stack = [(r, c)]
                while stack:
                    place = stack.pop()
                    if place in seen:
                        continue
                    seen.add(place)
                    for other in neighbours(grid, *place):
                        if grid[other[0]][other[1]] == "#":
                            stack.append(other)
    return count
