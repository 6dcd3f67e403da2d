import CompositorPlatform
import CCompositorKernels

/// A curve as 32 cubic pieces, which `light_curve` and `light_factor` look up in registers instead of memory.
///
/// Pieces are at equal steps of a float's bit pattern, a few per octave. A curve that needs accuracy near 0 is shifted up by
/// a `bias`; root-shaped curves are tabulated over the square root of x. Where ``CurveTables`` uses pieces, errors stay below
/// half a code of 10 bits.
struct PiecewiseCurve: Sendable {
  /// The positions of the pieces.
  struct Grid {
    /// The first piece's start, a power of two.
    var start: Double
    /// Pieces per octave, a power of two up to 32.
    var piecesPerOctave: Int
    /// Factor from the curve's argument, or its root, to the grid.
    var scale = 1.0
    var bias = 0.0
    var takesRoot = false

    fileprivate func edge(_ piece: Int) -> Double {
      let (octave, step) = piece.quotientAndRemainder(dividingBy: piecesPerOctave)
      return start * exp2(Double(octave)) * (1 + Double(step) / Double(piecesPerOctave))
    }

    fileprivate func argument(_ y: Double) -> Double {
      let x = (y - bias) / scale
      return takesRoot ? x * abs(x) : x
    }
  }

  /// One curve, in an array whose elements can be passed by pointer.
  let table: [cpk_light_curve]

  /// Fits the pieces.
  ///
  /// - Parameter isOdd: Whether the curve of a negative value is the negated curve of its magnitude.
  init(_ grid: Grid, isOdd: Bool, _ curve: (Double) -> Double) {
    var table = cpk_light_curve()
    table.scale = Float(grid.scale)
    table.bias = Float(grid.bias)
    table.low = Float(grid.start)
    table.high = Float(grid.edge(32)).nextDown
    table.shift = Int32(23 - grid.piecesPerOctave.trailingZeroBitCount)
    table.takes_root = grid.takesRoot
    table.is_odd = isOdd
    var coefficients = [Float](repeating: 0, count: 128)
    for piece in 0..<32 {
      let (from, to) = (grid.edge(piece), grid.edge(piece + 1))
      let place = Int(Float(from).bitPattern >> UInt32(table.shift) & 31)
      let powers = PiecewiseCurve.cubic(from, to) { curve(grid.argument($0)) }
      for power in 0..<4 { coefficients[power * 32 + place] = Float(powers[power]) }
    }
    withUnsafeMutableBytes(of: &table.coefficients) { target in
      coefficients.withUnsafeBytes { target.copyMemory(from: $0) }
    }
    self.table = [table]
  }

  /// The cubic through a curve at four Chebyshev points of an interval, from the third power down.
  private static func cubic(_ from: Double, _ to: Double, _ curve: (Double) -> Double) -> [Double] {
    let middle = (from + to) / 2
    let half = (to - from) / 2
    let points = (0..<4).map { middle + half * cos((2 * Double($0) + 1) * .pi / 8) }
    // Newton's divided differences.
    var differences = points.map(curve)
    for order in 1..<4 {
      for index in stride(from: 3, through: order, by: -1) {
        differences[index] =
          (differences[index] - differences[index - 1]) / (points[index] - points[index - order])
      }
    }
    var powers = [0, 0, 0, 0.0]
    for index in stride(from: 3, through: 0, by: -1) {
      // Times (y − point), plus the difference.
      powers = (0..<4).map { (($0 < 3) ? powers[$0 + 1] : 0) - points[index] * powers[$0] }
      powers[3] += differences[index]
    }
    return powers
  }
}
