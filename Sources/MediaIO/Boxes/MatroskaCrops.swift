/// What a Matroska or WebM file states of its video tracks and libavformat doesn't read: the pixels at the edges of the frames that players
/// hide (RFC 9559, `PixelCrop…`).
struct MatroskaCrops {
  /// Hidden pixels of a track.
  struct Crop: Hashable {
    var (left, top, right, bottom) = (0, 0, 0, 0)

    /// `the hidden edges: 40 pixels left, 8 top`.
    var meaning: String {
      let edges = [(left, "left"), (top, "top"), (right, "right"), (bottom, "bottom")].filter { $0.0 > 0 }
      let words = edges.enumerated().map { index, edge in
        index == 0 ? "\(edge.0) \(edge.0 == 1 ? "pixel" : "pixels") \(edge.1)" : "\(edge.0) \(edge.1)"
      }
      return "the hidden edges: \(words.joined(separator: ", "))"
    }
  }

  /// The video tracks in the order of the file.
  private(set) var tracks: [Crop] = []

  private enum ID {
    static let tracks: UInt64 = 0x1654_AE6B
    static let (entry, type, video): (UInt64, UInt64, UInt64) = (0xAE, 0x83, 0xE0)
  }

  /// Reads the descriptions of the tracks; `nil` if they are not found.
  init?(path: String) {
    guard let contents = MatroskaFile.contents(of: ID.tracks, inFile: path) else { return nil }
    tracks = MatroskaFile.elements(contents).filter { $0.id == ID.entry }.compactMap { Self.crop(of: $0.contents) }
  }

  /// The crop of a track's entry; `nil` if the track isn't video.
  private static func crop(of entry: ArraySlice<UInt8>) -> Crop? {
    let fields = MatroskaFile.elements(entry)
    guard fields.first(where: { $0.id == ID.type })?.number == 1 else { return nil }
    var crop = Crop()
    for field in fields.filter({ $0.id == ID.video }).flatMap({ MatroskaFile.elements($0.contents) }) {
      switch field.id {
      case 0x54AA: crop.bottom = field.number
      case 0x54BB: crop.top = field.number
      case 0x54CC: crop.left = field.number
      case 0x54DD: crop.right = field.number
      default: continue
      }
    }
    return crop
  }
}

/// Chapters of a Matroska file that say which parts of it are played in which order (RFC 9559, `EditionFlagOrdered`).
enum MatroskaEditions {
  private enum ID { static let (chapters, edition, isOrdered): (UInt64, UInt64, UInt64) = (0x1043_A770, 0x45B9, 0x45DD) }

  /// What the file states; `nil` if its parts are played as they are stored.
  static func ordered(path: String) -> ContainerExtra? {
    guard let contents = MatroskaFile.contents(of: ID.chapters, inFile: path) else { return nil }
    let editions = MatroskaFile.elements(contents).filter { $0.id == ID.edition }.map { MatroskaFile.elements($0.contents) }
    guard editions.contains(where: { $0.contains { $0.id == ID.isOrdered && $0.number == 1 } }) else { return nil }
    return ContainerExtra(
      name: "EditionFlagOrdered", meaning: "ordered chapters, which play parts of the file in an order of their own",
      isCopied: false, changesPresentation: true)
  }
}
