/// A color of a diagram: a pair for light and dark themes.
///
/// In the fixed palette, text and strokes have a contrast of at least 4.5 to 1 with their backgrounds (WCAG 2.1, AA).
public struct DiagramColor: Hashable, Sendable {
  /// The color on a light background, as `0xRRGGBB`.
  public var light: UInt32
  /// The color on a dark background, as `0xRRGGBB`.
  public var dark: UInt32

  /// Creates a pair of colors, each as `0xRRGGBB`; higher bits are ignored.
  public init(light: UInt32, dark: UInt32) {
    self.light = light & 0xff_ffff
    self.dark = dark & 0xff_ffff
  }

  /// The background.
  public static let background = DiagramColor(light: 0xffffff, dark: 0x14171b)
  /// The background of every second row.
  public static let band = DiagramColor(light: 0xf5f7f9, dark: 0x1a1e23)
  /// Text.
  public static let text = DiagramColor(light: 0x1b1f24, dark: 0xe8ecf0)
  /// Secondary text.
  public static let mutedText = DiagramColor(light: 0x515a64, dark: 0xaab4be)
  /// Lines of the time grid.
  public static let grid = DiagramColor(light: 0xd7dde3, dark: 0x30373f)
  /// Lines and hatching of gaps.
  public static let gap = DiagramColor(light: 0x76808b, dark: 0x808a95)
  /// The marker of the current time.
  public static let playhead = DiagramColor(light: 0xb0127b, dark: 0xff7ad1)
  /// Errors.
  public static let error = DiagramColor(light: 0xb3201f, dark: 0xff8f87)
  /// The background of an error's number.
  public static let errorFill = DiagramColor(light: 0xfde3e1, dark: 0x4a1c1a)
  /// Warnings.
  public static let warning = DiagramColor(light: 0x855700, dark: 0xf2b84b)
  /// The background of a warning's number.
  public static let warningFill = DiagramColor(light: 0xfdf0d2, dark: 0x453410)
  /// The fill of audio segments.
  public static let audioFill = DiagramColor(light: 0xd5eed9, dark: 0x1d4429)
  /// Outlines and waveforms of audio.
  public static let audio = DiagramColor(light: 0x2b7d37, dark: 0x73c781)
  /// The fill of titles.
  public static let titleFill = DiagramColor(light: 0xfbe8c3, dark: 0x4d3a12)
  /// Outlines of titles.
  public static let title = DiagramColor(light: 0x8a5a00, dark: 0xe2ac4d)
  /// The fill of captions.
  public static let captionFill = DiagramColor(light: 0xe3e6ea, dark: 0x343b44)
  /// Outlines of captions.
  public static let caption = DiagramColor(light: 0x515a64, dark: 0xaab4be)

  private static let trackFills: [DiagramColor] = [
    .init(light: 0xcfe3fb, dark: 0x1d3d63), .init(light: 0xecdcf9, dark: 0x45305f), .init(light: 0xc9eef0, dark: 0x0f464c),
    .init(light: 0xfbd9df, dark: 0x5b2534), .init(light: 0xe4ecc4, dark: 0x3a4616), .init(light: 0xf8dcc6, dark: 0x573218),
  ]
  private static let trackStrokes: [DiagramColor] = [
    .init(light: 0x1b65b5, dark: 0x7ab8f7), .init(light: 0x7440a8, dark: 0xc39dec), .init(light: 0x0d6a75, dark: 0x5cc4cd),
    .init(light: 0xab2c48, dark: 0xf295a8), .init(light: 0x566614, dark: 0xb4c75a), .init(light: 0x98490f, dark: 0xf0a06a),
  ]

  /// The fill of the video track at an index, from 0; colors repeat after six.
  public static func trackFill(_ index: Int) -> DiagramColor { trackFills[abs(index % trackFills.count)] }
  /// The outline of the video track at an index, from 0; colors repeat after six.
  public static func track(_ index: Int) -> DiagramColor { trackStrokes[abs(index % trackStrokes.count)] }

  /// `#rrggbb`.
  func notation(dark isDark: Bool) -> String { "#" + Self.hexadecimal(isDark ? dark : light) }

  /// The name of the pair's class in a style sheet.
  var className: String { "\(Self.hexadecimal(light))-\(Self.hexadecimal(dark))" }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }
}
