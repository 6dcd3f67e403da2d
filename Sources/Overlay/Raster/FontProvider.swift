/// Where a renderer's fonts come from.
public struct FontProvider: Hashable, Sendable {
  /// A font file's bytes.
  public struct File: Hashable, Sendable {
    /// The name for messages.
    public var name: String
    /// The whole file: TrueType, OpenType, or a collection of them.
    public var bytes: [UInt8]
    /// Makes a file.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Files in addition to the system's fonts.
  public var files: [File]
  /// Whether the fonts installed on this machine are used too; without them the same files give the same picture everywhere.
  public var usesSystemFonts: Bool
  /// The family of text that names none.
  public var defaultFamily: String

  /// Fonts of the system and of some files.
  public init(files: [File] = [], usesSystemFonts: Bool = true, defaultFamily: String = "DejaVu Sans") {
    self.files = files
    self.usesSystemFonts = usesSystemFonts
    self.defaultFamily = defaultFamily
  }

  /// The fonts installed on this machine.
  public static let system = FontProvider()
}
