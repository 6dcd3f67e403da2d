package import CompositorAPI
import CompositorMediaIO

/// Metadata that each container can hold.
extension MovieContainer {
  /// Whether players find chapters in files of this format.
  public var holdsChapters: Bool {
    [.mp4, .mov, .m4v, .m4a, .mkv, .mka, .webm, .mp3, .opus, .ogg, .flac].contains(self)
  }
  /// Whether files of this format can have a cover.
  public var holdsCover: Bool { self != .mov && self != .webm && holdsChapters }
  /// Whether the file's index can precede its media (``MovieDescription/hasFastStart``).
  public var holdsFastStart: Bool { [.mp4, .mov, .m4v, .m4a].contains(self) }
  /// Whether metadata is in Vorbis comments: keys are ASCII, and FFmpeg reads `description` as `comment`.
  private var isVorbisComment: Bool { [.flac, .opus, .ogg].contains(self) }

  /// The maximum size of a value in bytes: QuickTime counts in 16 bits, FFmpeg reads 1023 bytes of NUT's values.
  var maximumMetadataByteCount: Int { self == .mov ? 65_000 : self == .nut ? 1000 : 1 << 20 }

  /// Keys with a special meaning in libavformat.
  private static let reserved: [String: String] = [
    "creation_time": "Use date, with a time of day and a zone.", "encoder": "Leave it out.",
    "metadata_block_picture": "Use the cover.",
  ]

  /// Whether the container can hold a metadata key.
  func holds(metadataKey key: String) -> Bool {
    let known = key.lowercased()
    guard Self.reserved[known] == nil, (1...100).contains(key.utf8.count), known.prefixMatch(of: /chapter[0-9]/) == nil else {
      return false
    }
    guard holdsAnyMetadata else { return metadataKeys.contains(key) }
    // Matroska keys are words: libavformat writes a space as _ and takes what follows a - as a language.
    if holdsAnyTrackMetadata { return key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
    if isVorbisComment { return known != "description" && key.utf8.allSatisfy { (0x20...0x7d).contains($0) && $0 != 0x3d } }
    return key.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  /// Checks the metadata entries of the file as a whole.
  ///
  /// - Throws: `.unsupportedOutput` for a key or a value that the container would lose or change.
  func validate(metadata: [String: String]) throws(CompositorError) {
    var seen: [String: String] = [:]
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      try validate(metadataKey: key)
      if let other = seen.updateValue(key, forKey: key.lowercased()) {
        throw refusal("The entries “\(other)” and “\(key)” are the same to a player.", "Keep one of them.")
      }
      // Line breaks, as in lyrics, and tabs are allowed; other control characters are not.
      guard !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }) else {
        throw refusal("The entry “\(key)” is empty or has control characters.", "Give it text, or leave it out.")
      }
      guard value.utf8.count <= maximumMetadataByteCount else {
        throw refusal(
          "The entry “\(key)” has \(value.utf8.count) bytes, more than the \(maximumMetadataByteCount) of a .\(rawValue) file.",
          "Shorten it.")
      }
      if key == "location" { _ = try GeographicLocation(iso6709: value) }
      // The MPEG-4 family stores two integers of 16 bits.
      guard !holdsFastStart || self == .mov || !["track", "disc"].contains(key) || Self.isNumberWithTotal(value) else {
        throw refusal(
          "“\(value)” is not a \(key) number of a .\(rawValue) file.",
          "Write a number or a number and a total, such as 3 or 3/12.")
      }
    }
  }

  /// Whether a value is `3` or `3/12`, as readers spell these numbers.
  private static func isNumberWithTotal(_ value: String) -> Bool {
    let parts = value.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 2 && parts.allSatisfy { part in UInt16(part).map { $0 > 0 && String($0) == part } == true }
  }

  private func validate(metadataKey key: String) throws(CompositorError) {
    guard !holds(metadataKey: key) else { return }
    if let advice = Self.reserved[key.lowercased()] {
      throw refusal("“\(key)” is an entry that cannot be set.", advice)
    }
    if isVorbisComment, key.lowercased() == "description" {
      throw refusal("A .\(rawValue) file has one place for “comment” and “description”.", "Use comment.")
    }
    guard !holdsAnyMetadata else {
      throw refusal("“\(key)” is not a key of a .\(rawValue) file.", "Use ASCII letters, digits and _.")
    }
    guard !metadataKeys.isEmpty else {
      throw refusal("A .\(rawValue) file holds no metadata.", "Leave it out, or write \(Self.names(\.holdsMetadata)).")
    }
    throw refusal(
      "A .\(rawValue) file has no place for the entry “\(key)”.",
      "Use \(metadataKeys.joined(separator: ", ")), or write \(Self.names(\.holdsAnyMetadata)).")
  }

  /// Whether players start the first chapter at 0, whatever it states: those of the MPEG-4 family.
  package var startsChaptersAtZero: Bool { holdsFastStart }

  /// Checks chapters.
  ///
  /// - Throws: `.unsupportedOutput` if the container holds no chapters; `.invalidValue` for chapters out of order or past the
  ///   end.
  func validate(chapters: [Chapter], until end: MediaTime?) throws(CompositorError) {
    guard !chapters.isEmpty else { return }
    guard holdsChapters else {
      throw refusal("A .\(rawValue) file cannot hold chapters.", "Write \(Self.names(\.holdsChapters)), or leave them out.")
    }
    guard let end, end.isNumeric else {
      throw CompositorError(
        .invalidValue, "The end of the last chapter is not known.", recoverySuggestion: "Say how long the movie is.")
    }
    try chapters.validate(until: end)
    if startsChaptersAtZero, let first = chapters.first, first.start > .zero {
      throw CompositorError(
        .unsupportedOutput, "The first chapter starts at \(first.start.readable), and that of a .\(rawValue) file starts at 0.",
        recoverySuggestion: "Add a chapter at 0, or write .mkv.", at: ErrorLocation(path: "chapters[0]"))
    }
    guard let index = chapters.firstIndex(where: { $0.title.utf8.count > maximumChapterTitleByteCount }) else { return }
    throw CompositorError(
      .unsupportedOutput,
      "The title of a chapter is longer than the \(maximumChapterTitleByteCount) bytes of a .\(rawValue) file.",
      recoverySuggestion: "Shorten it.", at: ErrorLocation(path: "chapters[\(index)]"))
  }

  /// The maximum size of a chapter's title in bytes. For MP3, the limit is that of libavformat's ID3 2.4 frames: below 128
  /// bytes, it writes their sizes as readers expect them.
  package var maximumChapterTitleByteCount: Int { self == .mp3 ? 80 : Chapter.maximumTitleByteCount }

  /// - Throws: `.unsupportedOutput` if the container cannot hold a cover.
  func validate(cover: CoverPicture?) throws(CompositorError) {
    guard cover != nil, !holdsCover else { return }
    throw refusal("A .\(rawValue) file cannot hold a cover.", "Write \(Self.names(\.holdsCover)), or leave it out.")
  }

  private func refusal(_ message: String, _ recoverySuggestion: String) -> CompositorError {
    CompositorError(.unsupportedOutput, message, recoverySuggestion: recoverySuggestion)
  }
}

