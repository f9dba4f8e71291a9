# Everything happens in a virtual environment inside the project, which these targets make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
INSTALL := $(PIP) --no-build-isolation --editable
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# Tests start hundreds of interpreters, which must not compile all modules again each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-test demo docs test test-long sanitize fuzz attack coverage gate lint format bench acceptance build release-check clean

help:
	@echo "make setup          .venv/ with the command pagecut; compile what has changed"
	@echo "make setup-test     what the tests need, too"
	@echo "make demo           set up, segment the example pages, write build/demo/report.html"
	@echo "make docs           the documentation as a site with API reference, build/site/index.html; searched where it is served"
	@echo "make test           set up all that the tests need, run them, and the gate"
	@echo "make test-long      the same tests with all their pages and many more random ones"
	@echo "make sanitize       the tests of parsing on extensions that check every use of memory"
	@echo "make fuzz           15 minutes of inputs that are guided to what has not run yet"
	@echo "make attack         hostile pages, files, servers and signals, into docs/security.md"
	@echo "make coverage       the tests, and which lines they run"
	@echo "make gate           no method may score lower on pinned pages than it once did"
	@echo "make lint           ruff and mypy --strict"
	@echo "make format         let ruff format the code"
	@echo "make bench          cost against parsing alone and against peers, into docs/performance.md"
	@echo "make acceptance DATA=…  the papers' experiments, on a dataset with human marks"
	@echo "make build          wheel, its SBOM and sdist in dist/ by pinned tools, tried in an empty environment"
	@echo "make release-check  all that must pass before a release"
	@echo "make clean          remove what these targets made"

# Each file in VENV that is named like an extra of pyproject.toml says that it is installed.
setup: $(VENV)/kernels

$(VENV)/pagecut: pyproject.toml setup.py
	@scripts/debian-packages build
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "pagecut needs Python 3.11 or newer: make PYTHON=python3.11 …" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) "pip>=24" "setuptools>=77" "Cython>=3.1"
	$(INSTALL) .
	@touch $@

# What is compiled: every module with types beside it, and modules in Cython.
TYPES := $(shell find src -name '*.pxd')
COMPILED := $(TYPES) $(wildcard $(TYPES:.pxd=.py)) $(shell find src -name '*.pyx')

$(VENV)/kernels: $(VENV)/pagecut $(COMPILED)
	$(BIN)/python setup.py -q build_ext --inplace
	@touch $@

$(VENV)/%: pyproject.toml | $(VENV)/kernels
	$(INSTALL) '.[$*]'
	@touch $@

# Pictures need a browser, which is fetched while pagecut is compiled; without one the report shows
# the text alone.
HAS_BROWSER := $(BIN)/python -c 'from pagecut.rendering.browser import find_browser; find_browser()'
SEEN := --segment mosaic --segment vips --segment box-clustering --segment block-fusion-rules

demo:
	@scripts/debian-packages build
	@scripts/debian-packages browser & $(MAKE) --no-print-directory setup && wait
	@if $(HAS_BROWSER) 2>/dev/null; \
		then set -x; $(BIN)/pagecut report examples --pictures $(SEEN) --output build/demo/report.html; \
		else set -x; $(BIN)/pagecut report examples --segment mosaic --output build/demo/report.html; fi

docs: $(VENV)/docs
	$(BIN)/python scripts/docs_site.py

test: setup-test
	$(PYTEST)
	$(BIN)/python gate/gate.py

test-long: setup-test
	PAGECUT_TESTS=long $(PYTEST)

# A copy of the sources, built with AddressSanitizer. Python itself leaks and has memory of its own.
SANITIZED := build/sanitize
sanitize: setup-test
	rm -rf $(SANITIZED)/src
	mkdir -p $(SANITIZED)
	cp -r src setup.py pyproject.toml README.md $(SANITIZED)
	find $(SANITIZED)/src -name '*.so' -delete
	cd $(SANITIZED) && CFLAGS="-fsanitize=address -fno-omit-frame-pointer -O1" LDFLAGS=-fsanitize=address \
		$(abspath $(BIN)/python) setup.py -q build_ext --inplace
	LD_PRELOAD=$$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
		PYTHONPATH=$(SANITIZED)/src $(BIN)/python -m pytest -q tests/parsing \
		--ignore tests/parsing/test_pdf.py --ignore tests/parsing/test_sources.py

