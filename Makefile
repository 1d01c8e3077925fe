# Every target makes what it needs: a fresh clone with Python 3.11 to 3.13, pip and git is enough.

PYTHON ?= python3
CPU ?=
PIP_FLAGS ?=
LESSON ?= 00
LAB_FLAGS ?=
SOAK ?=
BENCH ?=

VENV := .venv
BIN  := $(VENV)/bin
RUN  := $(BIN)/python
# Two stamps: what students need, and with it all that the autograder and its tests need.
STUDENTS := $(VENV)/.students
READY    := $(VENV)/.installed

# Where there is no NVIDIA card, torch is its CPU build: the CUDA build, which Linux gets by default,
# is many times larger and no faster there. CPU=1 and CPU=0 choose one of them.
NVIDIA_DEVICE := /dev/nvidia0
CARD = $(shell command -v nvidia-smi 2>/dev/null)$(wildcard $(NVIDIA_DEVICE))
WITH_CPU = $(filter-out 0,$(or $(CPU),$(if $(filter Linux,$(shell uname)),$(if $(CARD),0,1),0)))
# Asked for torch alone, and not long: an address that cannot be reached costs seconds, not minutes.
# Without it pip would take the CUDA build, in silence; only that one wants packages of nvidia's.
CPU_BUILD = torch --extra-index-url https://download.pytorch.org/whl/cpu --retries 1 --timeout 20

PIP = $(RUN) -m pip install --disable-pip-version-check $(PIP_FLAGS) -c constraints.txt
QUIETLY = $(PIP) -qq
# uv is quicker, but reads neither pip's options nor its configuration.
UV ?= $(if $(PIP_FLAGS),,$(shell command -v uv 2>/dev/null))
BY_UV = $(UV) pip install --python $(RUN) --compile-bytecode -c constraints.txt
# Who waits for students' packages sees what pip does; a log of CI shows what fails alone.
LOUDLY = $(if $(CI),$(QUIETLY),$(PIP))
FOR_STUDENTS = --no-build-isolation -e './course[translation]' jupyterlab
PROJECT = --no-build-isolation -e '.[test]' -e ./course
install = $(if $(UV),$(BY_UV) $(2) || { echo 'uv could not. Now with pip ...' >&2; $(1) $(2); },$(1) $(2))
# pip installs one package after the other: two of it, each with half of the versions that were
# tried, take little more than half as long. What they cannot install is left to what follows.
IN_HALVES = for half in 0 1; do \
    grep == constraints.txt | grep -v -e '^setuptools==' -e '^torch==' | \
      awk "NR % 2 == $$half" >$(VENV)/half-$$half.txt; \
    $(QUIETLY) --no-deps -r $(VENV)/half-$$half.txt 2>/dev/null & \
  done; wait; rm $(VENV)/half-*.txt

# The quick half of the tests, for `make check`: in it, no test grades a class, proves a lesson, opens
# a browser, trains a model or draws every picture: less than a minute on two calm cores.
QUICK := tests/solutions tests/workbook tests/test_repository.py tests/test_run_all.py tests/test_style.py tests/test_language.py \
  tests/authoring/test_blanks.py tests/authoring/test_course_file.py tests/authoring/test_lesson.py \
  tests/grader/results tests/grader/reports/test_report.py tests/grader/reports/test_terminal.py \
  tests/grader/submissions/test_rebuild.py \
  tests/platforms/test_environments.py tests/platforms/test_addresses.py
NOT_QUICK := */workbook/test_fit.py */workbook/lessons/test_number_translator.py */workbook/test_show.py \
  */workbook/lessons/translation/test_run.py

.DEFAULT_GOAL := help
.PHONY: help demo check lint quick test soak lab build bench site pictures release messages constraints clean

help:
	@echo 'Use the course'
	@echo '  make demo         grade a small made-up class, show the grades'
	@echo '  make lab          JupyterLab, in lesson 00; LESSON=05: in lesson 05'
	@echo '  make site         the course as pages to read, in build/site/html; minutes'
	@echo
	@echo 'Work on it (see CONTRIBUTING.md)'
	@echo '  make check        the inner loop: ruff, format, imports, types, quick tests; a minute'
	@echo '  make lint         its first four alone'
	@echo '  make quick        its tests alone'
	@echo '  make build        derive the notebooks and all other derived files'
	@echo '  make test         everything that CI checks (tens of minutes)'
	@echo '  make soak         in full what make test samples (hours)'
	@echo '  make bench        the benchmarks'
	@echo '  make pictures     take the pictures of README.md from the running course'
	@echo '  make release      the zip for students and both wheels, in dist'
	@echo '  make messages     bring the catalogues of other languages up to date'
	@echo '  make constraints  write the versions installed in .venv to constraints.txt'
	@echo '  make clean        delete what these targets made, except .venv'
	@echo
	@echo 'Options'
	@echo "  CPU=1, CPU=0      PyTorch's CPU build, or its CUDA build; else what suits the machine"
	@echo '  PYTHON=python3.12 use another Python to make .venv'
	@echo '  PIP_FLAGS=...     options for pip, which then takes the place of uv'
	@echo '  LAB_FLAGS=...     options for JupyterLab (make lab)'
	@echo '  SOAK=...          options and tests for pytest (make soak)'
	@echo '  BENCH=grading     only benchmarks with this in their names (make bench)'

