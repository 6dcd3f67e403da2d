import CompositorPlugins
import Testing

/// What a check of a plugin believes of the times that its worker reports, which the plugin may forge.
@Suite struct CheckKnowledgeTests {
  @Test(arguments: [
    1e300, -1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, 1e18, 1e10, -1, 0, 1e-300, 5,
  ])
  func time_isBelievedUpToWhatTheHostMeasured(_ seconds: Double) {
    #expect((0...2).contains(PluginCheckResult.believed(seconds, in: .seconds(2))))
  }

  @Test(arguments: [0.25, 1e-6, 2]) func time_thatCanBeTrue_isKept(_ seconds: Double) {
    #expect(PluginCheckResult.believed(seconds, in: .seconds(2)) == seconds)
  }
}
