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
	@echo "make bench    cost against parsing alone and against peers, into docs/performance.md"
	@echo "make acceptance DATA=…  the papers' experiments, on a dataset with human marks"
	@echo "make build    wheel and sdist in dist/"
	@echo "make clean    remove what these targets made"

setup: $(READY)

COMPILED := setup.py $(wildcard src/pagecut/kernels/*.py src/pagecut/compiled/*.pxd src/pagecut/native/*.[ch])

$(READY): pyproject.toml $(COMPILED)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "pagecut needs Python 3.11 or newer: make PYTHON=python3.11 …" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { echo "venv is missing: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(BIN)/pagecut --version | grep uncompiled >&2 && echo "for a fast pagecut: apt-get install gcc python3-dev, touch setup.py, make setup" >&2 || true
	@touch $(READY)

# Pictures need a browser; without one the report shows the text alone.
HAS_BROWSER := $(BIN)/python -c 'from pagecut.rendering.browser import find_browser; find_browser()'
SEEN := --segment mosaic --segment vips --segment box-clustering --segment block-fusion-rules

demo: $(READY)
	@scripts/debian-packages demo
	@if $(HAS_BROWSER) 2>/dev/null; \
		then set -x; $(BIN)/pagecut report examples --pictures $(SEEN) --output build/demo/report.html; \
		else set -x; $(BIN)/pagecut report examples --segment mosaic --output build/demo/report.html; fi

test: $(READY)
	scripts/debian-packages
	$(BIN)/python -m pytest --cov --cov-report=term
	PAGECUT_UNCOMPILED=1 $(BIN)/python -m pytest -q $(BOTH_WAYS)
	$(BIN)/python gate/gate.py

# What the compiled parts stand in for, once more without them.
BOTH_WAYS := $(addprefix tests/test_,$(addsuffix .py,html images limits page decoding text languages \
	segmentation block_fusion dom_distance item contexts tree_walk words))

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
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python benchmarks/performance.py
	$(BIN)/python benchmarks/retrieval.py
	$(BIN)/python benchmarks/corpus.py

DATA ?= ../shared/data
acceptance: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,peers]'
	$(BIN)/python experiments/block_fusion.py $(DATA)
	$(BIN)/python experiments/near_duplicates.py
	$(BIN)/python experiments/box_clustering.py $(DATA)
	$(BIN)/python experiments/retrieval.py --scores build/retrieval/scores.csv \
		--plot build/retrieval/noise.svg --sweep build/retrieval/terms.svg
	$(BIN)/python experiments/main_text.py $(DATA)
	$(BIN)/python experiments/corpus.py

build: $(READY)
	$(BIN)/python -m build

clean:
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