extension Chapter {
  /// Boxes of QuickTime's chapter lists have one byte for a title's length.
  package static let maximumTitleByteCount = 255

  /// Whether a character is one of those that end a line or that no player shows.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x20 || scalar.value == 0x7f }
}

extension [Chapter] {
  /// The maximum number of chapters; Ogg's keys have three digits.
  package static let maximumCount = 999

  /// Checks that chapters have numeric, ascending times inside a movie, and titles that every player can show.
  ///
  /// - Throws: `.invalidValue`, with a location such as `chapters[1]`.
  package func validate(until end: MediaTime) throws(CompositorError) {
    guard count <= Self.maximumCount else {
      throw CompositorError(
        .invalidValue, "\(count) chapters cannot be written.", recoverySuggestion: "Use at most \(Self.maximumCount).")
    }
    for (index, chapter) in enumerated() {
      let before = index > 0 ? self[index - 1].start : nil
      let isTitle =
        !(1...Chapter.maximumTitleByteCount).contains(chapter.title.utf8.count)
        || chapter.title.unicodeScalars.contains(where: Chapter.isControl)
      let message: String? =
        if !chapter.start.isNumeric || chapter.start < .zero {
          "A chapter starts at \(chapter.start.readable)."
        } else if chapter.start >= end {
          "A chapter starts at \(chapter.start.readable), and the movie ends at \(end.readable)."
        } else if let before, chapter.start <= before {
          "A chapter starts at \(chapter.start.readable), not after the one before it (\(before.readable))."
        } else if isTitle {
          "The title of a chapter is empty, longer than \(Chapter.maximumTitleByteCount) bytes or has control characters."
        } else {
          nil
        }
      guard let message else { continue }
      throw CompositorError(
        .invalidValue, message,
        recoverySuggestion: "Give chapters in order, each from 0 to before the end, with one line of text.",
        at: ErrorLocation(path: "chapters[\(index)]", subject: isTitle ? .title : .time))
    }
  }
}

extension MovieContainer {
  /// Checks metadata entries like ``validate(metadata:)``, for other targets.
  package func check(_ metadata: [String: String]) throws(CompositorError) { try validate(metadata: metadata) }
}
