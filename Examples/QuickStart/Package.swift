// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "QuickStart",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .executableTarget(name: "QuickStart", dependencies: [.product(name: "Compositor", package: "swift-compositor")])
  ]
)
