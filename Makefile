# Everything happens in a virtual environment inside the project, which these targets make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: help setup demo test gate lint format bench acceptance build clean

help:
	@echo "make demo     set up, segment the example pages, write build/demo/report.html"
	@echo "make test     set up all that the tests need, run them, and the gate"
	@echo "make gate     no method may score lower on pinned pages than it once did"
	@echo "make lint     ruff and mypy --strict"
	@echo "make format   let ruff format the code"
	@echo "make bench    cost against parsing alone"
	@echo "make acceptance DATA=…  the papers' experiments, on a dataset with human marks"
	@echo "make build    wheel and sdist in dist/"
	@echo "make clean    remove what these targets made"

setup: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "pagecut needs Python 3.11 or newer: make PYTHON=python3.11 …" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "venv is missing: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)

demo: $(READY)
	$(BIN)/pagecut report examples --output build/demo/report.html

test: $(READY)
	$(BIN)/python -m pytest --cov --cov-report=term
	$(BIN)/python gate/gate.py

gate: $(READY)
	$(BIN)/python gate/gate.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/python benchmarks/cost.py

DATA ?= ../shared/data
acceptance: $(READY)
	$(BIN)/python experiments/block_fusion.py $(DATA)
	$(BIN)/python experiments/near_duplicates.py

build: $(READY)
	$(BIN)/python -m build

clean:
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
