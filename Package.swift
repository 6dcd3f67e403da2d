// swift-tools-version: 6.2
import PackageDescription

/// Continuous integration sets `COMPOSITOR_STRICT=1`: every warning of our own targets is an error there. A package that
/// depends on this one never sees that, so a newer compiler's new warning cannot break somebody else's build.
let isStrict = Context.environment["COMPOSITOR_STRICT"] == "1"
let swiftSettings: [SwiftSetting] =
  ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].map { .enableUpcomingFeature($0) }
  + (isStrict ? [.treatAllWarnings(as: .error)] : [])
let cSettings: [CSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []

// SwiftPM refuses a graph in which two packages have targets of the same name, so all names speak of the compositor. Folders under
// `Sources` need not. `ImportTests` compares the dependencies with what files import; it reads this file as text.

/// A target of Swift, the lists of dependencies that it shares with others, and what else it imports. All may use the C library of
/// the system, which is `CompositorPlatform` to them.
func target(
  _ name: String, at folder: String? = nil, on shared: [Target.Dependency] = [], _ others: Target.Dependency...,
  resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: shared + others + ["CompositorPlatform"], path: "Sources/\(folder ?? name)", resources: resources,
    swiftSettings: swiftSettings)
}

/// A target of C, linked with libraries of the system. Its files include its private headers by their paths in its folder.
func cTarget(_ name: String, at folder: String, _ others: Target.Dependency..., linking libraries: [String] = []) -> Target {
  .target(
    name: name, dependencies: others, path: "Sources/\(folder)", cSettings: [.headerSearchPath(".")] + cSettings,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A program in Swift.
func program(_ name: String, at folder: String? = nil, _ others: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: others, path: folder, swiftSettings: swiftSettings)
}

/// The tests of a target, in `Tests`: whether they use what tests share, and whether they have a folder of files.
func tests(
  _ name: String, on shared: [Target.Dependency] = [], _ others: Target.Dependency..., usesSupport: Bool = true,
  hasFixtures: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: shared + others + (usesSupport ? ["CompositorTestSupport"] : []),
    exclude: hasFixtures ? ["Fixtures"] : [], swiftSettings: swiftSettings)
}

// Dependencies that many targets share.
let media: [Target.Dependency] = ["CompositorAPI", "CompositorMediaIO", "CompositorMedia"]
let composing = media + ["CompositorValidation", "CompositorHost"]
let editing = composing + ["CompositorTimeline", "CompositorProjectFormat"]
let exporting = composing + ["CompositorMediaWriting", "CompositorExport"]
let projects = exporting + ["CompositorTimeline", "CompositorProjectFormat"]
let kernels: [Target.Dependency] = ["CompositorKernels", "CCompositorKernels"]
let codecs: [Target.Dependency] = ["CompositorAPI", "CCompositorFFmpeg", "CCompositorPNG", "CCompositorJPEG"]
let compositors: [Target.Dependency] = ["CompositorConversion", "BuiltinCompositors"]
let drawing: [Target.Dependency] = ["CompositorOverlay", "CompositorCaptions"]
let playing: [Target.Dependency] = ["CompositorAudio", "CompositorScheduling"]
let titlesAndPlugins: [Target.Dependency] = ["CompositorOverlay", "CompositorPlugins"]