# The same, built to say what has run; libFuzzer chooses inputs by it. RUNS=1000000 for so many.
FUZZED := build/fuzz
FUZZ_SECONDS ?= 900
RUNS ?= -1
fuzz: setup-test $(VENV)/fuzz
	rm -rf $(FUZZED)/src
	mkdir -p $(FUZZED)/corpus $(FUZZED)/findings
	cp -r src setup.py pyproject.toml README.md $(FUZZED)
	cp fuzz/corpus/* $(FUZZED)/corpus
	find $(FUZZED)/src -name '*.so' -delete
	cd $(FUZZED) && LDFLAGS=-fsanitize=address CFLAGS="-fsanitize=address -fsanitize-coverage=trace-pc \
		-fno-omit-frame-pointer -O1" $(abspath $(BIN)/python) setup.py -q build_ext --inplace
	gcc -shared -fPIC -O2 -o $(FUZZED)/coverage.so fuzz/coverage.c
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $(abspath $(FUZZED)/coverage.so)" \
		ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc PYTHONPATH=$(FUZZED)/src \
		$(BIN)/python fuzz/run.py $(FUZZED)/corpus -artifact_prefix=$(FUZZED)/findings/ \
		-max_len=4096 -timeout=20 -rss_limit_mb=4096 -runs=$(RUNS) -max_total_time=$(FUZZ_SECONDS)

attack: setup-test
	$(BIN)/python attack/attack.py --write docs/security.md

coverage: setup-test
	$(PYTEST) --cov --cov-report=term

setup-test:
	@scripts/debian-packages build
	@scripts/debian-packages & $(MAKE) --no-print-directory $(VENV)/s3-server && wait

# A step of its own: beside all the rest pip looks for minutes for versions that agree.
FSSPEC = $(BIN)/python -c 'import fsspec; print(fsspec.__version__)'
$(VENV)/s3-server: $(VENV)/test
	$(PIP) "s3fs==$$($(FSSPEC))" "moto[server]>=5.2"
	@touch $@

gate: $(VENV)/kernels
	$(BIN)/python gate/gate.py

lint: $(VENV)/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/bench
	$(BIN)/python benchmarks/performance.py
	$(BIN)/python benchmarks/retrieval.py
	$(BIN)/python benchmarks/corpus.py

DATA ?= ../shared/data
MODERN ?= ../shared/data-modern
# Those of near duplicates, retrieval and corpora take an hour each on all they have: SIZE= RECORDS=20000
SIZE ?= --small
RECORDS ?= 2000
acceptance: $(VENV)/test $(VENV)/peers
	$(BIN)/python experiments/block_fusion.py $(DATA)
	$(BIN)/python experiments/density_candidates.py $(DATA)
	$(BIN)/python experiments/near_duplicates.py $(SIZE)
	$(BIN)/python experiments/box_clustering.py $(DATA)
	$(BIN)/python experiments/one_template.py
	$(BIN)/python experiments/image_context.py $(DATA) --render
	$(BIN)/python experiments/vips.py $(DATA)
	$(BIN)/python experiments/retrieval.py $(SIZE) --scores build/retrieval/scores.csv \
		--plot build/retrieval/noise.svg --sweep build/retrieval/terms.svg
	rm -rf build/trec-web
	$(BIN)/python experiments/trec_web.py
	$(BIN)/python experiments/main_text_peers.py $(MODERN)
	$(BIN)/python experiments/corpus.py --records $(RECORDS)

# Built with pinned versions alone, whose hashes are known; what is in the wheel, and what it needs, is
# written beside it.
PINNED := build/pinned
build: $(VENV)/all
	rm -rf dist build/installed $(PINNED)
	$(PYTHON) -m venv $(PINNED)
	$(PINNED)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
		--only-binary :all: --require-hashes -r scripts/build-requirements.txt
	$(PINNED)/bin/python -m build --no-isolation
	$(BIN)/python scripts/dependencies.py licences
	for wheel in dist/*.whl; do $(BIN)/python scripts/dependencies.py sbom $$wheel; done
	$(PYTHON) -m venv build/installed
	build/installed/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	build/installed/bin/python -P scripts/try_installed.py

release-check: lint test test-long coverage build acceptance

clean:
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find src -name '*.so' -delete
