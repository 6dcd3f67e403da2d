import CompositorTestSupport
import Foundation
import Testing

private let python: String? = ["/usr/bin/python3", "python3"].first { name in
  (try? runProgram(name, ["--version"])) != nil
}

/// The benchmark with other programs has checks in its own language: of its statistics, and of the recipes that it gives them.
@Suite struct PeerRecipeTests {
  @Test(.enabled(if: python != nil, "python3 is not installed")) func statisticsAndRecipes_areAsDocumented() throws {
    let checks = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Benchmarks/peers/checks.py").path
    try runProgram(try #require(python), [checks])
  }
}
