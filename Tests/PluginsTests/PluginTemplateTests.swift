import CompositorPlugins
import Foundation
import Testing

/// Where the package of a new plugin comes from.
@Suite struct PluginTemplateTests {
  @Test(arguments: [
    (
      "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://example.org/house/swift-compositor.git\n",
      "https://example.org/house/swift-compositor.git"
    ),
    (
      "[remote \"origin\"]\n\tfetch = +refs/*\n\turl=git@example.org:house/swift-compositor.git",
      "git@example.org:house/swift-compositor.git"
    ),
    (
      "[remote \"fork\"]\n\turl = https://example.org/fork\n[remote \"origin\"]\n\turl = ssh://git@example.org/x\n",
      "ssh://git@example.org/x"
    ),
    // A folder of this machine, and an address with a secret, must not be published.
    ("[remote \"origin\"]\n\turl = ../swift-compositor\n", nil), ("[remote \"origin\"]\n\turl = file:///srv/git/x\n", nil),
    ("[remote \"origin\"]\n\turl = https://name:secret@example.org/x\n", nil), ("[core]\n\turl = https://example.org\n", nil),
  ])
  func origin_ofAClone_isItsAddress(_ config: String, _ expected: String?) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "clone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder.appending(path: ".git"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(config.utf8).write(to: folder.appending(path: ".git/config"))
    #expect(PluginTemplate.origin(ofCloneIn: folder) == expected)
  }

  /// Without an address, the package is the clone's origin, or else the clone.
  @Test func packageFile_byDefault_namesThisClone() throws {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let template = try PluginTemplate(name: "glow", language: .swift, package: nil, tool: "compositor")
    let file = try #require(template.files.first { $0.name == "Package.swift" })
    let line =
      PluginTemplate.origin(ofCloneIn: root).map { ".package(url: \"\($0)\"" }
      ?? ".package(path: \"\(root.standardizedFileURL.path)\")"
    #expect(file.text.contains(line), "\(file.text)")
  }

  @Test func packageFile_ofAnAddress_namesNoPathOfThisMachine() throws {
    for (package, line) in [
      (
        "https://example.org/house/swift-compositor.git",
        #".package(url: "https://example.org/house/swift-compositor.git", branch: "main")"#
      ),
      ("/srv/swift-compositor", #".package(path: "/srv/swift-compositor")"#),
    ] {
      let template = try PluginTemplate(name: "glow", language: .swift, package: package, tool: "compositor")
      let file = try #require(template.files.first { $0.name == "Package.swift" })
      #expect(file.text.contains(line) && file.text.contains(#"package: "swift-compositor""#), "\(file.text)")
    }
  }
}
