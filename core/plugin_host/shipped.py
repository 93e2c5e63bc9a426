"""The plugins that ship with Treadle."""

from __future__ import annotations

BUILTINS: tuple[tuple[str, str], ...] = (
    ("workspace-overlay", "treadle.plugins.workspaces.overlay"),
    ("workspace-copy", "treadle.plugins.workspaces.copy"),
    ("plan-tests", "treadle.plugins.planning.tests"),
    ("plan-check", "treadle.plugins.planning.check"),
    ("plan-model", "treadle.plugins.planning.by_model"),
    ("given", "treadle.plugins.generation.given"),
    ("search", "treadle.plugins.generation.search"),
    ("code-model", "treadle.plugins.generation.by_model"),
    ("scan-rules", "treadle.plugins.scanning.rules"),
    ("scan-bandit", "treadle.plugins.scanning.bandit"),
    ("executor", "treadle.plugins.execution.sandboxed"),
    ("validate-tests", "treadle.plugins.validation.tests"),
    ("validate-compile", "treadle.plugins.validation.compile"),
    ("validate-ruff", "treadle.plugins.validation.ruff"),
    ("validate-mypy", "treadle.plugins.validation.mypy"),
    ("validate-resources", "treadle.plugins.validation.resources"),
    ("validate-behaviour", "treadle.plugins.validation.behaviour"),
    ("test-model", "treadle.plugins.validation.tests_by_model"),
    ("review-model", "treadle.plugins.validation.review_by_model"),
    ("reflect-model", "treadle.plugins.planning.reflect_by_model"),
    ("reflect", "treadle.plugins.planning.reflect"),
    ("memory", "treadle.plugins.memory.lessons"),
    ("anthropic", "treadle.plugins.models.anthropic"),
    ("openai-compatible", "treadle.plugins.models.openai_compatible"),
)
"""The plugins that ship with Treadle, by name and module, in the order in which they are asked. Third-party plugins are
asked before them, so that they can take a built-in's place."""

ON_REQUEST: tuple[tuple[str, str], ...] = (
    ("javascript", "treadle.plugins.languages.javascript"),
    ("memory-postgres", "treadle.plugins.memory.in_postgres"),
    ("execute-dask", "treadle.plugins.execution.on_dask"),
)
"""Built-ins that are off until the person enables them, by name and module; `pip install 'treadle[EXTRA]'` brings what
they need."""
