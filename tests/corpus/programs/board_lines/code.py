"""A board on which whoever has enough marks in a row wins; three by three is noughts and crosses."""

from __future__ import annotations

from collections.abc import Iterator

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class IllegalMove(ValueError):
    """A cell that isn't there or is taken, or a game that is over."""


class Board:
    """Rows and columns count from 0; X begins."""

    def __init__(self, size: int = 3, needed: int = 3):
        self.size = size
        self.needed = needed
        self.cells: dict[tuple[int, int], str] = {}

    @property
    def turn(self) -> str:
        """Who moves next."""
        return "X" if len(self.cells) % 2 == 0 else "O"

    def play(self, row: int, column: int) -> str | None:
        """Set a mark for whose turn it is; the winner if that was the winning move."""
        if self.winner() is not None:
            raise IllegalMove("the game is over")
        if not (0 <= row < self.size and 0 <= column < self.size):
            raise IllegalMove(f"no cell {row}, {column}")
        if (row, column) in self.cells:
            raise IllegalMove("the cell is taken")
        self.cells[row, column] = self.turn
        return self.winner()

    def lines(self) -> Iterator[list[tuple[int, int]]]:
        """All runs of cells that would win."""
        for row in range(self.size):
            for column in range(self.size):
                for down, right in DIRECTIONS:
                    line = [(row + down * n, column + right * n) for n in range(self.needed)]
                    end_row, end_column = line[-1]
                    if 0 <= end_row < self.size and 0 <= end_column < self.size:
                        yield line

    def winner(self) -> str | None:
        """Who has a full line; None while nobody has."""
        for line in self.lines():
            marks = {self.cells.get(cell) for cell in line}
            if len(marks) == 1 and None not in marks:
                return marks.pop()
        return None

    def is_draw(self) -> bool:
        """Whether the board is full and nobody has won."""
        return len(self.cells) == self.size**2 and self.winner() is None

    def threats(self, player: str) -> list[tuple[int, int]]:
        """The free cells with which the player would have a full line, sorted."""
        found = set()
        for line in self.lines():
            free = [cell for cell in line if cell not in self.cells]
            own = sum(self.cells.get(cell) == player for cell in line)
            if len(free) == 1 and own == self.needed - 1:
                found.add(free[0])
        return sorted(found)

    def __str__(self) -> str:
        return "\n".join("".join(self.cells.get((r, c), ".") for c in range(self.size)) for r in range(self.size))
