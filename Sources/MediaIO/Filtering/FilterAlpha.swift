/// Tells filters that make transparency of opaque frames, which therefore need a format with alpha.
///
/// Most filters change no alpha, and keep the format without alpha that opaque frames have. libavfilter doesn't say which ones
/// do: `chromakey` always does, `fade` only if its `alpha` is set.
package enum FilterAlpha {
  /// Whether a filter makes alpha.
  ///
  /// - Parameters:
  ///   - options: Its options that are set, in libavfilter's notation.
  ///   - changing: Names of options that change over time.
  package static func isMade(by filter: String, options: [String: String], changing: Set<String> = []) -> Bool {
    if keys.contains(filter) { return true }
    guard let named = transparency[filter] else { return false }
    // Only a box that replaces what it covers takes its alpha along.
    if boxes.contains(filter), options["replace"].map(isOn) != true { return false }
    return named.contains { name, isTransparent in
      changing.contains(name) || options[name].map(isTransparent) == true
    }
  }

  /// Whether a graph makes alpha: one of its filters does, and none behind it lays the frame on another one.
  package static func isMade(byGraph text: String) -> Bool {
    let filters = FilterNotation.filters(in: text)
    let last = filters.lastIndex { $0.name == "overlay" }.map { $0 + 1 } ?? 0
    return filters[last...].contains { filter in
      var options: [String: String] = [:]
      for (key, value) in filter.arguments { if let key { options[key] = value } }
      return isMade(by: filter.name, options: options)
    }
  }

  /// Filters whose frames always have alpha.
  package static let keys: Set<String> = ["backgroundkey", "chromakey", "colorkey", "hsvkey", "lumakey"]

  private static let boxes: Set<String> = ["drawbox", "drawgrid"]

  /// The options of other filters, with the values that make transparency.
  private static let transparency: [String: [String: @Sendable (String) -> Bool]] = [
    "colorchannelmixer": ["ar": isNot(0), "ag": isNot(0), "ab": isNot(0), "aa": isNot(1)],
    "drawbox": ["color": isTransparent, "c": isTransparent], "drawgrid": ["color": isTransparent, "c": isTransparent],
    "fade": ["alpha": isOn], "fillborders": ["color": isTransparent],
    "geq": ["alpha_expr": isWritten, "a": isWritten],
    "lut": ["c3": isExpression, "a": isExpression], "lutrgb": ["c3": isExpression, "a": isExpression],
    "lutyuv": ["c3": isExpression, "a": isExpression], "pad": ["color": isTransparent],
    "rotate": ["fillcolor": isTransparent, "c": isTransparent], "shear": ["fillcolor": isTransparent, "c": isTransparent],
    "v360": ["alpha_mask": isOn],
  ]

  @Sendable private static func isOn(_ value: String) -> Bool { ["1", "true", "yes", "y", "on", "enable"].contains(value) }
  @Sendable private static func isWritten(_ value: String) -> Bool { !value.isEmpty }
  @Sendable private static func isExpression(_ value: String) -> Bool { !["", "val", "clipval"].contains(value) }
  private static func isNot(_ neutral: Double) -> @Sendable (String) -> Bool { { value in Double(value) != neutral } }

  /// Whether a color in libavutil's notation isn't opaque: `none`, `red@0.5`, `#11223380`.
  @Sendable private static func isTransparent(_ color: String) -> Bool {
    if color.lowercased() == "none" { return true }
    if let at = color.lastIndex(of: "@") {
      let alpha = color[color.index(after: at)...]
      let isCode = alpha.lowercased().hasPrefix("0x")
      let opacity = isCode ? Int(alpha.dropFirst(2), radix: 16).map { Double($0) / 255 } : Double(alpha)
      return opacity.map { $0 < 1 } ?? false
    }
    let digits = color.hasPrefix("#") ? color.dropFirst() : color.lowercased().hasPrefix("0x") ? color.dropFirst(2) : color[...]
    return digits.count == 8 && digits.allSatisfy(\.isHexDigit) && digits.suffix(2).lowercased() != "ff"
  }
}
