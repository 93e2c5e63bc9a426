"""What a JavaScript project uses, by the look of its files: test runner, TypeScript, ESLint, package manager."""

from __future__ import annotations

import posixpath
import re
import shlex
from typing import Any, NamedTuple

from treadle.plugins.languages.javascript.project_files import ProjectFiles, join, upwards

RUNNERS = ("node", "vitest", "jest", "mocha", "script")
"""The values of the setting `runner`, besides "" (look) and "none"."""

_LOCK_FILES = (
    ("package-lock.json", "npm"),
    ("yarn.lock", "yarn"),
    ("pnpm-lock.yaml", "pnpm"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
)
_ESLINT_FILES = (
    *(f"eslint.config.{ending}" for ending in ("js", "mjs", "cjs", "ts", "mts", "cts")),
    *(f".eslintrc{ending}" for ending in ("", ".js", ".cjs", ".json", ".yaml", ".yml")),
)
_NO_TESTS = "no test specified"
"""What `npm init` writes into the script `test`."""
_STARTERS = frozenset({"npx", "bunx", "cross-env", "c8", "nyc", "dotenv", "--"})
_RUN_FOR_PACKAGE = frozenset({"npm", "yarn", "pnpm", "bun"})
_PROGRAMS = frozenset({"node", "tsx", "vitest", "jest", "mocha"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_PARTS = re.compile(r"(&&|\|\||;|\|)")
# What would wait for the next change, ask for a terminal, or take the place of the report that is read.
_WITHOUT_VALUE = re.compile(r"--(?:watch|watchAll|ui|coverage|open|interactive)(?:=.*)?|--coverage[.-].*=.*")
_PERHAPS_WITH_VALUE = re.compile(r"--coverage[.-][^=]*")
_NO_PLACE = re.compile(r"[\w-]+")
_WITH_VALUE = re.compile(r"--(?:test-)?(?:reporters?|reporter-destination|reporter-options?|outputFile)|-R|-O")
_ALSO_STARTS = {"vitest": frozenset({"run", "watch", "dev"})}


class Runner(NamedTuple):
    """How a package's tests are run. `name` is one of `RUNNERS`, `args` what the script gives it; for "script" `args`
    is the shell's line. `env` are variables set before it. `why` says in words how it was found."""

    name: str
    args: tuple[str, ...]
    why: str
    env: tuple[tuple[str, str], ...] = ()


def find_runner(files: ProjectFiles, folder: str, chosen: str, command: tuple[str, ...]) -> Runner | None:
    """The runner of the package in that folder: the person's own `command` where it is one of Node's, else the one
    `chosen` in the settings, else the package's script `test`, else an installed one. None: nothing says how to test.
    """
    if command and (found := _of_words(command, "", files, folder)):
        return found._replace(why=f"by `{shlex.join(command)}`")
    script = test_script(files, folder)
    of_script = _of_script(script, files, folder) if script else None
    if chosen == "none":
        return None
    if chosen == "script":
        return Runner("script", (script,), "the script `test`, as runner is set") if script else None
    if chosen:
        if of_script and of_script.name == chosen:
            return of_script
        return Runner(chosen, (), f"runner is set to {chosen}")
    if of_script:
        return of_script
    manifest = files.json(join(folder, "package.json"))
    asked_for = {**_table(manifest, "dependencies"), **_table(manifest, "devDependencies")}
    for name in ("vitest", "jest", "mocha"):
        if name in asked_for:
            return Runner(name, (), f"{name} is among the dependencies")
    return None


def test_script(files: ProjectFiles, folder: str) -> str:
    """The package's script `test`, "" for none and for the one that `npm init` writes."""
    script = _table(files.json(join(folder, "package.json")), "scripts").get("test", "")
    return script if isinstance(script, str) and _NO_TESTS not in script else ""


def is_nodes(command: tuple[str, ...]) -> bool:
    """Whether a person's test command is one that Node runs."""
    words = [word for word in command if not _ASSIGNMENT.match(word)]
    name = words[0].rpartition("/")[2] if words else ""
    return name in _STARTERS | _RUN_FOR_PACKAGE | _PROGRAMS


def package_manager(files: ProjectFiles, folder: str) -> str:
    """The package manager whose lock file lies nearest, "" for none."""
    for place in (folder, *upwards(folder)):
        for lock, name in _LOCK_FILES:
            if files.has(join(place, lock)):
                return name
    return ""


def tsconfigs(files: ProjectFiles, folder: str) -> tuple[str, ...]:
    """The nearest configuration of TypeScript; when it only names others, those."""
    for place in (folder, *upwards(folder)):
        config = join(place, "tsconfig.json")
        if not files.has(config):
            continue
        found = files.json(config)
        references = found.get("references")
        if found.get("files") == [] and isinstance(references, list):
            named = (_config_at(files, place, one) for one in references)
            return tuple(name for name in named if name) or (config,)
        return (config,)
    return ()


def has_eslint_config(files: ProjectFiles, folder: str) -> bool:
    """Whether the project configures ESLint at or above that folder."""
    for place in (folder, *upwards(folder)):
        if any(files.has(join(place, name)) for name in _ESLINT_FILES):
            return True
        if "eslintConfig" in files.json(join(place, "package.json")):
            return True
    return False


def _config_at(files: ProjectFiles, folder: str, reference: Any) -> str:
    path = reference.get("path") if isinstance(reference, dict) else None
    if not isinstance(path, str):
        return ""
    named = posixpath.normpath(posixpath.join(folder, path))
    if named == ".." or named.startswith(("/", "../")):
        return ""
    return named if named.endswith(".json") else join("" if named == "." else named, "tsconfig.json")


def _of_script(script: str, files: ProjectFiles, folder: str) -> Runner:
    """The part of a script that is a runner; a script without one is run as it is."""
    parts = [part.strip() for part in _PARTS.split(script)]
    for part in reversed(parts[::2]):
        try:
            words = tuple(shlex.split(part))
        except ValueError:
            break
        found = _of_words(words, script, files, folder)
        if found:
            others = [other for other in parts[::2] if other != part]
            left = f"; its other parts are not run: {'; '.join(others)}" if others else ""
            return found._replace(why=f"the script `test` is `{script}`{left}")
    return Runner("script", (script,), f"the script `test` is `{script}`, which is run as it is")


def _of_words(words: tuple[str, ...], script: str, files: ProjectFiles, folder: str) -> Runner | None:
    rest, env = list(words), []
    while rest and _ASSIGNMENT.match(rest[0]):
        name, _, value = rest.pop(0).partition("=")
        env.append((name, value))
    if not rest:
        return None
    program = _name(rest[0])
    if program in _RUN_FOR_PACKAGE and not script and rest[1:2] in (["test"], ["t"], ["run"]):
        # `npm test` and its like, said by a person: what the package says.
        own = test_script(files, folder) if rest[1] != "run" or rest[2:3] == ["test"] else ""
        return _of_script(own, files, folder) if own else None
    if program in _STARTERS | _RUN_FOR_PACKAGE:
        # Its own options come before what it starts.
        later = next((at for at, word in enumerate(rest) if _name(word) in _PROGRAMS or _ASSIGNMENT.match(word)), None)
        found = _of_words(tuple(rest[later:]), script, files, folder) if later else None
        return found and found._replace(env=(*env, *found.env))
    if program in ("node", "tsx") and "--test" in rest:
        args = (*(rest[1 : rest.index("--test")]), *(rest[rest.index("--test") + 1 :]))
        before = () if program == "node" else ("--import", "tsx")
        return Runner("node", (*before, *_kept(program, args)), "", tuple(env))
    if program in ("vitest", "jest", "mocha"):
        args = tuple(rest[1:])
        while args and args[0] in _ALSO_STARTS.get(program, frozenset()):
            args = args[1:]
        return Runner(program, _kept(program, args), "", tuple(env))
    return None


def _name(word: str) -> str:
    return word.rpartition("/")[2]


def _kept(program: str, args: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments without those that change what is reported, or wait for the next change."""
    kept: list[str] = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if _WITH_VALUE.fullmatch(word):
            del rest[:1]
        elif _PERHAPS_WITH_VALUE.fullmatch(word):
            del rest[: 1 if rest and _NO_PLACE.fullmatch(rest[0]) and not rest[0].startswith("-") else 0]
        elif word == "-w" and program != "jest":  # where it is the number of workers
            continue
        elif not _WITHOUT_VALUE.fullmatch(word) and not _WITH_VALUE.match(word.partition("=")[0]):
            kept.append(word)
    return tuple(kept)


def _table(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    found = manifest.get(name)
    return found if isinstance(found, dict) else {}
