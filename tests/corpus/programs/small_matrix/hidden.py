import random

import pytest
from subject import Matrix, SizeError


def some(rng, n, m):
    return [[rng.randint(-3, 3) for _ in range(m)] for _ in range(n)]


def laplace(rows):
    if len(rows) == 1:
        return rows[0][0]
    minors = ([row[:c] + row[c + 1 :] for row in rows[1:]] for c in range(len(rows)))
    return sum((-1) ** c * rows[0][c] * laplace(minor) for c, minor in enumerate(minors))


def test_random_matrices():
    rng = random.Random(0)
    for _ in range(25):
        n, m, k = (rng.randint(1, 4) for _ in range(3))
        a, b, c = some(rng, n, m), some(rng, m, k), some(rng, n, m)
        product = [[sum(a[i][x] * b[x][j] for x in range(m)) for j in range(k)] for i in range(n)]
        assert (Matrix(a) @ Matrix(b)).rows == product
        assert (Matrix(a) + Matrix(c)).rows == [[a[i][j] + c[i][j] for j in range(m)] for i in range(n)]
        assert Matrix(a).transposed().rows == [[a[i][j] for i in range(n)] for j in range(m)]
        assert (Matrix(a) @ Matrix(b)).transposed() == Matrix(b).transposed() @ Matrix(a).transposed()
        square = some(rng, n, n)
        assert Matrix(square).determinant() == laplace(square)
        power = Matrix.identity(n)
        for exponent in range(6):
            assert Matrix(square) ** exponent == power
            power = power @ Matrix(square)


def test_determinant_leaves_the_matrix_alone():
    matrix = Matrix([[0, 2, 1], [3, 0, 1], [1, 1, 1]])
    matrix.determinant()
    assert matrix.rows == [[0, 2, 1], [3, 0, 1], [1, 1, 1]]


def test_rows_are_copied():
    rows = [[1, 2], [3, 4]]
    matrix = Matrix(rows)
    rows[0][0] = 9
    assert matrix.rows[0][0] == 1
    assert Matrix([[1]]) != Matrix([[2]])
    assert len({Matrix([[1]]), Matrix([[1]]), Matrix([[2]])}) == 2


def test_size_errors():
    wide = Matrix([[1, 2, 3]])
    with pytest.raises(SizeError, match="added"):
        wide + wide.transposed()
    with pytest.raises(SizeError, match="multiplied"):
        wide @ wide
    with pytest.raises(SizeError, match="square"):
        wide.determinant()
    with pytest.raises(SizeError):
        wide**2
    with pytest.raises(ValueError, match="negative"):
        wide**-1
    with pytest.raises(SizeError, match="same length"):
        Matrix([[1], []])


def test_identity():
    assert Matrix.identity(3).rows == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
