import CCompositorKernels
import CompositorAPI
import Synchronization

/// One curve, for rows of float.
package struct CurveTable: Sendable {
  /// Nodes for `cpk_convert_curve`, a value and a bend each: exact to single precision. Empty if there are pieces.
  let nodes: [Float]
  /// Pieces for `light_curve`: ten times as fast, exact to 10 bits.
  let pieces: PiecewiseCurve?
  /// Whether the curve of a negative value is the negated curve of its magnitude; otherwise negative values count as 0.
  let isOdd: Bool

  init(pieces: PiecewiseCurve) {
    self.pieces = pieces
    nodes = []
    isOdd = false
  }

  /// Samples a curve at the nodes: equal steps of a float's bit pattern.
  init(isOdd: Bool, _ curve: (Double) -> Double) {
    self.isOdd = isOdd
    pieces = nil
    let first = UInt32(127 + CPK_CONVERT_CURVE_FIRST_EXPONENT) << 23
    let count = (CPK_CONVERT_CURVE_LAST_EXPONENT - CPK_CONVERT_CURVE_FIRST_EXPONENT) * 256 + 1
    func at(_ bits: UInt32) -> Double { curve(Double(Float(bitPattern: bits))) }
    // A parabola through the curve at a node, at half the segment and at the next node.
    nodes = (0..<count).flatMap { index -> [Float] in
      let bits = first + UInt32(index) << 15
      let (start, middle, end) = (at(bits), at(bits + 1 << 14), at(bits + 1 << 15))
      return [Float(start), Float(4 * middle - 2 * (start + end))]
    }
  }
}

/// The curves needed by a compositor or converter, each made once. Thread-safe.
package final class CurveTables: Sendable {
  /// The key of a curve: everything that it depends on.
  package struct Kind: Hashable, Sendable {
    enum Step: Hashable {
      case decode, encode, transcode, system, inverseSystem, tone
    }
    let step: Step
    private let functions: [TransferFunction]
    private let policy: ColorConversionPolicy
    private let toneCurve: ToneCurve?
    private let scale: Double
    /// Whether a camera's log curve applies to limited-range codes.
    private let isLimitedLog: Bool
    /// Whether a graphic has the light of video.
    private let isShownAsVideo: Bool
    private let isBounded: Bool
    /// Whether the source's signal is limited to 0 … 1.
    private let isLimited: Bool

    private init(_ step: Step, _ conversion: LightConversion, _ functions: [TransferFunction]) {
      self.step = step
      self.functions = functions
      policy = conversion.policy
      toneCurve = step == .tone ? conversion.toneCurve : nil
      isLimitedLog = step == .decode && conversion.source.transfer.isLog && conversion.source.range == .limited
      isShownAsVideo = (step == .decode || step == .transcode) && conversion.isShownAsVideo
      scale = Kind.scales(step, conversion) ? conversion.scale : 1
      isBounded = step == .encode && conversion.toneCurve != nil
      isLimited = (step == .decode || step == .transcode) && conversion.isLimited
    }

    /// Whether a curve scales light to the output's unit: a curve from signal to signal, and, if no matrix does, the last
    /// curve before the output's.
    private static func scales(_ step: Step, _ conversion: LightConversion) -> Bool {
      switch step {
      case .transcode: true
      case .decode: conversion.gamut == nil && !conversion.isSceneLight
      case .system: conversion.gamut == nil
      case .encode, .inverseSystem, .tone: false
      }
    }

    /// The key of the curve from a source's signal to light.
    static func decode(_ conversion: LightConversion) -> Kind { Kind(.decode, conversion, [conversion.sourceCurve]) }
    /// The key of the curve from light to the output's signal.
    static func encode(_ conversion: LightConversion) -> Kind { Kind(.encode, conversion, [conversion.outputCurve]) }
    /// The key of the curve from signal to signal, per component.
    static func transcode(_ conversion: LightConversion) -> Kind {
      Kind(.transcode, conversion, [conversion.sourceCurve, conversion.outputCurve])
    }
    /// The key of the factor of HLG's OOTF, by luminance.
    static func system(_ conversion: LightConversion) -> Kind { Kind(.system, conversion, []) }
    /// The key of the factor of the inverse OOTF.
    static func inverseSystem(_ conversion: LightConversion) -> Kind { Kind(.inverseSystem, conversion, []) }
    /// The key of the roll-off's factor, by the largest component.
    static func tone(_ conversion: LightConversion) -> Kind { Kind(.tone, conversion, [conversion.outputCurve]) }

    /// SDR curves are odd; HDR curves, and limited ones, are 0 below black.
    var isOdd: Bool { !isLimited && functions.allSatisfy { !$0.isHDR && !$0.isLog } }

    func value(_ x: Double, _ conversion: LightConversion) -> Double {
      let curve = conversion.policy.sdrCurve
      let output = conversion.outputCurve
      switch step {
      case .decode: return conversion.sourceLight(x) * scale
      case .encode: return output.encode(x, sdrCurve: curve) ?? 0
      case .transcode: return output.encode(conversion.sourceLight(x) * scale, sdrCurve: curve) ?? 0
      case .system: return conversion.systemFactor(x) * scale
      case .inverseSystem: return conversion.inverseSystemFactor(x)
      case .tone: return conversion.toneFactor(x)
      }
    }
  }

  private struct Key: Hashable {
    let kind: Kind
    let isPrecise: Bool
  }
  private let tables = Mutex<[Key: CurveTable]>([:])
  private let hueTables = Mutex<[ColorPrimaries: HueTable]>([:])

  package init() {}

  /// The lines of constant hue of a gamut.
  func hueTable(_ lines: HueLines, of primaries: ColorPrimaries) -> HueTable {
    if let table = hueTables.withLock({ $0[primaries] }) { return table }
    let table = HueTable(lines)
    hueTables.withLock { $0[primaries] = table }
    return table
  }

  /// The table of a conversion's curve.
  ///
  /// - Parameter isPrecise: Whether it must be accurate to more than 10 bits.
  func table(_ kind: Kind, _ conversion: LightConversion, isPrecise: Bool) -> CurveTable {
    let key = Key(kind: kind, isPrecise: isPrecise)
    if let table = tables.withLock({ $0[key] }) { return table }
    let pieces = isPrecise ? nil : kind.pieces(conversion)
    let table =
      pieces.map(CurveTable.init(pieces:)) ?? CurveTable(isOdd: kind.isOdd) { kind.value($0, conversion) }
    tables.withLock { $0[key] = table }
    return table
  }
}
