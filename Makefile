# Set-up and the daily commands. `make demo` and `make test` need Python 3.10 or newer and a C compiler, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What an installation depends on: with an editable one, changes to Python files need no new installation.
SOURCES := pyproject.toml setup.py $(wildcard src/weft/runtime/native/*.[ch] src/weft/runtime/native/support/*.[ch])
PYTEST_ARGS ?=
# How many processes run the tests; 0: this one alone, as debuggers want it.
WORKERS ?= auto
# Tests that compare with expected texts.
GOLDEN := tests/errors tests/frontend/test_golden.py tests/backends
SHARED_OUT := -n $(WORKERS) --maxprocesses 8 --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint format types docs bench random hunt faults sanitize huge gpu-test golden clean

help: ## Show the commands
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
		{ echo "Weft needs Python 3.10 or newer; say which one: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.stamp-demo: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[demo]"
	@touch $@

# Whoever has the tools to develop has those of the demo too.
$(VENV)/.stamp-dev: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	@touch $@ $(VENV)/.stamp-demo

demo: $(VENV)/.stamp-demo ## Set up and run the main job: pictures and a table
	$(BIN)/weft demo

test: $(VENV)/.stamp-dev ## Set up and run a sample of the tests, in about ten minutes on two cores
	$(BIN)/python -m pytest $(SHARED_OUT) $(PYTEST_ARGS)

test-all: $(VENV)/.stamp-dev ## Run the tests with all their cases
	$(BIN)/python -m pytest --all $(SHARED_OUT) $(PYTEST_ARGS)

lint: $(VENV)/.stamp-dev ## Check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.stamp-dev ## Bring the code into format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.stamp-dev ## Check types
	$(BIN)/mypy

docs: $(VENV)/.stamp-dev ## Build the manual and run its examples
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b doctest docs docs/_build/doctest

bench: $(VENV)/.stamp-dev ## Run the benchmarks and write benchmarks/records/cpu.md and docs/benchmarks.md
	$(BIN)/python -m benchmarks

random: $(VENV)/.stamp-dev ## Long run of random programs against CPython
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest --all $(SHARED_OUT) -m "not gpu and not sanitize and not huge" $(PYTEST_ARGS)

# How long `make hunt` goes on, where, and from which seed: another one each time.
HOURS ?= 1
DEVICE ?= cpu
SEED ?= $(shell date +%s)000

hunt: $(VENV)/.stamp-dev ## Look for wrong answers with programs from a grammar: HOURS=1 DEVICE=cpu SEED=...
	$(BIN)/python -m tests.hunt --hours $(HOURS) --device $(DEVICE) --seed $(SEED) --out findings

faults: $(VENV)/.stamp-dev ## Mistakes put into the compiler on purpose: every one must be found
	$(BIN)/python -m pytest --all $(SHARED_OUT) tests/faults -m "slow or not slow" $(PYTEST_ARGS)

sanitize: $(VENV)/.stamp-dev ## All programs under the address, undefined-behaviour and thread sanitizers
	$(BIN)/python -m pytest --all $(SHARED_OUT) tests/sanitizers -m "not gpu" $(PYTEST_ARGS)

huge: $(VENV)/.stamp-dev ## More than 2^31 iterations and elements: takes 16 GiB of memory
	$(BIN)/python -m pytest --all -m huge $(PYTEST_ARGS)

gpu-test: $(VENV)/.stamp-dev ## The tests that need an NVIDIA GPU
	$(BIN)/python -m pytest --all -m gpu $(PYTEST_ARGS)

golden: $(VENV)/.stamp-dev ## Write the expected texts anew; look at the difference before committing it
	$(BIN)/python -m pytest --all --update-golden $(or $(PYTEST_ARGS),$(GOLDEN))

clean: ## Remove everything that the other commands made
	rm -rf $(VENV) build dist docs/_build docs/generated demo-output .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf findings src/*.egg-info src/weft/runtime/*.so
