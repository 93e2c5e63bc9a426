"""Ways downhill through a grid of efforts, from any place at the top to the bottom."""

Grid = list[list[int]]


def check(grid: Grid) -> None:
    """ValueError unless the grid has cells and its rows are equally long."""
    if not grid or not grid[0]:
        raise ValueError("an empty grid")
    if any(len(row) != len(grid[0]) for row in grid):
        raise ValueError("rows of different lengths")


def descent(grid: Grid) -> tuple[int, list[int]]:
    """The least total effort and the column in each row; a step goes straight or slantwise down.

    Of equally cheap ways it is the one that is further left, looked at from the bottom.
    """
    check(grid)
    width = len(grid[0])
    totals = [grid[0]]
    for row in grid[1:]:
        above = totals[-1]
        totals.append([row[c] + min(above[max(c - 1, 0) : c + 2]) for c in range(width)])
    column = totals[-1].index(min(totals[-1]))
    least = totals[-1][column]
    columns = [column]
    for above in reversed(totals[:-1]):
        near = range(max(column - 1, 0), min(column + 2, width))
        column = min(near, key=lambda c: above[c])
        columns.append(column)
    return least, columns[::-1]


def carve(grid: Grid) -> Grid:
    """The grid without the cells of its cheapest descent."""
    _, columns = descent(grid)
    return [row[:column] + row[column + 1 :] for row, column in zip(grid, columns, strict=True)]
