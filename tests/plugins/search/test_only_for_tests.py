"""What only helps the tests judges with them; what is tested does not, though tests alone import it."""

from __future__ import annotations

import pytest

from treadle.core.records import Job, Workspace
from treadle.core.testrun import TestResult
from treadle.core.tree.workspace import Tree
from treadle.plugins.generation.search import imports
from treadle.plugins.generation.search.judging import Judges
from treadle.plugins.generation.search.suite import Check

CODE = "def total(x):\n    assert x\n    return x\n"
BUILDERS = "def filled(store):\n    return store\n"
ASSERTIONS = "from shop import total\n\n\ndef assert_total(x, n):\n    assert total(x) == n\n"
FIXTURES = "import pytest\n\n\n@pytest.fixture\ndef store():\n    return []\n"

HELPS = {
    "beside the tests in a folder of another name": (
        "checks/builders.py",
        {
            "shop.py": CODE,
            "checks/builders.py": BUILDERS,
            "checks/check_a.py": "from shop import total\nfrom checks.builders import filled\n",
        },
    ),
    "an assertion of the project's own": (
        "support.py",
        {"shop.py": CODE, "support.py": ASSERTIONS, "a_test.py": "from support import assert_total\n"},
    ),
    "fixtures that pytest is told of": (
        "fixing/store.py",
        {
            "src/shop.py": CODE,
            "fixing/store.py": FIXTURES,
            "conftest.py": "import shop\npytest_plugins = [\n    'fixing.store',\n]\n",
            "test_a.py": "import shop\n",
        },
    ),
    "by way of another help": (
        "helping/told.py",
        {
            "shop.py": CODE,
            "helping/__init__.py": "from .told import assert_total\n",
            "helping/told.py": ASSERTIONS,
            "test_a.py": "from helping import assert_total\n",
        },
    ),
}
TESTED = {
    "a module that tests alone import": ("shop.py", {"shop.py": CODE, "test_a.py": "from shop import total\n"}),
    "a layer above another": (
        "app.py",
        {"core.py": CODE, "app.py": "import core\n" + CODE, "test_a.py": "import app, core\n"},
    ),
    "beside its own test": (
        "pkg/parser.py",
        {"core.py": CODE, "pkg/parser.py": "import core\n", "pkg/test_parser.py": "from pkg import parser\n"},
    ),
    "assertions that are the project itself": (
        "claim/that.py",
        {
            "claim/__init__.py": "",
            "claim/that.py": "def assert_that(x):\n    assert x\n",
            "test_a.py": "import claim.that\n",
        },
    ),
    "an assertion that other code uses": (
        "support.py",
        {
            "shop.py": CODE,
            "support.py": ASSERTIONS,
            "cli.py": "import support\n",
            "test_a.py": "import support, shop\n",
        },
    ),
    "an assertion that tested code uses": (
        "validate.py",
        {
            "validate.py": "def assert_valid(x):\n    assert x\n",
            "stack.py": "from validate import assert_valid\n",
            "test_stack.py": "from stack import push\nfrom validate import assert_valid\n",
        },
    ),
    "beside a test, by way of what it tests": (
        "billing/tax.py",
        {
            "shared/money.py": CODE,
            "billing/tax.py": "from shared.money import total\n",
            "billing/invoice.py": "from billing.tax import total\n",
            "billing/test_invoice.py": "from billing.invoice import total\n",
        },
    ),
    "beside a test, by way of its package": (
        "pkg/calc/rules.py",
        {
            "pkg/__init__.py": "from .api import run\n",
            "pkg/api.py": "from pkg.calc.engine import run\n",
            "pkg/errors.py": CODE,
            "pkg/calc/engine.py": "from pkg.calc.rules import run\n",
            "pkg/calc/rules.py": "import pkg.errors\n",
            "pkg/calc/test_engine.py": "import pkg\n",
        },
    ),
    "beside its own test, with a name of two words": (
        "pkg/order_items.py",
        {
            "core.py": CODE,
            "pkg/order_items.py": "import core\n",
            "pkg/order_items_test.py": "import core\nfrom pkg import order_items\n",
        },
    ),
}


def judges(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    names = {path: path.rpartition("/")[2] for path in files}
    of_tests = (path for path, name in names.items() if name.startswith(("check_", "test_")) or "_test." in name)
    tests = [TestResult(id=f"{path}::test_x", outcome="failed") for path in of_tests]
    workspace = Workspace(id="w", kind="overlay", project=str(root), root=str(root), upper="")
    return Judges((Check(Job(id="tests"), tuple(tests), (), frozenset(), 1.0),), Tree(workspace))


@pytest.mark.parametrize("kind", HELPS)
def test_a_help_of_tests_judges(tmp_path, kind):
    path, files = HELPS[kind]
    found = judges(tmp_path, files)
    assert found.has(path) and found.only_helps(path)
    assert not any(found.has(code) for code in ("shop.py", "src/shop.py"))


@pytest.mark.parametrize("kind", TESTED)
def test_what_is_tested_does_not(tmp_path, kind):
    path, files = TESTED[kind]
    assert not judges(tmp_path, files).has(path)


def test_what_a_test_imports_is_looked_up_once_however_many_helps_it_has(tmp_path, monkeypatch):
    helps = [f"checks/help_{n}.py" for n in range(3)]
    used = "".join(f"from checks.help_{n} import filled\n" for n in range(3))
    files = {"shop.py": CODE, "checks/check_a.py": f"import shop\n{used}"} | dict.fromkeys(helps, BUILDERS)
    found = judges(tmp_path, files)
    looked_at = []
    look = imports.imported_files

    def counted(tree, importer, known):
        looked_at.extend([importer] if len(known) > 1 else [])
        return look(tree, importer, known)

    monkeypatch.setattr(imports, "imported_files", counted)
    assert all(found.has(path) for path in helps)
    assert looked_at == ["checks/check_a.py"]
