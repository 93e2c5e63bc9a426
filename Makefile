# From a bare clone: git, make and a Python >= 3.11 are enough; everything else goes into .venv here.
# PYTHON=python3.12 make test   takes that interpreter instead of the first that fits.
# JOBS=4 make test              runs the tests in four processes.

VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.treadle-ready
JOBS ?= 3
PYTHON ?=

# The tests start thousands of processes: with it, each of them would compile Treadle anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint bench docs clean

help:
	@echo 'make demo    repair the demo project: see a patch, apply it, take it back'
	@echo 'make test    all tests, in $(JOBS) processes (JOBS=n)'
	@echo 'make lint    ruff, mypy, the import rules, and whether docs/reference is up to date'
	@echo 'make bench   the benchmarks of tests/benchmarks'
	@echo 'make docs    write docs/reference from the code'
	@echo 'make setup   only the environment, in $(VENV)'
	@echo 'make clean   remove $(VENV) and what tools have left'

setup: $(READY)

$(READY): pyproject.toml
	@chosen=''; \
	for candidate in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python3.14 python); do \
	    if "$$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        chosen="$$candidate"; break; \
	    fi; \
	done; \
	if [ -z "$$chosen" ]; then \
	    echo 'make: no suitable Python was found among: $(or $(PYTHON),python3 python3.11 ... python3.14 python)' >&2; \
	    echo 'Treadle needs Python 3.11 or newer with the venv and ensurepip modules (on Debian: python3-venv).' >&2; \
	    echo 'If yours has another name, say which: make PYTHON=/path/to/python3 $(MAKECMDGOALS)' >&2; \
	    exit 1; \
	fi; \
	if ! $(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    echo "Making $(VENV) with $$chosen"; \
	    "$$chosen" -m venv --clear $(VENV) || exit 1; \
	fi
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: $(READY)
	@$(BIN)/python docs/demo/run.py

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

bench: $(READY)
	@for script in tests/benchmarks/bench_*.py; do \
	    name=$$(basename "$$script" .py); \
	    echo "== $$name"; \
	    $(BIN)/python -m "tests.benchmarks.$$name" || exit 1; \
	done

docs: $(READY)
	$(BIN)/python docs/generate.py

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
