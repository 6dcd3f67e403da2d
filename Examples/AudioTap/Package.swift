// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "AudioTap",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(name: "AudioTap", dependencies: [.product(name: "Compositor", package: "swift-compositor")])
  ]
)
