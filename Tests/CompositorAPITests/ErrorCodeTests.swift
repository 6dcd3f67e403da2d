import CompositorAPI
import Foundation
import Testing

/// Names and numbers of error codes are stored, compared and translated by programs: they stay.
@Suite struct ErrorCodeTests {
  static let table: [(code: CompositorError.Code, name: String, number: Int)] = [
    (.invalidValue, "invalidValue", 1000),
    (.segmentsNotContiguous, "segmentsNotContiguous", 1001),
    (.invalidSegmentDuration, "invalidSegmentDuration", 1002),
    (.invalidSourceStart, "invalidSourceStart", 1003),
    (.invalidSourceDuration, "invalidSourceDuration", 1004),
    (.invalidComposition, "invalidComposition", 1005),
    (.invalidTrackID, "invalidTrackID", 1006),
    (.invalidParameter, "invalidParameter", 1007),
    (.overlappingRamps, "overlappingRamps", 1008),
    (.invalidProject, "invalidProject", 1009),
    (.fileNotFound, "fileNotFound", 2000),
    (.sourceRefused, "sourceRefused", 2001),
    (.unreadableMedia, "unreadableMedia", 2002),
    (.truncatedMedia, "truncatedMedia", 2003),
    (.decoderNotFound, "decoderNotFound", 2004),
    (.decodeFailed, "decodeFailed", 2005),
    (.trackNotFound, "trackNotFound", 2006),
    (.frameTooLarge, "frameTooLarge", 2007),
    (.noFrame, "noFrame", 2008),
    (.readFailed, "readFailed", 2009),
    (.mediaChanged, "mediaChanged", 2010),
    (.compositorNotFound, "compositorNotFound", 3000),
    (.compositorFailed, "compositorFailed", 3001),
    (.invalidCompositorOutput, "invalidCompositorOutput", 3002),
    (.framePoolExhausted, "framePoolExhausted", 3003),
    (.conversionNotPossible, "conversionNotPossible", 3004),
    (.compositorTimedOut, "compositorTimedOut", 3005),
    (.pluginFailed, "pluginFailed", 3006),
    (.deviceFailed, "deviceFailed", 3007),
    (.outputExists, "outputExists", 4000),
    (.writeFailed, "writeFailed", 4001),
    (.encoderNotFound, "encoderNotFound", 4002),
    (.encodeFailed, "encodeFailed", 4003),
    (.outputIsInput, "outputIsInput", 4004),
    (.unsupportedOutput, "unsupportedOutput", 4005),
    (.cancelled, "cancelled", 5000),
    (.resourceExhausted, "resourceExhausted", 5001),
    (.internalFault, "internalFault", 5002),
    (.planChanged, "planChanged", 6000),
    (.versionMismatch, "versionMismatch", 6001),
    (.partsMissing, "partsMissing", 6002),
  ]

  @Test func codes_haveTheirNamesAndNumbers() {
    for (code, name, number) in Self.table {
      #expect(code.rawValue == number && "\(code)" == name)
      #expect(CompositorError.Code(rawValue: number) == code)
    }
  }

  /// A code that is added goes into the table; none goes.
  @Test func codes_areAllInTheTable() {
    #expect(CompositorError.Code.allCases.map(\.rawValue).sorted() == Self.table.map(\.number).sorted())
    #expect(Set(Self.table.map(\.name)).count == Self.table.count)
  }

  @Test func document_hasTheSameTable() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/errors.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").compactMap { line -> String? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let number = Int(cells[0]), !cells[2].isEmpty else { return nil }
      return "\(number) \(cells[1])"
    }
    #expect(rows == Self.table.map { "\($0.number) `\($0.name)`" })
  }

  /// The numbers of AVError, as its header has them.
  @Test func document_hasAVFoundationsNumbers() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/errors.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").compactMap { line -> String? in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      // Statuses of the tool are positive.
      guard cells.count == 2, let number = Int(cells[0]), number < 0 else { return nil }
      return "\(number) \(cells[1])"
    }
    let numbered = CompositorError.Code.allCases.compactMap { code in
      CompositorError(code, "").avFoundationCode.map { (number: $0, code: code) }
    }
    #expect(rows == numbered.sorted { $0.number > $1.number }.map { "\($0.number) `\($0.code)`" })
    #expect(Set(numbered.map(\.number)).count == numbered.count)
  }
}
