# `make` prints the targets. Everything is installed under .venv and tests/tools/node_modules.

PYTHON ?= python3
PORT ?= 8000
# One more than two cores: some tests wait for a clock, a failover or a browser.
PROCESSES ?= 3
VENV := .venv
BIN := $(VENV)/bin
# Measures latency, so no other test may run at the same time.
ALONE := tests/e2e/attack/test_hostile.py
# Playwright's event loop runs until its process ends, and asyncio.run fails there.
BROWSER := tests/e2e/browser
# Starts files by name (tests/conftest.py), so that no slow file starts last.
BESIDE := -n $(PROCESSES) --dist loadfile --no-loadscope-reorder
INSTALLERS := engines e2e/browser e2e/clients e2e/deploy e2e/guides
LOCKS := deploy/requirements
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade
# Stamps of linters, which run only after a change of their input.
LINTED := var/linted
export PORT
# Without bytecode, every server of a test would compile the service.
unexport PYTHONDONTWRITEBYTECODE
UQR := 0.1.3
UQR_FILES := service/dice_referee/web/static/vendor/uqr
SHA256SUM := $(shell command -v sha256sum || echo shasum -a 256)

.DEFAULT_GOAL := help
.PHONY: help run play test test-long check format spec clients browser screenshots vendor picture generate tables new-ruleset mutants simulation soak bench bench-check bench-dearest bench-scale bench-sessions lock release clean

help:
	@for group in use change measure publish; do \
		echo "To $$group:"; \
		sed -nE "s/^([a-z-]+):.*## $$group: (.*)/\1|\2/p" $(MAKEFILE_LIST) | awk -F '|' '{printf "  %-14s %s\n", $$1, $$2}'; \
	done

run: $(VENV)/run.stamp ## use: serve on 127.0.0.1, PORT (8000)
	@exec $(BIN)/python -m service serve

play: $(VENV)/run.stamp ## use: serve to phones on this network; print the address and a QR code
	@exec $(BIN)/python -m service play

