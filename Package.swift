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

// Names of targets have to be unique among the packages of everyone who depends on this one: SwiftPM refuses a graph with two `Host`. So
// they all speak of the compositor; the folders under `Sources` need not.

/// A target of Swift. All may use the C library of the system, which is `CompositorPlatform` to them.
func room(_ name: String, at folder: String? = nil, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies + ["CompositorPlatform"], path: "Sources/\(folder ?? name)",
    swiftSettings: swiftSettings)
}

/// A target of C, linked with libraries of the system.
func cRoom(_ name: String, at folder: String, _ dependencies: [Target.Dependency] = [], linking libraries: [String] = [])
  -> Target
{
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)", cSettings: cSettings,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: swiftSettings)
}

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
    // The preview's HTTP server; libraries of this package do without.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    // The system's C library.
    .target(name: "CompositorPlatform", path: "Sources/Platform", swiftSettings: swiftSettings),

    // Values, protocols, frame memory.
    room("CompositorAPI"),

    // Digests of files.
    cRoom("CCompositorDigest", at: "CDigest"),

    // Per-plane arithmetic.
    cRoom("CCompositorKernels", at: "CPixelKernels"),
    room("CompositorKernels", at: "PixelKernels", ["CCompositorKernels"]),

    // Pixel formats and colors to rows and back.
    room("CompositorConversion", at: "Conversion", ["CompositorAPI", "CompositorKernels", "CCompositorKernels"]),

    // Compositors.
    room("BuiltinCompositors", ["CompositorAPI", "CompositorConversion", "CompositorKernels", "CCompositorKernels"]),
    room("ReferenceCompositor", ["CompositorAPI"]),

    // Titles. Shaping, layout and outlines come from Pango and Cairo.
    .systemLibrary(
      name: "CCompositorPango", path: "Sources/CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    cRoom(
      "CCompositorPangoCairo", at: "CPangoCairo", ["CCompositorPango"],
      linking: ["pangocairo-1.0", "pangoft2-1.0", "pango-1.0", "cairo", "fontconfig", "gobject-2.0", "glib-2.0"]),
    room(
      "CompositorOverlay", at: "Overlay",
      ["CompositorAPI", "CompositorConversion", "CompositorKernels", "CCompositorKernels", "CCompositorPangoCairo"]),

    // Codecs, containers, images.
    cRoom(
      "CCompositorFFmpeg", at: "CFFmpeg", linking: ["avformat", "avcodec", "avfilter", "swscale", "swresample", "avutil"]),
    cRoom("CCompositorPNG", at: "CPNG", linking: ["png16"]),
    cRoom("CCompositorJPEG", at: "CJPEG", linking: ["jpeg"]),
    cRoom("CCompositorLCMS", at: "CLCMS", linking: ["lcms2"]),
    room(
      "CompositorMediaIO", at: "MediaIO",
      ["CompositorAPI", "CCompositorFFmpeg", "CCompositorPNG", "CCompositorJPEG", "CCompositorLCMS"]),

    room(
      "CompositorMediaWriting", at: "MediaWriting",
      [
        "CompositorAPI", "CompositorMediaIO", "CompositorScheduling", "CCompositorFFmpeg", "CCompositorPNG",
        "CCompositorJPEG",
      ]),

    // Captions: read, laid out, drawn, written. libass draws scripts of ASS.
    cRoom("CCompositorLibass", at: "CLibass", linking: ["ass"]),
    room(
      "CompositorCaptions", at: "Captions",
      ["CompositorAPI", "CompositorMediaIO", "CompositorOverlay", "CCompositorLibass"]),

    // What is heard: mixing, volumes, processors.
    cRoom("CCompositorAudioKernels", at: "CAudioKernels"),
    room("CompositorAudio", at: "Audio", ["CompositorAPI", "CompositorMediaIO", "CCompositorAudioKernels"]),

    // Compositors from outside: plugins, filters of libavfilter, effects of frei0r, the processes they run in, and the registry.
    cRoom("CCompositorFrei0r", at: "CFrei0r", linking: ["dl"]),
    cRoom("CCompositorPlugin", at: "CCompositorPlugin"),
    room("CompositorPluginBridge", at: "PluginBridge", ["CompositorAPI", "CCompositorPlugin"]),
    cRoom("CCompositorPluginSupervisor", at: "CPluginSupervisor"),
    cRoom("CCompositorPluginProcess", at: "CPluginProcess", ["CCompositorDigest", "CCompositorPluginSupervisor"]),
    room(
      "CompositorPlugins", at: "Plugins",
      [
        "CompositorAPI", "CompositorConversion", "BuiltinCompositors", "CompositorPluginBridge",
        "CCompositorFrei0r", "CCompositorPlugin", "CCompositorPluginProcess", "CCompositorPluginSupervisor",
      ]),
    room(
      "CompositorFilters", at: "Filters",
      ["CompositorAPI", "CompositorConversion", "CompositorMediaIO", "CompositorPlugins"]),

    // The processes of plugins are programs of their own, which load nothing that plugins do not need.
    .executableTarget(
      name: "CompositorSupervisorTool", dependencies: ["CCompositorPluginSupervisor"], path: "Sources/SupervisorTool",
      cSettings: cSettings),
    .executableTarget(
      name: "CompositorWorkerTool", dependencies: ["CompositorPlatform", "CompositorPlugins"], path: "Sources/WorkerTool",
      swiftSettings: swiftSettings),

    // What the renders of a program share: threads, a queue, bounds of memory.
    room("CompositorScheduling", at: "Scheduling", ["CompositorAPI"]),

    // The sources of an edit: described, opened, provided by programs.
    room(
      "CompositorMedia", at: "Media",
      ["CompositorAPI", "BuiltinCompositors", "CompositorMediaIO", "CompositorAudio", "CompositorScheduling"]),

    // Resolving, scheduling, rendering.
    room(
      "CompositorHost", at: "Host",
      [
        "CompositorAPI", "CompositorMedia", "CompositorScheduling", "CompositorConversion", "BuiltinCompositors",
        "CompositorMediaIO",
        "CompositorMediaWriting",
        "CompositorAudio", "CompositorPlugins", "CompositorFilters", "CompositorOverlay", "CompositorCaptions",
      ]),

    // What leaves as files: movies, audio, images, captions.
    room(
      "CompositorExport", at: "Export",
      [
        "CompositorAPI", "CompositorMedia", "CompositorMediaIO", "CompositorMediaWriting", "CompositorAudio",
        "CompositorCaptions",
        "CompositorScheduling", "CompositorHost",
      ]),

    // What people write: clips on tracks, and files that say so.
    room(
      "CompositorTimeline", at: "Timeline",
      [
        "CompositorAPI", "CompositorMedia", "CompositorMediaIO", "CompositorPlugins", "CompositorCaptions",
        "CompositorMediaWriting",
      ]),
    room(
      "CompositorProjectFormat", at: "ProjectFormat",
      [
        "CompositorAPI", "CompositorMedia", "CompositorMediaIO", "CompositorMediaWriting", "CompositorOverlay",
        "CompositorPlugins",
        "CompositorFilters", "CompositorHost", "CompositorExport", "CompositorTimeline",
      ]),

    // Seeing: a clock that frames and audio follow, a picture of the timeline, a page that shows both.
    room(
      "CompositorPlayback", at: "Playback",
      [
        "CompositorAPI", "CompositorMediaIO", "CompositorAudio", "CompositorScheduling", "CompositorHost",
        "CompositorExport",
      ]),
    room(
      "CompositorDiagram", at: "Diagram",
      [
        "CompositorAPI", "CompositorMedia", "CompositorMediaIO", "CompositorMediaWriting", "CompositorAudio",
        "CompositorOverlay",
        "CompositorHost", "CompositorExport",
      ]),
    .target(
      name: "CompositorPreview",
      dependencies: [
        "CompositorAPI", "CompositorMedia", "CompositorConversion", "CompositorMediaIO", "CompositorMediaWriting",
        "CompositorPlugins",
        "CompositorHost", "CompositorExport", "CompositorTimeline", "CompositorProjectFormat", "CompositorPlayback",
        "CompositorDiagram", "CompositorPlatform", .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Sources/Preview", resources: [.embedInCode("Page")], swiftSettings: swiftSettings),

    // Many machines: a plan, its parts, and the movie that they are joined to.
    room(
      "CompositorFarm", at: "Farm",
      [
        "CompositorAPI", "CompositorKernels", "CompositorMedia", "CompositorMediaIO", "CompositorMediaWriting",
        "CompositorOverlay",
        "CompositorPlugins", "CompositorScheduling", "CompositorHost", "CompositorExport", "CompositorProjectFormat",
        "CCompositorDigest",
      ]),

    // Comparing compositors.
    cRoom("CCompositorBaseline", at: "CBaseline"),
    room(
      "CompositorBenchmark",
      [
        "CompositorAPI", "CompositorMedia", "ReferenceCompositor", "BuiltinCompositors", "CompositorMediaIO",
        "CompositorMediaWriting",
        "CompositorPlugins", "CompositorOverlay", "CompositorHost", "CompositorExport", "CCompositorBaseline",
      ]),

    // What users import.
    room(
      "Compositor",
      [
        "CompositorAPI", "CompositorMedia", "CompositorConversion", "BuiltinCompositors", "CompositorMediaIO",
        "CompositorMediaWriting",
        "CompositorAudio", "CompositorPlugins", "CompositorOverlay", "CompositorCaptions", "CompositorPluginBridge",
        "CompositorScheduling", "CompositorHost", "CompositorExport", "CompositorTimeline", "CompositorProjectFormat",
        "CompositorPlayback",
        "CompositorDiagram", "CompositorFarm",
      ]),
    room("CompositorPluginKit", ["CompositorAPI", "CompositorKernels", "CompositorPluginBridge", "CCompositorPlugin"]),
    .executableTarget(
      name: "CompositorTool",
      dependencies: [
        "Compositor", "CompositorBenchmark", "CompositorPlatform", "CompositorPreview",
        // Built with the tool, and put beside it; not linked.
        "CompositorSupervisorTool", "CompositorWorkerTool",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swiftSettings),

    // What tests of several rooms share.
    .target(name: "CompositorTestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    tests("CompositorAPITests", ["CompositorAPI"], exclude: ["Fixtures"]),
    tests("PixelKernelsTests", ["CompositorKernels", "CCompositorKernels"]),
    tests("ConversionTests", ["CompositorConversion", "CompositorAPI"]),
    tests(
      "BuiltinCompositorsTests",
      [
        "BuiltinCompositors", "CompositorConversion", "ReferenceCompositor", "CompositorAPI", "CompositorMediaIO",
        "CompositorMediaWriting", "CompositorTestSupport",
      ], exclude: ["Fixtures"]),
    tests(
      "OverlayTests",
      [
        "CompositorOverlay", "CompositorConversion", "CompositorAPI", "CCompositorKernels", "CompositorTestSupport",
      ], exclude: ["Fixtures"]),
    tests(
      "MediaIOTests",
      [
        "CompositorMediaIO", "CompositorMediaWriting", "CompositorAPI", "CompositorTestSupport",
      ]),
    tests(
      "AudioTests",
      [
        "CompositorAudio", "CompositorMediaIO", "CompositorAPI", "CompositorTestSupport",
      ]),
    tests(
      "CaptionsTests",
      [
        "CompositorCaptions", "CompositorHost", "CompositorExport", "CompositorTimeline", "CompositorProjectFormat",
        "CompositorMediaIO", "CompositorMediaWriting",
        "CompositorOverlay", "CompositorAPI", "CompositorMedia", "CompositorTestSupport",
      ]),
    tests(
      "PluginsTests",
      ["CompositorPlugins", "CompositorFilters", "CompositorMediaIO", "CompositorAPI"]),
    // The rules of the repository: its rooms, documents and C targets.
    tests("RepositoryTests", ["CompositorTimeline", "CompositorProjectFormat"]),
    tests("SchedulingTests", ["CompositorScheduling", "CompositorAPI"]),
    tests(
      "HostTests",
      [
        "CompositorScheduling", "CompositorHost", "CompositorExport", "CompositorMediaIO", "CompositorMediaWriting",
        "CompositorAudio", "CompositorConversion", "CompositorOverlay", "BuiltinCompositors", "CompositorAPI",
        "CompositorMedia",
        "CompositorPlugins", "CompositorTimeline", "CompositorProjectFormat", "CompositorTestSupport",
      ]),
    tests(
      "ExportTests",
      [
        "CompositorExport", "CompositorScheduling", "CompositorHost", "CompositorMediaIO", "CompositorMediaWriting",
        "CompositorAudio", "CompositorAPI", "CompositorMedia",
        "CompositorTimeline", "CompositorProjectFormat", "CompositorPlugins", "CompositorTestSupport",
      ]),
    tests(
      "PlaybackTests",
      [
        "CompositorPlayback", "CompositorExport", "CompositorHost", "CompositorMediaIO", "CompositorAPI", "CompositorMedia",
        "CompositorTestSupport", "CompositorPlugins",
      ]),
    tests(
      "DiagramTests",
      [
        "CompositorDiagram", "CompositorHost", "CompositorMediaIO", "CompositorMediaWriting", "CompositorAPI",
        "CompositorMedia",
        "CompositorTimeline", "CompositorProjectFormat", "CompositorTestSupport",
      ],
      exclude: ["Fixtures"]),
    tests(
      "PreviewTests",
      ["CompositorPreview", "CompositorAPI", "CompositorTestSupport"],
      exclude: ["Fixtures"]),
    tests(
      "FarmTests",
      [
        "CompositorFarm", "CompositorHost", "CompositorExport", "CompositorMediaIO", "CompositorMediaWriting",
        "CompositorAPI", "CompositorMedia", "CompositorTimeline", "CompositorProjectFormat", "CCompositorDigest",
        "CompositorTestSupport",
      ],
      exclude: ["Fixtures"]),
    tests(
      "CompositorTests",
      [
        "Compositor", "CompositorAPI", "CompositorMedia", "CompositorHost", "CompositorExport", "CompositorMediaIO",
        "CompositorOverlay",
        "CompositorTimeline", "CompositorTestSupport",
      ]),
    tests(
      "BenchmarkTests",
      [
        "CompositorBenchmark", "CompositorAPI", "CompositorMedia", "BuiltinCompositors", "CompositorHost", "CompositorPlugins",
        "CompositorMediaIO", "CompositorTestSupport",
      ]),
    tests(
      "ToolTests",
      [
        "CompositorHost", "CompositorExport", "CompositorMediaIO", "CompositorMediaWriting", "CompositorAPI", "CompositorMedia",
        "CompositorTool",
        "CompositorPlugins", "CompositorPreview", "CompositorTimeline",
        "CompositorProjectFormat", "CompositorTestSupport",
      ],
      exclude: ["Fixtures"]),
  ]
)

/// The fuzzers exist for `scripts/fuzz` only, which sets this and the flags that they need.
if Context.environment["COMPOSITOR_FUZZ"] == "1" {
  package.targets += [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer", cSettings: cSettings),
    .executableTarget(
      name: "compositor-fuzz",
      dependencies: [
        "CFuzzer", "CompositorAPI", "CompositorMedia", "CompositorHost", "CompositorMediaIO", "CompositorPlugins",
        "CompositorProjectFormat",
      ],
      path: "Tests/Fuzz/Fuzzer", swiftSettings: swiftSettings, linkerSettings: [.linkedLibrary("stdc++")]),
  ]
}
