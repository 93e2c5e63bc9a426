"""scan for JavaScript and TypeScript: what a change brings in that a person should see before it runs.

Findings of the file as it was are subtracted, by rule and line of code, so that moving code asks nothing. This looks at
words in the text without comments and strings, not at what they mean. It does not see what is reached under another
name (`const run = require; run(name)`, a member by a computed name), what dependencies do, or what a string that is run
later holds; and a function of the project's own that is called `unlink` is taken for the one of Node. The sandbox is
what stands between the code and the machine.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from treadle.core.counting import are, counted
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, FileChange, Finding, Workspace
from treadle.core.tree.sources import LARGEST_SOURCE, before_change
from treadle.plugins.languages.javascript import scan_table as table
from treadle.plugins.languages.javascript.masking import Masked, masked
from treadle.plugins.languages.javascript.sources import is_ours, is_test, text_of

MOST_FINDINGS = 100
"""Findings of one file that are reported; a file with more has one that counts the rest."""
_LONGEST_NAME = 1_000
"""Characters in which the end of a name is looked for: it may have none, and each of many would look to the end."""
_GOES_ON = re.compile(r"\s*+(?![),])")


class Hit(NamedTuple):
    """One finding; `snippet` tells equal ones from new ones. `detail` is said, too."""

    rule: str
    line: int
    snippet: str
    detail: str = ""


@hookimpl
def treadle_scan(candidate: Candidate, workspace: Workspace) -> tuple[Finding, ...]:
    """The findings that the candidate brings in, file by file."""
    return tuple(f for change in candidate.files for f in findings_of(change, before_change(workspace, change)))


def findings_of(change: FileChange, before: bytes | None) -> tuple[Finding, ...]:
    """The findings of one changed file against its content before."""
    if change.content is None:
        return ()
    if change.path.rpartition("/")[2] == "package.json":
        hits = list(hits_of_manifest(change.content, before))
    elif is_ours(change.path):
        known = Counter((hit.rule, hit.snippet) for hit in hits_of(change.path, before)) if before else Counter()
        hits = [hit for hit in hits_of(change.path, change.content) if not _counted_down(known, hit)]
    else:
        hits = []
    if table.TEST_CONFIG.search(change.path) and before != change.content:
        hits.append(Hit("js-test-config", 0, change.path))
    hits.sort(key=lambda hit: hit.line)
    if len(hits) > MOST_FINDINGS:
        more = len(hits) - MOST_FINDINGS
        said = f"{counted(more, 'more finding')} {are(more)} not shown"
        hits = [*hits[:MOST_FINDINGS], Hit("js-unscanned", 0, "", said)]
    return tuple(_finding(change.path, hit) for hit in hits)


def hits_of(path: str, content: bytes) -> list[Hit]:
    """All that the rules find in a source, one of each rule a line."""
    if len(content) > LARGEST_SOURCE:
        return [Hit("js-unscanned", 0, "", f"it has {len(content)} bytes; at most {LARGEST_SOURCE} are looked at")]
    text = text_of(content)
    looked = masked(text)
    lines = text.split("\n")
    ends = list(itertools.accumulate(len(line) + 1 for line in lines))
    found: dict[tuple[str, int], Hit] = {}
    for rule, offset, detail in _places(path, text, looked, content):
        line = bisect.bisect_right(ends, offset) + 1
        if (rule, line) not in found:  # a line may be long, and full of them
            found[rule, line] = Hit(rule, line, lines[line - 1].strip(), detail)
    return list(found.values())


def hits_of_manifest(content: bytes, before: bytes | None) -> Iterator[Hit]:
    """What a changed package.json would run outside of the sandbox, and what it would bring in."""
    try:
        new = msgspec.json.decode(content, type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        yield Hit("js-unscanned", 0, "", f"it is no JSON: {error}")
        return
    try:
        old = msgspec.json.decode(before or b"{}", type=dict[str, Any])
    except (ValueError, RecursionError):
        old = {}
    scripts, earlier = _table(new, "scripts"), _table(old, "scripts")
    for name in table.AT_INSTALL:
        if name in scripts and scripts[name] != earlier.get(name):
            yield Hit("js-install-script", _line_of(content, name), name, f"{name}: {scripts[name]}")
    if before is not None and any(scripts.get(n) != earlier.get(n) for n in ("pretest", "test", "posttest")):
        yield Hit("js-test-config", _line_of(content, "test"), "test", "the script `test`")
    elif before is not None and any(new.get(n) != old.get(n) for n in ("jest", "mocha")):
        yield Hit("js-test-config", 0, "test", "the test runner's part of package.json")
    known = {name for group in table.DEPENDENCIES for name in _table(old, group)}
    for group in table.DEPENDENCIES:
        for name, version in _table(new, group).items():
            if name not in known:
                yield Hit("js-dependency", _line_of(content, name), name, f"{name} {version}")


def _places(path: str, text: str, looked: Masked, content: bytes) -> Iterator[tuple[str, int, str]]:
    """Each place that a rule finds: the rule, the offset, and what to say with it."""
    for rule, pattern in table.IN_CODE:
        yield from ((rule, match.start(), "") for match in pattern.finditer(looked.code))
    for match in table.WHOLE_ENVIRONMENT.finditer(looked.code):
        taken = table.TAKEN_APART.search(looked.code[max(0, match.start() - 300) : match.start()])
        if taken is None or "..." in taken[1]:
            yield "js-environment-dump", match.start(), ""
        elif taken[1].strip() != "NODE_ENV":
            yield "js-environment", match.start(), " ".join(taken[1].split())
    for match in table.LOADS.finditer(looked.code):
        yield from _load(match, text, looked)
    for match in table.ENVIRONMENT.finditer(looked.code):
        if match[1] is None:
            end = looked.code.find("]", match.end(), match.end() + _LONGEST_NAME)
            name = looked.strings[match.end() : end].strip() if end > 0 else ""
            if name.strip("\"'`") != "NODE_ENV":
                yield "js-environment", match.start(), name[:40]
        elif match[1] != "NODE_ENV":
            yield "js-environment", match.start(), match[1]
    if is_test(path, content):
        yield from (("js-test-skipped", match.start(), "") for match in table.TESTS_SKIPPED.finditer(looked.code))
        yield from (("js-exit-in-tests", match.start(), "") for match in table.EXITS.finditer(looked.code))
    for match in table.SILENCES.finditer(text):
        if looked.strings[match.start()] == " ":
            yield "js-unchecked", match.start(), match[0]


def _load(match: Any, text: str, looked: Masked) -> Iterator[tuple[str, int, str]]:
    """What loading a module says: by its name, or that the name is not written out."""
    kind = match.lastgroup
    at = match.start(kind)
    quote = match[kind]
    if quote not in ("'", '"', "`"):
        yield "js-import-dynamic", match.start(), ""
        return
    end = looked.code.find(quote, at + 1)
    name = text[at + 1 : end] if end > 0 else ""
    if kind == "dynamic" and (_GOES_ON.match(looked.code, end + 1) or "${" in name):
        yield "js-import-dynamic", match.start(), ""
        return
    name = name.removeprefix("node:")
    if name.endswith(".node"):
        yield "js-native", match.start(), name
    elif name in table.MODULES:
        yield table.MODULES[name], match.start(), name


def _counted_down(known: Counter[tuple[str, str]], hit: Hit) -> bool:
    """Whether the file had this before; each earlier one excuses one now."""
    if known[hit.rule, hit.snippet]:
        known[hit.rule, hit.snippet] -= 1
        return True
    return False


def _line_of(content: bytes, name: str) -> int:
    at = content.find(f'"{name}"'.encode())
    return content.count(b"\n", 0, at) + 1 if at >= 0 else 0


def _table(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    found = manifest.get(name)
    return found if isinstance(found, dict) else {}


def _finding(path: str, hit: Hit) -> Finding:
    rule = table.RULES[hit.rule]
    detail = f": {hit.detail[:120]}" if hit.detail else ""
    return Finding(
        rule=rule.id,
        path=path,
        line=hit.line,
        severity=rule.severity,
        message=f"the code {rule.what}{detail}; {rule.why}",
        advice=rule.advice,
        weakens_checks=rule.id in table.WEAKENS_CHECKS,
    )
