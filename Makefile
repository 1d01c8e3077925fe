# Every target makes what it needs: a fresh clone with Python 3.11 or newer, pip and git is enough.

PYTHON ?= python3
# make test CPU=1 : PyTorch's CPU build, much smaller than the CUDA build that Linux gets by default.
CPU ?=
PIP_FLAGS ?=
LAB_FLAGS ?=
SOAK ?=
BENCH ?=

VENV := .venv
BIN  := $(VENV)/bin
RUN  := $(BIN)/python
READY := $(VENV)/.installed

ifneq ($(CPU),)
PIP_FLAGS += --extra-index-url https://download.pytorch.org/whl/cpu
endif

.DEFAULT_GOAL := help
.PHONY: help demo test soak lab build bench constraints clean

help:
	@echo 'make demo         build the course, grade a small made-up class, show the grades'
	@echo 'make test         everything that CI checks'
	@echo 'make soak         the tests that CI runs in small, in full (hours)'
	@echo 'make lab          JupyterLab on the course'
	@echo 'make build        derive the notebooks and all else that is derived'
	@echo 'make bench        the benchmarks'
	@echo 'make constraints  write down in constraints.txt the versions that .venv has'
	@echo 'make clean        delete what these targets made, except .venv'
	@echo
	@echo 'CPU=1 takes the CPU build of PyTorch; PYTHON=python3.12 takes another Python;'
	@echo 'PIP_FLAGS=... and LAB_FLAGS=... are handed on to pip and to JupyterLab, SOAK=... to pytest;'
	@echo 'BENCH=grading runs the benchmarks that have this in their names.'

demo: $(READY)
	@$(RUN) -m autograder demo

build: $(READY)
	@$(RUN) -m autograder build

bench: $(READY)
	@$(RUN) -m benchmarks $(BENCH)

test: $(READY)
	@$(RUN) tests/run_all.py

# One at a time, so that each has both cores and its time can be read.
soak: $(READY)
	@$(RUN) -m pytest -m soak --durations=0 --durations-min=1 $(SOAK)

lab: $(READY)
	@$(RUN) -m jupyterlab --ServerApp.root_dir=course $(LAB_FLAGS)

# Runs again only when what is to be installed has changed. The stamp comes last, so that an
# installation which was interrupted is not taken for a finished one.
$(READY): pyproject.toml course/pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "This needs Python 3.11 or newer; $(PYTHON) is" \
	    "$$($(PYTHON) --version 2>/dev/null || echo 'not there')." \
	    'Name another one: make PYTHON=python3.12 ...' >&2; exit 1; }
	@test -x $(RUN) || { echo 'Making $(VENV) ...'; $(PYTHON) -m venv $(VENV); } || { \
	  rm -rf $(VENV); \
	  echo 'No virtual environment could be made (Debian, Ubuntu: apt install python3-venv).' >&2; \
	  exit 1; }
	@echo 'Installing into $(VENV), once; this takes minutes ...'
	@$(RUN) -m pip install -qq --disable-pip-version-check $(PIP_FLAGS) \
	  -c constraints.txt setuptools
	@$(RUN) -m pip install -qq --disable-pip-version-check $(PIP_FLAGS) \
	  -c constraints.txt --no-build-isolation -e '.[test]' -e ./course
	@touch $(READY)

# What was tried, without what belongs to one machine: local builds (+cpu), folders, pip itself.
constraints:
	@test -x $(RUN) || { echo 'There is no $(VENV) yet: make build' >&2; exit 1; }
	@{ echo '# The exact versions that were tried. Written by: make constraints'; \
	   $(RUN) -m pip freeze --all --exclude-editable --exclude pip \
	   | sed -e '/ @ /d' -e '/^-/d' -e '/^#/d' -e 's/+[A-Za-z0-9.]*$$//' \
	   | LC_ALL=C sort -f; } > constraints.txt.new
	@mv constraints.txt.new constraints.txt
	@echo "constraints.txt: $$(grep -c == constraints.txt) versions"

clean:
	@rm -rf demo build dist course/build *.egg-info course/*.egg-info \
	  .pytest_cache .ruff_cache .hypothesis
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -print | xargs rm -rf
	@echo 'Clean. For a new start with the packages too: rm -rf $(VENV)'
