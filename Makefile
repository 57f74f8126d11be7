# One command runs the product (make demo), one passes the tests (make test). Both set everything up first:
# they need Python 3.11 or newer and pip, and bring uv into .venv themselves.
PYTHON ?= python3
BIN := .venv/bin
UV := UV_PROJECT_ENVIRONMENT=.venv $(BIN)/uv

.PHONY: demo test check clean

demo: .venv/.installed
	$(BIN)/python -m graphs.evaluate

test: .venv/.installed-dev
	$(BIN)/python -m pytest

check: .venv/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.venv/bin/uv:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Wardround needs Python 3.11 or newer: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'

# --inexact keeps uv itself, which the lock file does not list.
.venv/.installed: .venv/bin/uv pyproject.toml uv.lock
	$(UV) sync --frozen --inexact --no-dev
	@touch $@

.venv/.installed-dev: .venv/bin/uv pyproject.toml uv.lock
	$(UV) sync --frozen --inexact
	@touch .venv/.installed $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
