extension Double {
  /// Integers without a decimal point; others with at most four decimals and without an exponent.
  package var plain: String {
    guard isFinite, abs(self) < 1e9 else { return "\(self)" }
    let tenThousandths = Int((self * 10_000).rounded())
    let (whole, fraction) = tenThousandths.magnitude.quotientAndRemainder(dividingBy: 10_000)
    let sign = tenThousandths < 0 ? "-" : ""
    guard fraction != 0 else { return "\(sign)\(whole)" }
    let digits = String(fraction + 10_000).dropFirst()
    return "\(sign)\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
