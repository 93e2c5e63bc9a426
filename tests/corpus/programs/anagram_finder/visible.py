from subject import AnagramFinder, letters

WORDS = ["listen", "silent", "enlist", "tea", "eat", "ate", "tin", "it"]


def test_letters():
    assert letters("Tea-Pot") == "aeoptt"


def test_anagrams():
    finder = AnagramFinder(WORDS)
    assert finder.anagrams("listen") == ["enlist", "silent"]
    assert finder.anagrams("TAE") == ["ate", "eat", "tea"]
    assert finder.anagrams("xyz") == []


def test_add():
    finder = AnagramFinder(WORDS)
    assert finder.add("nit") is True
    assert finder.add("nit") is False
    assert finder.add("123") is False
    assert finder.anagrams("tin") == ["nit"]


def test_families():
    assert AnagramFinder(WORDS).families() == [["ate", "eat", "tea"], ["enlist", "listen", "silent"]]


def test_smallest_family():
    assert AnagramFinder(["ab", "ba", "c"]).families(smallest=1) == [["ab", "ba"], ["c"]]


def test_spellable():
    assert AnagramFinder(WORDS).spellable("tinae") == ["ate", "eat", "tea", "tin", "it"]


def test_spellable_with_joker():
    assert AnagramFinder(WORDS).spellable("te?", shortest=3) == ["ate", "eat", "tea"]
