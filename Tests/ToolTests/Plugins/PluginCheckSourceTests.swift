import CompositorTestSupport
import Foundation
import Testing

/// What `plugins check` finds with sources of other sizes than the output's, and with tracks that show nothing.
@Suite struct PluginCheckSourceTests {
  private static let careful = ["careful.refusing", "careful.placed", "careful.effect"]
  private static let careless = [
    "careless.size", "careless.first", "careless.second", "careless.placed-second", "careless.transition",
  ]
  /// All at a time.
  private static let reports = Result { try PluginWorkshop.checks(of: "unusual.c", careful + careless) }

  private func lines(_ id: String) throws -> (status: Int32, lines: [PluginCheckReport.Line]) {
    let result = try #require(try Self.reports.get()[id])
    let compositors = try JSONDecoder().decode(PluginCheckReport.self, from: Data(result.output.utf8)).compositors
    try #require(compositors.map(\.id) == [id])
    return (result.status, compositors[0].lines)
  }

  @Test(arguments: careless) func sources_thatAreTakenToBeUsual_areFound(_ id: String) throws {
    let (status, lines) = try lines(id)
    let failures = lines.filter { $0.outcome == "failed" }
    #expect(status == 65 && failures.map(\.check) == ["sources"], "\(failures)")
    #expect(failures.first?.detail.contains("crashed") == true, "\(failures)")
  }

  /// Refusing is no failure. An effect is not asked.
  @Test(arguments: careful) func unusualSources_mayBeRefused(_ id: String) throws {
    let (status, lines) = try lines(id)
    #expect(status == 0 && !lines.contains { $0.outcome == "failed" }, "\(lines)")
    let outcome = lines.first { $0.check == "sources" }?.outcome
    #expect(outcome == (id == "careful.effect" ? nil : "refused"), "\(lines)")
  }
}
