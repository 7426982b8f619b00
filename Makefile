# What a clone can do. Needs git, make and Python 3.11 or newer; everything else goes into .venv inside the clone.

.DEFAULT_GOAL := help
VENV := .venv
READY := $(VENV)/.ready
BIN := $(VENV)/bin
CODE := lifecycle reflection repo_export daemon dreamd/__init__.py tests bench
WORKERS ?= 2
IS_NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
BENCH_DATA ?= data
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help setup dream test test-long lint format docs lives bench lock clean

help:
	@echo 'make dream      dream over the shipped example and over the history of this clone, in .dream/'
	@echo 'make test       the tests, but for the long ones; make test-long runs all, more thoroughly'
	@echo 'make lint       ruff and mypy --strict; make format applies the layout'
	@echo 'make bench      what things cost, with BENCH_DATA=<folder> (default: data)'
	@echo 'make docs       write docs/reference/ anew from the program'
	@echo 'make lives      draw docs/lives.svg anew, by the commands of docs/lifecycle.md'
	@echo 'make setup      only install into .venv; PYTHON=<interpreter> chooses with what'
	@echo 'make clean      remove .venv, .dream, builds and caches'

setup: $(READY)

# A version manager puts a python3 on PATH that may be too old or may not start, so each candidate is tried by running it.
$(READY): pyproject.toml requirements.lock
	@python='$(PYTHON)'; \
	for candidate in python3 python3.13 python3.12 python3.11 python3.14 /usr/bin/python3; do \
	    if [ -z "$$python" ] && $$candidate -c '$(IS_NEW_ENOUGH)' >/dev/null 2>&1; then python=$$candidate; fi; \
	done; \
	if [ -z "$$python" ]; then \
	    echo 'dreamd needs Python 3.11 or newer, and found none on PATH.' >&2; \
	    echo 'Install one, or name it: make setup PYTHON=/path/to/python3' >&2; \
	    exit 1; \
	fi; \
	if ! "$$python" -c '$(IS_NEW_ENOUGH)'; then \
	    echo "dreamd needs Python 3.11 or newer; $$python is $$("$$python" --version 2>&1 | head -n 1)" >&2; \
	    exit 1; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then \
	    echo "$$python cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; \
	    exit 1; \
	fi; \
	if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
	    echo "installing what dreamd needs into $(VENV), with $$("$$python" --version)"; \
	    "$$python" -m venv --clear $(VENV); \
	fi
	@$(BIN)/python -m pip install --quiet --quiet --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --quiet --no-deps --no-build-isolation --editable .
	@touch $@

dream: $(READY)
	@$(BIN)/python -m dreamd.daemon.demo

test: $(READY)
	HYPOTHESIS_PROFILE=test $(BIN)/python -m pytest -n $(WORKERS) -m 'not long'

test-long: $(READY)
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest -n $(WORKERS)

# mypy sees the code as dreamd.* and the tests in a call of their own: one file under two names stops it.
lint: $(READY)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/python -m mypy --strict -p dreamd
	$(BIN)/python -m mypy tests bench

format: $(READY)
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

docs: $(READY)
	$(BIN)/python -m dreamd.daemon.docs docs/reference --write

lives: $(READY)
	rm -rf lives-home
	sed -n 's/^    dreamd \(--home lives-home .*\)$$/$(subst /,\/,$(BIN))\/dreamd \1/p' docs/lifecycle.md | sh -e
	rm -rf lives-home

bench: $(READY)
	$(BIN)/python -m bench $(BENCH_DATA)

# Without the addresses of any package index, which differ from place to place.
lock: $(READY)
	$(BIN)/python -m pip install --quiet --quiet pip-tools
	$(BIN)/python -m piptools compile --quiet --upgrade --extra test --extra lint --strip-extras --allow-unsafe \
	    --no-annotate --no-header --no-emit-index-url --no-emit-find-links --output-file $(VENV)/new.lock pyproject.toml
	{ grep '^#' requirements.lock; grep -v '^#' $(VENV)/new.lock | grep . | sort -f; } > $(VENV)/whole.lock
	mv $(VENV)/whole.lock requirements.lock

clean:
	rm -rf $(VENV) .dream build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