let package = Package(
  name: "swift-compositor",
  products: [
    .library(name: "Compositor", targets: ["Compositor"]),
    // Times, ranges and other values, without anything that reads, draws or writes.
    .library(name: "CompositorAPI", targets: ["CompositorAPI"]),
    .library(name: "CompositorPluginKit", targets: ["CompositorPluginKit"]),
    .library(name: "CompositorBenchmark", targets: ["CompositorBenchmark"]),
    .executable(name: "compositor", targets: ["CompositorTool"]),
    .executable(name: "compositor-supervisor", targets: ["CompositorSupervisorTool"]),
    .executable(name: "compositor-worker", targets: ["CompositorWorkerTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // The preview's sockets and what waits for them: the product FlyingSocks, nothing else. Libraries of this package do without.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    // The system's C library; values, protocols, frame memory; digests of files.
    .target(name: "CompositorPlatform", path: "Sources/Platform", swiftSettings: swiftSettings),
    target("CompositorAPI"),
    cTarget("CCompositorDigest", at: "CDigest"),

    // Arithmetic on planes; pixel formats and colors to rows and back; compositors.
    cTarget("CCompositorKernels", at: "CPixelKernels"),
    target("CompositorKernels", at: "PixelKernels", "CCompositorKernels"),
    target("CompositorConversion", at: "Conversion", on: kernels, "CompositorAPI"),
    target("BuiltinCompositors", on: kernels, "CompositorAPI", "CompositorConversion"),
    target("ReferenceCompositor", "CompositorAPI"),

    // Titles. Shaping, layout and outlines come from Pango and Cairo.
    .systemLibrary(
      name: "CCompositorPango", path: "Sources/CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    cTarget(
      "CCompositorPangoCairo", at: "CPangoCairo", "CCompositorPango",
      linking: ["pangocairo-1.0", "pangoft2-1.0", "pango-1.0", "cairo", "fontconfig", "gobject-2.0", "glib-2.0"]),
    // Where words may be divided.
    cTarget("CCompositorHyphen", at: "CHyphen", linking: ["hyphen"]),
    // How numbers and dates are written.
    cTarget("CCompositorICU", at: "CICU", linking: ["icui18n", "icuuc"]),
    target(
      "CompositorOverlay", at: "Overlay", on: kernels, "CompositorAPI", "CompositorConversion", "CCompositorPangoCairo",
      "CCompositorHyphen", "CCompositorICU"),

    // Media: codecs, containers, images; captions, of which libass draws scripts of ASS; mixes of audio.
    cTarget(
      "CCompositorFFmpeg", at: "CFFmpeg", linking: ["avformat", "avcodec", "avfilter", "swscale", "swresample", "avutil"]),
    cTarget("CCompositorPNG", at: "CPNG", linking: ["png16"]),
    cTarget("CCompositorJPEG", at: "CJPEG", linking: ["jpeg"]),
    cTarget("CCompositorLCMS", at: "CLCMS", linking: ["lcms2"]),
    target("CompositorMediaIO", at: "MediaIO", on: codecs, "CCompositorLCMS"),
    target("CompositorMediaWriting", at: "MediaWriting", on: codecs, "CompositorMediaIO"),
    cTarget("CCompositorLibass", at: "CLibass", linking: ["ass"]),
    target(
      "CompositorCaptions", at: "Captions", "CompositorAPI", "CompositorMediaIO", "CompositorOverlay", "CCompositorLibass"),
    cTarget("CCompositorAudioKernels", at: "CAudioKernels"),
    target("CompositorAudio", at: "Audio", "CompositorAPI", "CompositorMediaIO", "CCompositorAudioKernels"),

    // Compositors from outside, and the programs of plugins' processes, which load nothing that plugins do not need.
    cTarget("CCompositorFrei0r", at: "CFrei0r", linking: ["dl"]),
    cTarget("CCompositorPlugin", at: "CCompositorPlugin"),
    target("CompositorPluginBridge", at: "PluginBridge", "CompositorAPI", "CCompositorPlugin"),
    cTarget("CCompositorPluginSupervisor", at: "CPluginSupervisor"),
    cTarget("CCompositorPluginProcess", at: "CPluginProcess", "CCompositorDigest", "CCompositorPluginSupervisor"),
    target(
      "CompositorPlugins", at: "Plugins", on: compositors, "CompositorAPI", "CompositorPluginBridge", "CCompositorFrei0r",
      "CCompositorPlugin", "CCompositorPluginProcess", "CCompositorPluginSupervisor"),
    target(
      "CompositorFilters", at: "Filters", "CompositorAPI", "CompositorConversion", "CompositorMediaIO", "CompositorPlugins"),
    target("CompositorPluginKit", "CompositorAPI", "CompositorKernels", "CompositorPluginBridge", "CCompositorPlugin"),
    .executableTarget(
      name: "CompositorSupervisorTool", dependencies: ["CCompositorPluginSupervisor"], path: "Sources/SupervisorTool",
      cSettings: cSettings),
    program("CompositorWorkerTool", at: "Sources/WorkerTool", "CompositorPlatform", "CompositorPlugins"),

    // An edit: the threads and memory that its renders share, its sources, its faults and plans, its frames, its files.
    target("CompositorScheduling", at: "Scheduling", "CompositorAPI"),
    target("CompositorMedia", at: "Media", on: compositors + playing, "CompositorAPI", "CompositorMediaIO"),
    target(
      "CompositorValidation", at: "Validation", on: media + compositors + drawing, "CompositorAudio", "CompositorPlugins",
      "CompositorFilters"),
    target(
      "CompositorHost", at: "Host", on: media + compositors + drawing + playing, "CompositorValidation", "CompositorPlugins"),
    target("CompositorExport", at: "Export", on: composing + playing, "CompositorMediaWriting", "CompositorCaptions"),

    // What people write: clips on tracks, and files that say so. What shows it: a player, a drawing, a page of both.
    target("CompositorTimeline", at: "Timeline", on: media, "CompositorPlugins", "CompositorCaptions"),
    target("CompositorProjectFormat", at: "ProjectFormat", on: exporting + titlesAndPlugins, "CompositorTimeline"),
    target(
      "CompositorPlayback", at: "Playback", on: playing, "CompositorAPI", "CompositorMediaIO", "CompositorValidation",
      "CompositorHost", "CompositorExport"),
    target(
      "CompositorDiagram", at: "Diagram", on: media, "CompositorMediaWriting", "CompositorValidation", "CompositorExport",
      "CompositorAudio", "CompositorOverlay"),
    target(
      "CompositorPreview", at: "Preview", on: projects, "CompositorConversion", "CompositorPlugins", "CompositorPlayback",
      "CompositorDiagram", .product(name: "FlyingSocks", package: "FlyingFox"), resources: [.embedInCode("Page")]),

    // Many machines: a plan, its parts, and the movie that they are joined to. Comparisons of compositors.
    target(
      "CompositorFarm", at: "Farm", on: exporting, "CompositorKernels", "CompositorOverlay", "CompositorScheduling",
      "CompositorProjectFormat", "CCompositorDigest"),
    cTarget("CCompositorBaseline", at: "CBaseline"),
    target("CompositorBenchmark", on: exporting + titlesAndPlugins, "ReferenceCompositor", "CCompositorBaseline"),

    // The library's module, and the tool. Documents' Swift is compiled against the library, so it is built with the tool; the
    // programs of plugins are put beside it, not linked.
    target(
      "Compositor", on: projects + compositors + drawing + playing, "CompositorPlugins", "CompositorPluginBridge",
      "CompositorPlayback", "CompositorDiagram", "CompositorFarm"),
    program(
      "CompositorTool", "Compositor", "CompositorBenchmark", "CompositorPlatform", "CompositorPreview",
      "CompositorSupervisorTool", "CompositorWorkerTool", .product(name: "ArgumentParser", package: "swift-argument-parser")),

    // Tests, and what those of several targets share: without and with targets of the package.
    .target(name: "CompositorTestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    .target(
      name: "CompositorTestMedia",
      dependencies: media + ["CompositorMediaWriting", "CompositorPlugins", "CompositorValidation", "CompositorTestSupport"],
      path: "Tests/TestMedia", swiftSettings: swiftSettings),
    tests("RepositoryTests", "CompositorTimeline", "CompositorProjectFormat"),
    tests("CompositorAPITests", "CompositorAPI", hasFixtures: true),
    tests("PixelKernelsTests", on: kernels, usesSupport: false),
    tests("ConversionTests", "CompositorConversion", "CompositorAPI", usesSupport: false),
    tests(
      "BuiltinCompositorsTests", on: compositors, "CompositorAPI", "ReferenceCompositor", "CompositorMediaIO",
      "CompositorMediaWriting", hasFixtures: true),
    tests(
      "OverlayTests", "CompositorOverlay", "CompositorConversion", "CompositorAPI", "CCompositorKernels", hasFixtures: true),
    tests("MediaIOTests", "CompositorTestMedia", "CompositorMediaIO", "CompositorMediaWriting", "CompositorAPI"),
    tests("MediaWritingTests", "CompositorTestMedia", "CompositorMediaIO", "CompositorMediaWriting", "CompositorAPI"),
    tests("AudioTests", on: exporting, "CompositorTestMedia", "CompositorAudio", "CompositorPlugins"),
    tests("CaptionsTests", on: projects + drawing),
    tests(
      "PluginsTests", on: editing, "CompositorTestMedia", "CompositorPlugins", "CompositorPluginKit", "CCompositorPlugin",
      "CompositorAudio", "CompositorExport"),
    tests(
      "FiltersTests", "CompositorFilters", "CompositorPlugins", "CompositorMediaIO", "CompositorAPI", "CompositorTestMedia",
      usesSupport: false),
    tests("SchedulingTests", "CompositorScheduling", "CompositorAPI", usesSupport: false),
    tests("MediaTests", on: projects, "CompositorTestMedia", "CompositorAudio", "CompositorConversion", "CompositorPlugins"),
    tests("ValidationTests", on: editing + titlesAndPlugins, "CompositorTestMedia", usesSupport: false),
    tests("HostTests", on: projects + titlesAndPlugins, "CompositorTestMedia", "CompositorScheduling"),
    tests("ExportTests", on: projects + playing, "CompositorTestMedia", "CompositorPlugins"),
    tests("TimelineTests", on: projects, "CompositorTestMedia", "BuiltinCompositors", "CompositorAudio"),
    tests("ProjectFormatTests", on: projects + titlesAndPlugins, "CompositorTestMedia", "BuiltinCompositors"),
    tests("PlaybackTests", on: composing, "CompositorExport", "CompositorPlayback", "CompositorPlugins"),
    tests("DiagramTests", on: editing, "CompositorMediaWriting", "CompositorDiagram", hasFixtures: true),
    tests("PreviewTests", "CompositorPreview", "CompositorAPI", hasFixtures: true),
    tests("FarmTests", on: projects, "CompositorFarm", "CCompositorDigest", hasFixtures: true),
    tests("CompositorTests", on: composing, "Compositor", "CompositorExport", "CompositorOverlay", "CompositorTimeline"),
    tests("BenchmarkTests", on: composing, "CompositorBenchmark", "BuiltinCompositors", "CompositorPlugins"),
    tests("ToolTests", on: projects, "CompositorTool", "CompositorPlugins", "CompositorPreview", hasFixtures: true),
  ]
)

/// The fuzzers exist for `scripts/fuzz` only, which sets this and the flags that they need.
if Context.environment["COMPOSITOR_FUZZ"] == "1" {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer", cSettings: cSettings),
    .executableTarget(
      name: "compositor-fuzz", dependencies: composing + ["CFuzzer", "CompositorPlugins", "CompositorProjectFormat"],
      path: "Tests/Fuzz/Fuzzer", swiftSettings: swiftSettings, linkerSettings: [.linkedLibrary("stdc++")]),
  ]
}
