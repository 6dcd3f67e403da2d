/// The direction in which lines run and follow one another.
public enum WritingMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// Horizontal lines from top to bottom.
  case horizontal
  /// Columns from top to bottom, from right to left: Chinese, Japanese, Korean. Letters of other scripts are rotated clockwise.
  case verticalRL = "vertical-rl"
  /// Columns from top to bottom, from left to right.
  case verticalLR = "vertical-lr"
}

/// The direction of a paragraph.
public enum TextDirection: String, Hashable, Sendable, Codable, CaseIterable {
  /// Determined by the first letter of the paragraph, ignoring isolates (rules P2 and P3 of the Unicode bidirectional
  /// algorithm). A paragraph without letters has the direction of the previous one.
  case natural
  /// From left to right.
  case leftToRight = "left-to-right"
  /// From right to left: Arabic, Hebrew.
  case rightToLeft = "right-to-left"
}

/// How text that is larger than its box is resized.
public enum TextFit: String, Hashable, Sendable, Codable, CaseIterable {
  /// Not at all.
  case none
  /// All of it shrinks until it fits, such as names on a lower third. It never grows.
  case shrink
}

extension TextDirection {
  /// Whether text of this direction runs from right to left.
  package func isRightToLeft(_ text: String) -> Bool {
    switch self {
    case .leftToRight: return false
    case .rightToLeft: return true
    case .natural: break
    }
    return TextDirection.paragraphs(of: text).lazy.compactMap { TextDirection.isRightToLeft(paragraph: $0) }.first ?? false
  }

  /// Whether paragraphs of a text have different directions by their own letters.
  package static func isMixed(_ text: String) -> Bool {
    // Most texts have no letters that could be from right to left.
    guard text.unicodeScalars.contains(where: { $0.value >= 0x0590 }) else { return false }
    let directions = paragraphs(of: text).lazy.compactMap { isRightToLeft(paragraph: $0) }
    return directions.contains(true) && directions.contains(false)
  }

  private static func paragraphs(of text: String) -> [Substring.UnicodeScalarView] {
    text.unicodeScalars.split(omittingEmptySubsequences: true) { $0 == "\n" || $0 == "\r" || $0 == "\u{2029}" }
  }

  /// Whether the first strong character of a paragraph, ignoring isolates, is from right to left (rules P2 and P3 of the
  /// Unicode bidirectional algorithm); `nil` if there is none.
  private static func isRightToLeft(paragraph: Substring.UnicodeScalarView) -> Bool? {
    var depth = 0
    for scalar in paragraph {
      switch scalar.value {
      case 0x2066...0x2068: depth += 1
      case 0x2069: depth = max(depth - 1, 0)
      case _ where depth > 0: break
      case 0x200E: return false
      case _ where scalar.isStrongRightToLeft: return true
      case _ where scalar.isLetter: return false
      default: break
      }
    }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
    default: false
    }
  }

  /// Bidirectional classes R and AL: the mark U+200F, and letters of the blocks that Unicode reserves for such scripts.
  fileprivate var isStrongRightToLeft: Bool {
    switch value {
    case 0x200F: return true
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: break
    default: return false
    }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .decimalNumber, .mathSymbol, .currencySymbol, .format, .unassigned: return false
    // Exclude Arabic punctuation that isn't strong, such as the comma and the percent sign.
    case .otherPunctuation: return ![0x060C, 0x066A, 0x066B, 0x066C].contains(value) && !(0x0609...0x060A).contains(value)
    case .otherSymbol: return !(0x060E...0x060F).contains(value) && value != 0x06DE && value != 0x06E9
    default: return true
    }
  }
}
