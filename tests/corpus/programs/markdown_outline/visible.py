from subject import Heading, anchors, contents, headings, numbered

TEXT = """# Guide
text
## Set up
```
# not a heading
```
## Use
### In a shell
## Set up
"""


def test_headings():
    assert headings(TEXT)[:2] == [Heading(1, "Guide", 1), Heading(2, "Set up", 3)]
    assert len(headings(TEXT)) == 5


def test_not_headings():
    assert headings("#tag\n####### seven\n # indented\n#\n#a b") == []


def test_closing_marks():
    assert headings("## Title ##") == [Heading(2, "Title", 1)]


def test_fences():
    assert headings("~~~\n```\n# in\n~~~\n# out") == [Heading(1, "out", 5)]


def test_anchors():
    assert anchors(headings(TEXT)) == ["guide", "set-up", "use", "in-a-shell", "set-up-1"]
    assert anchors([Heading(1, "What's new?", 1)]) == ["whats-new"]


def test_contents():
    assert contents("## A\n### B\n#### C") == "- [A](#a)\n  - [B](#b)"
    assert contents("no headings") == ""


def test_numbered():
    assert numbered(headings(TEXT)) == ["1 Guide", "1.1 Set up", "1.2 Use", "1.2.1 In a shell", "1.3 Set up"]
