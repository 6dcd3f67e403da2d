import CompositorAPI

/// The lines of a file with chapters, without empty ones.
struct ChapterLines {
  /// A line without the spaces around it, and its number from 1.
  struct Line {
    let number: Int
    let text: String
  }

  let lines: [Line]
  let name: String

  /// Bytes that a line of a list may have: more are no title.
  private static let maximumLength = 1000

  /// The accepted syntax, for messages.
  static let forms = "Write a time and a title on each line, such as \"1:05 Numbers\"."

  init(_ text: String, name: String) {
    self.name = name
    lines = text.trimmingPrefix("\u{feff}")
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .enumerated().map { Line(number: $0 + 1, text: $1.trimmed(of: \.isWhitespace)) }.filter { !$0.text.isEmpty }
  }

  func place(_ number: Int) -> ErrorLocation {
    ErrorLocation(file: name, documents: [DocumentPosition(file: name, line: number)])
  }

  func error(_ message: String, recoverySuggestion: String, at number: Int) -> CompositorError {
    CompositorError(.invalidProject, message, recoverySuggestion: recoverySuggestion, at: place(number))
  }

  /// Parses a time.
  ///
  /// - Throws: `.invalidProject` with the line.
  func time(_ text: some StringProtocol, at number: Int) throws(CompositorError) -> ProjectTime {
    do throws(CompositorError) {
      return try ProjectTime(String(text))
    } catch {
      throw self.error(error.message, recoverySuggestion: error.recoverySuggestion ?? Self.forms, at: number)
    }
  }

  func chapter(_ time: ProjectTime, _ title: String, at number: Int) throws(CompositorError) -> ProjectChapter {
    guard !title.isEmpty else {
      throw error("The chapter has no title.", recoverySuggestion: "Write one after the time.", at: number)
    }
    return ProjectChapter(time: time, title: title, place: place(number))
  }
}

// Lists of times and titles.

extension ChapterLines {
  /// The chapters of a list: `0:00 Intro`, `1) 0:02 - Title`, `[0:02] Title`, `0:02 – 0:05 Title`, `Title 0:02`.
  func listedChapters() throws(CompositorError) -> [ProjectChapter] {
    var chapters: [ProjectChapter] = []
    for line in lines where !line.text.hasPrefix("#") && !(chapters.isEmpty && line.text.hasSuffix(":")) {
      chapters.append(try listed(line))
    }
    return chapters
  }

  private func listed(_ line: Line) throws(CompositorError) -> ProjectChapter {
    guard line.text.utf8.count <= Self.maximumLength else {
      throw error(
        "The line has \(line.text.count) characters, too many for a chapter.", recoverySuggestion: Self.forms, at: line.number)
    }
    // A bullet or the number of an item.
    var text = line.text.trimmingPrefix(/(?:[-–—•*·▶]|[0-9]{1,3}[.)])\s+/)
    if let match = text.prefixMatch(of: Self.leadingTime) {
      text = text[match.range.upperBound...]
      // The end of the chapter, which is the beginning of the next one.
      text = text.trimmingPrefix(/\s*(?:[-–—→]|-->)\s*[0-9]{1,3}(?::[0-9]{2}){1,2}(?:[.,][0-9]+)?(?=[\s\])]|$)/)
      let title = text.trimmingPrefix(/[\])]?\s*[-–—:|=•,]*\s*/)
      return try chapter(time(match.1, at: line.number), String(title), at: line.number)
    }
    if let match = text.wholeMatch(of: Self.trailingTime) {
      return try chapter(
        time(match.2, at: line.number), match.1.trimmed { $0.isWhitespace || "-–—:|=•".contains($0) }, at: line.number)
    }
    throw error(
      "\(quoted(String(line.text.prefix(60)))) has no time.", recoverySuggestion: Self.forms, at: line.number)
  }

  /// A time at the beginning, possibly in brackets: numbers with colons, or with a unit.
  private static var leadingTime: Regex<(Substring, Substring)> {
    /[\[(]?([0-9]+(?:[:;][0-9]+){1,3}(?:[.,][0-9]+)?|[0-9]+(?:\.[0-9]+)?(?:ms|s|f)|[0-9]+\/[0-9]+)(?=[\s\])\-–—:|=,]|$)/
  }

  /// A time at the end, such as `Intro 0:00` or `Intro (0:00)`.
  private static var trailingTime: Regex<(Substring, Substring, Substring)> {
    /(.+?)\s*[\s\-–—:|=\[(]([0-9]+(?::[0-9]+){1,3}(?:[.,][0-9]+)?)[\])]?/
  }

  /// The seconds and the title of a label of Audacity: its start, its end and its title, separated by tabs.
  static func label(_ text: String) -> (start: Substring, title: String)? {
    let fields = text.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
    guard fields.count == 3, WrittenDecimal(fields[0]) != nil, WrittenDecimal(fields[1]) != nil else { return nil }
    return (fields[0], fields[2].trimmed(of: \.isWhitespace))
  }

  /// The chapters of labels.
  func labels() throws(CompositorError) -> [ProjectChapter] {
    var chapters: [ProjectChapter] = []
    for line in lines {
      guard let label = Self.label(line.text) else { continue }
      chapters.append(try chapter(time(label.start + "s", at: line.number), label.title, at: line.number))
    }
    return chapters
  }
}

extension StringProtocol {
  /// The string without such characters at both ends.
  func trimmed(of isUnwanted: (Character) -> Bool) -> String {
    let start = drop(while: isUnwanted)
    return String(start.reversed().drop(while: isUnwanted).reversed())
  }
}
