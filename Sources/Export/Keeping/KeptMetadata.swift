import CompositorAPI
import CompositorHost
public import CompositorMediaIO
public import CompositorMediaWriting

extension ExportSettings {
  /// Metadata about what was recorded, when, where and by whom, which ``keepMetadata(of:in:)`` keeps.
  public static let keptMetadataKeys = [
    "title", "artist", "album", "album_artist", "composer", "genre", "track", "disc", "publisher", "date", "location",
    "comment", "copyright", "make", "model", "lyrics",
  ]

  /// What writers of files state of themselves and of the file.
  private static let technicalKeys: Set = [
    "encoder", "encoded_by", "major_brand", "minor_version", "compatible_brands", "creation_time", "handler_name", "vendor_id",
    "duration", "language", "timecode", "software", "encoding_tool", "unsyncedlyrics", "alpha_mode",
  ]

  /// Keeps a file's metadata: those of ``keptMetadataKeys`` that the container holds, the date of recording, and the cover.
  /// Existing entries of these settings take precedence. The export notes entries, lyrics and covers that the container cannot
  /// hold.
  ///
  /// Nothing is kept unless you call this method, because an edit of several files has no date and place of its own.
  ///
  /// ```swift
  /// settings.keepMetadata(of: try catalog.info(for: .file(path: "phone.mov")), in: .mp4)
  /// ```
  public mutating func keepMetadata(of info: MediaInfo, in container: MovieContainer) {
    keepEntries(of: info, in: container)
    if cover == nil { keepCover(of: info, in: container) }
  }

  /// Keeps the entries and the date of recording.
  mutating func keepEntries(of info: MediaInfo, in container: MovieContainer) {
    let known = Self.keptEntries(of: info)
    var lost: [String] = []
    for key in Self.keptMetadataKeys where metadata[key] == nil {
      guard let value = known[key] else { continue }
      var copy = metadata
      copy[key] = value
      guard (try? container.check(copy)) != nil else {
        lost.append(key)
        continue
      }
      metadata = copy
    }
    if !lost.isEmpty {
      metadataNotes.append("a .\(container.rawValue) file cannot hold the source's \(lost.joined(separator: ", ")): left out")
    }
    let others = Self.unknownEntries(of: info)
    if !others.isEmpty {
      metadataNotes.append("entries of the source that are not kept: \(others.sorted().joined(separator: ", "))")
    }
    if creationSecondsSince1970 == nil {
      creationSecondsSince1970 = known["creation_time"].flatMap { MetadataDate($0)?.secondsSince1970 }
    }
  }

  /// The entries of a file by lowercase keys, those of ``keptMetadataKeys`` in our spelling.
  private static func keptEntries(of info: MediaInfo) -> [String: String] {
    // Containers spell keys in any case, and Apple's phones have their own keys.
    let apple = "com.apple.quicktime."
    let spellings = ["location": "location.iso6709", "date": "creationdate"]
    var known = Dictionary(info.metadata.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    for key in keptMetadataKeys where known[key] == nil { known[key] = known[apple + (spellings[key] ?? key)] }
    // MP3 names the language of lyrics.
    if known["lyrics"] == nil {
      known["lyrics"] = known.keys.filter { $0.hasPrefix("lyrics-") }.min().flatMap { known[$0] } ?? known["unsyncedlyrics"]
    }
    return known
  }

  /// The keys of entries that are never kept, without those that files state of themselves.
  static func unknownEntries(of info: MediaInfo) -> [String] {
    keptEntries(of: info).keys.filter { key in
      !keptMetadataKeys.contains(key) && !technicalKeys.contains(key) && !key.hasPrefix("com.") && !key.hasPrefix("lyrics-")
    }
  }

  private mutating func keepCover(of info: MediaInfo, in container: MovieContainer) {
    guard case .file(let path) = info.source, info.otherTracks.contains(where: { $0.kind == .cover }) else { return }
    guard container.holdsCover else {
      metadataNotes.append("a .\(container.rawValue) file cannot hold the source's cover: left out")
      return
    }
    do throws(CompositorError) {
      guard let bytes = try EmbeddedCover.bytes(ofFile: path) else { return }
      cover = .picture(try CoverPicture(bytes: bytes))
    } catch {
      metadataNotes.append("the source's cover is left out: \(error.message)")
    }
  }
}
