from subject import caesar, count_vowels, is_palindrome, most_common, pig_latin, wrap


def test_more():
    assert is_palindrome("") and is_palindrome("No 'x' in Nixon") and is_palindrome("1a1")
    assert not is_palindrome("ab") and not is_palindrome("1a2")
    assert count_vowels("AEIOUaeiou bcd") == 10
    assert pig_latin("quick") == "uickqay" and pig_latin("eat") == "eatway" and pig_latin("bcd") == "bcday"
    assert pig_latin("o") == "oway"
    text = "the quick brown fox jumps over the lazy dog"
    for width in range(5, 30):
        lines = wrap(text, width)
        assert " ".join(lines) == text
        assert all(len(line) <= width for line in lines)
        for a, b in zip(lines, lines[1:]):
            assert len(a) + 1 + len(b.split()[0]) > width
    for shift in range(-30, 30):
        assert caesar(caesar("Hello, World", shift), -shift) == "Hello, World"
    assert caesar("az AZ", 1) == "ba BA"
    assert most_common("Dog cat dog") == "dog" and most_common("b a") == "a"
