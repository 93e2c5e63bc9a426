from subject import broken, crawl, links_of, orphans

PAGES = {
    "index": "[a](a) and [b](b#part)",
    "a": "[c](c) [home](index)",
    "b": "nothing",
    "c": "[x](missing) [y](https://example.org)",
    "d": "[a](a)",
}


def test_links():
    assert links_of("[a](one) then [b](two#x) and [c](one)") == ["one", "two"]


def test_no_links():
    assert links_of("text (with brackets)") == []
    assert links_of("[here](#below)") == []


def test_crawl():
    assert crawl(PAGES, "index") == {"index": 0, "a": 1, "b": 1, "c": 2}


def test_depth():
    assert crawl(PAGES, "index", depth=1) == {"index": 0, "a": 1, "b": 1}
    assert crawl(PAGES, "index", 0) == {"index": 0}


def test_orphans():
    assert orphans(PAGES, "index") == ["d"]


def test_broken():
    assert broken(PAGES) == [("c", "missing")]
