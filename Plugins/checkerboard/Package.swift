// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "checkerboard",
  products: [.library(name: "Checkerboard", type: .dynamic, targets: ["Checkerboard"])],
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .target(
      name: "Checkerboard", dependencies: [.product(name: "CompositorPluginKit", package: "swift-compositor")])
  ]
)
