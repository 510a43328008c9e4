# Set-up in two commands: `make demo` and `make test`. Everything lives in .venv; nothing else is touched.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.core: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group dev
	@touch $@

install: $(VENV)/.core ## make the virtual environment and install

demo: $(VENV)/.core ## take in the bundled decision records and ask the four kinds of question
	$(BIN)/python -m demo.run

test: $(VENV)/.dev ## run the tests, the import contracts, the type check and the linter
	$(BIN)/python -m pytest -q -n 2 --dist loadfile

faults: $(VENV)/.dev ## kill workers, broker and daemon at work: nothing may be lost
	$(BIN)/python -m pytest -q tests/faults

lint: $(VENV)/.dev ## ruff, mypy (strict), import contracts, module size
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/rules

constraints: $(VENV)/.core ## resolve the exact versions anew (all extras, CPU torch)
	$(PYTHON) scripts/constraints.py

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache

.PHONY: help install demo test faults lint constraints clean
