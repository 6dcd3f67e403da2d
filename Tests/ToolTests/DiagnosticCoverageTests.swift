import CompositorHost
import Foundation
import Testing

/// Every diagnostic is shown by a project that has it, or it is said why no project file can.
@Suite struct DiagnosticCoverageTests {
  /// Why no fixture has these, by their codes.
  static let unreachable: [ValidationDiagnostic.Code: String] = [:]

  @Test(arguments: ValidationDiagnostic.Code.allCases)
  func code_hasAProject_orAReason(_ code: ValidationDiagnostic.Code) throws {
    let fixtures = try DiagnosticFixture.all.filter { fixture in
      try fixture.lines("expect").contains { $0.split(separator: " ").dropFirst().first.map(String.init) == code.rawValue }
    }
    let reason = Self.unreachable[code]
    #expect(fixtures.isEmpty == (reason != nil), "\(code.rawValue): \(fixtures.map(\.name)), \(reason ?? "no reason")")
    #expect(reason.map { $0.count > 20 } ?? true)
  }
}
