// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Instructions",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(name: "Instructions", dependencies: [.product(name: "Compositor", package: "swift-compositor")])
  ]
)
