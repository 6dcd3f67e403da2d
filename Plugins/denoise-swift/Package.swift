// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "denoise-swift",
  products: [.library(name: "Denoise", type: .dynamic, targets: ["Denoise"])],
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .target(name: "Denoise", dependencies: [.product(name: "CompositorPluginKit", package: "swift-compositor")])
  ]
)
