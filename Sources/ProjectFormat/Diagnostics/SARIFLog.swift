/// The subset of the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0) that is written.
///
/// Names are those of the standard; numbers in comments are its sections.
package struct SARIFLog: Codable, Sendable {
  package var schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  package var version = "2.1.0"
  package var runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  /// Creates a log.
  package init(runs: [Run]) { self.runs = runs }

  /// 3.14: one run of a tool.
  package struct Run: Codable, Sendable {
    package var tool: Tool
    /// 3.14.17: columns count Unicode scalars, as in all messages of this tool.
    package var columnKind = "unicodeCodePoints"
    /// 3.14.14: the base URIs that relative URIs refer to.
    package var originalUriBaseIds: [String: BaseLocation]?
    package var artifacts: [Artifact]
    package var results: [Outcome]
    package var invocations: [Invocation]
  }

  /// 3.18.
  package struct Tool: Codable, Sendable { package var driver: Driver }

  /// 3.19.
  package struct Driver: Codable, Sendable {
    package var name: String
    package var semanticVersion: String
    package var informationUri: String
    package var rules: [Rule]
  }

  /// 3.49: the meaning of a code.
  package struct Rule: Codable, Sendable {
    package var id: String
    package var shortDescription: Text
    package var fullDescription: Text
    package var help: Text
    package var helpUri: String
    package var defaultConfiguration: Configuration
  }

  /// 3.50.
  package struct Configuration: Codable, Sendable { package var level: String }

  /// 3.12: a message, optionally with Markdown.
  package struct Text: Codable, Sendable {
    package var text: String
    package var markdown: String?
  }

  /// 3.4.
  package struct ArtifactLocation: Codable, Sendable {
    package var uri: String
    package var uriBaseId: String?
    package var index: Int?
  }

  /// A directory that relative URIs refer to, whose location the reader knows.
  package struct BaseLocation: Codable, Sendable { package var description: Text }

  /// 3.24.
  package struct Artifact: Codable, Sendable {
    package var location: ArtifactLocation
    package var sourceLanguage: String
    package var roles: [String]
  }

  /// 3.20.
  package struct Invocation: Codable, Sendable { package var executionSuccessful: Bool }

  /// 3.27: one result.
  package struct Outcome: Codable, Sendable {
    package var ruleId: String
    package var ruleIndex: Int
    package var level: String
    package var message: Text
    package var locations: [Location]
    package var partialFingerprints: [String: String]
    package var fixes: [Fix]?
  }

  /// 3.28.
  package struct Location: Codable, Sendable {
    package var physicalLocation: PhysicalLocation?
    package var logicalLocations: [LogicalLocation]?
  }

  /// 3.29.
  package struct PhysicalLocation: Codable, Sendable {
    package var artifactLocation: ArtifactLocation
    package var region: Region?
  }

  /// 3.33: a key path in the project.
  package struct LogicalLocation: Codable, Sendable { package var fullyQualifiedName: String }

  /// 3.30: lines and columns from 1; the end is exclusive.
  package struct Region: Codable, Sendable {
    package var startLine: Int
    package var startColumn: Int
    package var endLine: Int?
    package var endColumn: Int?
    package var snippet: Snippet?
  }

  /// 3.3.
  package struct Snippet: Codable, Sendable { package var text: String }

  /// 3.55.
  package struct Fix: Codable, Sendable {
    package var description: Text
    package var artifactChanges: [ArtifactChange]
  }

  /// 3.56.
  package struct ArtifactChange: Codable, Sendable {
    package var artifactLocation: ArtifactLocation
    package var replacements: [Replacement]
  }

  /// 3.57.
  package struct Replacement: Codable, Sendable {
    package var deletedRegion: Region
    package var insertedContent: Snippet
  }
}
