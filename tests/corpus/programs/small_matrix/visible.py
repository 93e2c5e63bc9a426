import pytest
from subject import Matrix, SizeError

A = Matrix([[1, 2], [3, 4]])


def test_size():
    assert Matrix([[1, 2, 3], [4, 5, 6]]).size == (2, 3)
    for rows in ([], [[]], [[1], [2, 3]]):
        with pytest.raises(SizeError):
            Matrix(rows)


def test_add():
    assert Matrix([[2, 4], [6, 8]]) == A + A
    with pytest.raises(SizeError):
        A + Matrix([[1]])


def test_multiply():
    assert A @ Matrix([[0, 1], [1, 0]]) == Matrix([[2, 1], [4, 3]])
    assert Matrix([[1, 2, 3]]) @ Matrix([[4], [5], [6]]) == Matrix([[32]])
    with pytest.raises(SizeError):
        A @ Matrix([[1, 2]])


def test_power():
    assert Matrix.identity(2) == A**0
    assert Matrix([[37, 54], [81, 118]]) == A**3
    with pytest.raises(ValueError):
        A**-1


def test_transposed():
    assert Matrix([[1, 2, 3], [4, 5, 6]]).transposed() == Matrix([[1, 4], [2, 5], [3, 6]])


def test_determinant():
    assert A.determinant() == -2
    assert Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 4]]).determinant() == 18


def test_determinant_with_zeros():
    assert Matrix([[0, 1], [1, 0]]).determinant() == -1
    assert Matrix([[1, 2], [2, 4]]).determinant() == 0
    with pytest.raises(SizeError):
        Matrix([[1, 2]]).determinant()


def test_equality():
    assert A != [[1, 2], [3, 4]]
    assert hash(A) == hash(Matrix([[1, 2], [3, 4]]))
