"""One plugin in full: where it comes from and runs, what it answers, brings, may and takes, and how it was used."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping

from treadle.core.contributions import Setting, kind_of
from treadle.core.plugin_host.needs import OWN
from treadle.core.plugin_host.plugin_manager import PluginInfo
from treadle.tui.safe_text import clean_line

_LABEL = 10
_NO_ROLE = (
    *("treadle_settings", "treadle_contributions", "treadle_call"),
    *("treadle_lessons", "treadle_revise_lesson"),
)


def roles_of(info: PluginInfo) -> str:
    """The hooks that say what it does in a session."""
    return ", ".join(hook.removeprefix("treadle_") for hook in info.hooks if hook not in _NO_ROLE)


def facts_of(info: PluginInfo) -> list[tuple[str, str]]:
    """Where it comes from and runs, what it answers and may, and how it was used: what each is called, and the fact."""
    where = "in a process of its own" if info.isolation == "process" else "within Treadle"
    rows = [
        ("plugin", f"{info.name} {info.version}".strip()),
        ("from", info.source or "nowhere: it is not installed"),
        ("state", f"{info.state}{f': {info.why}' if info.why else ''}"),
    ]
    if info.hooks:
        rows.append(("runs", where))
        if info.isolation == "process":
            rows.append(("may", "; ".join((*OWN, *info.may))))
        rows.append(("answers", ", ".join(hook.removeprefix("treadle_") for hook in info.hooks)))
    rows += [("warning", warning) for warning in info.warnings]
    if info.calls:
        times = f"{_ms(info.p50_ms)} (median) and {_ms(info.p95_ms)} (95 of 100) in the latest session"
        rows.append(("used", f"calls: {info.calls}, faults: {info.faults}; a call took {times}"))
    return rows


def card(info: PluginInfo, values: Mapping[str, object], width: int) -> Iterator[str]:
    """The lines; `values` are its settings as they hold, `width` the columns of the terminal."""
    for label, text in facts_of(info):
        yield from _wrapped(label, text, width)
    yield from _list(
        "settings", ((setting_shown(each, values), setting_meaning(each)) for each in info.settings), width
    )
    yield from _list("brings", ((f"{kind_of(each)} {each.name}", each.summary) for each in info.contributions), width)


def _ms(value: float) -> str:
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2g} ms"


def setting_shown(setting: Setting, values: Mapping[str, object]) -> str:
    """The setting with its value."""
    return f"{setting.name} = {json.dumps(values.get(setting.name, setting.default))}"


def setting_meaning(setting: Setting) -> str:
    """What it is for, and which values it takes."""
    limits = [
        f"one of {', '.join(json.dumps(each) for each in setting.choices)}" if setting.choices else "",
        f"at least {setting.least:g}" if setting.least is not None else "",
        f"at most {setting.most:g}" if setting.most is not None else "",
    ]
    told = ", ".join(filter(None, limits))
    return f"{setting.summary} ({told})" if told else setting.summary


def _list(label: str, pairs: Iterator[tuple[str, str]], width: int) -> Iterator[str]:
    for number, (name, text) in enumerate(pairs):
        yield from _wrapped(label if number == 0 else "", f"{name}: {text}".rstrip(": "), width)


def _wrapped(label: str, text: str, width: int) -> Iterator[str]:
    indent = " " * _LABEL
    yield from textwrap.wrap(
        clean_line(text),
        max(40, width),
        initial_indent=label.ljust(_LABEL),
        subsequent_indent=f"{indent}  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
