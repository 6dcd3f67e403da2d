// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Channels",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(name: "Channels", dependencies: [.product(name: "Compositor", package: "swift-compositor")])
  ]
)
