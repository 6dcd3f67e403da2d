/// The files of new plugins, with placeholders such as `@NAME@`.
enum PluginTexts {
  static let ignored = """
    *.so
    *.mp4
    .build/

    """

  static let project = """
    // Renders two seconds with the plugin in this folder: make demo
    {
      version: 1,
      plugins: ["@NAME@.so"],
      output: { size: "640x360", frameRate: 25 },
      // Any movie of any size will do: { file: "holiday.mp4" }
      assets: { footage: { generate: "bars", size: "640x360", frameRate: 25 } },
      tracks: [{ clips: [{ asset: "footage", duration: "2s", effects: [{ use: "org.example.@NAME@", strength: 0.8 }] }] }],
    }

    """

  private static let makefileEnd = """

    test: @NAME@.so
    	@"$(COMPOSITOR)" plugins check @NAME@.so

    demo: @NAME@.so
    	@"$(COMPOSITOR)" render project.json5 -o demo.mp4 --overwrite

    install: @NAME@.so
    	@mkdir -p "$(PLUGINS)" && cp @NAME@.so "$(PLUGINS)/" && echo "installed in $(PLUGINS)"

    clean:
    	@rm -rf @NAME@.so demo.mp4 .build

    """

  private static let makefileStart = """
    # make builds the plugin, make test checks it, make demo renders project.json5 with it, make install lets every project use it.
    COMPOSITOR ?= @TOOL@
    PLUGINS ?= $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/compositor/plugins

    .PHONY: all test demo install clean

    all: @NAME@.so


    """

  static let makefileC =
    makefileStart + """
      @NAME@.so: @NAME@.c compositor_plugin.h
      	$(CC) -std=c11 -O2 -Wall -Wextra -fPIC -fvisibility=hidden -shared -o $@ @NAME@.c -lm

      """ + makefileEnd

  static let makefileCPlusPlus =
    makefileStart + """
      @NAME@.so: @NAME@.cpp compositor_plugin.h
      	$(CXX) -std=c++17 -O2 -Wall -Wextra -fPIC -fvisibility=hidden -shared -static-libstdc++ -o $@ @NAME@.cpp

      """ + makefileEnd

  static let makefileRust =
    "RUSTC ?= rustc\n" + makefileStart + """
      @NAME@.so: @NAME@.rs compositor_plugin.rs
      	$(RUSTC) --edition 2021 --crate-type cdylib --crate-name @NAME_@ -O -C panic=abort -o $@ @NAME@.rs

      """ + makefileEnd

  static let makefileSwift =
    "SWIFT_BUILD ?= swift build -c release\n" + makefileStart + """
      @NAME@.so: Package.swift $(wildcard Sources/*/*.swift)
      	$(SWIFT_BUILD) --product @TYPE@
      	cp "$$($(SWIFT_BUILD) --show-bin-path)/lib@TYPE@.so" $@

      """ + makefileEnd

  static let packageSwift = """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "@NAME@",
      products: [.library(name: "@TYPE@", type: .dynamic, targets: ["@TYPE@"])],
      dependencies: [@DEPENDENCY@],
      targets: [
        .target(name: "@TYPE@", dependencies: [.product(name: "CompositorPluginKit", package: "@PACKAGE@")])
      ]
    )

    """
}
