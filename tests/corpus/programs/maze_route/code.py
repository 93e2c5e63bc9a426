"""The shortest way through a maze that is drawn as text."""

from collections import deque

WALL = "#"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def find(maze: list[str], mark: str) -> tuple[int, int]:
    """Row and column of a mark; ValueError when the maze doesn't hold it."""
    for row, line in enumerate(maze):
        column = line.find(mark)
        if column >= 0:
            return row, column
    raise ValueError(f"no {mark} in the maze")


def shortest_route(maze: list[str]) -> list[tuple[int, int]]:
    """The cells from S to E, both included, or an empty list when walls part them."""
    start, end = find(maze, "S"), find(maze, "E")
    came_from = {start: None}
    queue = deque([start])
    while queue:
        cell = queue.popleft()
        if cell == end:
            break
        for down, right in STEPS:
            row, column = cell[0] + down, cell[1] + right
            if not 0 <= row < len(maze) or not 0 <= column < len(maze[row]):
                continue
            if maze[row][column] == WALL or (row, column) in came_from:
                continue
            came_from[row, column] = cell
            queue.append((row, column))
    if end not in came_from:
        return []
    route = [end]
    while came_from[route[-1]] is not None:
        route.append(came_from[route[-1]])
    return route[::-1]


def draw(maze: list[str], route: list[tuple[int, int]]) -> list[str]:
    """The maze with dots on the cells of the route, other than its ends."""
    drawn = [list(line) for line in maze]
    for row, column in route[1:-1]:
        drawn[row][column] = "."
    return ["".join(line) for line in drawn]
