public import Foundation

/// The side of lines.
public struct CATextLayerAlignmentMode: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A side by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// As the script has it.
  public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
  /// The left edge.
  public static let left = CATextLayerAlignmentMode(rawValue: "left")
  /// The right edge.
  public static let right = CATextLayerAlignmentMode(rawValue: "right")
  /// The middle.
  public static let center = CATextLayerAlignmentMode(rawValue: "center")
  /// Both edges.
  public static let justified = CATextLayerAlignmentMode(rawValue: "justified")
}

/// What of a line is left out that is too long.
public struct CATextLayerTruncationMode: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A mode by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Nothing: it goes on beyond the bounds.
  public static let none = CATextLayerTruncationMode(rawValue: "none")
  /// The beginning.
  public static let start = CATextLayerTruncationMode(rawValue: "start")
  /// The end.
  public static let end = CATextLayerTruncationMode(rawValue: "end")
  /// The middle.
  public static let middle = CATextLayerTruncationMode(rawValue: "middle")
}

/// Text in one font and one color, from the upper edge of the bounds down.
///
/// A font that the machine does not have is replaced by one that it has.
open class CATextLayer: CALayer {
  /// A `String`, or an `NSAttributedString` of which only the text counts.
  open var string: Any?
  /// The name of the font as a `CFString`: a family, or a family, a hyphen and a style, such as `Helvetica-Bold`.
  open var font: CFTypeRef? = "Helvetica" as CFString
  /// The size of the font.
  open var fontSize: CGFloat = 36
  /// The color of the text. Default white.
  open var foregroundColor: CGColor? = .white
  /// Whether lines end at the bounds.
  open var isWrapped = false
  /// The side of lines.
  open var alignmentMode = CATextLayerAlignmentMode.natural
  /// What of a line is left out that is too long.
  open var truncationMode = CATextLayerTruncationMode.none
  /// A hint, which changes nothing here.
  open var allowsFontSubpixelQuantization = false

  /// The compositor draws the text.
  open override func display() {}
}
