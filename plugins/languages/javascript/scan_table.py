"""The scan rules for JavaScript and TypeScript, one row each, and what in the code they look for."""

# ruff: noqa: E501 -- one rule a line reads as the table that it is

from __future__ import annotations

import re
from typing import NamedTuple

from treadle.core.records import Severity


class Rule(NamedTuple):
    """One rule. `what` completes "the code ...". `severity` as for any scanner: ask may be right, but a person should
    see it before it runs; note is worth reading in the result."""

    id: str
    severity: Severity
    what: str
    why: str
    advice: str


_ROWS = (
    Rule("js-eval", "ask", "runs text as code (eval, new Function, vm, a timer that is given text)", "whoever controls the text controls the program", "call functions by name from an object, or use JSON.parse for data"),
    Rule("js-import-dynamic", "ask", "loads a module whose name is computed", "which code runs is decided by data", "load it by name, or choose from a fixed object"),
    Rule("js-process", "ask", "starts programs (child_process, cluster)", "what runs is outside of what Node guarantees", "leave it out, or make sure that the program is meant"),
    Rule("js-delete", "ask", "deletes files or folders", "a wrong path deletes the wrong folder", "delete only what the code has made"),
    Rule("js-network", "ask", "uses the network", "data may leave, and code or data of others come in", "make sure that this is asked for, and to whom it speaks"),
    Rule("js-native", "ask", "loads native code (process.dlopen, process.binding, a .node file)", "nothing that JavaScript guarantees holds there", "use a module of Node itself"),
    Rule("js-environment", "note", "reads an environment variable", "the result depends on the machine, and keys are kept there", "take the value as an argument"),
    Rule("js-environment-dump", "ask", "takes the whole environment", "it holds keys and passwords", "read the one variable that is needed"),
    Rule("js-exit-in-tests", "ask", "ends the process from a test", "tests that never ran look as if they passed", "leave it out"),
    Rule("js-test-skipped", "ask", "skips tests, or runs some alone (.skip, .only, .todo)", "what the others checked is checked no more", "mend the code under test"),
    Rule("js-test-config", "ask", "changes how tests are found or run", "every test's outcome depends on it", "make sure that the change is asked for"),
    Rule("js-install-script", "ask", "has a script that runs when the package is installed or published", "it runs later, outside of the sandbox", "leave it out, or make sure that it is asked for"),
    Rule("js-dependency", "note", "adds a dependency", "installing it brings in code of others", "make sure that the name is the one that is meant"),
    Rule("js-unchecked", "note", "silences the type check or eslint", "what they would say is not said", "mend what they find"),
    Rule("js-unscanned", "ask", "could not be scanned", "nobody knows what is in it", "read it yourself, or send a smaller file"),
)  # fmt: skip

RULES: dict[str, Rule] = {rule.id: rule for rule in _ROWS}
WEAKENS_CHECKS = frozenset({"js-exit-in-tests", "js-test-skipped", "js-test-config"})
"""The rules by which tests that pass say less than they did."""

MODULES: dict[str, str] = {
    **dict.fromkeys(("child_process", "cluster", "execa", "shelljs", "cross-spawn", "zx", "node-pty"), "js-process"),
    **dict.fromkeys(("http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises", "quic"), "js-network"),
    **dict.fromkeys(("axios", "node-fetch", "got", "undici", "request", "superagent", "ws", "socket.io-client"), "js-network"),
    **dict.fromkeys(("rimraf", "del", "fs-extra/remove"), "js-delete"),
    **dict.fromkeys(("vm", "vm2", "module-alias", "repl", "inspector"), "js-eval"),
    **dict.fromkeys(("ffi-napi", "node-gyp-build", "bindings", "koffi"), "js-native"),
}  # fmt: skip
"""Modules whose import alone says what is done."""

IN_CODE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("js-eval", re.compile(r"(?<![\w$.])eval\s*\(|\b(?:globalThis|window|global)\s*\.\s*eval\b|(?<![\w$.])Function\s*\((?!\s*\))|\.\s*constructor\s*\.\s*constructor\b|(?<![\w$.])set(?:Timeout|Interval|Immediate)\s*\(\s*[\"'`]")),
    ("js-delete", re.compile(r"\b(?:rm|rmSync|rmdir|rmdirSync|unlink|unlinkSync)\s*\(|\bemptyDir(?:Sync)?\s*\(")),
    ("js-network", re.compile(r"(?<![\w$.])fetch\s*\(|\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b|\bsendBeacon\s*\(")),
    ("js-native", re.compile(r"\bprocess\s*\.\s*(?:dlopen|binding|_linkedBinding)\b")),
    ("js-process", re.compile(r"\bprocess\s*\.\s*kill\s*\(|\bnew\s+Worker\s*\(")),
)  # fmt: skip
"""What is looked for in the code without comments and without what is in strings."""

WHOLE_ENVIRONMENT = re.compile(r"\bprocess\s*\.\s*env\b(?!\s*(?:\??\.\s*[\w$]|\??\.?\s*\[))")
TAKEN_APART = re.compile(r"\{([^{}]*)\}\s*=\s*$")
TESTS_SKIPPED = re.compile(
    r"\b(?:describe|suite|it|test)\s*\.\s*(?:skip|only|todo)\b|(?<![\w$.])(?:xit|xtest|xdescribe|fit|fdescribe)\s*\("
)
EXITS = re.compile(r"\bprocess\s*\.\s*(?:exit|abort|reallyExit)\s*\(")
ENVIRONMENT = re.compile(r"\bprocess\s*\.\s*env\s*(?:\??\.\s*([\w$]+)|\??\.?\s*\[)")
LOADS = re.compile(
    r"(?<![\w$.])(?:require(?:\s*\.\s*resolve)?|import)\s*\(\s*(?P<dynamic>[^\s)])|(?<![\w$.])(?:import|export)\b(?:\s*+|[^;\"'`()]{0,2000}+)(?P<static>[\"'])|\bfrom\s*(?P<from>[\"'])"
)
SILENCES = re.compile(r"@ts-(?:nocheck|ignore)\b|\beslint-disable\b(?!-next-line)")
TEST_CONFIG = re.compile(
    r"(?:^|/)(?:(?:vitest|vite|jest|playwright|ava)\.(?:config|workspace|setup)\.[cm]?[jt]s(?:on)?|\.mocharc\.(?:[cm]?js|json|ya?ml)|\.mocharc)$"
)
AT_INSTALL = (
    "preinstall",
    "install",
    "postinstall",
    "preprepare",
    "prepare",
    "postprepare",
    "prepublish",
    "prepublishOnly",
    "prepack",
    "postpack",
    "publish",
    "postpublish",
    "dependencies",
)
DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "bundledDependencies")
