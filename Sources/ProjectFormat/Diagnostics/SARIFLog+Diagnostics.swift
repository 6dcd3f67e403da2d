import CompositorAPI
import CompositorTimeline
import Foundation

extension SARIFLog {
  /// The location of this package's documentation.
  private static let documentation = "https://github.com/example/swift-compositor/blob/main/docs/validation.md"

  /// Creates a log of the diagnostics of one project.
  ///
  /// - Parameters:
  ///   - project: The project's path, relative to the current directory.
  ///   - text: The project's source text; `nil` for a media file, and for a project that cannot be read.
  package init(_ diagnostics: [ProjectDiagnostic], of project: String, text: SourceText?, toolVersion: String) {
    let codes = diagnostics.map(\.diagnostic.code).reduce(into: [ValidationDiagnostic.Code]()) { codes, code in
      if !codes.contains(code) { codes.append(code) }
    }
    let artifact = ArtifactLocation(project, index: 0)
    let results = diagnostics.map { diagnostic in
      Outcome(diagnostic, ruleIndex: codes.firstIndex(of: diagnostic.diagnostic.code) ?? 0, artifact, text)
    }
    let driver = Driver(
      name: "compositor", semanticVersion: toolVersion, informationUri: SARIFLog.documentation,
      rules: codes.map { Rule($0, documentation: SARIFLog.documentation) })
    self.init(runs: [
      Run(
        tool: Tool(driver: driver),
        originalUriBaseIds: artifact.uriBaseId.map {
          [$0: BaseLocation(description: Text(text: "The folder in which the tool was started."))]
        },
        artifacts: [Artifact(location: artifact, sourceLanguage: "json5", roles: ["analysisTarget"])],
        results: results, invocations: [Invocation(executionSuccessful: true)])
    ])
  }
}

extension SARIFLog.ArtifactLocation {
  /// The directory in which the tool was started, which relative URIs refer to.
  private static let workingFolder = "%SRCROOT%"

  fileprivate init(_ path: String, index: Int?) {
    // A path relative to the current directory is kept, because code scanning matches it with the repository.
    let here = URL(filePath: FileManager.default.currentDirectoryPath).standardizedFileURL.path + "/"
    let isAbsolute = path.hasPrefix("/")
    let full = isAbsolute ? URL(filePath: path).standardizedFileURL.path : path
    let relative = isAbsolute && full.hasPrefix(here) ? String(full.dropFirst(here.count)) : full
    var plain = Substring(relative)
    while plain.hasPrefix("./") { plain = plain.dropFirst(2) }
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: ":;")
    let written = plain.addingPercentEncoding(withAllowedCharacters: allowed) ?? String(plain)
    let isOutside = plain.hasPrefix("/")
    self.init(
      uri: isOutside ? "file://" + written : written, uriBaseId: isOutside ? nil : SARIFLog.ArtifactLocation.workingFolder,
      index: index)
  }
}

extension SARIFLog.Rule {
  fileprivate init(_ code: ValidationDiagnostic.Code, documentation: String) {
    let rule = DiagnosticRule.of(code)
    self.init(
      id: code.rawValue, shortDescription: SARIFLog.Text(text: rule.meaning),
      fullDescription: SARIFLog.Text(text: rule.meaning + " " + rule.cause),
      help: SARIFLog.Text(text: rule.mending, markdown: rule.mending),
      helpUri: "\(documentation)#\(code.rawValue.lowercased())",
      defaultConfiguration: SARIFLog.Configuration(level: "error"))
  }
}

extension SARIFLog.Outcome {
  fileprivate init(
    _ located: ProjectDiagnostic, ruleIndex: Int, _ artifact: SARIFLog.ArtifactLocation, _ text: SourceText?
  ) {
    let diagnostic = located.diagnostic
    let message = [diagnostic.message, diagnostic.cause, diagnostic.recoverySuggestion].compactMap { $0 }.joined(separator: " ")
    // Diagnostics about another file, such as a title template, are located in that file.
    let file = diagnostic.file.flatMap { $0 == text?.name ? nil : SARIFLog.ArtifactLocation($0, index: nil) } ?? artifact
    var region: SARIFLog.Region?
    if let line = diagnostic.line, let column = diagnostic.column {
      region = SARIFLog.Region(startLine: line, startColumn: column)
      if let text, let range = located.range, diagnostic.file == text.name { region = SARIFLog.Region(range, in: text) }
    }
    let physical = SARIFLog.PhysicalLocation(artifactLocation: file, region: region)
    let location = SARIFLog.Location(
      physicalLocation: physical,
      logicalLocations: diagnostic.path.map { [SARIFLog.LogicalLocation(fullyQualifiedName: $0)] })
    var fixes: [SARIFLog.Fix]?
    if let text, let fix = located.fix { fixes = [SARIFLog.Fix(fix, in: text, artifact)] }
    self.init(
      ruleId: diagnostic.code.rawValue, ruleIndex: ruleIndex, level: diagnostic.severity.rawValue,
      message: SARIFLog.Text(text: message), locations: [location],
      partialFingerprints: ["codeAndPath/v1": "\(diagnostic.code.rawValue):\(diagnostic.path ?? "")"], fixes: fixes)
  }
}

extension SARIFLog.Region {
  fileprivate init(_ range: Range<Int>, in text: SourceText) {
    let (start, end) = text.positions(of: range)
    self.init(
      startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column,
      snippet: range.isEmpty ? nil : SARIFLog.Snippet(text: String(decoding: text.bytes[range], as: UTF8.self)))
  }
}

extension SARIFLog.Fix {
  fileprivate init(_ fix: ProjectFix, in text: SourceText, _ artifact: SARIFLog.ArtifactLocation) {
    let replacements = fix.edits.map { edit in
      var region = SARIFLog.Region(edit.range, in: text)
      region.snippet = nil
      return SARIFLog.Replacement(deletedRegion: region, insertedContent: SARIFLog.Snippet(text: edit.replacement))
    }
    self.init(
      description: SARIFLog.Text(text: fix.title + "."),
      artifactChanges: [SARIFLog.ArtifactChange(artifactLocation: artifact, replacements: replacements)])
  }
}
