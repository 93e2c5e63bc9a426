import random

from subject import Heading, anchors, contents, headings, numbered


def test_random_texts():
    rng = random.Random(0)
    for _ in range(80):
        lines, expected, fence = [], [], False
        for number in range(1, rng.randint(1, 12) + 1):
            kind = rng.choice(["heading", "heading", "text", "fence", "bad"])
            if kind == "fence":
                lines.append("```" + ("" if fence else rng.choice(["", "python"])))
                fence = not fence
            elif kind == "heading":
                level = rng.randint(1, 6)
                title = rng.choice(["One", "Two words", "x_y-z"])
                lines.append(
                    "#" * level + "  " * rng.randint(0, 1) + " " + title + rng.choice(["", " #", "  ###", " "])
                )
                if not fence:
                    expected.append(Heading(level, title, number))
            else:
                lines.append("plain # text" if kind == "text" else rng.choice(["####### No", "#No", "# ", "#-# no"]))
        text = "\n".join(lines)
        assert headings(text) == expected
        links = anchors(expected)
        assert len(links) == len(expected)
        if expected:
            top = min(h.level for h in expected)
            shown = [(h, a) for h, a in zip(expected, links, strict=True) if h.level <= 4]
            assert contents(text, 4).splitlines() == [
                " " * (2 * (h.level - top)) + f"- [{h.title}](#{a})" for h, a in shown
            ]


def test_numbers():
    def of(*levels):
        return [title.split()[0] for title in numbered([Heading(level, "t", 1) for level in levels])]

    assert of(1, 1, 2, 2, 1, 2) == ["1", "2", "2.1", "2.2", "3", "3.1"]
    assert of(2, 3, 2) == ["0.1", "0.1.1", "0.2"]
    assert of(1, 3, 2, 3) == ["1", "1.0.1", "1.1", "1.1.1"]
    assert of(6, 6, 1, 6) == ["0.0.0.0.0.1", "0.0.0.0.0.2", "1", "1.0.0.0.0.1"]


def test_repeated_anchors():
    assert anchors([Heading(1, "A", 1)] * 3) == ["a", "a-1", "a-2"]
    assert anchors([Heading(1, "C++ & C#", 1)]) == ["c--c"]
    assert anchors([Heading(1, "Über_uns 2", 1)]) == ["über_uns-2"]


def test_fences():
    assert headings("  ```\n# a\n  ```\n# b") == [Heading(1, "b", 4)]
    assert headings("```\n# a") == []
    assert headings("```\n~~~\n# a\n```\n# b\n~~~\n# c") == [Heading(1, "b", 5)]


def test_depths():
    text = "# A\n## B\n### C\n#### D"
    assert contents(text).count("\n") == 2
    assert contents(text, deepest=1) == "- [A](#a)"
    assert contents("### C\n#### D", deepest=2) == contents("```\n# a") == ""
