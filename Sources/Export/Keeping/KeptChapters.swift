import CompositorAPI
import CompositorMediaIO
public import CompositorMediaWriting
public import CompositorValidation

/// The chapters of a file as those of the movie that shows it, and what is said of those that cannot be written as they are.
struct KeptChapters {
  private(set) var list: [Chapter]
  private(set) var notes: [String] = []

  /// Chapters from `offset` on that begin before `end`, in order. At most `maximum`, with titles of at most `titleByteCount` bytes.
  init(_ chapters: [Chapter], from offset: MediaTime, to end: MediaTime, maximum: Int, titleByteCount: Int) {
    list = chapters.enumerated().map { index, chapter in
      Chapter(start: max(chapter.start - offset, .zero), title: chapter.title.isEmpty ? "Chapter \(index + 1)" : chapter.title)
    }
    list.removeAll { $0.start >= end }
    keepOneOfEachTime()
    cleanTitles(titleByteCount)
    limit(to: maximum)
  }

  /// Of chapters that begin together, players show the last one.
  private mutating func keepOneOfEachTime() {
    let kept = list.indices.filter { $0 + 1 == list.count || list[$0].start < list[$0 + 1].start }.map { list[$0] }
    note(list.count - kept.count, "chapter begins", "chapters begin", "with the next one: left out")
    list = kept
  }

  private mutating func cleanTitles(_ most: Int) {
    let lines = list.map { Self.line($0.title) }
    note(
      zip(list, lines).count { $0.title != $1 }, "title of a chapter has", "titles of chapters have",
      "several lines or control characters: written with spaces")
    let titles = lines.map { Self.shortened($0, most) }
    note(
      zip(lines, titles).count { $0 != $1 }, "title of a chapter has", "titles of chapters have",
      "more than \(most) bytes: shortened")
    for (index, title) in titles.enumerated() { list[index].title = title }
  }

  private mutating func limit(to maximum: Int) {
    note(list.count - maximum, "chapter is", "chapters are", "more than a movie can have (\(maximum)): left out")
    list = Array(list.prefix(maximum))
  }

  private mutating func note(_ count: Int, _ one: String, _ many: String, _ what: String) {
    if count > 0 { notes.append("\(count) \(count == 1 ? one : many) \(what)") }
  }

  /// A title in one line.
  private static func line(_ title: String) -> String {
    guard title.unicodeScalars.contains(where: Chapter.isControl) else { return title }
    let words = title.unicodeScalars.split(whereSeparator: Chapter.isControl).map { String(String.UnicodeScalarView($0)) }
    return words.isEmpty ? "Chapter" : words.joined(separator: " ")
  }

  /// A title that is not too long, cut between characters, with an ellipsis.
  private static func shortened(_ title: String, _ most: Int) -> String {
    guard title.utf8.count > most else { return title }
    var (text, rest) = ("", most - "…".utf8.count)
    for character in title {
      rest -= character.utf8.count
      guard rest >= 0 else { break }
      text.append(character)
    }
    return text + "…"
  }
}

extension ExportSettings {
  /// Keeps the chapters of a composition's only file, if it is shown from its start at its own speed. Other compositions have
  /// other times, and thus no chapters.
  ///
  /// Players of the MPEG-4 family start the first chapter at 0, whatever it states: if it doesn't, one is inserted before it, and
  /// noted.
  ///
  /// - Returns: Whether the composition shows a single file in this way.
  @discardableResult
  public mutating func keepChapters(of composition: ValidatedComposition, in container: MovieContainer) -> Bool {
    guard let info = composition.onlyMedia, let offset = composition.offsetOfOnlyMedia else { return false }
    let end = composition.edit.composition.duration
    if chapters.isEmpty {
      // One fewer than can be written, since one may have to be inserted.
      let kept = KeptChapters(
        info.chapters, from: offset, to: end, maximum: [Chapter].maximumCount - 1,
        titleByteCount: container.maximumChapterTitleByteCount)
      chapters = kept.list
      metadataNotes += kept.notes
      if container.startsChaptersAtZero, let first = chapters.first, first.start > .zero {
        chapters.insert(Chapter(start: .zero, title: "Start"), at: 0)
        metadataNotes.append(
          "the chapters of a .\(container.rawValue) file begin at 0: “Start” was inserted before that at \(first.start.readable)"
        )
      }
    }
    return true
  }
}
