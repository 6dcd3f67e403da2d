/// Which channels of an audio track are heard, each at full level.
///
/// The chosen channels take the places of a layout of their number: one is heard in the center, or in left and right alike; two
/// are left and right. In text and JSON, a selection is `all`, `left`, `right`, `swap` or `mono`, or a list of indices such as
/// `2` or `1,0`.
public enum AudioChannels: Hashable, Sendable {
  /// All channels, in their own places.
  case all
  /// The left channel, or the first one of a layout without sides: for a voice that was recorded on one side.
  case left
  /// The right channel, or the second one of a layout without sides.
  case right
  /// Left and right exchanged; other channels are left out.
  case swap
  /// All channels mixed down to one.
  case mono
  /// Channels by their index in the track, from 0. At least one, at most 8.
  case only([Int])

  /// The valid indices of channels.
  public static let indices = 0...63

  /// Parses a selection; `nil` if it isn't one.
  public init?(_ text: String) {
    if let word = Self.words.first(where: { $0.word == text }) {
      self = word.value
      return
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let indices = parts.compactMap { Int($0.trimmingPrefix(" ")) }
    guard (1...8).contains(parts.count), indices.count == parts.count, indices.allSatisfy(Self.indices.contains) else {
      return nil
    }
    self = .only(indices)
  }

  /// The words for selections that don't name indices.
  public static let words: [(word: String, value: AudioChannels)] = [
    ("all", .all), ("left", .left), ("right", .right), ("swap", .swap), ("mono", .mono),
  ]

  /// The selection as text.
  public var text: String {
    if case .only(let indices) = self { return indices.map(String.init).joined(separator: ",") }
    return Self.words.first { $0.value == self }?.word ?? "all"
  }

  /// The indices of the channels in a track of `count` channels; `nil` if all of them are used. Of a mono track, left, right
  /// and swapped channels are its only one.
  package func indices(of count: Int) -> [Int]? {
    switch self {
    case .all, .mono: nil
    case .left: [0]
    case .right: [min(1, max(0, count - 1))]
    case .swap: count > 1 ? [1, 0] : nil
    case .only(let indices): indices
    }
  }

  /// The number of channels that are heard of a track of `count` channels.
  package func heardCount(of count: Int) -> Int { self == .mono ? min(count, 1) : indices(of: count)?.count ?? count }
}

extension AudioChannels: Codable {
  /// Decodes a selection from its text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let value = AudioChannels(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is no selection of channels."))
    }
    self = value
  }

  /// Encodes the selection as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
