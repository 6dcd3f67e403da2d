public import CompositorAPI
public import CompositorMediaIO
import CompositorMediaWriting

/// The chapters of a text file: a list of times and titles as video platforms take it, the metadata of FFmpeg, a cue sheet, or
/// the chapters of OGM and Matroska tools.
///
/// ```swift
/// var settings = ExportSettings()
/// settings.chapters = try ChapterFile(contentsOf: "chapters.txt").chapters(frameRate: 25)
/// ```
///
/// A list has one chapter on each line: `0:00 Intro`, `1:02:03 - Questions`, `[00:12] Numbers` or `Numbers 0:12`. Times are those
/// of ``ProjectTime``. Empty lines, lines that begin with `#`, and headings that end with a colon are skipped. Three columns that
/// are separated by tabs, of which two are seconds, are the labels of Audacity.
public struct ChapterFile: Hashable, Sendable {
  /// The chapters in the order of the file.
  let marks: [ProjectChapter]

  /// The maximum size of a file in bytes.
  static let maximumByteCount = 1 << 20

  /// Reads a file.
  ///
  /// - Throws: `.fileNotFound`, `.sourceRefused` if it isn't a regular file; `.invalidProject` with the line of a mistake.
  public init(contentsOf path: String) throws(CompositorError) {
    let bytes = try RegularFile.bytes(of: path, maximumByteCount: ChapterFile.maximumByteCount)
    try self.init(
      String(utf8Lines: bytes, name: path, recoverySuggestion: "Save the list of chapters as UTF-8."), name: path)
  }

  /// Reads the text of a file.
  ///
  /// - Parameter name: The path that errors state. A name that ends in `.cue` is that of a cue sheet.
  /// - Throws: `.invalidProject` with the line of a mistake.
  init(_ text: String, name: String) throws(CompositorError) {
    let lines = ChapterLines(text, name: name)
    guard let first = lines.lines.first else {
      throw lines.error("This file has no chapters.", recoverySuggestion: ChapterLines.forms, at: 1)
    }
    marks =
      if first.text.uppercased().hasPrefix(";FFMETADATA") {
        try lines.metadataChapters()
      } else if name.lowercased().hasSuffix(".cue") {
        try lines.cueSheetChapters()
      } else if first.text.wholeMatch(of: ChapterLines.numberedTime) != nil {
        try lines.numberedChapters()
      } else if lines.lines.allSatisfy({ ChapterLines.label($0.text) != nil }) {
        try lines.labels()
      } else {
        try lines.listedChapters()
      }
    guard !marks.isEmpty else {
      throw lines.error("This file has no chapters.", recoverySuggestion: ChapterLines.forms, at: first.number)
    }
  }

  /// The chapters in the time of a movie.
  ///
  /// - Parameter frameRate: The frames per second of the movie, for times in frames.
  /// - Throws: `.invalidValue` with the line of a timecode that doesn't exist at that rate.
  public func chapters(frameRate: Rational) throws(CompositorError) -> [Chapter] {
    try marks.chapters(frameRate: frameRate)
  }

  /// The chapters in the time of a movie that can have them all.
  ///
  /// - Parameter end: The end of the movie.
  /// - Throws: `.invalidValue` with the line of a timecode that doesn't exist at that rate, or of a chapter that isn't after the
  ///   one before it and before the end.
  package func chapters(frameRate: Rational, until end: MediaTime) throws(CompositorError) -> [Chapter] {
    let chapters = try marks.chapters(frameRate: frameRate)
    try marks.validate(chapters, until: end)
    return chapters
  }
}

extension String {
  /// The text of a file.
  ///
  /// - Parameters:
  ///   - name: The path that errors state.
  ///   - recoverySuggestion: How to save it.
  /// - Throws: `.invalidProject` with the first line that isn't UTF-8.
  init(utf8Lines bytes: [UInt8], name: String, recoverySuggestion: String) throws(CompositorError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw CompositorError(
        .invalidProject, "This line is not UTF-8 text.", recoverySuggestion: recoverySuggestion,
        at: ErrorLocation(file: name, documents: [DocumentPosition(file: name, line: line + 1)]))
    }
    self = text
  }
}
