# `make` prints the targets. Everything is installed under .venv and tests/tools/node_modules.

PYTHON ?= python3
PORT ?= 8000
# One more than the two cores: some tests wait for a clock, a failover or a browser.
PROCESSES ?= 3
VENV := .venv
BIN := $(VENV)/bin
# Measures waiting times, so that no other test may run meanwhile.
ALONE := tests/e2e/attack/test_hostile.py
# Playwright's event loop runs until its process ends, and asyncio.run fails there.
BROWSER := tests/e2e/browser
# By name, dear files do not come last.
BESIDE := -n $(PROCESSES) --dist loadfile --no-loadscope-reorder
INSTALLERS := engines e2e/browser e2e/clients e2e/deploy e2e/guides
LOCKS := deploy/requirements
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade
# Stamps of linters that run once for each change of their input.
LINTED := var/linted
export PORT
# Else every server of a test compiles the service anew.
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

play: $(VENV)/run.stamp ## use: serve to the phones of this network, and print the address, also as a QR code
	@exec $(BIN)/python -m service play

test: $(VENV)/test.stamp tests/tools/node_modules/.stamp check ## change: set up what the tests need and run all that do not take long
	@for part in $(INSTALLERS); do sh tests/$$part/install.sh || exit; done
	node --no-warnings --test --test-timeout=60000 --test-reporter=dot tests/web/*.test.mjs
	$(BIN)/pytest $(BESIDE) -m "not long" --ignore $(BROWSER) -p no:playwright
	$(BIN)/pytest $(BESIDE) -m "not long" $(BROWSER) -p no:schemathesis

test-long: bench-check $(VENV)/test.stamp tests/tools/node_modules/.stamp ## change: run the tests that take long: whole games, screens, clients, requests
	@for part in $(INSTALLERS); do sh tests/$$part/install.sh || exit; done
	@sh tests/debian.sh firefox-esr:firefox-esr wrk:wrk
	$(BIN)/pytest $(BESIDE) -m "long and not simulated" --ignore $(ALONE) --ignore $(BROWSER) -p no:playwright
	$(BIN)/pytest $(BESIDE) -m long $(BROWSER) -p no:schemathesis
	$(BIN)/pytest $(ALONE)

check: $(VENV)/test.stamp tests/tools/node_modules/.stamp $(LINTED)/contract $(LINTED)/manifests ## change: format, lint, imports, types; contract and manifests where they have changed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	PYTHONPATH=service $(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive service
	tests/tools/node_modules/.bin/eslint --config tests/tools/eslint.config.mjs service/dice_referee/web/static tests/web

$(LINTED)/contract: openapi.yaml tests/tools/spectral.yaml $(VENV)/test.stamp tests/tools/node_modules/.stamp
	$(BIN)/openapi-spec-validator $<
	tests/tools/node_modules/.bin/spectral lint --ruleset tests/tools/spectral.yaml --fail-severity hint $<
	REDOCLY_TELEMETRY=off NO_UPDATE_NOTIFIER=1 tests/tools/node_modules/.bin/redocly lint --extends recommended-strict $<
	@mkdir -p $(@D) && touch $@

$(LINTED)/manifests: $(shell find deploy -type f) tests/e2e/deploy/kustomize.py tests/tools/manifests.py $(VENV)/test.stamp
	$(BIN)/python -m tests.tools.manifests
	@mkdir -p $(@D) && touch $@

format: $(VENV)/test.stamp ## change: format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

spec: $(VENV)/test.stamp tests/tools/node_modules/.stamp $(LINTED)/contract ## change: everything about openapi.yaml alone
	$(BIN)/pytest tests/contract

clients: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## change: pack the TypeScript client into dist; generate, compile and run clients
	@sh tests/e2e/clients/install.sh
	$(BIN)/python -m tests.tools.typescript_client
	$(BIN)/pytest tests/e2e/clients

browser: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## change: the pages in real browsers, whole games too
	@sh tests/e2e/browser/install.sh
	@sh tests/debian.sh firefox-esr:firefox-esr
	$(BIN)/pytest tests/web $(BROWSER)

screenshots: $(VENV)/test.stamp ## change: pictures of every page, into var/screenshots
	@sh tests/e2e/browser/install.sh
	$(BIN)/python -m tests.e2e.browser.screenshots

picture: $(VENV)/test.stamp ## change: the picture of the README
	@sh tests/e2e/browser/install.sh
	$(BIN)/python -m tests.e2e.browser.screenshots service/dice_referee/web/guides/table.png

generate: $(VENV)/test.stamp ## change: write everything that is generated, and name what has changed
	$(BIN)/python -m tests.tools.generate

tables: $(VENV)/test.stamp ## change: solve Yatzee's card and Tutto for two players anew, into the package (long)
	$(BIN)/python -m tests.tools.tables.yatzee
	$(BIN)/python -m tests.tools.tables.tutto

new-ruleset: $(VENV)/test.stamp ## change: begin a ruleset as a copy of another (NAME=club-3000 FROM=abacus-2013)
	$(BIN)/python -m tests.tools.new_ruleset "$(NAME)" "$(FROM)"
	@$(BIN)/ruff format --quiet service

vendor: ## publish: fetch uqr, which draws QR codes, anew by npm, and check it against its sums
	rm -rf var/vendor && mkdir -p var/vendor
	cd var/vendor && npm pack --silent uqr@$(UQR) && tar -xzf *.tgz
	cd var/vendor/package && cp LICENSE dist/LICENSE.txt && cd dist && $(SHA256SUM) -c $(CURDIR)/$(UQR_FILES)/SHA256SUMS
	cut -c67- $(UQR_FILES)/SHA256SUMS | xargs -I {} cp var/vendor/package/dist/{} $(UQR_FILES)/{}
	rm -rf var/vendor

mutants: $(VENV)/test.stamp ## measure: mutation testing of the rules of Tutto and of the odds of every game (long)
	@ln -sfn service src
	$(BIN)/mutmut run
	$(BIN)/mutmut results

simulation: $(VENV)/test.stamp ## measure: turns of Tutto, games of bots and perfect games against their values (long)
	$(BIN)/python -m tests.games.simulation $(SIMULATION)
	$(BIN)/pytest -n 2 --dist load -m simulated tests/games

soak: $(VENV)/test.stamp ## measure: minutes of load, faults, sieges and fuzzing (SOAK="--seconds 60 ...")
	@sh tests/e2e/deploy/install.sh
	$(BIN)/python -m tests.load.soak $(SOAK)

bench: $(VENV)/bench.stamp ## measure: speed and memory as ratios within one run (wrk: installed as root)
	@command -v wrk > /dev/null || { apt-get update -qq && apt-get install -qq -y wrk; }
	$(BIN)/python -m tests.bench.bench $(BENCH)

bench-check: $(VENV)/bench.stamp ## measure: nothing; every contender of the bench answers as the referee does
	$(BIN)/python -m tests.bench.bench --check

bench-scale: $(VENV)/bench.stamp ## measure: how far machines go; WRITE=1 writes deploy/capacity.md (wrk, nginx as root)
	@command -v wrk > /dev/null || { apt-get update -qq && apt-get install -qq -y wrk; }
	@sh tests/e2e/deploy/install.sh
	$(BIN)/python -m tests.bench.capacity $(BENCH) $(if $(WRITE),--write)

bench-dearest: $(VENV)/test.stamp ## measure: what a minute's permits of one address buy: the ten dearest requests
	$(BIN)/python -m tests.bench.dearest $(BENCH)
	$(BIN)/python -m tests.bench.neighbours $(BENCH)

bench-sessions: $(VENV)/bench.stamp ## measure: what an event of a session costs, and a session's memory
	$(BIN)/python -m tests.bench.sessions $(BENCH)

lock: $(VENV)/lock.stamp ## publish: resolve the dependencies anew, pinned and hashed
	$(LOCK) pyproject.toml -o $(LOCKS)/service.txt
	$(LOCK) pyproject.toml --extra embedded --extra play -c $(LOCKS)/service.txt -o $(LOCKS)/embedded.txt
	$(LOCK) pyproject.toml --extra tracing -c $(LOCKS)/service.txt -o $(LOCKS)/tracing.txt
	$(LOCK) pyproject.toml --extra mcp -c $(LOCKS)/tracing.txt -o $(LOCKS)/mcp.txt
	$(LOCK) pyproject.toml --all-extras --group test -c $(LOCKS)/embedded.txt -c $(LOCKS)/tracing.txt -c $(LOCKS)/mcp.txt -o $(LOCKS)/test.txt
	$(LOCK) $(LOCKS)/bench.in -c $(LOCKS)/test.txt -o $(LOCKS)/bench.txt

release: $(VENV)/test.stamp ## publish: commit the release and begin the next version (VERSION=1.2.3)
	$(BIN)/python -m tests.tools.release "$(VERSION)"

clean: ## use: remove everything that was installed or made
	rm -rf $(VENV) $(LINTED) tests/tools/node_modules mutants src build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

INSTALL = $(BIN)/pip install --quiet --require-hashes -r $< || \
	{ echo "Packages could not be fetched: is there a network?" >&2; exit 1; }

$(VENV)/run.stamp: $(LOCKS)/embedded.txt $(VENV)/bin/pip
	$(INSTALL)
	@touch $@

$(VENV)/test.stamp: $(LOCKS)/test.txt $(VENV)/bin/pip
	$(INSTALL)
	@touch $@

$(VENV)/bench.stamp: $(LOCKS)/bench.txt $(VENV)/test.stamp
	$(INSTALL)
	@touch $@

$(VENV)/lock.stamp: $(VENV)/bin/pip
	$(BIN)/pip install --quiet uv==0.13.8
	@touch $@

tests/tools/node_modules/.stamp: tests/tools/package-lock.json
	cd tests/tools && npm ci --no-audit --no-fund --silent
	@touch $@
