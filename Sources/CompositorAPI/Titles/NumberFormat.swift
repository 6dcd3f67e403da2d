/// The format of a number by the conventions of a language and region: separators, digits, signs, and where the unit is. They are
/// those of the Unicode locale data (CLDR), as in `Intl.NumberFormat` of browsers.
///
/// | style | locale | -1234.5 |
/// |---|---|---|
/// | ``Style/decimal`` | `de-DE` | -1.235 |
/// | ``Style/currency``, EUR | `de-DE` | -1.234,50 € |
/// | ``Style/percent`` | `fr-FR` | -123 450 % |
/// | ``Style/compact`` | `en-US` | -1.2K |
public struct NumberFormat: Hashable, Sendable {
  /// What a number is.
  public enum Style: String, Hashable, Sendable, Codable, CaseIterable {
    /// A number.
    case decimal
    /// A fraction, which is shown in percent: 0.5 is 50 %.
    case percent
    /// An amount of ``NumberFormat/currency``.
    case currency
    /// A number in thousands, millions and so on, rounded to two digits if it has only one or two before the decimal point.
    case compact
  }

  /// The locale as a language tag (BCP 47), such as `de-CH`. Extensions choose other digits: `hi-IN-u-nu-deva`.
  public let locale: String
  /// What the number is.
  public let style: Style
  /// The currency, by its three letters (ISO 4217), such as `EUR`; empty for other styles.
  public let currency: String
  /// The number of decimals; `nil` for that of the currency, that which ``Style/compact`` chooses, and 0 for other styles.
  public let fractionDigits: Int?
  /// The number of decimals up to which they are shown if they aren't 0; `nil` for ``fractionDigits``.
  public let maximumFractionDigits: Int?
  /// The minimum number of digits before the decimal point.
  public let minimumIntegerDigits: Int
  /// Whether digits are grouped, as the locale does.
  public let isGrouped: Bool
  /// How numbers are rounded.
  public let rounding: NumberRounding

  /// Creates a format.
  ///
  /// - Throws: `.invalidValue` if the style is ``Style/currency`` and there is none, or another style and there is one; if the
  ///   currency isn't three letters; or if numbers of digits are negative, above 18, or in the wrong order.
  public init(
    locale: String, style: Style = .decimal, currency: String = "", fractionDigits: Int? = nil,
    maximumFractionDigits: Int? = nil, minimumIntegerDigits: Int = 1, isGrouped: Bool = true,
    rounding: NumberRounding = .nearest
  ) throws(CompositorError) {
    guard (style == .currency) == !currency.isEmpty else {
      throw CompositorError(
        .invalidValue,
        style == .currency ? "A number in the style currency has no currency." : "Only a number in the style currency has one.",
        recoverySuggestion: "Write style: \"currency\" and currency: \"EUR\", for example.")
    }
    guard currency.isEmpty || currency.utf8.count == 3 && currency.utf8.allSatisfy({ (65...90).contains($0 & 0xdf) }) else {
      throw CompositorError(
        .invalidValue, "\"\(currency)\" isn't a currency.", recoverySuggestion: "Write three letters, such as EUR or JPY.")
    }
    let digits = [fractionDigits ?? 0, maximumFractionDigits ?? fractionDigits ?? 0, minimumIntegerDigits]
    guard digits.allSatisfy((0...18).contains) else {
      throw CompositorError(
        .invalidValue, "A number has fewer than 0 or more than 18 digits.", recoverySuggestion: "Write numbers from 0 to 18.")
    }
    if let fractionDigits, let maximumFractionDigits, maximumFractionDigits < fractionDigits {
      throw CompositorError(
        .invalidValue, "maximumFractionDigits is less than fractionDigits.",
        recoverySuggestion: "Exchange them, or leave fractionDigits out.")
    }
    (self.locale, self.style, self.currency) = (locale, style, currency.uppercased())
    (self.fractionDigits, self.maximumFractionDigits) = (fractionDigits, maximumFractionDigits)
    (self.minimumIntegerDigits, self.isGrouped, self.rounding) = (minimumIntegerDigits, isGrouped, rounding)
  }
}
