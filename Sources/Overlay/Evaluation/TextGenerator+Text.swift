package import CompositorAPI

extension TextGenerator {
  /// - Throws: `.invalidValue` for a locale or currency that doesn't exist.
  package func requireLocale() throws(CompositorError) {
    switch self {
    case .localizedNumber(let format): try LocaleText.require(format)
    case .date(let format): try LocaleText.require(locale: format.locale)
    case .number, .duration, .timecode: break
    }
  }

  /// Text with every character that the generated one may have.
  var sample: String {
    switch self {
    case .localizedNumber(let format):
      // All digits, the sign, and the abbreviations of thousands, millions and so on.
      [-1_234_567_890.5, 1e3, 1e6, 1e9, 1e12].map { LocaleText.text(of: $0, format) }.joined(separator: " ")
    case .date: text(value: 0, at: 0)
    case .number, .duration, .timecode: "0"
    }
  }

  /// The string at a given time of the layer.
  package func text(value: Double, at time: Double) -> String {
    switch self {
    case .number(let fractionDigits, let minimumIntegerDigits, let grouping, let rounding):
      TextGenerator.number(
        value, fractionDigits: min(max(fractionDigits, 0), 9), minimum: min(max(minimumIntegerDigits, 1), 18), grouping,
        rounding)
    case .localizedNumber(let format): LocaleText.text(of: value, format)
    case .date(let format): LocaleText.text(of: format)
    case .duration(let format, let rounding): format.text(seconds: value, rounding: rounding)
    case .timecode(let rate, let start, let dropFrame):
      TextGenerator.timecode(rate, start, dropFrame, at: time)
    }
  }

  private static func number(
    _ value: Double, fractionDigits: Int, minimum: Int, _ grouping: String, _ rounding: NumberRounding
  ) -> String {
    var unit = 1
    for _ in 0..<fractionDigits { unit *= 10 }
    let size = abs(value) < 9e18 ? abs(value) : 9e18
    // Integer and fraction separately: together they would not fit.
    var whole = Int(size)
    var fraction = Int(rounding.integer((size - Double(whole)) * Double(unit), isNegative: value < 0))
    if fraction == unit { (whole, fraction) = (whole + 1, 0) }
    let sign = value < 0 && (whole > 0 || fraction > 0) ? "-" : ""
    var digits = String(whole)
    while digits.count < minimum { digits = "0" + digits }
    if !grouping.isEmpty {
      var grouped = ""
      for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { grouped += grouping }
        grouped.append(digit)
      }
      digits = grouped
    }
    guard fractionDigits > 0 else { return sign + digits }
    return sign + digits + "." + String(fraction + unit).dropFirst()
  }

  private static func timecode(_ rate: Rational, _ start: Int, _ dropFrame: Bool, at time: Double) -> String {
    guard rate.denominator > 0, rate.numerator > 0, time.isFinite, abs(time) < 1e7, rate.value <= 1000 else {
      return "--:--:--:--"
    }
    let perSecond = max(Int(rate.value.rounded()), 1)
    // A time on a frame's edge must not be rounded into the previous frame.
    var frame = max(Int((time * rate.value + 1e-6).rounded(.down)) + min(max(start, 0), 10_000_000), 0)
    if dropFrame, perSecond % 30 == 0 {
      let dropped = perSecond / 15
      let (perTen, perMinute) = (perSecond * 600 - dropped * 9, perSecond * 60 - dropped)
      let (tens, rest) = (frame / perTen, frame % perTen)
      frame += dropped * 9 * tens + (rest > dropped ? dropped * ((rest - dropped) / perMinute) : 0)
    }
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let seconds = frame / perSecond
    let separator = dropFrame ? ";" : ":"
    return "\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))\(separator)\(two(frame % perSecond))"
  }
}
