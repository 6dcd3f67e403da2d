import CompositorPlatform
import CompositorAPI

extension CurveTables.Kind {
  /// The curve in pieces if their error is below half a code of 10 bits; otherwise `nil`.
  func pieces(_ conversion: LightConversion) -> PiecewiseCurve? {
    guard let grid = grid(conversion) else { return nil }
    return PiecewiseCurve(grid, isOdd: isOdd && step == .encode) { value($0, conversion) }
  }

  private func grid(_ conversion: LightConversion) -> PiecewiseCurve.Grid? {
    switch step {
    case .decode: decodingGrid(conversion.source.transfer)
    case .encode: encodingGrid(conversion)
    // A power of luminance has the same relative error in every octave.
    case .system, .inverseSystem: PiecewiseCurve.Grid(start: 0x1p-26, piecesPerOctave: 1)
    case .tone: toneGrid(conversion)
    case .transcode: nil
    }
  }

  private func decodingGrid(_ transfer: TransferFunction) -> PiecewiseCurve.Grid? {
    // Fine near black. HLG's pieces meet at a signal of one half, where its curve changes.
    let range = transfer == .pq ? 1 : transfer == .hlg ? 1.25 : nil
    return range.map {
      PiecewiseCurve.Grid(start: 1.0 / 16, piecesPerOctave: 8, scale: 15.0 / 16 / $0, bias: 1.0 / 16)
    }
  }

  private func encodingGrid(_ conversion: LightConversion) -> PiecewiseCurve.Grid? {
    switch conversion.output.transfer {
    case .pq: return PiecewiseCurve.Grid(start: 0x1p-31, piecesPerOctave: 1)
    case .hlg:
      // A square root up to 1/12, which is a piece's edge; the last piece ends above the largest legal code.
      let knee = (1.0 / 12).squareRoot()
      return PiecewiseCurve.Grid(start: 1, piecesPerOctave: 32, scale: 7.0 / 32 / knee, bias: 1, takesRoot: true)
    default:
      // After roll-off, light ends at white.
      guard conversion.toneCurve != nil, conversion.outputCurve.hasSameCurve(as: .bt709) else { return nil }
      return PiecewiseCurve.Grid(
        start: 1.0 / 16, piecesPerOctave: 8, scale: 15.0 / 16 / 1.02, bias: 1.0 / 16, takesRoot: true)
    }
  }

  private func toneGrid(_ conversion: LightConversion) -> PiecewiseCurve.Grid? {
    guard let curve = conversion.toneCurve else { return nil }
    let (source, target, unit) = (curve.sourcePeak, curve.targetPeak, conversion.outputUnit)
    // The brightest light that codes represent, regardless of the source's metadata; over 10,000 cd/m² in narrower primaries.
    let brightest = conversion.source.transfer == .pq ? 20_000 : 20 * source
    // Without a knee the curve's only corner is at the source's peak, and the slope at black must be exact.
    guard let knee = curve.knee else {
      guard source * 0x1p5 >= brightest, source * 0x1p-11 <= target / 100 else { return nil }
      return PiecewiseCurve.Grid(start: 0x1p-11, piecesPerOctave: 2, scale: unit / source)
    }
    // Pieces start at the knee, below which the factor is 1.
    guard let piecesPerOctave = [4, 2].first(where: { knee * exp2(32 / Double($0)) >= brightest }) else { return nil }
    return PiecewiseCurve.Grid(start: 1, piecesPerOctave: piecesPerOctave, scale: unit / knee)
  }
}
