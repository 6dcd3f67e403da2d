// swift-tools-version: 6.2
import PackageDescription

// Targets with common names, which don't collide with those of the compositor's package.
let package = Package(
  name: "Streams",
  dependencies: [.package(name: "swift-compositor", path: "../..")],
  targets: [
    .target(name: "Host"),
    .target(name: "Overlay"),
    .target(name: "Modules", dependencies: ["Host", "Overlay"]),
    .executableTarget(
      name: "Streams", dependencies: ["Modules", .product(name: "Compositor", package: "swift-compositor")]),
  ]
)
