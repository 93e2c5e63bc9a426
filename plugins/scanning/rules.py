"""scan-rules: Treadle's own rules on the syntax tree, applied to what a change brings in.

Findings of the file as it was are subtracted, by rule and snippet, so that moving or reformatting code asks nothing.
The scan is bounded: a file that is too large, nested too deeply or not decodable gives one finding that says so.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from treadle.core import contributions
from treadle.core.context import Context
from treadle.core.contributions import Contribution, ScanRule
from treadle.core.counting import are, counted
from treadle.core.errors import SourceError
from treadle.core.hooks import hookimpl
from treadle.core.records import Candidate, FileChange, Finding, Workspace
from treadle.core.tree.renames import renames
from treadle.core.tree.sources import LARGEST_SOURCE, before_change, decode_source, encoding_of, is_python, parse
from treadle.plugins.scanning import code, dangers, endings, files, insides, network, passwords, processes, structure
from treadle.plugins.scanning.brought import findings_of_others, other_rules, told_of_size
from treadle.plugins.scanning.kept_tests import NO_NAMES, no_longer_held
from treadle.plugins.scanning.module import Hit, Module
from treadle.plugins.scanning.programs import python_text
from treadle.plugins.scanning.table import RULES, WEAKENS_CHECKS
from treadle.plugins.scanning.texts import check_name, check_text

_TOLD_BY_THEIR_SNIPPET = frozenset({"unscanned", "unparsable", "test-deleted", "asserts-removed", "asserts-changed"})
MOST_FINDINGS = 200
"""Findings of one file that are reported; a file with more has one that counts the rest."""

MOST_TEXT = 64_000
"""Characters of a text that is looked at for another plugin, for each rule anew: of some of them it takes a second."""

_NESTED = 3


@hookimpl
def treadle_scan(candidate: Candidate, workspace: Workspace, context: Context) -> tuple[Finding, ...]:
    """The findings that the candidate brings in, file by file: of these rules in the order of their lines, then of the
    rules that other plugins bring."""
    others = other_rules(context, without=RULES)
    renamed = renames(candidate.files, workspace)
    found: list[Finding] = []
    for change in candidate.files:
        before = before_change(workspace, change)
        found += findings_of(change, before, renamed)
        found += findings_of_others(others, change, before, context)
    return tuple(found)


@hookimpl
def treadle_contributions() -> tuple[Contribution, ...]:
    """The rules, as data."""
    return tuple(
        ScanRule(name=r.id, summary=f"the code {r.what}", severity=r.severity, files=(), advice=r.advice)
        for r in RULES.values()
    )


@hookimpl
def treadle_call(kind: str, name: str, arguments: dict[str, object]) -> tuple[contributions.Hit, ...] | None:
    """Where one of the rules sees something in a text, as any plugin would say it."""
    if kind != "scan rule" or name not in RULES:
        return None
    path, text = str(arguments["path"]), str(arguments["text"])
    # Who asks about a text that was not looked at is told so by each rule: it has found nothing there, either way.
    if len(text) > MOST_TEXT:
        hits = [Hit("unscanned", 0, f"it has {len(text):,} characters, and {MOST_TEXT:,} are the most here")]
    else:
        found = hits_of(path, text.encode(errors="replace"))
        hits = [hit for hit in found if hit.rule in (name, "unscanned")]
    return tuple(contributions.Hit(line=hit.line, message=_finding(path, hit).message) for hit in hits)


def findings_of(change: FileChange, before: bytes | None, renamed: Mapping[str, str] = NO_NAMES) -> tuple[Finding, ...]:
    """The findings of one changed file against its content before; `renamed` is what the whole change gives another
    name."""
    new = hits_of(change.path, change.content) if change.content is not None else []
    old = hits_of(change.path, before) if before is not None and new else []
    # That it could not be scanned before either says nothing of what is in it now.
    known = Counter((hit.rule, hit.snippet) for hit in old if hit.rule != "unscanned")
    fresh: list[Hit] = []
    for hit in new:
        if known[hit.rule, hit.snippet]:
            known[hit.rule, hit.snippet] -= 1
        else:
            fresh.append(hit)
    fresh += check_name(change.path, _lenient(before), _lenient(change.content))
    if before is not None and change.content is not None and dangers.TEST_FILE.search(change.path):
        fresh += no_longer_held(before, change.content, renamed)
    fresh.sort(key=lambda hit: hit.line)
    findings = [_finding(change.path, hit) for hit in fresh[:MOST_FINDINGS]]
    # What is most grave must not hide behind many notes.
    grave = [f for hit in fresh[MOST_FINDINGS:] if (f := _finding(change.path, hit)).severity == "deny"]
    if len(fresh) > MOST_FINDINGS:
        findings += grave[:MOST_FINDINGS]
        rule = RULES["unscanned"]
        more = len(fresh) - MOST_FINDINGS
        text = f"{counted(more, 'more finding')} {are(more)} not shown"
        findings.append(
            Finding(rule=rule.id, path=change.path, line=0, severity=rule.severity, message=text, advice=rule.advice)
        )
    return tuple(findings)


def hits_of(path: str, content: bytes) -> list[Hit]:
    """All that the rules find in a file, the same hit once."""
    if not is_python(path, content):
        hits = list(check_text(path, content[:LARGEST_SOURCE].decode("utf-8", "replace")))
        if len(content) > LARGEST_SOURCE:
            hits.append(Hit("unscanned", 0, told_of_size(content)))
        return list(dict.fromkeys(hits))
    try:
        text = decode_source(content)
        hits = list(check_text(path, text))
        if encoding_of(content) not in dangers.USUAL_ENCODINGS:
            hits.append(Hit("encoding", 1, encoding_of(content)))
        hits += _hits_of_source(path, text, _NESTED)
    except SourceError as error:
        return [Hit("unscanned", 0, str(error))]
    return list(dict.fromkeys(hits))


def _hits_of_source(path: str, text: str, nested: int) -> Iterator[Hit]:
    try:
        tree = parse(text)
    except SyntaxError as error:
        yield Hit("unparsable", error.lineno or 0, str(error.msg))
        return
    module = Module(path, text, tree)
    for subject in (code, processes, network, files, insides, endings, structure, passwords):
        yield from subject.check(module)
    if nested:
        yield from _hits_in_texts(module, nested)


def _hits_in_texts(module: Module, nested: int) -> Iterator[Hit]:
    """What is in texts that the module runs as code."""
    for node in module.nodes:
        if isinstance(node, ast.Call):
            called = module.names.dotted(node.func)
            code = module.names.text(node.args[0]) if called in dangers.TEXTS_RUN and node.args else None
            if called in dangers.STARTERS:
                code = python_text(module, node)
            if code:
                for hit in _hits_of_source(module.path, code, nested - 1):
                    if hit.rule != "unparsable":
                        yield hit._replace(line=node.lineno)


def _lenient(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")


def _finding(path: str, hit: Hit) -> Finding:
    rule = RULES[hit.rule]
    detail = f": {hit.snippet[:120]}" if hit.rule in _TOLD_BY_THEIR_SNIPPET else ""
    return Finding(
        rule=rule.id,
        path=path,
        line=hit.line,
        severity=rule.severity,
        message=f"the code {rule.what}{detail}; {rule.why}",
        advice=rule.advice,
        weakens_checks=rule.id in WEAKENS_CHECKS,
    )
