// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "PlainDissolve",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(
      name: "PlainDissolve",
      dependencies: [
        .product(name: "Compositor", package: "swift-compositor"),
        .product(name: "CompositorBenchmark", package: "swift-compositor"),
      ])
  ]
)
