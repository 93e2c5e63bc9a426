"""Matrices of numbers."""

from __future__ import annotations

from fractions import Fraction


class SizeError(ValueError):
    """Matrices whose sizes don't fit."""


class Matrix:
    """Rows of numbers, all of the same length; matrices don't change."""

    def __init__(self, rows: list[list[int]]):
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise SizeError("rows of the same length are needed")
        self.rows = [list(row) for row in rows]

    @classmethod
    def identity(cls, size: int) -> Matrix:
        """Ones on the diagonal."""
        return cls([[int(i == j) for j in range(size)] for i in range(size)])

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rows), len(self.rows[0])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(tuple(map(tuple, self.rows)))

    def __add__(self, other: Matrix) -> Matrix:
        if self.size != other.size:
            raise SizeError(f"{self.size} and {other.size} can't be added")
        return Matrix([[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(self.rows, other.rows, strict=True)])

    def __matmul__(self, other: Matrix) -> Matrix:
        if self.size[1] != other.size[0]:
            raise SizeError(f"{self.size} and {other.size} can't be multiplied")
        columns = other.transposed().rows
        return Matrix(
            [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in self.rows]
        )

    def __pow__(self, exponent: int) -> Matrix:
        if exponent < 0:
            raise ValueError("the exponent is negative")
        result, base = Matrix.identity(len(self.rows)), self
        while exponent:
            if exponent & 1:
                result = result @ base
            base = base @ base
            exponent >>= 1
        return result

    def transposed(self) -> Matrix:
        """Rows and columns swapped."""
        return Matrix([list(column) for column in zip(*self.rows, strict=True)])

    def determinant(self) -> Fraction:
        """The determinant, exactly; SizeError unless it is square."""
        if self.size[0] != self.size[1]:
            raise SizeError("only a square matrix has a determinant")
        rows = [[Fraction(value) for value in row] for row in self.rows]
        result = Fraction(1)
        for column in range(len(rows)):
            pivot = next((r for r in range(column, len(rows)) if rows[r][column] != 0), None)
            if pivot is None:
                return Fraction(0)
            if pivot != column:
                rows[pivot], rows[column] = rows[column], rows[pivot]
                result = -result
            result *= rows[column][column]
            for row in rows[column + 1 :]:
                factor = row[column] / rows[column][column]
                for k in range(column, len(rows)):
                    row[k] -= factor * rows[column][k]
        return result
