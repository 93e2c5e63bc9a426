import random

from subject import broken, crawl, links_of, orphans


def distances(targets, front):
    reached, ring = {front: 0}, {front}
    for step in range(1, len(targets) + 1):
        ring = {t for name in ring for t in targets[name]} - reached.keys()
        reached.update(dict.fromkeys(ring, step))
    return reached


def test_random_sites():
    rng = random.Random(0)
    for _ in range(50):
        names = [f"p{i}" for i in range(rng.randint(1, 8))]
        targets = {n: rng.sample(names, rng.randint(0, min(2, len(names)))) for n in names}
        pages = {n: "; ".join(f"[to {t}]({t})" for t in targets[n]) for n in names}
        expected = distances(targets, names[0])
        assert crawl(pages, names[0]) == expected
        for depth in range(4):
            assert crawl(pages, names[0], depth) == {n: d for n, d in expected.items() if d <= depth}
        assert orphans(pages, names[0]) == sorted(set(names) - set(expected))
        assert broken(pages) == []


def test_link_text():
    assert links_of("[x](a)(b)") == ["a"]
    assert links_of("[x](b)[y](a)") == ["b", "a"]
    assert links_of("") == []
    assert links_of("[x](a#1) [y](a#2)") == ["a"]


def test_broken_is_sorted_by_page():
    pages = {"z": "[1](gone) [2](a)", "a": "[3](lost) [4](ftp://x)"}
    assert broken(pages) == [("a", "lost"), ("z", "gone")]


def test_crawl_skips_what_is_missing():
    assert crawl({"index": "[x](nowhere)"}, "index") == {"index": 0}
    assert crawl({"i": "[i](i)"}, "i", 5) == {"i": 0}
    assert orphans({"i": ""}, "i") == []
