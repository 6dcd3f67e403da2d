import CPixelKernels
package import CompositorAPI
import Synchronization

/// One curve as nodes for `convert_curve`.
package struct CurveTable: Sendable {
  package let nodes: [Float]

  /// Samples a curve at the nodes' places: equal steps of a float's bit pattern.
  init(_ curve: (Double) -> Double) {
    let first = UInt32(127 + CONVERT_CURVE_FIRST_EXPONENT) << 23
    let count = (CONVERT_CURVE_LAST_EXPONENT - CONVERT_CURVE_FIRST_EXPONENT) * 256 + 1
    nodes = (0..<count).map { index in
      Float(curve(Double(Float(bitPattern: first + UInt32(index) << 15))))
    }
  }
}

/// The curves one compositor instance needs, each made once. Any thread may ask.
package final class CurveTables: Sendable {
  /// What a curve does.
  package enum Kind: Hashable, Sendable {
    /// From signal to light.
    case decode(TransferFunction)
    /// From light to signal.
    case encode(TransferFunction)
    /// From one signal to another, for the same primaries.
    case transcode(TransferFunction, TransferFunction)
  }

  private let tables = Mutex<[Kind: CurveTable]>([:])

  package init() {}

  /// The table of a curve.
  ///
  /// - Throws: `.conversionNotPossible` for a transfer function without a known curve.
  package func table(_ kind: Kind) throws(CompositorError) -> CurveTable {
    if let table = tables.withLock({ $0[kind] }) { return table }
    let functions: [TransferFunction] =
      switch kind {
      case .decode(let function), .encode(let function): [function]
      case .transcode(let from, let to): [from, to]
      }
    for function in functions where !function.hasCurve {
      throw CompositorError(
        .conversionNotPossible, "The curve of transfer function \(function.rawValue) (H.273) is not known.",
        remedy: "Tag the source with the transfer function that it really has.")
    }
    let table = CurveTable { value in
      switch kind {
      case .decode(let function): function.decode(value) ?? 0
      case .encode(let function): function.encode(value) ?? 0
      case .transcode(let from, let to): to.encode(from.decode(value) ?? 0) ?? 0
      }
    }
    tables.withLock { $0[kind] = table }
    return table
  }
}
