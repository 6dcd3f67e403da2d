import CCompositorICU
import CompositorAPI
import Synchronization

/// Numbers and dates as text by the locales of ICU. Formats are made once in a process, and used by any number of threads.
enum LocaleText {
  /// A format of ICU.
  private final class Format: Sendable {
    // ICU's formatters of numbers are immutable.
    nonisolated(unsafe) let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { cicu_number_format_destroy(pointer) }
  }

  private struct Known {
    var formats: [NumberFormat: Format?] = [:]
    var dates: [DateFormat: String] = [:]
    var locales: [String: Bool] = [:]
  }

  private static let known = Mutex(Known())

  /// - Throws: `.invalidValue` for a locale or currency that ICU doesn't have.
  static func require(_ format: NumberFormat) throws(CompositorError) {
    try require(locale: format.locale)
    guard format.currency.isEmpty || cicu_currency_digits(format.currency) >= 0 else {
      throw CompositorError(
        .invalidValue, "There is no currency \"\(format.currency)\".",
        recoverySuggestion: "Write its letters of ISO 4217, such as EUR, USD or JPY.")
    }
  }

  /// - Throws: `.invalidValue` for a locale that ICU doesn't have.
  static func require(locale: String) throws(CompositorError) {
    let exists = known.withLock { known in
      if let exists = known.locales[locale] { return exists }
      let exists = cicu_has_locale(locale)
      known.locales[locale] = exists
      return exists
    }
    guard exists else {
      let tag = locale.replacing("_", with: "-")
      throw CompositorError(
        .invalidValue, "There is no locale \"\(locale)\".",
        recoverySuggestion: tag != locale && cicu_has_locale(tag)
          ? "Write \"\(tag)\": parts of a language tag are joined by hyphens."
          : "Write a language and, where it matters, a region, such as \"de\", \"en-US\" or \"pt-BR\".")
    }
  }

  /// The number as text; empty if the format is one that ``require(_:)`` refuses.
  static func text(of value: Double, _ format: NumberFormat) -> String {
    let made = known.withLock { known in
      if let made = known.formats[format] { return made }
      let made = cicu_number_format_create(format.locale, format.skeleton).map(Format.init)
      known.formats[format] = .some(made)
      return made
    }
    guard let made else { return "" }
    return string { cicu_number_format_write(made.pointer, format.rounded(value), $0, $1) }
  }

  /// The date as text; empty if the locale is one that ``require(locale:)`` refuses.
  static func text(of format: DateFormat) -> String {
    if let text = known.withLock({ $0.dates[format] }) { return text }
    let text = string {
      cicu_date_write(
        format.locale, format.dateStyle.number, format.timeStyle.number, format.skeleton, format.milliseconds, $0, $1)
    }
    known.withLock { $0.dates[format] = text }
    return text
  }

  private static func string(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2048) { buffer in
      guard let base = buffer.baseAddress else { return "" }
      let count = write(base, buffer.count)
      return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
    }
  }

  /// The version of ICU.
  static var version: String {
    var text = [CChar](repeating: 0, count: 32)
    cicu_version(&text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension NumberFormat {
  /// The format in ICU's language of number skeletons.
  fileprivate var skeleton: String {
    var stems: [String] =
      switch style {
      case .decimal: []
      case .percent: ["percent", "scale/100"]
      case .currency: ["currency/\(currency)"]
      case .compact: ["compact-short"]
      }
    if let digits = shownDigits {
      let optional = String(repeating: "#", count: digits.upperBound - digits.lowerBound)
      stems.append(
        digits.upperBound == 0 ? "precision-integer" : "." + String(repeating: "0", count: digits.lowerBound) + optional)
    }
    if minimumIntegerDigits > 1 { stems.append("integer-width/+" + String(repeating: "0", count: minimumIntegerDigits)) }
    if !isGrouped { stems.append("group-off") }
    let modes: [NumberRounding: String] = [.nearest: "half-up", .floor: "floor", .ceiling: "ceiling"]
    return (stems + [modes[rounding].map { "rounding-mode-\($0)" } ?? ""]).joined(separator: " ")
  }

  /// The fewest and the most decimals; `nil` if the format has its own.
  private var shownDigits: ClosedRange<Int>? {
    guard fractionDigits != nil || maximumFractionDigits != nil || style != .compact else { return nil }
    let usual = style == .currency ? Int(max(cicu_currency_digits(currency), 0)) : 0
    let fewest = min(fractionDigits ?? usual, maximumFractionDigits ?? .max)
    return fewest...max(maximumFractionDigits ?? fewest, fewest)
  }

  /// The number rounded as ``NumberRounding`` says: what is within a millionth of its last digit isn't rounded away from it.
  fileprivate func rounded(_ value: Double) -> Double {
    let limited = value.isNaN ? 0 : min(max(value, -9e18), 9e18)
    guard style != .compact, let digits = shownDigits?.upperBound else { return limited }
    var unit = style == .percent ? 100.0 : 1
    for _ in 0..<digits { unit *= 10 }
    let amount = abs(limited) * unit
    // Above this, a number has no digits that could be rounded.
    guard amount < 1e15 else { return limited }
    let count = rounding.integer(amount, isNegative: limited < 0)
    return count == 0 ? 0 : limited < 0 ? -count / unit : count / unit
  }
}

extension DateFormat.Style? {
  /// The style as ICU's number.
  fileprivate var number: Int32 {
    switch self {
    case .full: 0
    case .long: 1
    case .medium: 2
    case .short: 3
    case nil: -1
    }
  }
}
