import CompositorPlatform

/// A camera's log curve, which maps scene reflectance (0.18 for a gray card, 1 for a perfect white) to a signal and back.
///
/// Constants are those published by the manufacturers. Above ``cut`` the signal is `scale · log₁₀(gain · x + bias) + offset`.
struct LogCurve: Hashable {
  /// The curve below ``cut``.
  enum Toe: Hashable {
    /// `slope · x + offset`.
    case line(slope: Double, offset: Double)
    /// `factor · (x − start)²`, and 0 below `start`.
    case parabola(factor: Double, start: Double)
  }
  /// The meaning of a signal of 1.
  enum Unit: Hashable {
    /// The 10-bit code 1023, even in limited range, because the manufacturer's document specifies code values.
    case code
    /// The nominal white of the range: the 10-bit code 940 in limited range.
    case signal
  }
  let gain, bias, scale, offset: Double
  let cut: Double
  let toe: Toe
  let unit: Unit

  func encode(_ reflectance: Double) -> Double {
    guard reflectance < cut else { return scale * log10(gain * reflectance + bias) + offset }
    switch toe {
    case .line(let slope, let offset): return slope * reflectance + offset
    case .parabola(let factor, let start): return factor * pow(max(reflectance - start, 0), 2)
    }
  }

  func decode(_ signal: Double) -> Double {
    switch toe {
    case .line(let slope, let offset):
      if signal < slope * cut + offset { return (signal - offset) / slope }
    case .parabola(let factor, let start):
      if signal < factor * pow(cut - start, 2) { return (max(signal, 0) / factor).squareRoot() + start }
    }
    return (pow(10, (signal - offset) / scale) - bias) / gain
  }

  /// Apple Log Profile White Paper, 2023.
  static let appleLog = LogCurve(
    gain: 1, bias: 0.00964052, scale: 0.08550479 / log10(2), offset: 0.69336945, cut: 0.01,
    toe: .parabola(factor: 47.28711236, start: -0.05641088), unit: .signal)
  /// Sony, Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3.
  static let sLog3 = LogCurve(
    gain: 1 / 0.19, bias: 0.01 / 0.19, scale: 261.5 / 1023, offset: 420.0 / 1023, cut: 0.01125,
    toe: .line(slope: (171.2102946929 - 95) / 0.01125 / 1023, offset: 95.0 / 1023), unit: .code)
  /// Panasonic, V-Log/V-Gamut Reference Manual, 2014.
  static let vLog = LogCurve(
    gain: 1, bias: 0.00873, scale: 0.241514, offset: 0.598206, cut: 0.01, toe: .line(slope: 5.6, offset: 0.125), unit: .code)
  /// ARRI, ALEXA Log C Curve, exposure index 800, firmware 3 and later.
  static let logC3 = LogCurve(
    gain: 5.555556, bias: 0.052272, scale: 0.247190, offset: 0.385537, cut: 0.010591,
    toe: .line(slope: 5.367655, offset: 0.092809), unit: .signal)
  /// ARRI LogC4 Logarithmic Color Space, Specification, 2022.
  static let logC4: LogCurve = {
    let (a, b, c) = ((exp2(18) - 16) / 117.45, (1023.0 - 95) / 1023, 95.0 / 1023)
    let slope = a * b / (7 * log(2) * exp2(7 - 14 * c / b))
    let cut = (exp2(6 - 14 * c / b) - 64) / a
    return LogCurve(
      gain: a, bias: 64, scale: b / (14 * log10(2)), offset: c - 6 * b / 14, cut: cut,
      toe: .line(slope: slope, offset: -cut * slope), unit: .signal)
  }()
  /// Canon Log Gamma Curves, 2018, version 1.2; extended linearly below black.
  static let cLog3 = LogCurve(
    gain: 14.98325 / 0.9, bias: 1, scale: 0.36726845, offset: 0.12240537, cut: 0.014 * 0.9,
    toe: .line(slope: 1.9754798 / 0.9, offset: 0.12512219), unit: .code)
  /// Canon Log Gamma Curves, 2018, version 1.2; extended linearly below black.
  static let cLog2 = LogCurve(
    gain: 87.09937546 / 0.9, bias: 1, scale: 0.24136077, offset: 0.092864125, cut: 0,
    toe: .line(slope: 0.24136077 * 87.09937546 / 0.9 / log(10), offset: 0.092864125), unit: .code)
  /// Fujifilm, F-Log2 Data Sheet, version 1.0.
  static let fLog2 = LogCurve(
    gain: 5.555556, bias: 0.064829, scale: 0.245281, offset: 0.384316, cut: 0.000889,
    toe: .line(slope: 8.799461, offset: 0.092864), unit: .code)
}

extension TransferFunction {
  /// Whether light may be brighter than SDR white: PQ, HLG and scene light.
  var isBright: Bool { isHDR || isLog }

  /// The log curve of a camera; `nil` for any other transfer function.
  var logCurve: LogCurve? {
    switch self {
    case .appleLog: .appleLog
    case .sLog3: .sLog3
    case .vLog: .vLog
    case .logC3: .logC3
    case .logC4: .logC4
    case .cLog3: .cLog3
    case .cLog2: .cLog2
    case .fLog2: .fLog2
    default: nil
    }
  }
}
