# Every target makes the one virtual environment it needs: Python 3.11 or newer, make and PyPI are enough.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check format docs bench clean

demo: .venv/kgsan
	@$(BIN)/python examples/demo.py

test: .venv/ready
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: .venv/ready
	$(BIN)/python tools/write_docs.py
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d build/doctrees docs build/site
	@echo "The site begins at build/site/index.html."

bench: .venv/bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/kgsan: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[review]"
	@touch $@

.venv/ready: .venv/kgsan
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[all]" --group dev
	@touch $@

.venv/bench: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	@touch $@
