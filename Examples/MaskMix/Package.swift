// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "MaskMix",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(
      name: "MaskMix",
      dependencies: [
        .product(name: "Compositor", package: "swift-compositor"),
        .product(name: "CompositorBenchmark", package: "swift-compositor"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ]
)
