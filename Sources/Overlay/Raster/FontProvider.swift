/// The source of a renderer's fonts.
public struct FontProvider: Hashable, Sendable {
  /// A font file in memory.
  public struct File: Hashable, Sendable {
    /// The name used in messages.
    public var name: String
    /// The contents of the file: TrueType, OpenType, or a collection.
    public var bytes: [UInt8]
    /// Creates a font file from its contents.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Font files in addition to the system's fonts.
  public var files: [File]
  /// Whether the fonts installed on this machine are also used. Without them, rendering is the same on every machine.
  public var usesSystemFonts: Bool
  /// The family of text that names none.
  public var defaultFamily: String

  /// Creates a provider of system fonts and font files.
  public init(files: [File] = [], usesSystemFonts: Bool = true, defaultFamily: String = "DejaVu Sans") {
    self.files = files
    self.usesSystemFonts = usesSystemFonts
    self.defaultFamily = defaultFamily
  }

  /// The fonts installed on this machine.
  public static let system = FontProvider()
}
