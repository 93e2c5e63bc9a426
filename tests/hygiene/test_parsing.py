"""What others wrote may be nested so deeply that a parser gives up with `RecursionError`, which no `ValueError` is: who
parses has that in mind."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.hygiene.test_sources import MODULES, ROOT

PARSERS = frozenset(
    {
        "tomllib.loads",
        "tomllib.load",
        "toml_text.loads",
        "json.loads",
        "json.load",
        "msgspec.json.decode",
        "msgspec.msgpack.decode",
    }
)
# Where the reader looks one way up: `failures.expected()` and `_FAILED` hold `RecursionError`.
HANDLERS = ("RecursionError", "_FAILED", "expected()")
ELSEWHERE = {
    "core/plugin_host/installed.py:_fields": "of a file that has just been read",
    "core/installers/by_pip.py:fill": "pip's own report, a list of tables",
    "core/installers/pylock.py:read": "uv's own lock, a list of tables",
    "core/packages/readers.py:reader_of": "`declared.declared` has it in mind",
    "core/toml_text.py:loads": "its callers are told so",
    "core/tree/data_files.py:_json": "`why_unreadable` has it in mind",
    "core/tree/data_files.py:_toml": "`why_unreadable` has it in mind",
    "core/testrun.py:request_of": "who calls it is told so",
    "core/wire.py:_restored": "within `unpack`, whose callers are told so",
    "core/wire.py:unpack": "its callers are told so",
    "plugins/execution/on_dask/worker_process.py:main": "our own line on standard input",
    "plugins/languages/javascript/runners/report_readers.py:read_jest": "`test_run.results_of` has it in mind",
    "plugins/languages/javascript/runners/report_readers.py:read_mocha": "`test_run.results_of` has it in mind",
    "plugins/languages/javascript/runners/report_readers.py:read_node": "`test_run.results_of` has it in mind",
    "plugins/languages/javascript/runners/test_run.py:main": "our own request on standard input",
    "plugins/models/anthropic/listing.py:_models": "`offer` has it in mind",
    "plugins/models/anthropic/tokens.py:ask": "`count` has it in mind",
    "plugins/models/halves.py:mended": "its callers are told so",
    "plugins/models/halves.py:read": "the callers of `reader` are told so",
    "plugins/models/openai_compatible/listing.py:_listed": "`offer` has it in mind",
    "plugins/models/openai_compatible/listing.py:_tags": "`offer` and `installed` have it in mind",
    "plugins/models/openai_compatible/ollama.py:running": "its callers are told so",
    "plugins/test_runs/runners/child_traces.py:take": "our own file, in the job's folder",
    "plugins/test_runs/runners/command_runner.py:run_from_stdin": "our own request on standard input",
    "plugins/test_runs/runners/fork_lines.py:take": "our own file, in the job's folder",
    "plugins/test_runs/runners/pytest_runner.py:main": "our own request on standard input",
    "sandbox/frames.py:read": "what our own server says",
    "sandbox/server/zygote.py:receive": "our own order",
    "tui/commands/develop_plugin.py:dev": "our own variable",
}


def unguarded(node: ast.AST, inside: str = "<module>", guarded: bool = False) -> Iterator[str]:
    """The functions that parse where nothing around has `RecursionError` in mind."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in PARSERS and not guarded:
        yield inside
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        inside = node.name
    for name, value in ast.iter_fields(node):
        caught = isinstance(node, ast.Try) and name == "body" and _catches(node)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from unguarded(child, inside, guarded or caught)


def _catches(node: ast.Try) -> bool:
    said = [ast.unparse(handler.type) for handler in node.handlers if handler.type is not None]
    return any(name in each for each in said for name in HANDLERS)


def test_who_parses_what_others_wrote_has_deep_nesting_in_mind() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{function}"
        for path in MODULES
        if path.relative_to(ROOT).parts[0] != "skills"
        for function in unguarded(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set(ELSEWHERE)


# What the person wrote themselves, or a program that they have.
THEIR_OWN = {"core/config/layers.py", "core/config/one_value.py", "core/installers/pylock.py"}
THEIR_OWN |= {"core/models/catalogue.py", "tui/pages/plugin_settings.py"}
BOUNDED = {"core/toml_text.py", "core/ini_text.py"}


def test_toml_and_ini_that_others_wrote_are_read_in_bounded_time() -> None:
    readers = ("tomllib.loads(", "tomllib.load(", ".read_string(", ".read_file(")
    found = {
        name
        for path in MODULES
        if any(reader in path.read_text(encoding="utf-8") for reader in readers)
        and (name := path.relative_to(ROOT).as_posix()).partition("/")[0] != "skills"
    }
    assert found == BOUNDED | THEIR_OWN
