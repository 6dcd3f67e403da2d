# Every target sets up what it needs; `make demo` and `make test` work in a fresh clone.
SWIFT_BUILD := swift build -c release
TOOL := .build/release/compositor
SOURCES := Package.swift Sources Tests Plugins Benchmarks Examples

.PHONY: demo test lint format bench docs setup build examples clean test-trixie test-sid test-aarch64 sanitize fuzz

build: setup
	@$(SWIFT_BUILD) --product compositor

demo: build
	@mkdir -p demo
	@$(TOOL) render Examples/dissolve-pip.json5 -o demo/demo.mp4 --overwrite
	@ffprobe -v error -show_entries stream=codec_type,codec_name,width,height,nb_frames,duration -of compact demo/demo.mp4
	@echo "demo: the movie is $(CURDIR)/demo/demo.mp4 — play it with any player, for example: ffplay demo/demo.mp4"

test: setup
	@scripts/test

# Other machines, sanitizers, fuzzers: CONTRIBUTING.md says how long each takes. Not part of `.ci/run`.
test-trixie:
	@scripts/test-with debian:trixie

test-sid:
	@scripts/test-with debian:sid

test-aarch64:
	@scripts/test-aarch64

sanitize: setup
	@scripts/sanitize address
	@scripts/sanitize thread

SECONDS := 600
fuzz: setup
	@FUZZ_SECONDS=$(SECONDS) scripts/fuzz

lint:
	@swift format lint --strict --recursive $(wildcard $(SOURCES))

format:
	@swift format --in-place --recursive $(wildcard $(SOURCES))

bench: build
	@scripts/bench

examples: setup
	@scripts/examples

docs: setup
	@COMPOSITOR_DOCS=1 swift package --scratch-path .build-docs --allow-writing-to-directory docs/api \
	  generate-documentation --target CompositorAPI --output-path docs/api

setup:
	@scripts/setup

clean:
	@rm -rf .build .build-* demo
