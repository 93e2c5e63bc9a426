"""The scan rules, one row each: what is found, how grave it is, why it matters, and what to do instead.

`deny`: never right in generated code. `ask`: may be right, but a person should see it before it runs. `note`: worth
reading in the result.
"""

# ruff: noqa: E501 -- one rule a line reads as the table that it is

from __future__ import annotations

from typing import NamedTuple

from treadle.core.records import Severity


class Rule(NamedTuple):
    """One rule. `what` completes "the code ..."."""

    id: str
    severity: Severity
    what: str
    why: str
    advice: str


_ROWS: tuple[Rule, ...] = (
    # ------------------------------------------------------------ code made at run time
    Rule("exec-dynamic", "ask", "runs text as code (eval, exec, compile)", "whoever controls the text controls the program", "call functions by name from a dict, or use ast.literal_eval for data"),
    Rule("exec-hidden", "deny", "runs code that is encoded, assembled or fetched", "nobody can read what will run", "write the code out"),
    Rule("exec-literal", "note", "runs a fixed text as code", "the text escapes linters and reviewers", "write the code out"),
    Rule("import-dynamic", "ask", "imports a module whose name is computed", "which code runs is decided by data", "import by name, or choose from a fixed dict"),
    Rule("import-path", "ask", "lets Python import from a folder that is not the project's", "what lies there decides which code runs", "install what is needed, or keep it in the project"),
    Rule("name-built", "deny", "assembles an attribute or module name from pieces", "this hides what is used from readers and scanners", "write the name out"),
    Rule("getattr-module", "ask", "takes an attribute of a dangerous module by a computed name", "any function of it may be meant", "write the name out, or choose from a fixed dict"),
    Rule("text-assembled", "ask", "assembles a text from character codes", "this is how code hides what it says", "write the text out"),
    Rule("blob", "note", "unpacks a long encoded text", "nobody can read what is inside", "keep data in a data file"),
    # ------------------------------------------------------------ processes
    Rule("shell", "ask", "gives a command to a shell", "the shell interprets what is put into it", "use subprocess.run with a list of arguments"),
    Rule("shell-destructive", "deny", "runs a command that destroys, or that fetches and runs code", "it harms the machine as soon as it runs", "leave it out"),
    Rule("process", "ask", "starts a program that is not fixed in the code", "what runs is decided by data", "name the program in the code"),
    Rule("process-reaching", "ask", "starts a program that reaches out of the project", "it speaks to others, or changes the machine or other files", "make sure that this is asked for"),
    Rule("process-fixed", "note", "starts a program", "the result depends on the machine", "check that the program is meant"),
    Rule("installs", "ask", "installs packages while it runs", "they change the machine, and bring code that nobody has looked at", "declare them in the project's file of dependencies"),
    Rule("fork", "ask", "forks this process", "locks and threads do not survive it", "use subprocess or concurrent.futures"),
    Rule("fork-bomb", "deny", "starts processes without end", "it takes the machine down", "bound the number of processes"),
    Rule("endless", "ask", "writes or collects in a loop without an end", "it fills the disk or the memory", "bound it, or leave the loop"),
    Rule("remote-shell", "deny", "connects a shell to the network", "it hands the machine to somebody else", "leave it out"),
    Rule("privileges", "ask", "changes the user, the group or the root folder of the process", "what follows runs with other rights", "leave this to whoever starts the program"),
    Rule("signal-others", "ask", "sends signals to other processes", "it can end what it did not start", "keep the Popen object and end that process"),
    # ------------------------------------------------------------ network
    Rule("network", "ask", "uses the network", "data may leave, and code or data of others come in", "make sure that this is asked for, and to whom it speaks"),
    Rule("exfiltration", "deny", "sends secrets or the environment over the network", "keys and passwords would leave the machine", "leave it out"),
    # ------------------------------------------------------------ files
    Rule("delete-root", "deny", "deletes a home folder, a system folder or the project itself", "everything in it is lost", "delete only what the code has made"),
    Rule("delete-tree", "ask", "deletes a whole folder", "a wrong path deletes the wrong folder", "use tempfile.TemporaryDirectory, or name the folder in the code"),
    Rule("delete-outside", "ask", "deletes a file outside of the project", "it may belong to somebody else", "keep to the project's own files"),
    Rule("write-outside", "ask", "writes a file outside of the project", "it changes more than this project", "write below the project or in tempfile's folders"),
    Rule("link-outside", "ask", "makes a link that leads out of the project", "who follows it reads and changes what is elsewhere", "copy what is needed into the project"),
    Rule("persistence", "deny", "writes where programs are started from, or into system files", "it would run again without being asked", "leave it out"),
    Rule("secrets-read", "deny", "reads private keys or password files", "no task of generated code needs them", "take what is needed as an argument"),
    Rule("credentials", "ask", "reads a file or a keyring that holds credentials", "a person should know that it does", "take the one value that is needed from the environment"),
    Rule("environment-dump", "ask", "shows or stores the whole environment", "it holds keys and passwords", "read the one variable that is needed"),
    Rule("archive", "note", "unpacks an archive without a filter", "members can be named to land outside of the folder", "use extractall(..., filter='data')"),
    # ------------------------------------------------------------ data that becomes code
    Rule("unsafe-load", "ask", "loads a format that can run code (pickle, marshal, YAML tags)", "a crafted file runs anything", "use JSON, or yaml.safe_load"),
    Rule("reduce", "deny", "defines a pickle that runs commands", "whoever loads it is attacked", "leave it out"),
    # ------------------------------------------------------------ the interpreter itself
    Rule("escape", "deny", "walks the object graph to classes or globals that it was not given", "this is how sandboxes are left", "import what is needed"),
    Rule("format-escape", "deny", "reads internals through a format string", "this is how templates are made to leak", "pass the values themselves"),
    Rule("globals", "ask", "reaches into another function's globals, locals or code, or into the builtins", "it changes or reads what it was not given", "pass values as arguments"),
    Rule("frames", "note", "looks at the frames of its callers", "it depends on who calls it", "pass values as arguments"),
    Rule("builtins-changed", "ask", "replaces a builtin or a module for the whole program", "other code then does something else", "wrap it in a function of your own"),
    Rule("hooks", "ask", "hooks into the interpreter (trace, profile, audit, import)", "it sees and changes everything that runs", "leave this to debuggers and test tools"),
    Rule("native", "ask", "calls native code or touches raw memory (ctypes, cffi)", "nothing that Python guarantees holds there", "use a module of the standard library"),
    Rule("finalizer", "ask", "acts on the world in a finalizer or at exit", "it runs when nobody looks, or not at all", "use a context manager"),
    Rule("finalizer-bomb", "deny", "never returns from a finalizer, or ends the process in one", "the program hangs or vanishes at its end", "leave it out"),
    Rule("at-exit", "note", "registers something to run at exit", "it runs after the tests have been judged", "use a context manager"),
    # ------------------------------------------------------------ tests
    Rule("exit-hard", "ask", "ends the process at once (os._exit, os.abort, a signal to itself)", "nothing after it runs, no test is reported", "raise an exception"),
    Rule("exit-on-import", "ask", "ends the program while it is imported", "a test run that imports it ends with it", "put it under if __name__ == '__main__'"),
    Rule("exit-in-tests", "deny", "ends the test run from a test or conftest file", "tests that never ran look as if they passed", "leave it out"),
    Rule("tests-patched", "deny", "changes how tests are judged", "a failing test would count as passed", "mend the code under test"),
    Rule("skip-in-source", "deny", "skips tests from the code under test", "a failing test would count as skipped", "mend the code under test"),
    Rule("test-skipped", "ask", "skips a test or expects it to fail", "what it checked is checked no more", "mend the code under test"),
    Rule("test-deleted", "ask", "deletes tests", "what they checked is checked no more", "mend the code under test"),
    Rule("asserts-removed", "ask", "takes asserts out of tests", "what they checked is checked no more", "mend the code under test"),
    Rule("asserts-changed", "ask", "changes what an existing test does or asserts", "it may now pass for another reason than the right one", "mend the code under test, or say why the test was wrong"),
    Rule("test-config", "ask", "changes how tests are found or run (conftest, pytest's configuration)", "every test's outcome depends on it", "make sure that the change is asked for"),
    Rule("test-aware", "ask", "behaves differently when it is tested", "then the tests say nothing about the real program", "leave the condition out"),
    Rule("always-equal", "ask", "defines an object that equals everything", "every comparison in a test would hold", "compare the fields that matter"),
    # ------------------------------------------------------------ files that run elsewhere, secrets, readability
    Rule("runs-elsewhere", "ask", "changes what CI, git hooks or a build runs", "it runs later, outside of the sandbox", "make sure that the change is asked for"),
    Rule("treadle-files", "deny", "changes Treadle's own files in the project", "they decide what Treadle runs and refuses here", "make such a change yourself, knowing what it does"),
    Rule("secret", "ask", "holds what looks like a real key or token", "whoever reads the code can use it", "read it from the environment"),
    Rule("password", "note", "holds a fixed password", "whoever reads the code knows it", "read it from the environment"),
    Rule("bidi", "ask", "holds characters that reverse the direction of text", "a reader sees other code than the one that runs (CVE-2021-42574)", "write them as escapes"),
    Rule("encoding", "ask", "declares an unusual source encoding", "a reader sees other code than the one that runs", "save it as UTF-8"),
    Rule("unparsable", "note", "is no valid Python, so it was not scanned", "it can't run as it is", "see what the compile check says"),
    Rule("unscanned", "ask", "could not be scanned", "nobody knows what is in it", "read it yourself, or send a smaller, plainer file"),
)  # fmt: skip

RULES: dict[str, Rule] = {rule.id: rule for rule in _ROWS}
WEAKENS_CHECKS = frozenset(
    {"test-skipped", "test-deleted", "asserts-removed", "asserts-changed", "test-config", "test-aware", "always-equal"}
)
"""The rules by which tests that pass say less than they did."""
