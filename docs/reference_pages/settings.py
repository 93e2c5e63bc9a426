"""The page of the settings."""

from __future__ import annotations

import json
from collections.abc import Iterator

from reference_pages.markdown import code, table
from treadle.core.config.key import PROJECT_RULES
from treadle.core.config.settings import KeyInfo, describe


def config() -> Iterator[str]:
    yield "# Settings"
    yield (
        "Read from, each winning over those before it: the defaults, the user's file (`treadle config` names it), "
        "the project's `.treadle/config.toml` or `[tool.treadle]` in its `pyproject.toml`, variables of the "
        "environment, and `--set KEY=VALUE`. `treadle config` shows each value and where it came from."
    )
    yield (
        "A project's own file came with a clone, so it can only tighten what you have set, as the last column says; "
        "`treadle trust` lifts that for exactly the content that you have seen. An unknown key is an error that names "
        "the nearest known one."
    )
    sections: dict[str, list[KeyInfo]] = {}
    for info in describe():
        sections.setdefault(info.key.rpartition(".")[0], []).append(info)
    for section, infos in sections.items():
        yield f"## [{section}]" if section else "## At the top level"
        yield table(
            ("key", "value", "default", "meaning", "variable", "a project's file"),
            [
                (
                    code(info.key.rpartition(".")[2]),
                    info.kind,
                    "not set" if info.default is None else code(json.dumps(info.default)),
                    info.description,
                    code(info.variable),
                    PROJECT_RULES[info.project],
                )
                for info in infos
            ],
        )
