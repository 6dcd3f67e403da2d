/// How light above what a display can show is rolled off: luminance in, luminance out, cd/m².
///
/// Black is 0 on both sides. A luminance above the source's peak counts as the peak.
public struct ToneCurve: Hashable, Sendable {
  /// The curve's kind.
  public let method: ColorConversionPolicy.ToneMapping
  /// The brightest the source may be, cd/m²; it becomes ``targetPeak``.
  public let sourcePeak: Double
  /// The brightest the output shows, cd/m².
  public let targetPeak: Double

  /// Makes a curve; nil where the source is no brighter than the target, so that nothing has to be rolled off.
  public init?(_ method: ColorConversionPolicy.ToneMapping, from sourcePeak: Double, to targetPeak: Double) {
    guard sourcePeak > targetPeak, targetPeak > 0 else { return nil }
    self.method = method
    self.sourcePeak = sourcePeak
    self.targetPeak = targetPeak
  }

  /// The luminance shown for a luminance of the source, both cd/m².
  public func luminance(_ source: Double) -> Double {
    guard source > 0 else { return 0 }
    guard source < sourcePeak else { return targetPeak }
    let (x, peak) = (source / targetPeak, sourcePeak / targetPeak)
    switch method {
    case .bt2390: return eetf(source)
    case .reinhard: return targetPeak * x * (1 + x / (peak * peak)) / (1 + x)
    case .hable: return targetPeak * ToneCurve.hable(x) / ToneCurve.hable(peak)
    case .clip: return min(source, targetPeak)
    }
  }

  /// The luminance up to which nothing changes, cd/m²; nil where there is none.
  package var knee: Double? {
    switch method {
    case .bt2390:
      guard let (white, start) = eetfSignals, start > 0 else { return nil }
      return TransferFunction.pq.decode(start * white).map { $0 * 10_000 }
    case .clip: return targetPeak
    case .reinhard, .hable: return nil
    }
  }

  /// The PQ signal of the source's peak, and the knee as a part of it.
  private var eetfSignals: (white: Double, knee: Double)? {
    guard let white = TransferFunction.pq.encode(sourcePeak / 10_000),
      let target = TransferFunction.pq.encode(targetPeak / 10_000)
    else { return nil }
    return (white, max(1.5 * target / white - 0.5, 0))
  }

  /// ITU-R BT.2390-10 clause 5.4.1, steps 1 to 4, with blacks of 0.
  private func eetf(_ source: Double) -> Double {
    guard let (white, knee) = eetfSignals, let signal = TransferFunction.pq.encode(source / 10_000),
      let target = TransferFunction.pq.encode(targetPeak / 10_000)
    else { return min(source, targetPeak) }
    let (e, limit) = (signal / white, target / white)
    guard e > knee else { return source }
    let t = (e - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let spline = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * limit
    return 10_000 * (TransferFunction.pq.decode(spline * white) ?? 0)
  }

  /// Hable's curve with his published constants, not yet scaled to its white.
  private static func hable(_ x: Double) -> Double {
    let (a, b, c, d, e, f) = (0.15, 0.5, 0.1, 0.2, 0.02, 0.3)
    return (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f
  }
}
