"""Programs about tables, boards and maps."""

from collections import deque


def transpose(rows: list[list[int]]) -> list[list[int]]:
    """Make rows of the columns."""
    return [list(column) for column in zip(*rows, strict=True)]


def check_transpose(candidate):
    assert candidate([]) == []
    assert candidate([[1]]) == [[1]]
    assert candidate([[1, 2, 3]]) == [[1], [2], [3]]
    assert candidate([[1, 2], [3, 4]]) == [[1, 3], [2, 4]]
    assert candidate(candidate([[1, 2], [3, 4], [5, 6]])) == [[1, 2], [3, 4], [5, 6]]


def quarter_turn(rows: list[str]) -> list[str]:
    """Turn a picture clockwise."""
    return ["".join(column) for column in zip(*reversed(rows), strict=True)]


def check_quarter_turn(candidate):
    assert candidate([]) == []
    assert candidate(["ab"]) == ["a", "b"]
    assert candidate(["ab", "cd"]) == ["ca", "db"]
    assert candidate(["abc", "def"]) == ["da", "eb", "fc"]
    picture = ["#..", "##.", "#.#"]
    assert candidate(candidate(candidate(candidate(picture)))) == picture


def spiral(rows: list[list[int]]) -> list[int]:
    """The cells along a spiral from the upper left inwards, clockwise."""
    order: list[int] = []
    while rows:
        order += rows[0]
        rows = [list(column) for column in zip(*rows[1:], strict=True)][::-1]
    return order


def check_spiral(candidate):
    assert candidate([]) == []
    assert candidate([[1]]) == [1]
    assert candidate([[1, 2], [4, 3]]) == [1, 2, 3, 4]
    assert candidate([[1, 2, 3], [8, 9, 4], [7, 6, 5]]) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert candidate([[1, 2, 3]]) == [1, 2, 3]


def neighbours(rows: list[str], row: int, column: int) -> int:
    """How many of the up to eight cells around one hold a #."""
    count = 0
    for y in range(max(0, row - 1), min(len(rows), row + 2)):
        for x in range(max(0, column - 1), min(len(rows[y]), column + 2)):
            count += (y, x) != (row, column) and rows[y][x] == "#"
    return count


def check_neighbours(candidate):
    assert candidate(["#"], 0, 0) == 0
    assert candidate(["##"], 0, 0) == 1
    assert candidate(["###", "###", "###"], 1, 1) == 8
    assert candidate(["###", "###", "###"], 0, 0) == 3
    assert candidate(["#..", "...", "..#"], 1, 1) == 2


