# Every target makes the one virtual environment it needs: Python 3.11 or newer, make and PyPI are enough.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Only what stands in a lock with its digest; nothing of it runs at install, but for what has no wheel.
LOCKED := $(INSTALL) --no-build-isolation --require-hashes --only-binary :all:
SOURCES := --no-binary owlready2,pyspark
LOCK := $(BIN)/uv pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header
# The pages that are written whole by `tools/describe_PAGE.py`.
PAGES := protected disclosure evasion
ITSELF := $(INSTALL) --no-build-isolation --no-deps --no-index --editable .

.PHONY: demo test check format docs bench soak fuzz mutate lock clean

demo: .venv/kgsan
	@$(BIN)/python examples/demo.py

test: .venv/ready
	$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile --max-worker-restart 0

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
	@mkdir -p build
	@for page in $(PAGES); do \
		$(BIN)/python tools/describe_$$page.py > build/$$page.md && mv build/$$page.md docs/ || exit 1; \
	done
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d build/doctrees docs build/site
	@echo "The site begins at build/site/index.html."

soak: .venv/ready
	$(BIN)/python -m tests.soak --seconds $(SECONDS)

bench: .venv/bench
	$(BIN)/python -m benchmarks

SECONDS ?= 600
fuzz: .venv/fuzz
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(TARGETS)

mutate: .venv/ready
	OMP_NUM_THREADS=1 $(BIN)/python tools/mutate.py

lock: .venv/lock
	$(LOCK) --all-extras --group dev --output-file locks/test.txt
	$(LOCK) --extra review --group build --constraint locks/test.txt --output-file locks/run.txt

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/kgsan: pyproject.toml locks/run.txt
	$(PYTHON) -m venv .venv
	$(LOCKED) --requirement locks/run.txt
	$(ITSELF)
	@touch $@

.venv/ready: .venv/kgsan locks/test.txt
	$(LOCKED) $(SOURCES) --requirement locks/test.txt
	@touch $@

.venv/bench: .venv/ready
	$(INSTALL) --group bench
	@touch $@

.venv/fuzz: .venv/ready
	$(INSTALL) --group fuzz
	@touch $@

.venv/lock:
	$(PYTHON) -m venv .venv
	$(INSTALL) uv
	@touch $@
