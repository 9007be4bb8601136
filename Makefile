# Everything a fresh Debian or Raspberry Pi OS needs: python3, python3-venv and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# as the companion itself: more threads wait for each other busily
export OPENBLAS_NUM_THREADS ?= 1
WORKERS ?= --numprocesses auto --dist worksteal
STAMP := $(VENV)/.installed

.PHONY: demo test test-long check install bench lock clean browser

demo: $(STAMP)  ## play a refereed game on the simulated table and print the page's address
	$(BIN)/companion demo

install: $(STAMP)  ## make the environment and install the companion into it

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP)

browser: $(STAMP)  ## Chromium for the browser tests, where apt and root (or sudo) are to be had
	@$(BIN)/python tests/install_browser.py

check: $(STAMP)  ## format, lint, types, import rules, units
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/check_units.py

test: $(STAMP) browser  ## everything that a change must pass, within 10 minutes on two cores
	$(BIN)/pytest $(WORKERS)

test-long: $(STAMP) browser  ## campaigns, within 40 minutes
	$(BIN)/pytest $(WORKERS) -m long --timeout 2400

bench: $(STAMP)  ## measure speed and accuracy
	$(BIN)/companion bench

lock: $(STAMP)  ## settle the service's packages anew, with their hashes, before a release
	$(BIN)/python -m pip install --quiet uv
	PATH="$(CURDIR)/$(BIN):$$PATH" systemd/lock.sh

clean:
	rm -rf $(VENV) build *.egg-info
