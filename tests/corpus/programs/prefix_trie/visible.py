from subject import Trie


def filled():
    trie = Trie()
    for word, weight in (("car", 5), ("card", 2), ("care", 7), ("cat", 7), ("dog", 1)):
        trie.add(word, weight)
    return trie


def test_weight():
    trie = filled()
    assert trie.weight("care") == 7
    assert trie.weight("ca") == 0
    assert trie.weight("zebra") == 0


def test_add_again():
    trie = filled()
    trie.add("car")
    assert trie.weight("car") == 6
    assert len(trie) == 5


def test_words():
    assert list(filled().words("car")) == [("car", 5), ("card", 2), ("care", 7)]
    assert list(filled().words("x")) == []


def test_complete():
    assert filled().complete("ca") == ["care", "cat", "car"]
    assert filled().complete("car", limit=1) == ["care"]


def test_longest_prefix():
    assert filled().longest_prefix_of("cards") == "card"
    assert filled().longest_prefix_of("cat") == "cat"
    assert filled().longest_prefix_of("cow") is None


def test_remove():
    trie = filled()
    assert trie.remove("car") is True
    assert trie.weight("car") == 0
    assert trie.weight("card") == 2
    assert len(trie) == 4


def test_remove_unknown():
    trie = filled()
    assert trie.remove("ca") is False
    assert trie.remove("cards") is False
    assert len(trie) == 5
