import Foundation
import Testing

/// Messages are for people. What the package decides, it decides by codes, subjects and paths, so that a better sentence changes
/// nothing else.
@Suite struct MessageTests {
  /// Files that search texts of others, or text that they show, and why.
  private static let exceptions = [
    "CompositorTool/Options/OptionAdvice.swift": "the argument parser's messages",
    "CompositorTool/Options/UsageMessage.swift": "the argument parser's messages",
    "CompositorTool/Output/Terminal.swift": "prints a message line by line",
    "Diagram/Rows/DiagnosticRow.swift": "shows no sentence twice",
    "Export/Keeping/KeptChapters.swift": "titles of chapters, which are the user's",
    "Filters/FilterParameters.swift": "libavfilter's summaries",
    "MediaIO/Images/PNGDecoder.swift": "libpng's messages",
    "ProjectFormat/File/ProjectFile+Titles.swift": "searches the keys of a title",
    "ProjectFormat/Schema/ProjectSchema+Examples.swift": "shows the examples of a summary as examples",
    "ProjectFormat/Schema/TitleTable.swift": "takes the default of a title's key from its summary, as CONTRIBUTING.md says",
  ]

  @Test func sources_searchAndCompareNoMessage() throws {
    let search =
      /\b(?:message|recoverySuggestion|cause|detail|title|summary|sentence|fault)[?!]?\.(?:contains|hasPrefix|hasSuffix|firstMatch|prefixMatch|wholeMatch|matches|firstRange|range|starts|components|split)\b/
    let comparison =
      /\.(?:message|recoverySuggestion|cause|detail|title|summary|sentence|fault)\b *[!=]=(?! *nil)|[!=]= *[\w.$?]+\.(?:message|recoverySuggestion|cause|detail|title|summary|sentence|fault)\b/
    let folder = Repository.root.appending(path: "Sources")
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    var searched = 0
    for file in all where file.hasSuffix(".swift") && Self.exceptions[file] == nil {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      searched += 1
      let found = (text.firstMatch(of: search) ?? text.firstMatch(of: comparison)).map { String($0.0) } ?? ""
      #expect(
        found.isEmpty,
        "\(file) searches or compares a message: \(found). Give the error or diagnostic a subject, source or path.")
    }
    #expect(searched > 500)
  }
}
