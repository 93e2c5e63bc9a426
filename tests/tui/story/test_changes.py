from __future__ import annotations

from treadle.tui.story.changes import change_lines, files_of

DIFF = """\
diff --git a/src/a.py b/src/a.py
index 408733..bf3e32
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,4 @@
 one
-two
+2
+--- not a header
 three
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1 @@
+x
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
"""


def test_each_file_is_told_with_what_comes_and_goes() -> None:
    assert [(file.path, file.added, file.removed) for file in files_of(DIFF)] == [
        ("src/a.py", 2, 1), ("new.py", 1, 0), ("gone.py", 0, 1), ("run.sh", 0, 0),
    ]  # fmt: skip
    assert "".join(file.text for file in files_of(DIFF)) == DIFF


def test_no_diff_is_no_file() -> None:
    assert files_of("") == []
    assert change_lines("") == []


def test_the_lines_of_a_file_are_below_it() -> None:
    first, *_ = change_lines(DIFF)
    assert (first.title, first.result) == ("src/a.py", "+2 -1")
    assert [line.title for line in first.below()] == files_of(DIFF)[0].text.splitlines()[4:]
    assert [line.title for line in change_lines(DIFF)[3].below()] == ["old mode 100644", "new mode 100755"]
