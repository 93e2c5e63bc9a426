import pytest
from subject import build, draw, largest, show_size, size_of

TREE = build({"src/app.py": 2048, "src/web/page.html": 512, "README": 100})


def test_build():
    assert TREE == {"src": {"app.py": 2048, "web": {"page.html": 512}}, "README": 100}


def test_conflicts():
    with pytest.raises(ValueError):
        build({"a": 1, "a/b": 2})
    with pytest.raises(ValueError):
        build({"a/b": 1, "a": 2})


def test_size():
    assert size_of(TREE) == 2660
    assert size_of({}) == 0


def test_show_size():
    assert show_size(1023) == "1023 B"
    assert show_size(1536) == "1.5 KB"
    assert show_size(5 * 1024**3) == "5.0 GB"


def test_draw():
    assert draw(TREE) == [
        "|-- src/ (2.5 KB)",
        "|   |-- web/ (512 B)",
        "|   |   `-- page.html (512 B)",
        "|   `-- app.py (2.0 KB)",
        "`-- README (100 B)",
    ]


def test_depth():
    assert draw(TREE, depth=1) == ["|-- src/ (2.5 KB)", "`-- README (100 B)"]
    assert len(draw(TREE, depth=2)) == 4


def test_largest():
    assert largest(TREE, 2) == [("src/app.py", 2048), ("src/web/page.html", 512)]
