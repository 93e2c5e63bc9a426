"""Whether an object can be a plugin: every problem at once, each with its mend, without calling any of its hooks.

Beside the hooks that it stands on, and not in `plugin_host`: a plugin in a process of its own is checked there, by
`plugin_worker`, which knows nothing of the host.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
import pluggy

from treadle.core.hook_types import HookType, hook_types
from treadle.core.hooks import API_VERSION, DEPRECATED, OLDEST_API_VERSION, PROJECT_NAME
from treadle.core.nearest import did_you_mean
from treadle.core.wall import TOLD_ALONE

VERSION_NAME = "treadle_api_version"
"""The attribute by which a plugin says which version of the hooks it was written for."""

NEEDS_NAME = "treadle_needs"
"""The attribute by which a plugin says what it needs to reach: a table with some fields of `needs.Needs`."""

_NO_MARK = "is never called, for it has no mark"
_PREFIX = f"{PROJECT_NAME}_"
_marks = pluggy.PluginManager(PROJECT_NAME)


class Implementation(msgspec.Struct, frozen=True, kw_only=True):
    """One hook of a plugin: the function as pluggy would call it, under which name it was found, and its marks.
    `remote`: the function's answers have crossed the wire, and are of the hook's type for that; `sent` are then those
    of its arguments that cross it."""

    name: str
    hook: HookType
    function: Callable[..., Any]
    options: dict[str, Any]
    remote: bool = False
    sent: tuple[str, ...] = ()

    @property
    def wrapper(self) -> bool:
        """Whether it wraps the other plugins' answers instead of giving one."""
        return bool(self.options.get("wrapper"))


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What was found. `errors` keep the plugin out, `warnings` do not; `incompatible` says that it was written for
    another version of the hooks."""

    implementations: tuple[Implementation, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    incompatible: str = ""


def check(plugin: object) -> Checked:
    """Look at a plugin: a module, or an object that an entry point names. Whatever its attributes do when they are
    looked at is the caller's to catch."""
    version = getattr(plugin, VERSION_NAME, API_VERSION)
    if not isinstance(version, int):
        mend = f"its author has to write {VERSION_NAME} = {API_VERSION}"
        return Checked(incompatible=f"{VERSION_NAME} is a whole number, not {repr(version)[:60]}; {mend}")
    if version not in range(OLDEST_API_VERSION, API_VERSION + 1):
        is_old = version < OLDEST_API_VERSION
        mend = "ask its author for a newer one" if is_old else "update Treadle"
        return Checked(incompatible=f"it was written for hooks of version {version!r}, these are {API_VERSION}; {mend}")
    if inspect.isclass(plugin):
        return Checked(errors=(f"the entry point names the class {plugin.__name__}; name a module or an instance",))
    implementations: list[Implementation] = []
    errors: list[str] = []
    warnings: list[str] = []
    for name in dir(plugin):
        options: Any = _marks.parse_hookimpl_opts(plugin, name)
        if options is None:
            warnings += _forgotten_mark(plugin, name)
            continue
        function, hook_name = getattr(plugin, name), options.get("specname") or name
        hook = hook_types().get(hook_name)
        if hook is None:
            if not options.get("optionalhook"):
                near = did_you_mean(hook_name, hook_types(), prefix=_PREFIX)
                errors.append(f"{name}: there is no hook {hook_name!r}; {near}docs/reference/hooks.md lists all hooks")
            continue
        problems = tuple(_problems(function, hook, options))
        errors += [f"{name}: {problem}" for problem in problems]
        if not problems:
            warnings += _deprecated(name, function, hook)
            implementations.append(Implementation(name=name, hook=hook, function=function, options=options))
    errors += answered_twice((each.hook.name, each.name, each.wrapper) for each in implementations)
    if not implementations and not errors:
        errors.append("it has no hook; mark its functions with @hookimpl (from treadle import hookimpl)")
    return Checked(implementations=tuple(implementations), errors=tuple(errors), warnings=tuple(warnings))


def answered_twice(found: Iterable[tuple[str, str, bool]]) -> Iterator[str]:
    """What is wrong with hooks that more than one function answers; each is given by its hook, its name, and whether it
    wraps, which it may do besides."""
    by_hook: dict[tuple[str, bool], list[str]] = {}
    for hook, name, wraps in found:
        by_hook.setdefault((hook, wraps), []).append(name)
    for (hook, _), names in by_hook.items():
        if len(names) > 1:
            yield f"it answers {hook} by {len(names)} functions ({', '.join(names)}); one can"


def is_forgotten_mark(warning: str) -> bool:
    """Whether a warning tells of a function that has a hook's name, and is never called."""
    return f": {_NO_MARK}" in warning


def parameters(function: Callable[..., Any]) -> list[str]:
    """The arguments that the function takes, in its order."""
    return [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]


def _deprecated(name: str, function: Callable[..., Any], hook: HookType) -> Iterator[str]:
    for used in (hook.name, *(f"{hook.name}.{argument}" for argument in parameters(function))):
        if used in DEPRECATED:
            yield f"{name}: {used} goes with version {API_VERSION + 1} of the hooks; {DEPRECATED[used]}"


def _forgotten_mark(plugin: object, name: str) -> Iterator[str]:
    if not name.startswith(_PREFIX):
        return
    function = inspect.getattr_static(plugin, name)
    if not inspect.isfunction(function) or hasattr(function, f"{PROJECT_NAME}_spec"):
        return
    if inspect.ismodule(plugin) and function.__module__ != plugin.__name__:
        return
    near = did_you_mean(name, hook_types(), prefix=_PREFIX)
    if near:
        meant = "" if name in hook_types() else f" ({near.strip()})"
        yield f"{name}: {_NO_MARK}{meant}; write @hookimpl above it"


def _problems(function: Callable[..., Any], hook: HookType, options: dict[str, Any]) -> Iterator[str]:
    plain = inspect.unwrap(function)
    if inspect.iscoroutinefunction(plain) or inspect.isasyncgenfunction(plain):
        yield "is `async def`; hooks are synchronous: write `def`, and run async code with asyncio.run inside it"
        return
    if options.get("hookwrapper"):
        yield "is a hookwrapper of the old form; write @hookimpl(wrapper=True), `answer = yield` and `return answer`"
    elif options.get("wrapper") and hook.name in TOLD_ALONE:
        yield "wraps what others are told, and each is told alone; leave out wrapper=True and the `yield`"
    elif options.get("wrapper") and not inspect.isgeneratorfunction(plain):
        yield "is marked wrapper=True and has no `yield`; write `answer = yield` and `return answer`"
    elif inspect.isgeneratorfunction(plain) and not options.get("wrapper"):
        yield "is a generator; collect what it yields and return a tuple of it"
    yield from _argument_problems(function, hook)


def _argument_problems(function: Callable[..., Any], hook: HookType) -> Iterator[str]:
    due = ", ".join(hook.arguments)
    takes = f"it takes {due}" if due else "it takes no arguments"
    for parameter in inspect.signature(function).parameters.values():
        name = parameter.name
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            yield f"takes *{name}; hooks pass arguments by name, so name those that you need ({due})"
        elif name not in hook.arguments:
            if parameter.default is parameter.empty:
                yield f"{hook.name} has no argument {name!r}; {did_you_mean(name, hook.arguments)}{takes}"
        elif parameter.default is not parameter.empty or parameter.kind is parameter.KEYWORD_ONLY:
            yield f"argument {name!r} would never be passed; write it as a plain argument without a default"
