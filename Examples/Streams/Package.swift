// swift-tools-version: 6.2
import PackageDescription

// Targets of names that any program may have: those of the compositor's package do not stand in their way.
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
