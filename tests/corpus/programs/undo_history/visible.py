import pytest
from subject import Document, NothingToUndo


def test_insert():
    doc = Document("ac")
    doc.insert(1, "b")
    assert doc.text == "abc"


def test_delete():
    doc = Document("hello")
    doc.delete(1, 3)
    assert doc.text == "hlo"
    doc.delete(2, 2)
    assert len(doc.history()) == 1


def test_replace():
    doc = Document("a-b-c")
    assert doc.replace("-", "+", count=1) == 1
    assert doc.text == "a+b-c"
    assert doc.replace("x", "y") == 0


def test_undo():
    doc = Document("a")
    doc.insert(1, "b")
    doc.insert(2, "c")
    assert doc.undo() == "insert 'c'"
    assert doc.text == "ab"


def test_undo_too_much():
    doc = Document("a")
    doc.insert(0, "x")
    with pytest.raises(NothingToUndo):
        doc.undo(2)
    assert doc.text == "xa"


def test_redo():
    doc = Document()
    doc.insert(0, "one")
    doc.undo()
    assert doc.redo() == "insert 'one'"
    assert doc.text == "one"
    with pytest.raises(NothingToUndo):
        doc.redo()


def test_a_change_forgets_what_was_undone():
    doc = Document("a")
    doc.insert(1, "b")
    doc.undo()
    doc.insert(1, "c")
    with pytest.raises(NothingToUndo):
        doc.redo()


def test_depth():
    doc = Document(depth=2)
    for letter in "abc":
        doc.insert(0, letter)
    assert doc.history() == ["insert 'c'", "insert 'b'"]
