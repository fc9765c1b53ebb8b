# Needs Python 3.11 or newer and make, nothing else.
#   make demo        set up and audit the two studies in examples/
#   make test        the tests        make test-slow   builds and other long ones
#   make lint        style and types  make bench       how right and how fast audits are
#   make docs        the site, into build/site          make docs-reference   its generated pages, anew

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-slow lint bench docs docs-reference clean

demo: .venv/installed
	@printf '\n== examples/substituted: the experiment failed, another script made the numbers ==\n\n'
	$(BIN)/provchain audit examples/substituted; test $$? -eq 1
	@printf '\n== where the chain of the accuracy 0.9290 breaks ==\n\n'
	@mkdir -p build/demo
	$(BIN)/provchain chain results/results.md:18:9 examples/substituted -o build/demo/chain.svg
	$(BIN)/provchain chain results/results.md:18:9 examples/substituted
	@printf '\n== examples/repaired: the experiment failed twice, was repaired, and completed ==\n\n'
	$(BIN)/provchain audit examples/repaired
	@printf '\nThe broken chain is drawn in build/demo/chain.svg\n'

test: .venv/installed-dev
	$(BIN)/pytest -m "not slow"

test-slow: .venv/installed-dev .venv/installed-docs
	$(BIN)/pytest -m slow

lint: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --strict

bench: .venv/installed
	$(BIN)/python benchmarks/bench_audit.py
	$(BIN)/python benchmarks/mlrbench.py

docs: .venv/installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@printf 'The site is in build/site. Its search needs a server: python3 -m http.server -d build/site\n'

docs-reference: .venv/installed
	$(BIN)/python docs/_generate/study_schema.py
	$(BIN)/python docs/_generate/policy_schema.py
	$(BIN)/python docs/_generate/reference.py

clean:
	rm -rf .venv build dist

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit("provchain needs Python 3.11 or newer: make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/installed: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-dev: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ .venv/installed

.venv/installed-docs: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@
