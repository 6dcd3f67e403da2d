// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Reader",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(name: "Reader", dependencies: [.product(name: "Compositor", package: "swift-compositor")])
  ]
)