test: $(VENV)/test.stamp tests/tools/node_modules/.stamp check ## change: install test dependencies, run linters and fast tests
	@for part in $(INSTALLERS); do sh tests/$$part/install.sh || exit; done
	node --no-warnings --test --test-timeout=60000 --test-reporter=dot tests/web/*.test.mjs
	$(BIN)/pytest $(BESIDE) -m "not long" --ignore $(BROWSER) -p no:playwright
	$(BIN)/pytest $(BESIDE) -m "not long" $(BROWSER) -p no:schemathesis

test-long: bench-check $(VENV)/test.stamp tests/tools/node_modules/.stamp ## change: run slow tests: whole games, screens, clients, requests
	@for part in $(INSTALLERS); do sh tests/$$part/install.sh || exit; done
	@sh tests/debian.sh firefox-esr:firefox-esr wrk:wrk
	$(BIN)/pytest $(BESIDE) -m "long and not simulated" --ignore $(ALONE) --ignore $(BROWSER) -p no:playwright
	$(BIN)/pytest $(BESIDE) -m long $(BROWSER) -p no:schemathesis
	$(BIN)/pytest $(ALONE)

check: $(VENV)/test.stamp tests/tools/node_modules/.stamp $(LINTED)/contract $(LINTED)/manifests $(LINTED)/patterns ## change: check format, lint, docstrings, imports, types; contract, manifests, patterns after a change
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tests.tools.docstrings
	PYTHONPATH=service $(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive service
	tests/tools/node_modules/.bin/eslint --config tests/tools/eslint.config.mjs service/dice_referee/web/static tests/web

$(LINTED)/contract: openapi.yaml tests/tools/spectral.yaml tests/tools/redocly.yaml $(VENV)/test.stamp tests/tools/node_modules/.stamp
	$(BIN)/openapi-spec-validator $<
	tests/tools/node_modules/.bin/spectral lint --ruleset tests/tools/spectral.yaml --fail-severity hint $<
	REDOCLY_TELEMETRY=off NO_UPDATE_NOTIFIER=1 tests/tools/node_modules/.bin/redocly lint --config tests/tools/redocly.yaml $<
	@mkdir -p $(@D) && touch $@

$(LINTED)/manifests: $(shell find deploy -type f) tests/tools/kustomize.py tests/tools/manifests.py $(VENV)/test.stamp
	$(BIN)/python -m tests.tools.manifests
	@mkdir -p $(@D) && touch $@

$(LINTED)/patterns: $(shell find service -name '*.py' -o -name '*.*js') service/dice_referee/openapi.json $(wildcard tests/tools/patterns.*) tests/tools/package-lock.json $(VENV)/test.stamp tests/tools/node_modules/.stamp
	$(BIN)/python -m tests.tools.patterns
	@mkdir -p $(@D) && touch $@

format: $(VENV)/test.stamp ## change: format files and apply automatic fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

spec: $(VENV)/test.stamp tests/tools/node_modules/.stamp $(LINTED)/contract ## change: lint and test openapi.yaml only
	$(BIN)/pytest tests/contract

clients: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## change: pack the TypeScript client into dist; generate, compile, run other clients
	@sh tests/e2e/clients/install.sh
	$(BIN)/python -m tests.tools.typescript_client
	$(BIN)/pytest tests/e2e/clients

browser: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## change: test pages in real browsers, whole games included
	@sh tests/e2e/browser/install.sh
	@sh tests/debian.sh firefox-esr:firefox-esr
	$(BIN)/pytest tests/web $(BROWSER)

screenshots: $(VENV)/test.stamp ## change: take screenshots of all pages into var/screenshots
	@sh tests/e2e/browser/install.sh
	$(BIN)/python -m tests.e2e.browser.screenshots

picture: $(VENV)/test.stamp ## change: take the screenshot of the README
	@sh tests/e2e/browser/install.sh
	$(BIN)/python -m tests.e2e.browser.screenshots service/dice_referee/web/guides/table.png

generate: $(VENV)/test.stamp ## change: write all generated files, name changed files
	$(BIN)/python -m tests.tools.generate

tables: $(VENV)/test.stamp ## change: compute the value tables of Yatzee, Tutto and POT for the package (slow)
	$(BIN)/python -m tests.tools.tables.yatzee
	$(BIN)/python -m tests.tools.tables.tutto
	$(BIN)/python -m tests.tools.tables.pot

new-ruleset: $(VENV)/test.stamp ## change: copy a ruleset as a template (NAME=club-3000 FROM=abacus-2013)
	$(BIN)/python -m tests.tools.new_ruleset "$(NAME)" "$(FROM)"
	@$(BIN)/ruff format --quiet service

vendor: ## publish: download uqr, which draws QR codes, from npm and verify its checksums
	rm -rf var/vendor && mkdir -p var/vendor
	cd var/vendor && npm pack --silent uqr@$(UQR) && tar -xzf *.tgz
	cd var/vendor/package && cp LICENSE dist/LICENSE.txt && cd dist && $(SHA256SUM) -c $(CURDIR)/$(UQR_FILES)/SHA256SUMS
	cut -c67- $(UQR_FILES)/SHA256SUMS | xargs -I {} cp var/vendor/package/dist/{} $(UQR_FILES)/{}
	rm -rf var/vendor

mutants: $(VENV)/test.stamp ## measure: run mutation tests of Tutto's rules and of all odds (slow)
	@ln -sfn service src
	$(BIN)/mutmut run
	$(BIN)/mutmut results

simulation: $(VENV)/test.stamp ## measure: compare simulated turns, bots and perfect games with computed values (slow)
	$(BIN)/python -m tests.games.simulation $(SIMULATION)
	$(BIN)/pytest -n 2 --dist load -m simulated tests/games

soak: $(VENV)/test.stamp ## measure: run load, faults, attacks and fuzzing (SOAK="--seconds 60 ...")
	@sh tests/e2e/deploy/install.sh
	$(BIN)/python -m tests.load.soak $(SOAK)

bench: $(VENV)/test.stamp ## measure: compare speed and memory with the last release (wrk, installed as root)
	@command -v wrk > /dev/null || { apt-get update -qq && apt-get install -qq -y wrk; }
	$(BIN)/python -m tests.bench.bench $(BENCH)

bench-check: $(VENV)/test.stamp ## measure: check that all contenders of the bench answer alike
	$(BIN)/python -m tests.bench.bench --check

bench-scale: $(VENV)/test.stamp ## measure: compute capacity of machines; WRITE=1 writes deploy/capacity.md (wrk, nginx as root)
	@command -v wrk > /dev/null || { apt-get update -qq && apt-get install -qq -y wrk; }
	@sh tests/e2e/deploy/install.sh
	$(BIN)/python -m tests.bench.capacity $(BENCH) $(if $(WRITE),--write)

bench-dearest: $(VENV)/test.stamp ## measure: measure the cost of expensive requests and their effect on other clients
	$(BIN)/python -m tests.bench.dearest $(BENCH)

bench-sessions: $(VENV)/test.stamp ## measure: measure CPU time of a session's event and memory of a session
	$(BIN)/python -m tests.bench.sessions $(BENCH)

lock: $(VENV)/lock.stamp ## publish: resolve dependencies to pinned, hashed versions
	$(LOCK) pyproject.toml -o $(LOCKS)/service.txt
	$(LOCK) pyproject.toml --extra embedded --extra play -c $(LOCKS)/service.txt -o $(LOCKS)/embedded.txt
	$(LOCK) pyproject.toml --extra tracing -c $(LOCKS)/service.txt -o $(LOCKS)/tracing.txt
	$(LOCK) pyproject.toml --extra mcp -c $(LOCKS)/tracing.txt -o $(LOCKS)/mcp.txt
	$(LOCK) pyproject.toml --all-extras --group test -c $(LOCKS)/embedded.txt -c $(LOCKS)/tracing.txt -c $(LOCKS)/mcp.txt -o tests/requirements.txt

release: $(VENV)/test.stamp ## publish: commit the release and begin the next version (VERSION=1.2.3)
	$(BIN)/python -m tests.tools.release "$(VERSION)"

clean: ## use: remove installed and generated files
	rm -rf $(VENV) $(LINTED) tests/tools/node_modules mutants src build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

INSTALL = $(BIN)/pip install --quiet --require-hashes -r $< || \
	{ echo "Packages could not be fetched: is there a network?" >&2; exit 1; }

$(VENV)/run.stamp: $(LOCKS)/embedded.txt $(VENV)/bin/pip
	$(INSTALL)
	@touch $@

$(VENV)/test.stamp: tests/requirements.txt $(VENV)/bin/pip
	$(INSTALL)
	@touch $@

$(VENV)/lock.stamp: $(VENV)/bin/pip
	$(BIN)/pip install --quiet uv==0.13.8
	@touch $@

tests/tools/node_modules/.stamp: tests/tools/package-lock.json
	cd tests/tools && npm ci --no-audit --no-fund --silent
	@touch $@
