/// An audio track of a movie that is to be written.
public struct AudioTrackDescription: Hashable, Sendable {
  /// How audio is encoded.
  public var encoding: AudioEncodingSettings
  /// The language as a BCP 47 tag (`de`, `pt-BR`); nil for none. Containers hold the language without region or script.
  public var language: String?
  /// The title of the track, for people, such as “Director's comments”; nil for none.
  public var title: String?
  /// Whether players choose this track if nobody else does; of one track at most. If no track says so, it is the first.
  public var isDefault: Bool
  /// Further entries of the track. Matroska alone can hold any.
  public var metadata: [String: String]

  /// Makes a description.
  public init(
    encoding: AudioEncodingSettings = AudioEncodingSettings(), language: String? = nil, title: String? = nil,
    isDefault: Bool = false, metadata: [String: String] = [:]
  ) {
    self.encoding = encoding
    self.language = language
    self.title = title
    self.isDefault = isDefault
    self.metadata = metadata
  }
}
