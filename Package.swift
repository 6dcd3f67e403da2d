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

// SwiftPM refuses a graph in which two packages have targets of the same name, so all names speak of the compositor. Folders under
// `Sources` need not. `ImportTests` compares the dependencies with what files import; it reads this file as text.

/// A target of Swift, the lists of dependencies that it shares with others, and what else it imports. All may use the C library of
/// the system, which is `CompositorPlatform` to them.
func target(_ name: String, at folder: String? = nil, on shared: [String] = [], _ others: String...) -> Target {
  .target(
    name: name, dependencies: (shared + others + ["CompositorPlatform"]).map { .byName(name: $0) },
    path: "Sources/\(folder ?? name)", swiftSettings: swiftSettings)
}

/// A target of C, linked with libraries of the system. Its files include its private headers by their paths in its folder.
func cTarget(_ name: String, at folder: String, _ others: String..., linking libraries: [String] = []) -> Target {
  .target(
    name: name, dependencies: others.map { .byName(name: $0) }, path: "Sources/\(folder)",
    cSettings: [.headerSearchPath(".")] + cSettings, linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// The tests of a target, in `Tests`.
func tests(_ name: String, on shared: [String] = [], _ others: String..., exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: (shared + others).map { .byName(name: $0) }, exclude: exclude, swiftSettings: swiftSettings)
}

// Dependencies that many targets share.
let media = ["CompositorAPI", "CompositorMediaIO", "CompositorMedia"]
let writing = media + ["CompositorMediaWriting"]
let rendering = writing + ["CompositorValidation", "CompositorHost"]
let exporting = rendering + ["CompositorExport"]
let projects = exporting + ["CompositorTimeline", "CompositorProjectFormat"]
let kernels = ["CompositorKernels", "CCompositorKernels"]
let codecs = ["CompositorAPI", "CCompositorFFmpeg", "CCompositorPNG", "CCompositorJPEG"]
let compositing = ["CompositorAPI", "CompositorConversion", "BuiltinCompositors"]
let drawing = ["CompositorOverlay", "CompositorCaptions"]
let testing = ["CompositorTestMedia", "CompositorTestSupport"]

let package = Package(
  name: "swift-compositor",
  products: [
    .library(name: "Compositor", targets: ["Compositor"]),
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
    // The system's C library.
    .target(name: "CompositorPlatform", path: "Sources/Platform", swiftSettings: swiftSettings),

    // Values, protocols, frame memory; digests of files.
    target("CompositorAPI"),
    cTarget("CCompositorDigest", at: "CDigest"),

    // Arithmetic on planes; pixel formats and colors to rows and back.
    cTarget("CCompositorKernels", at: "CPixelKernels"),
    target("CompositorKernels", at: "PixelKernels", "CCompositorKernels"),
    target("CompositorConversion", at: "Conversion", on: kernels, "CompositorAPI"),

    // Compositors.
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

    // Codecs, containers, images.
    cTarget(
      "CCompositorFFmpeg", at: "CFFmpeg", linking: ["avformat", "avcodec", "avfilter", "swscale", "swresample", "avutil"]),
    cTarget("CCompositorPNG", at: "CPNG", linking: ["png16"]),
    cTarget("CCompositorJPEG", at: "CJPEG", linking: ["jpeg"]),
    cTarget("CCompositorLCMS", at: "CLCMS", linking: ["lcms2"]),
    target("CompositorMediaIO", at: "MediaIO", on: codecs, "CCompositorLCMS"),
    target("CompositorMediaWriting", at: "MediaWriting", on: codecs, "CompositorMediaIO"),

    // Captions: reading, layout, drawing, writing. libass draws scripts of ASS.
    cTarget("CCompositorLibass", at: "CLibass", linking: ["ass"]),
    target(
      "CompositorCaptions", at: "Captions", "CompositorAPI", "CompositorMediaIO", "CompositorOverlay", "CCompositorLibass"),

    // Sound: mixing, volumes, processors.
    cTarget("CCompositorAudioKernels", at: "CAudioKernels"),
    target("CompositorAudio", at: "Audio", "CompositorAPI", "CompositorMediaIO", "CCompositorAudioKernels"),

    // Compositors from outside: plugins, filters of libavfilter, effects of frei0r, their processes, the registry.
    cTarget("CCompositorFrei0r", at: "CFrei0r", linking: ["dl"]),
    cTarget("CCompositorPlugin", at: "CCompositorPlugin"),
    target("CompositorPluginBridge", at: "PluginBridge", "CompositorAPI", "CCompositorPlugin"),
    cTarget("CCompositorPluginSupervisor", at: "CPluginSupervisor"),
    cTarget("CCompositorPluginProcess", at: "CPluginProcess", "CCompositorDigest", "CCompositorPluginSupervisor"),
    target(
      "CompositorPlugins", at: "Plugins", on: compositing, "CompositorPluginBridge", "CCompositorFrei0r", "CCompositorPlugin",
      "CCompositorPluginProcess", "CCompositorPluginSupervisor"),
    target(
      "CompositorFilters", at: "Filters", "CompositorAPI", "CompositorConversion", "CompositorMediaIO", "CompositorPlugins"),
    target("CompositorPluginKit", "CompositorAPI", "CompositorKernels", "CompositorPluginBridge", "CCompositorPlugin"),

    // Programs of plugins' processes, which load nothing that plugins do not need.
    .executableTarget(
      name: "CompositorSupervisorTool", dependencies: ["CCompositorPluginSupervisor"], path: "Sources/SupervisorTool",
      cSettings: cSettings),
    .executableTarget(
      name: "CompositorWorkerTool", dependencies: ["CompositorPlatform", "CompositorPlugins"], path: "Sources/WorkerTool",
      swiftSettings: swiftSettings),

    // Resources that the renders of a program share: threads, a queue, bounds of memory.
    target("CompositorScheduling", at: "Scheduling", "CompositorAPI"),

    // An edit: its sources, its faults and plans, its frames, its files.
    target("CompositorMedia", at: "Media", on: compositing, "CompositorMediaIO", "CompositorAudio", "CompositorScheduling"),
    target(
      "CompositorValidation", at: "Validation", on: media + drawing, "CompositorConversion", "BuiltinCompositors",
      "CompositorPlugins", "CompositorFilters"),
    target(
      "CompositorHost", at: "Host", on: media + drawing, "CompositorValidation", "CompositorScheduling", "CompositorConversion",
      "BuiltinCompositors", "CompositorAudio", "CompositorPlugins"),
    target("CompositorExport", at: "Export", on: rendering, "CompositorAudio", "CompositorCaptions", "CompositorScheduling"),

    // What people write: clips on tracks, and files that say so.
    target("CompositorTimeline", at: "Timeline", on: media, "CompositorPlugins", "CompositorCaptions"),
    target(
      "CompositorProjectFormat", at: "ProjectFormat", on: exporting, "CompositorTimeline", "CompositorOverlay",
      "CompositorPlugins"),

    // A clock that frames and audio follow, a drawing of the timeline, a page that shows both.
    target(
      "CompositorPlayback", at: "Playback", "CompositorAPI", "CompositorMediaIO", "CompositorAudio", "CompositorScheduling",
      "CompositorValidation", "CompositorHost", "CompositorExport"),
    target(
      "CompositorDiagram", at: "Diagram", on: writing, "CompositorValidation", "CompositorExport", "CompositorAudio",
      "CompositorOverlay"),
    .target(
      name: "CompositorPreview",
      dependencies: projects.map { .byName(name: $0) } + [
        "CompositorConversion", "CompositorPlatform", "CompositorPlugins", "CompositorPlayback", "CompositorDiagram",
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Sources/Preview", resources: [.embedInCode("Page")], swiftSettings: swiftSettings),

    // Many machines: a plan, its parts, and the movie that they are joined to.
    target(
      "CompositorFarm", at: "Farm", on: exporting, "CompositorKernels", "CompositorOverlay", "CompositorScheduling",
      "CompositorProjectFormat", "CCompositorDigest"),

    // Comparisons of compositors.
    cTarget("CCompositorBaseline", at: "CBaseline"),
    target(
      "CompositorBenchmark", on: exporting, "ReferenceCompositor", "CompositorPlugins", "CompositorOverlay",
      "CCompositorBaseline"),

    // The library's module, and the tool. Documents' Swift is compiled against the library, so it is built with the tool; the
    // programs of plugins are put beside it, not linked.
    target(
      "Compositor", on: projects + drawing, "CompositorConversion", "BuiltinCompositors", "CompositorAudio",
      "CompositorPlugins", "CompositorPluginBridge", "CompositorScheduling", "CompositorPlayback", "CompositorDiagram",
      "CompositorFarm"),
    .executableTarget(
      name: "CompositorTool",
      dependencies: [
        "Compositor", "CompositorBenchmark", "CompositorPlatform", "CompositorPreview",
        "CompositorSupervisorTool", "CompositorWorkerTool",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings),

    // Tests, and what those of several targets share: without and with targets of the package.
    .target(name: "CompositorTestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    .target(
      name: "CompositorTestMedia",
      dependencies: writing.map { .byName(name: $0) } + ["CompositorPlugins", "CompositorValidation", "CompositorTestSupport"],
      path: "Tests/TestMedia", swiftSettings: swiftSettings),
    tests("RepositoryTests", "CompositorTimeline", "CompositorProjectFormat", "CompositorTestSupport"),
    tests("CompositorAPITests", "CompositorAPI", "CompositorTestSupport", exclude: ["Fixtures"]),
    tests("PixelKernelsTests", on: kernels),
    tests("ConversionTests", "CompositorConversion", "CompositorAPI"),
    tests(
      "BuiltinCompositorsTests", on: compositing, "ReferenceCompositor", "CompositorMediaIO", "CompositorMediaWriting",
      "CompositorTestSupport", exclude: ["Fixtures"]),
    tests(
      "OverlayTests", "CompositorOverlay", "CompositorConversion", "CompositorAPI", "CCompositorKernels",
      "CompositorTestSupport", exclude: ["Fixtures"]),
    tests("MediaIOTests", on: testing, "CompositorMediaIO", "CompositorMediaWriting", "CompositorAPI"),
    tests("MediaWritingTests", on: testing, "CompositorMediaIO", "CompositorMediaWriting", "CompositorAPI"),
    tests("AudioTests", on: exporting + testing, "CompositorAudio", "CompositorPlugins"),
    tests("CaptionsTests", on: projects + drawing, "CompositorTestSupport"),
    tests(
      "PluginsTests", on: media + testing, "CompositorPlugins", "CompositorPluginKit", "CCompositorPlugin", "CompositorAudio",
      "CompositorValidation", "CompositorHost", "CompositorExport", "CompositorTimeline", "CompositorProjectFormat"),
    tests(
      "FiltersTests", "CompositorFilters", "CompositorPlugins", "CompositorMediaIO", "CompositorAPI", "CompositorTestMedia"),
    tests("SchedulingTests", "CompositorScheduling", "CompositorAPI"),
    tests("MediaTests", on: projects + testing, "CompositorAudio", "CompositorConversion", "CompositorPlugins"),
    tests(
      "ValidationTests", on: media, "CompositorValidation", "CompositorHost", "CompositorTimeline", "CompositorProjectFormat",
      "CompositorOverlay", "CompositorPlugins", "CompositorTestMedia"),
    tests("HostTests", on: projects + testing, "CompositorScheduling", "CompositorOverlay", "CompositorPlugins"),
    tests("ExportTests", on: projects + testing, "CompositorScheduling", "CompositorAudio", "CompositorPlugins"),
    tests("TimelineTests", on: projects + testing, "BuiltinCompositors", "CompositorAudio"),
    tests("ProjectFormatTests", on: projects + testing, "BuiltinCompositors", "CompositorOverlay", "CompositorPlugins"),
    tests(
      "PlaybackTests", on: media, "CompositorValidation", "CompositorHost", "CompositorExport", "CompositorPlayback",
      "CompositorPlugins", "CompositorTestSupport"),
    tests(
      "DiagramTests", on: rendering, "CompositorTimeline", "CompositorProjectFormat", "CompositorDiagram",
      "CompositorTestSupport", exclude: ["Fixtures"]),
    tests("PreviewTests", "CompositorPreview", "CompositorAPI", "CompositorTestSupport", exclude: ["Fixtures"]),
    tests("FarmTests", on: projects, "CompositorFarm", "CCompositorDigest", "CompositorTestSupport", exclude: ["Fixtures"]),
    tests(
      "CompositorTests", on: media, "Compositor", "CompositorValidation", "CompositorHost", "CompositorExport",
      "CompositorOverlay", "CompositorTimeline", "CompositorTestSupport"),
    tests(
      "BenchmarkTests", on: media, "CompositorBenchmark", "BuiltinCompositors", "CompositorValidation", "CompositorHost",
      "CompositorPlugins", "CompositorTestSupport"),
    tests(
      "ToolTests", on: projects, "CompositorTool", "CompositorPlugins", "CompositorPreview", "CompositorTestSupport",
      exclude: ["Fixtures"]),
  ]
)

/// The fuzzers exist for `scripts/fuzz` only, which sets this and the flags that they need.
if Context.environment["COMPOSITOR_FUZZ"] == "1" {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer", cSettings: cSettings),
    .executableTarget(
      name: "compositor-fuzz",
      dependencies: media.map { .byName(name: $0) } + [
        "CFuzzer", "CompositorValidation", "CompositorHost", "CompositorPlugins", "CompositorProjectFormat",
      ],
      path: "Tests/Fuzz/Fuzzer", swiftSettings: swiftSettings, linkerSettings: [.linkedLibrary("stdc++")]),
  ]
}
