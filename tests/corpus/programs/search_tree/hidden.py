import random

from subject import SearchTree


def test_against_a_dict():
    rng = random.Random(0)
    for _ in range(40):
        tree, model = SearchTree(), {}
        for step in range(rng.randint(0, 20)):
            key = rng.randint(0, 15)
            tree.set(key, step)
            model[key] = step
            if rng.random() < 0.1:
                tree.balance()
        assert len(tree) == len(model)
        for key in range(-1, 17):
            assert tree.get(key, "none") == model.get(key, "none")
            assert tree.floor(key) == max((k for k in model if k <= key), default=None)
        for low in (None, 0, 3, 9):
            for high in (None, 2, 9, 15):
                expected = [
                    (k, v)
                    for k, v in sorted(model.items())
                    if (low is None or k >= low) and (high is None or k <= high)
                ]
                assert list(tree.items(low, high)) == expected
        tree.balance()
        assert tree.height() == len(model).bit_length()
        assert list(tree.items()) == sorted(model.items())
        assert len(tree) == len(model)


def test_shapes():
    assert SearchTree([(2, 0), (1, 0), (3, 0)]).height() == 2
    assert SearchTree([(3, 0), (2, 0), (1, 0)]).height() == 3
    assert SearchTree([(1, 0)]).height() == 1


def test_words():
    tree = SearchTree([("m", 1), ("c", 2), ("x", 3)])
    assert tree.floor("d") == "c"
    assert tree.floor("b") is None
    assert list(tree.items("d", "w")) == [("m", 1)]


def test_empty():
    tree = SearchTree()
    tree.balance()
    assert tree.get(1) is None
    assert tree.floor(1) is None
    assert len(tree) == 0
    tree.set(1, None)
    assert tree.get(1, "x") is None
    assert len(tree) == 1
