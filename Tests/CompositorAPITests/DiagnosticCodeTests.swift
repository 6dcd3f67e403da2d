import CompositorAPI
import Foundation
import Testing

/// Codes of diagnostics, kinds of warnings and subjects of errors may be those of another version.
@Suite struct DiagnosticCodeTests {
  private static func names(
    of type: String, in path: String
  ) throws -> [(name: String, value: String)] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    let pattern = try Regex(
      "public static let (\\w+) = \(type)\\(rawValue: \"?(\\w+)\"?\\)", as: (Substring, Substring, Substring).self)
    return text.matches(of: pattern).map { (String($0.output.1), String($0.output.2)) }
  }

  @Test func codes_areAllInTheList() throws {
    let names = try Self.names(of: "Code", in: "Sources/CompositorAPI/Diagnostics/DiagnosticCode.swift")
    #expect(names.map(\.name) == names.map(\.value))
    #expect(names.map(\.value) == ValidationDiagnostic.Code.allCases.map(\.rawValue))
    #expect(names.count > 50 && Set(names.map(\.value)).count == names.count)
  }

  @Test func kindsOfWarnings_haveTheirNames() throws {
    let names = try Self.names(of: "Kind", in: "Sources/MediaIO/Probe/MediaInfo.swift")
    #expect(names.map(\.name) == names.map(\.value))
    #expect(names.count > 20 && Set(names.map(\.value)).count == names.count)
  }

  @Test func subjects_haveNumbersOfTheirOwn() throws {
    let names = try Self.names(of: "Subject", in: "Sources/CompositorAPI/Errors/CompositorError.swift")
    #expect(names.map(\.value) == names.indices.map(String.init) && names.count > 5)
  }

  @Test func diagnostic_ofAnotherVersion_isReadAndWritten() throws {
    let json = #"{"code":"fromAnotherVersion","message":"It is odd.","severity":"warning","subject":200}"#
    let diagnostic = try JSONDecoder().decode(ValidationDiagnostic.self, from: Data(json.utf8))
    #expect(diagnostic.code == ValidationDiagnostic.Code(rawValue: "fromAnotherVersion"))
    #expect("\(diagnostic.code)" == "fromAnotherVersion" && diagnostic.subject?.rawValue == 200)
    #expect(!ValidationDiagnostic.Code.allCases.contains(diagnostic.code))
    #expect(diagnostic.error.code == .invalidComposition)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(diagnostic), as: UTF8.self) == json)
  }
}
