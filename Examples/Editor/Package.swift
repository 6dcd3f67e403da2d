// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Editor",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(name: "Editor", dependencies: [.product(name: "Compositor", package: "swift-compositor")])
  ]
)
