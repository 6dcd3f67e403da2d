package import Foundation

/// The programs that were built with the tests.
package enum BuiltTool {
  /// The tool, next to the test bundle in the build folder. The programs of plugins' processes are beside it.
  package static let url: URL = {
    let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: bundle).deletingLastPathComponent().appending(path: "compositor")
  }()
}
