import random

import pytest
from subject import Document, NothingToUndo


def test_against_states():
    rng = random.Random(0)
    for _ in range(40):
        doc, states, at = Document("abab"), ["abab"], 0
        for _ in range(25):
            kind = rng.choice(["insert", "delete", "replace", "undo", "undo", "redo"])
            text = states[at]
            if kind == "undo":
                steps = rng.randint(1, 2)
                if steps > at:
                    with pytest.raises(NothingToUndo, match=f"there are {at} steps, not {steps}"):
                        doc.undo(steps)
                else:
                    doc.undo(steps)
                    at -= steps
            elif kind == "redo":
                if at + 1 == len(states):
                    with pytest.raises(NothingToUndo):
                        doc.redo()
                else:
                    doc.redo()
                    at += 1
            else:
                a, b = rng.randint(0, 6), rng.randint(0, 6)
                if kind == "insert":
                    doc.insert(a, "xy")
                    after = text[:a] + "xy" + text[a:]
                elif kind == "delete":
                    doc.delete(a, b)
                    after = text[:a] + text[b:] if a < b else text
                else:
                    count = rng.choice([-1, 0, 1])
                    assert doc.replace("a", "x", count) == (
                        text.count("a") if count < 0 else min(count, text.count("a"))
                    )
                    after = text.replace("a", "x", count)
                if after != text:
                    states = [*states[: at + 1], after]
                    at += 1
            assert doc.text == states[at]
            assert len(doc.history()) == at


def test_labels():
    doc = Document("abc")
    doc.delete(0, 2)
    doc.replace("c", "d")
    doc.insert(-1, "e")
    assert doc.text == "ed"
    assert doc.history() == ["insert 'e'", "replace 'c'", "delete 'ab'"]
    assert doc.undo(3) == "delete 'ab'"
    assert doc.redo() == "delete 'ab'"
    assert doc.undo(0) is None


def test_no_change_is_no_step():
    doc = Document("abc")
    doc.insert(1, "")
    doc.delete(3, 9)
    doc.delete(2, 1)
    assert doc.replace("a", "a") == 1
    assert doc.replace("", "x") == 0
    assert doc.history() == []
    assert doc.text == "abc"


def test_depth_counts_redone_steps():
    doc = Document(depth=1)
    doc.insert(0, "a")
    doc.insert(0, "b")
    assert doc.undo() == "insert 'b'"
    with pytest.raises(NothingToUndo):
        doc.undo()
    assert doc.redo() == "insert 'b'"
    assert doc.text == "ba"
    assert Document().depth == 50