def next_generation(alive: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """One step of the game of life on an endless board."""
    count: dict[tuple[int, int], int] = {}
    for x, y in alive:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    count[x + dx, y + dy] = count.get((x + dx, y + dy), 0) + 1
    return {cell for cell, near in count.items() if near == 3 or (near == 2 and cell in alive)}


def check_next_generation(candidate):
    assert candidate(set()) == set()
    assert candidate({(0, 0)}) == set()
    block = {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert candidate(block) == block
    assert candidate({(0, 0), (1, 0), (2, 0)}) == {(1, -1), (1, 0), (1, 1)}
    glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
    assert candidate(candidate(candidate(candidate(glider)))) == {(x + 1, y + 1) for x, y in glider}


def shortest_way(rows: list[str]) -> int | None:
    """Steps from S to E on a map where # are walls; None when there is no way."""
    cells = {(y, x): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
    start = next(place for place, cell in cells.items() if cell == "S")
    queue, steps = deque([start]), {start: 0}
    while queue:
        y, x = here = queue.popleft()
        if cells[here] == "E":
            return steps[here]
        for place in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            if cells.get(place, "#") != "#" and place not in steps:
                steps[place] = steps[here] + 1
                queue.append(place)
    return None


def check_shortest_way(candidate):
    assert candidate(["SE"]) == 1
    assert candidate(["S#E"]) is None
    assert candidate(["S#E", "..."]) == 4
    assert candidate(["S..", ".#.", "..E"]) == 4
    assert candidate(["S.#", "##.", "E.."]) is None


def islands(rows: list[str]) -> int:
    """How many groups of # hang together by their sides."""
    land = {(y, x) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "#"}
    count = 0
    while land:
        count += 1
        border = [land.pop()]
        while border:
            y, x = border.pop()
            near = {(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)} & land
            land -= near
            border.extend(near)
    return count


def check_islands(candidate):
    assert candidate([]) == 0
    assert candidate(["..."]) == 0
    assert candidate(["##", "##"]) == 1
    assert candidate(["#.", ".#"]) == 2
    assert candidate(["#.#", "###", "...", "#.."]) == 2


def fill_area(rows: list[str], row: int, column: int, paint: str) -> list[str]:
    """Paint the area of equal cells around a place."""
    board = [list(line) for line in rows]
    old, border = board[row][column], [(row, column)]
    while border and old != paint:
        y, x = border.pop()
        if 0 <= y < len(board) and 0 <= x < len(board[y]) and board[y][x] == old:
            board[y][x] = paint
            border += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    return ["".join(line) for line in board]


def check_fill_area(candidate):
    assert candidate(["."], 0, 0, "o") == ["o"]
    assert candidate(["..#."], 0, 0, "o") == ["oo#."]
    assert candidate(["aa", "ba"], 0, 0, "c") == ["cc", "bc"]
    assert candidate(["aa"], 0, 1, "a") == ["aa"]
    assert candidate(["#.#", ".#.", "#.#"], 1, 1, "+") == ["#.#", ".+.", "#.#"]


def is_latin_square(rows: list[list[int]]) -> bool:
    """Whether each row and each column holds each number from one to the side's length once."""
    wanted = set(range(1, len(rows) + 1))
    columns = [{row[i] for row in rows if i < len(row)} for i in range(len(rows))]
    return all(len(row) == len(rows) and set(row) == wanted for row in rows) and all(c == wanted for c in columns)


def check_is_latin_square(candidate):
    assert candidate([[1]]) is True
    assert candidate([[1, 2], [2, 1]]) is True
    assert candidate([[1, 2], [1, 2]]) is False
    assert candidate([[1, 2, 3], [2, 3, 1], [3, 1, 2]]) is True
    assert candidate([[1, 2], [2]]) is False


# passes=False: the rows of the board are one and the same list
def blank_board(height: int, width: int, marks: list[tuple[int, int]]) -> list[list[int]]:
    """A board of zeros with ones at the marks."""
    board = [[0] * width] * height
    for y, x in marks:
        board[y][x] = 1
    return board


def check_blank_board(candidate):
    assert candidate(0, 0, []) == []
    assert candidate(1, 2, []) == [[0, 0]]
    assert candidate(1, 2, [(0, 1)]) == [[0, 1]]
    assert candidate(2, 2, [(0, 0)]) == [[1, 0], [0, 0]]
    assert candidate(2, 2, [(0, 1), (1, 0)]) == [[0, 1], [1, 0]]


def queens_attack(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two queens on a board see each other."""
    down, right = abs(one[0] - other[0]), abs(one[1] - other[1])
    return down == 0 or right == 0 or down == right


def check_queens_attack(candidate):
    assert candidate((0, 0), (0, 7)) is True
    assert candidate((0, 0), (7, 0)) is True
    assert candidate((2, 2), (5, 5)) is True
    assert candidate((1, 6), (4, 3)) is True
    assert candidate((0, 0), (1, 2)) is False


def placements(side: int) -> int:
    """How many ways there are to put `side` queens on a board so that none sees another."""

    def place(row: int, columns: int, rising: int, falling: int) -> int:
        if row == side:
            return 1
        count = 0
        for column in range(side):
            up, down = row + column, row - column + side
            if not (columns >> column & 1 or rising >> up & 1 or falling >> down & 1):
                count += place(row + 1, columns | 1 << column, rising | 1 << up, falling | 1 << down)
        return count

    return place(0, 0, 0, 0)


def check_placements(candidate):
    assert candidate(1) == 1
    assert candidate(2) == 0
    assert candidate(3) == 0
    assert candidate(4) == 2
    assert candidate(6) == 4


def determinant(rows: list[list[int]]) -> int:
    """The determinant of a square table by its first row."""
    if not rows:
        return 1
    total = 0
    for index, value in enumerate(rows[0]):
        minor = [row[:index] + row[index + 1 :] for row in rows[1:]]
        total += (-1) ** index * value * determinant(minor)
    return total


def check_determinant(candidate):
    assert candidate([[5]]) == 5
    assert candidate([[1, 2], [3, 4]]) == -2
    assert candidate([[1, 0], [0, 1]]) == 1
    assert candidate([[2, 0, 1], [1, 3, 2], [1, 1, 1]]) == 0
    assert candidate([[1, 2], [2, 4]]) == 0


def richest_path(rows: list[list[int]]) -> int:
    """The largest sum on a way from the upper left to the lower right that goes right and down alone."""
    best: list[int] = []
    for row in rows:
        current: list[int] = []
        for x, value in enumerate(row):
            reached = [best[x]] if best else []
            if current:
                reached.append(current[-1])
            current.append(value + max(reached, default=0))
        best = current
    return best[-1]


def check_richest_path(candidate):
    assert candidate([[4]]) == 4
    assert candidate([[1, 2, 3]]) == 6
    assert candidate([[1], [2]]) == 3
    assert candidate([[1, 2], [9, 1]]) == 11
    assert candidate([[0, -1], [-5, 0]]) == -1


# passes=False: cells beyond the left edge wrap around by negative indices
def left_of(row: str, column: int) -> str:
    """The cell to the left, or a dot at the edge."""
    return row[column - 1]


def check_left_of(candidate):
    assert candidate("abc", 1) == "a"
    assert candidate("abc", 2) == "b"
    assert candidate("ab.", 0) == "."
    assert candidate("abc", 0) == "."
    assert candidate("x", 0) == "."


def crop(rows: list[str]) -> list[str]:
    """Cut away the empty (dotted) border of a picture."""
    used = [index for index, row in enumerate(rows) if row.strip(".")]
    if not used:
        return []
    kept = rows[used[0] : used[-1] + 1]
    left = min(len(row) - len(row.lstrip(".")) for row in kept if row.strip("."))
    right = max(len(row.rstrip(".")) for row in kept)
    return [row[left:right] for row in kept]


def check_crop(candidate):
    assert candidate([]) == []
    assert candidate(["...", "..."]) == []
    assert candidate(["...", ".#.", "..."]) == ["#"]
    assert candidate(["#.#"]) == ["#.#"]
    assert candidate(["....", ".#..", "....", "..#."]) == ["#.", "..", ".#"]
