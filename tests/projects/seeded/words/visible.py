from subject import caesar, count_vowels, is_palindrome, most_common, pig_latin, wrap


def test_palindrome():
    assert is_palindrome("A man, a plan, a canal: Panama")
    assert not is_palindrome("abca")


def test_vowels():
    assert count_vowels("Education") == 5
    assert count_vowels("xyz") == 0


def test_pig_latin():
    assert pig_latin("apple") == "appleway"
    assert pig_latin("string") == "ingstray"
    assert pig_latin("shh") == "shhay"


def test_wrap():
    assert wrap("aa bb cc", 5) == ["aa bb", "cc"]
    assert wrap("aaa bbb", 3) == ["aaa", "bbb"]
    assert wrap("", 5) == []


def test_caesar():
    assert caesar("abc XYZ!", 3) == "def ABC!"
    assert caesar("def", -3) == "abc"


def test_most_common():
    assert most_common("a b b c") == "b"
    assert most_common("z y Z y x") == "y"
