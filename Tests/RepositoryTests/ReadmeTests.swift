import Foundation
import CompositorProjectFormat
import CompositorTimeline
import Testing

/// What the README shows is what CI builds, runs and reads.
@Suite struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: [
    ("README.md", "QuickStart/Sources/QuickStart/main.swift"),
    ("README.md", "PlainDissolve/Sources/PlainDissolve/PlainDissolve.swift"),
    ("docs/compositors.md", "MaskMix/Sources/MaskMix/MaskMixer.swift"),
  ])
  func swift_ofAPage_isTheExample(page: String, path: String) throws {
    let example = try text("Examples/\(path)").trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try text(page).contains("```swift\n\(example)\n```"))
    #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count < 60)
  }

  @Test func projects_inTheReadme_areRead() throws {
    let blocks = try text("README.md").components(separatedBy: "```json5\n").dropFirst()
    #expect(!blocks.isEmpty)
    for block in blocks {
      let project = try ProjectFile(block.components(separatedBy: "```")[0], name: "README.md")
      #expect(project.assets.count == 3)
    }
  }
}
