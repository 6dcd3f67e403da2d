import CompositorAPI
import CompositorHost
import CompositorProjectFormat
import Foundation
import Testing

/// docs/validation.md says of each diagnostic what the tool says, and its examples are what the tool prints.
@Suite struct ValidationPageTests {
  private static let page: String = {
    let file = ToolRun.root.appending(path: "docs/validation.md")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// The page with a space in place of each line break and the indentation after it.
  private static let prose = page.replacing(/\n */, with: " ")

  /// Commands of the page with what follows them.
  static let examples: [(command: String, output: String)] = page.components(separatedBy: "```console\n$ ").dropFirst()
    .compactMap {
      guard let end = $0.range(of: "\n```"), let line = $0.range(of: "\n") else { return nil }
      return (String($0[..<line.lowerBound]), String($0[line.upperBound..<end.upperBound].dropLast(3)))
    }

  @Test(arguments: ValidationDiagnostic.Code.allCases)
  func code_isExplained(_ code: ValidationDiagnostic.Code) {
    #expect(DiagnosticRule.codes.contains(code))
    let rule = DiagnosticRule.of(code)
    #expect(Self.page.contains("### \(code.rawValue)\n"), "\(code.rawValue)")
    // The page's lines are as long as those of other pages.
    for text in [rule.meaning, rule.cause, rule.mending] {
      #expect(Self.prose.contains(text), "\(code.rawValue): \(text)")
    }
  }

  @Test func page_hasExamples() { #expect(Self.examples.count >= 10) }

  @Test(arguments: examples.map(\.command))
  func example_printsWhatThePageSays(_ command: String) throws {
    let folder = ToolRun.tool.deletingLastPathComponent().path
    let result = try ToolRun.run(
      URL(filePath: "/bin/sh"), ["-c", "PATH=\"\(folder):$PATH\"; \(command)"], in: DiagnosticFixture.folder)
    let expected = try #require(Self.examples.first { $0.command == command }?.output)
    #expect(result.output == expected)
  }
}
