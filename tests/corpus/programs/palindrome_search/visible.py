from subject import between, is_palindrome, longest_palindrome, next_palindrome


def test_is_palindrome():
    assert is_palindrome("A man, a plan, a canal: Panama")
    assert is_palindrome("x")
    assert not is_palindrome("ab")


def test_no_letters():
    assert not is_palindrome("")
    assert not is_palindrome(" ?!")


def test_longest():
    assert longest_palindrome("abacdfgdcab") == "aba"
    assert longest_palindrome("forgeeksskeegfor") == "geeksskeeg"
    assert longest_palindrome("") == ""


def test_first_of_several():
    assert longest_palindrome("abcc dd") == "cc"


def test_next():
    assert next_palindrome(123) == 131
    assert next_palindrome(131) == 141
    assert next_palindrome(99) == 101
    assert next_palindrome(4) == 5


def test_next_after_nines():
    assert next_palindrome(1999) == 2002
    assert next_palindrome(9) == 11


def test_between():
    assert list(between(95, 132)) == [99, 101, 111, 121, 131]
    assert list(between(7, 11)) == [7, 8, 9]
