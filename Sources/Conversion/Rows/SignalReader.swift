import CCompositorKernels
package import CompositorAPI

/// Reads rows of a frame as rows of the mixing signal: decodes samples, enlarges chroma to the luma grid, applies matrices
/// and curves, and premultiplies.
package struct SignalReader {
  package let frame: Frame
  /// Whether alpha is stored and used.
  package let usesAlpha: Bool
  private let isPremultiplied: Bool
  private let samples: SampleReader
  private let conversion: ColorConversion

  /// - Throws: `.conversionNotPossible` if the frame's color can't be converted to the signal's; `.invalidValue` if the
  ///   policy is out of range.
  package init(_ frame: Frame, signal: MixingSignal, curves: CurveTables) throws(CompositorError) {
    let source = SourceDescription(frame)
    self.frame = frame
    usesAlpha = source.usesAlpha
    isPremultiplied = frame.attributes.alphaMode == .premultiplied
    samples = SampleReader(SampleLayout(frame.format, color: source.color), arithmetic: .scaleFirst)
    conversion = try ColorConversion(
      from: source.color, metadata: frame.attributes.hdr, format: frame.format, to: signal, curves: curves)
  }

  /// Reads columns of a row into the rows of a use, starting at their first column.
  package func read(row y: Int, columns: Range<Int>, into rows: SignalRows, as use: SignalRows.Use = .layer) {
    let target = rows.components(use)
    let alpha = rows.alpha(use)
    let room = (rows.row(.sourceChroma), rows.row(.sourceChroma, 1))
    frame.withUnsafePlanes { planes in
      samples.read(planes, component: 0, row: y, columns: columns, into: target.0, room: room)
      samples.read(planes, component: 1, row: y, columns: columns, into: target.1, room: room)
      samples.read(planes, component: 2, row: y, columns: columns, into: target.2, room: room)
      if usesAlpha { samples.read(planes, component: 3, row: y, columns: columns, into: alpha, room: room) }
    }
    conform(target, alpha: alpha, count: columns.count)
  }

  private func conform(_ target: ComponentRows, alpha: UnsafeMutablePointer<Float>, count: Int) {
    let divides = usesAlpha && isPremultiplied && conversion.hasCurve
    if divides { for row in [target.0, target.1, target.2] { cpk_convert_divide(row, alpha, count) } }
    conversion.apply(target, count: count)
    if divides || (usesAlpha && !isPremultiplied) {
      for row in [target.0, target.1, target.2] { cpk_convert_multiply(row, alpha, count) }
    }
  }
}
