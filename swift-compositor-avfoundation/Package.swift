// swift-tools-version: 6.2
import PackageDescription

/// Names of AVFoundation and its neighbors over `swift-compositor`, for machines that do not have them. This is not Apple's.
///
/// A package of its own: names of targets are unique in a whole graph, and a package that asks `canImport(CoreMedia)` should not get
/// another answer because it depends on the compositor. On Apple's systems each product is one empty target, so that a manifest may
/// name it everywhere, and `import CoreMedia` finds the system's.
#if canImport(Darwin)
  let isOnApple = true
#else
  let isOnApple = Context.environment["COMPOSITOR_FACADE_ON_APPLE"] == "1"
#endif

let strict = Context.environment["COMPOSITOR_STRICT"] == "1"

let swiftSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

/// A module with one of Apple's names.
func module(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// The tests of a module.
func tests(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

let package = Package(
  name: "swift-compositor-avfoundation",
  products: [
    .library(name: "AVFoundation", targets: isOnApple ? ["FacadeOnApple"] : ["AVFoundation"]),
    .library(name: "CoreMedia", targets: isOnApple ? ["FacadeOnApple"] : ["CoreMedia"]),
    .library(name: "CoreVideo", targets: isOnApple ? ["FacadeOnApple"] : ["CoreVideo"]),
    .library(name: "OSLog", targets: isOnApple ? ["FacadeOnApple"] : ["OSLog"]),
    .library(name: "CoreLocation", targets: isOnApple ? ["FacadeOnApple"] : ["CoreLocation"]),
  ],
  dependencies: isOnApple ? [] : [.package(name: "swift-compositor", path: "..")],
  targets: isOnApple
    ? [.target(name: "FacadeOnApple")]
    : [
      // What Foundation for Linux lacks of Core Foundation's names, and what Swift's overlays add on Apple's systems.
      module("FacadeBase"),
      // Formats, settings and lists of audio buffers: names without an engine.
      module("CoreAudioTypes", "FacadeBase"),
      // A logger, and a module without contents, for programs that import these beside AVFoundation. They are products of their own.
      module("OSLog"),
      module("CoreLocation", "FacadeBase"),
      module("CoreAudio", "CoreAudioTypes"),
      module("AudioToolbox", "CoreAudio"),
      module("AVFAudio", "CoreAudioTypes"),
      module("VideoToolbox", "CoreMedia", "CoreVideo"),
      module(
        "CoreMedia", "FacadeBase", "CoreAudioTypes", "CoreVideo", .product(name: "CompositorAPI", package: "swift-compositor")),
      // Barriers for the optimizer.
      .target(name: "CFacade"),
      module("CoreVideo", "FacadeBase"),
      module("_Testing_CoreGraphics"),
      // Cairo, which title layers need, too.
      .systemLibrary(name: "CFacadeCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
      module("CoreGraphics", "FacadeBase", "CFacadeCairo", "_Testing_CoreGraphics"),
      module("QuartzCore", "CoreGraphics"),
      // The only module beside CoreMedia that knows the compositor. No public declaration names one of its types.
      module(
        "AVFoundation", "CFacade", "AVFAudio", "AudioToolbox", "VideoToolbox", "CoreMedia", "CoreVideo", "CoreGraphics",
        "QuartzCore",
        .product(name: "Compositor", package: "swift-compositor")),

      // The cost of an export by these names, and the classes of compositors, in release.
      .executableTarget(
        name: "avfoundation-cost", dependencies: ["AVFoundation", .product(name: "Compositor", package: "swift-compositor")],
        path: "Benchmarks/Cost", swiftSettings: swiftSettings),

      tests("FacadeBaseTests", "FacadeBase"),
      tests("CoreMediaTests", "CoreMedia"),
      tests("CoreVideoTests", "CoreVideo"),
      tests("CoreGraphicsTests", "CoreGraphics"),
      tests("QuartzCoreTests", "QuartzCore"),
      tests("AVFoundationTests", "AVFoundation", "OSLog", .product(name: "Compositor", package: "swift-compositor")),
      // Uses each name of a list.
      .testTarget(
        name: "NameTests", dependencies: ["AVFoundation"], exclude: ["Tier1.txt"], swiftSettings: [.swiftLanguageMode(.v6)]),
      // Programs as they are written today: in the mode of Swift 5, without upcoming features.
      .testTarget(
        name: "SwiftFiveTests", dependencies: ["AVFoundation"], swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
