public import CompositorAPI
import CompositorMediaWriting
import CompositorOverlay

extension BenchmarkReport {
  /// The report as a chart: one bar per row for the time per frame (p50), with p99 as a whisker and frames per second beside
  /// it.
  public var chart: String { BenchmarkChart(self).svg }

  /// Writes ``chart`` as an `.svg` file, or as a `.png` file with two pixels per unit. An existing file is replaced.
  ///
  /// - Throws: `.unsupportedOutput` for another extension; `.writeFailed`.
  public func writeChart(to path: String) throws(CompositorError) {
    let chart = BenchmarkChart(self)
    if path.lowercased().hasSuffix(".png") {
      _ = try PNGWriter.write(try chart.frame(scale: 2), to: path)
    } else if path.lowercased().hasSuffix(".svg") {
      try chart.write(to: path)
    } else {
      throw CompositorError(
        .unsupportedOutput, "A chart cannot be written as \(path).", recoverySuggestion: "Name a .svg or .png file.",
        at: ErrorLocation(file: path))
    }
  }
}
