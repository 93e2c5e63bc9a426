import random

from subject import Trie


def test_against_a_dict():
    rng = random.Random(0)
    for _ in range(30):
        trie, model = Trie(), {}
        for _ in range(25):
            word = "".join(rng.choice("ab") for _ in range(rng.randint(0, 4)))
            if rng.random() < 0.65:
                weight = rng.randint(1, 3)
                trie.add(word, weight)
                model[word] = model.get(word, 0) + weight
            else:
                assert trie.remove(word) is (model.pop(word, None) is not None)
            assert len(trie) == len(model)
        for prefix in ("", "a", "ba", "bbb"):
            own = sorted((w, n) for w, n in model.items() if w.startswith(prefix))
            assert list(trie.words(prefix)) == own
            for limit in (0, 1, 3):
                ranked = sorted(own, key=lambda p: (-p[1], p[0]))[:limit]
                assert trie.complete(prefix, limit) == [w for w, _ in ranked]
        for text in ("", "a", "abab", "bbbbbb", "xa"):
            known = [w for w in model if text.startswith(w)]
            assert trie.longest_prefix_of(text) == max(known, key=len, default=None)
            assert trie.weight(text) == model.get(text, 0)


def nodes(node):
    return 1 + sum(nodes(child) for child in node.children.values())


def test_unneeded_letters_go():
    trie = Trie()
    trie.add("abcd")
    trie.add("ab")
    assert trie.remove("abcd")
    assert nodes(trie._root) == 3
    assert trie.remove("ab")
    assert nodes(trie._root) == 1
    assert len(trie) == 0


def test_empty_word():
    trie = Trie()
    assert trie.longest_prefix_of("abc") is None
    assert trie.remove("") is False
    trie.add("")
    assert trie.longest_prefix_of("abc") == ""
    assert trie.longest_prefix_of("") == ""
    assert trie.remove("") is True


def test_looking_up_adds_nothing():
    trie = Trie()
    trie.weight("abc")
    trie.complete("a")
    assert nodes(trie._root) == 1
    assert trie.complete("") == []
