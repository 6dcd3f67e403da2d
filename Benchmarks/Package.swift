// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Benchmarks",
  products: [
    .executable(name: "kernels", targets: ["KernelBenchmark"]), .executable(name: "titles", targets: ["TitleBenchmark"]),
    .executable(name: "color", targets: ["ColorBenchmark"]), .executable(name: "mix", targets: ["MixBenchmark"]),
  ],
  dependencies: [.package(name: "swift-compositor", path: "..")],
  targets: [
    .executableTarget(
      name: "KernelBenchmark",
      dependencies: [.product(name: "CompositorPluginKit", package: "swift-compositor")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
    .target(name: "Clocks"),
    .executableTarget(
      name: "ColorBenchmark",
      dependencies: [
        "Clocks", .product(name: "Compositor", package: "swift-compositor"),
        .product(name: "CompositorBenchmark", package: "swift-compositor"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
    .executableTarget(
      name: "MixBenchmark", dependencies: ["Clocks", .product(name: "Compositor", package: "swift-compositor")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
    .executableTarget(
      name: "TitleBenchmark", dependencies: ["Clocks", .product(name: "Compositor", package: "swift-compositor")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
      ]),
  ]
)
