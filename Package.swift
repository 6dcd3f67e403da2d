// swift-tools-version: 6.2
import PackageDescription

/// Continuous integration sets `COMPOSITOR_STRICT=1`: every warning of our own targets is an error there. A package that
/// depends on this one never sees that, so a newer compiler's new warning cannot break somebody else's build.
let strict = Context.environment["COMPOSITOR_STRICT"] == "1"

let swiftSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

let cSettings: [CSetting] = strict ? [.treatAllWarnings(as: .error)] : []

/// DocC runs only where it is asked for (`make docs`), so that users of the package do not resolve its plugin.
let documentation: [Package.Dependency] =
  Context.environment["COMPOSITOR_DOCS"] == "1"
  ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")] : []

func room(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

let package = Package(
  name: "swift-compositor",
  products: [
    .library(name: "Compositor", targets: ["Compositor"]),
    .library(name: "CompositorPluginKit", targets: ["CompositorPluginKit"]),
    .executable(name: "compositor", targets: ["CompositorTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ] + documentation,
  targets: [
    // Values, protocols, frame memory.
    room("CompositorAPI"),

    // Per-plane arithmetic.
    .target(name: "CPixelKernels", cSettings: cSettings),
    room("PixelKernels", ["CPixelKernels"]),

    // Compositors.
    room("BuiltinCompositors", ["CompositorAPI", "PixelKernels", "CPixelKernels"]),
    room("ReferenceCompositor", ["CompositorAPI"]),

    // Titles. Shaping, layout and outlines come from Pango and Cairo.
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .target(
      name: "CPangoCairo", dependencies: ["CPango"], cSettings: cSettings,
      linkerSettings: ["pangocairo-1.0", "pangoft2-1.0", "pango-1.0", "cairo", "fontconfig", "gobject-2.0", "glib-2.0"].map {
        .linkedLibrary($0)
      }),
    room("Overlay", ["CompositorAPI", "PixelKernels", "CPixelKernels", "CPangoCairo"]),

    // Codecs, containers, images.
    .target(
      name: "CFFmpeg", cSettings: cSettings,
      linkerSettings: ["avformat", "avcodec", "avfilter", "swscale", "swresample", "avutil"].map { .linkedLibrary($0) }),
    .target(name: "CPNG", cSettings: cSettings, linkerSettings: [.linkedLibrary("png16")]),
    .target(name: "CJPEG", cSettings: cSettings, linkerSettings: [.linkedLibrary("jpeg")]),
    room("MediaIO", ["CompositorAPI", "CFFmpeg", "CPNG", "CJPEG"]),

    // Filters and effects of other projects as compositors.
    .target(name: "CFrei0r", cSettings: cSettings, linkerSettings: [.linkedLibrary("dl")]),
    room("ForeignCompositors", ["CompositorAPI", "BuiltinCompositors", "MediaIO", "CFrei0r"]),

    // Compositors loaded at run time: what kinds of modules there are, and the wall around them.
    .target(name: "CCompositorPlugin", cSettings: cSettings),
    room("PluginBridge", ["CompositorAPI", "CCompositorPlugin"]),
    .target(name: "CModuleProcess", cSettings: cSettings),
    room("Modules", ["CompositorAPI", "ForeignCompositors", "PluginBridge", "CCompositorPlugin", "CModuleProcess"]),

    // Resolving, scheduling, exporting.
    room("Host", ["CompositorAPI", "BuiltinCompositors", "ForeignCompositors", "MediaIO", "Modules", "Overlay"]),

    // Comparing compositors.
    .target(name: "CBaseline", cSettings: cSettings),
    room("CompositorBenchmark", ["CompositorAPI", "ReferenceCompositor", "CBaseline"]),

    // What users import.
    room(
      "Compositor",
      [
        "CompositorAPI", "PixelKernels", "BuiltinCompositors", "ReferenceCompositor", "CompositorBenchmark", "MediaIO",
        "Modules", "Overlay", "Host",
      ]),
    room("CompositorPluginKit", ["CompositorAPI", "PixelKernels", "PluginBridge", "CCompositorPlugin"]),
    .executableTarget(
      name: "CompositorTool",
      dependencies: [
        "Compositor", "CompositorAPI", "BuiltinCompositors", "CompositorBenchmark", "MediaIO", "Modules", "Overlay", "Host",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings),

    // What tests of several rooms share.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    tests("CompositorAPITests", ["CompositorAPI"], exclude: ["Fixtures"]),
    tests("PixelKernelsTests", ["PixelKernels", "CPixelKernels"]),
    tests(
      "BuiltinCompositorsTests", ["BuiltinCompositors", "ReferenceCompositor", "CompositorAPI", "PixelKernels", "TestSupport"]),
    tests("OverlayTests", ["Overlay", "CompositorAPI", "PixelKernels", "CPixelKernels"]),
    tests("MediaIOTests", ["MediaIO", "CompositorAPI", "CFFmpeg", "TestSupport"]),
    tests("ForeignCompositorsTests", ["ForeignCompositors", "MediaIO", "CompositorAPI"]),
    tests(
      "HostTests",
      [
        "Host", "MediaIO", "Overlay", "BuiltinCompositors", "ReferenceCompositor", "CompositorAPI",
        "ForeignCompositors", "Modules", "TestSupport",
      ]),
    tests(
      "ToolTests", ["Host", "MediaIO", "CompositorAPI", "CompositorTool", "Modules", "TestSupport"], exclude: ["Fixtures"]),
  ]
)

/// The fuzzers exist for `scripts/fuzz` only, which sets this and the flags that they need.
if Context.environment["COMPOSITOR_FUZZ"] == "1" {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer", cSettings: cSettings),
    .executableTarget(
      name: "compositor-fuzz", dependencies: ["CFuzzer", "CompositorAPI", "Host", "MediaIO", "Modules"],
      path: "Tests/Fuzz/Fuzzer", swiftSettings: swiftSettings, linkerSettings: [.linkedLibrary("stdc++")]),
  ]
}