demo: $(READY)
	@$(RUN) -m autograder demo

build: $(READY)
	@$(RUN) -m autograder build

bench: $(READY)
	@$(RUN) -m benchmarks $(BENCH)

check: lint quick

lint: $(READY)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/lint-imports --no-logo
	@$(RUN) -m mypy --no-error-summary

quick: $(READY)
	@$(RUN) -m pytest -q -n 2 --dist loadgroup $(QUICK) $(patsubst %,--ignore-glob='%',$(NOT_QUICK))

test: $(READY)
	@$(RUN) tests/run_all.py

# One at a time, so that each test has both cores and its time is meaningful.
soak: $(READY)
	@$(RUN) -m pytest -m soak --durations=0 --durations-min=1 $(SOAK)

# Students see neither nbgrader's panels, once `make demo` has installed them, nor JupyterLab's news.
# JupyterLab refuses to run as root, whom a container gives, unless it is told to.
HIDDEN = "@jupyter/nbgrader": true, "@jupyterlab/apputils-extension:announcements": true
FOLDER = $(or $(notdir $(firstword $(wildcard course/$(LESSON)-*))),$(error There is no course/$(LESSON)-*))
lab: $(STUDENTS)
	@mkdir -p $(VENV)/lab/labconfig
	@echo '{"disabledExtensions": {$(HIDDEN)}}' >$(VENV)/lab/labconfig/page_config.json
	@JUPYTER_CONFIG_PATH="$$(cd $(VENV)/lab && pwd):$$JUPYTER_CONFIG_PATH" $(RUN) -m jupyterlab \
	  --ServerApp.root_dir=course --LabApp.default_url=/lab/tree/$(FOLDER)/$(FOLDER:$(LESSON)-%=%).ipynb \
	  $(if $(filter 0,$(shell id -u)),--allow-root) $(LAB_FLAGS)

# Both run again only when the dependencies have changed. A stamp is written last, so an interrupted
# installation does not count as finished.
$(STUDENTS): course/pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || { \
	  echo "This was tried with Python 3.11 to 3.13; $(PYTHON) is" \
	    "$$($(PYTHON) --version 2>/dev/null || echo 'not there')." \
	    'Name another one: make PYTHON=python3.12 ...' >&2; exit 1; }
	@test -x $(RUN) || { echo 'Making $(VENV) ...'; $(PYTHON) -m venv $(VENV); } || { \
	  rm -rf $(VENV); \
	  echo 'No virtual environment could be made (Debian, Ubuntu: apt install python3-venv).' >&2; \
	  exit 1; }
	@echo "1 of 2: PyTorch, its $(if $(WITH_CPU),CPU,default) build. For the $(if $(WITH_CPU),one with CUDA,CPU build):" \
	  "rm -rf $(VENV), then make $(or $(MAKECMDGOALS),lab) CPU=$(if $(WITH_CPU),0,1)"
	@test -z '$(WITH_CPU)' || ! $(QUIETLY) --no-deps --dry-run --report - $(CPU_BUILD) | grep -q '"nvidia-' || { \
	  echo "PyTorch's CPU build cannot be reached at download.pytorch.org/whl/cpu. Its default build, with" \
	    "CUDA, takes 4.5 GB on disk: make $(or $(MAKECMDGOALS),lab) CPU=0 installs that." >&2; exit 1; }
	@$(LOUDLY) --no-deps setuptools $(if $(WITH_CPU),$(CPU_BUILD))
	@test -z '$(WITH_CPU)' || grep -qs '^cuda.*= None' $(VENV)/lib/python*/site-packages/torch/version.py || \
	  echo "This is not the CPU build: $(VENV) had another, or its address cannot be reached." >&2
	@echo '2 of 2: JupyterLab and what else the lessons need, more than a hundred packages'
	@$(call install,$(LOUDLY),$(FOR_STUDENTS))
	@touch $(STUDENTS)

$(READY): $(STUDENTS) pyproject.toml
	@echo 'The autograder and what its tests need: a hundred packages more; a minute ...'
	@$(if $(UV),,$(IN_HALVES))
	@$(call install,$(QUIETLY),$(PROJECT))
	@touch $(READY)

site: $(READY)
	@$(RUN) -m autograder site

pictures: $(READY)
	@$(RUN) -m pytest -q tests/browser/pictures.py

release: $(READY)
	@rm -rf build/students
	@$(RUN) -m autograder publish build/students
	@cd build && "$(CURDIR)/$(RUN)" -m zipfile -c students.zip students
	@mkdir -p dist && mv build/students.zip dist
	@$(RUN) -m pip wheel -q --no-deps --no-build-isolation -w dist ./course .

messages: $(READY)
	@$(RUN) -m autograder messages

# Leaves out what belongs to one machine: local builds (+cpu), folders, pip itself.
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
	  .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis
	@find . -path ./$(VENV) -prune -o -name __pycache__ -type d -print | xargs rm -rf
	@echo 'Clean. For a new start with the packages too: rm -rf $(VENV)'
