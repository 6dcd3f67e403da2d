# Every target installs its requirements; `make demo` and `make test` work in a fresh clone.
SWIFT_BUILD := swift build -c release
TOOL := .build/release/compositor
SOURCES := Package.swift Sources Tests Plugins Benchmarks Examples swift-compositor-avfoundation
# The compiler and the package manager cache modules below the home folder: if that cannot be written, another one stands in for it.
ifneq ($(shell test -w "$$HOME" && echo yes),yes)
export HOME := $(CURDIR)/.build/home
$(shell mkdir -p "$(HOME)")
endif

.PHONY: demo test test-tables lint format bench docs site check-docs setup build examples examples-debug clean install uninstall deb test-avfoundation test-avfoundation-threads bench-avfoundation test-trixie test-sid test-aarch64 sanitize fuzz bundle image farm-check

build: setup
	@$(SWIFT_BUILD) --product compositor

demo: build
	@Examples/Demo/make-media demo
	@$(TOOL) render Examples/Demo/demo.json5 -o demo/demo.mp4 --overwrite
	@ffprobe -v error -show_entries stream=codec_type,codec_name,width,height,nb_frames,duration -of compact demo/demo.mp4
	@echo "demo: the movie is $(CURDIR)/demo/demo.mp4 — play it with any player, for example: ffplay demo/demo.mp4"

test: setup
	@scripts/test

# Every row of the largest tables, of which `make test` runs a part.
TABLES := EditListPartsTests JoinedTableTests UnevenEndsTests RemuxedAudioTests ExactLengthTests AudioTrackTests FrameTableTests AudioMovieTests \
	CaptionFormatTableTests FrameGridTableTests CopiedRangeTests BlockedAudioTests OpenSizeTests GalleryTests \
	GalleryTextTests TransitionSyncTests KeepingPluginTests DiagnosticViewTests WriteTracksTests RetimedPeakTests \
	MovieFrameTests AppendedStreamTests PrintedNumberTests CopyingTableTests ReopeningTests ReadMediaSetTests \
	ReadAccessTests LostAudioPacketTests CompositionReaderTests ReadMemoryTests WriteMetadataTests RetimedPictureTests \
	SamplingOracleTests FrameSizeTests SimpleEditTests NumberedPacketTests SplitMovieTests OpenGroupTests PartOfDiscTests BrowserTitleTests
empty :=
test-tables: setup
	@COMPOSITOR_WHOLE_TABLES=1 scripts/test --filter '$(subst $(empty) $(empty),|,$(strip $(TABLES)))'

# Modules with the names of Apple's, a package of its own: swift-compositor-avfoundation/README.md.
test-avfoundation: setup
	@swift build --build-tests --package-path swift-compositor-avfoundation --scratch-path .build-avfoundation -Xcc -O2
	@SWIFT_BACKTRACE=enable=no .build-avfoundation/debug/swift-compositor-avfoundationPackageTests.xctest --testing-library swift-testing
	@scripts/check-compositor-classes

# The cost of an export by these names, against one by the compositor's own, in release.
bench-avfoundation: setup
	@swift build -c release --product avfoundation-cost --package-path swift-compositor-avfoundation --scratch-path .build-avfoundation -Xcc -O2
	@.build-avfoundation/release/avfoundation-cost

# Other machines, sanitizers, fuzzers: CONTRIBUTING.md lists the time that each takes. Not part of `.ci/run`.
test-trixie:
	@scripts/test-with debian:trixie

test-sid:
	@scripts/test-with debian:sid

test-aarch64:
	@scripts/test-aarch64

sanitize: setup
	@scripts/sanitize address
	@scripts/sanitize thread

# The package of AVFoundation's names under ThreadSanitizer.
test-avfoundation-threads: setup
	@scripts/sanitize avfoundation

FUZZ_SECONDS ?= 600
fuzz: setup
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/fuzz

# For other machines: a folder that runs without root, and a container image with the same contents.
BUNDLE :=
bundle: build
	@dist/bundle $(if $(BUNDLE),-o $(BUNDLE))

image:
	@dist/image

# The same movie with every engine that is installed; CONTRIBUTING.md says how to install them.
farm-check: build
	@Tests/Tools/farm-check

lint:
	@swift format lint --strict --recursive $(wildcard $(SOURCES))
	@scripts/check-language

format:
	@swift format --in-place --recursive $(wildcard $(SOURCES))

bench: build
	@Benchmarks/scripts/bench

examples: setup
	@scripts/examples

# With the first example in a debug build too.
examples-debug: setup
	@scripts/examples --debug

# The API of every public target, with articles and the tutorial, as one DocC archive. Warnings are errors.
docs: setup
	@docs/tools/docs

# A static website of guides, gallery, recipes, benchmarks and the API.
site: build
	@docs/tools/site --output site
	@docs/tools/site --check site

# Runs the commands of the documents and compiles their Swift.
check-docs: build
	@$(SWIFT_BUILD) --product CompositorPluginKit
	@$(SWIFT_BUILD) --product CompositorBenchmark
	@scripts/check-docs

PREFIX ?= /usr/local
install: build
	@dist/install "$(PREFIX)"

uninstall:
	@dist/install --remove "$(PREFIX)"

# A Debian package of the folder made by `make bundle`.
deb: bundle
	@dist/deb

setup:
	@scripts/setup

clean:
	@rm -rf .build .build-* demo site
