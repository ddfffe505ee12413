# Two commands: `make demo` and `make test`. Both install what they need on a fresh Debian machine that has Rust, Node and Python.
# Everything else is a part of them, or for people who work on Rookery.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VENV := target/venv
export PYTHON := $(CURDIR)/$(VENV)/bin/python
# Debian puts Stockfish where only players look.
export PATH := $(PATH):/usr/games

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

demo: ## Watch a simulated board play Stockfish on http://127.0.0.1:8080, until Ctrl-C
	@tools/setup demo
	cargo build --release --bins
	@target/release/rookery demo $(DEMO_ARGS)

test: lint test-rust test-web test-browser ## Test everything
	@echo "everything passed"

lint: setup ## Format, clippy, documentation, licence rules, the compose file's schema
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
	@tools/deny
	@$(VENV)/bin/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

test-rust: setup ## Every Rust test
	cargo build --workspace --bins --locked
	cargo nextest run --workspace --locked $(NEXTEST_ARGS)
	cargo test --workspace --doc --locked --quiet

test-web: setup web/node_modules/.stamp ## Type check and unit tests of the page; the built page is what its sources build
	cd web && npm run check && npm test
	@tools/check-generated

test-browser: setup web/node_modules/.stamp ## A browser plays through the page of a real server
	cargo build --workspace --bins --locked
	@tools/browser-test

web: web/node_modules/.stamp types ## Build the page into web/dist
	cd web && npm run build

types: ## Write the page's TypeScript types from the server's
	WRITE_TYPES=1 cargo test --quiet -p rookery-server --test api_types

bench: setup ## Measure speed against peers in the same run; writes bench/RESULTS.md
	cargo build --release --bins
	@$(PYTHON) bench/run.py $(BENCH_ARGS)

strength: ## Play micro-Max against itself with other pawn coefficients, 20 minutes; writes bench/STRENGTH.md
	cargo build --release --locked -p rookery-engine
	@bench/strength.py $(STRENGTH_ARGS)

firmware: ## Build the chip's program into target/firmware; fails when it does not fit
	@tools/firmware

bench-chip: ## Count the chip's instructions a node on an emulated one; writes bench/CHIP.md
	@tools/setup chip
	@bench/chip.py

setup:
	@tools/setup test

web/node_modules/.stamp: web/package-lock.json
	@tools/setup node
	cd web && npm ci --no-audit --no-fund
	@touch $@

clean: ## Remove everything that was built
	cargo clean
	rm -rf web/node_modules

.PHONY: help demo test lint test-rust test-web test-browser web types bench strength firmware bench-chip setup clean
