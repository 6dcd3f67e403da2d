public import CompositorAPI
import CompositorMediaWriting
import CompositorOverlay

extension BenchmarkReport {
  /// The report as a chart: a bar a row, as long as a frame takes (p50), with p99 as a whisker and frames a second beside it.
  public var chart: String { BenchmarkChart(self).svg }

  /// Writes ``chart``: `.svg` as a text, `.png` painted with two pixels to a unit. An existing file is replaced.
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
