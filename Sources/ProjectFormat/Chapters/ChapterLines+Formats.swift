import CompositorAPI

// The files of other programs that contain chapters.

extension ChapterLines {
  /// The sections `[CHAPTER]` of FFmpeg's metadata.
  func metadataChapters() throws(CompositorError) -> [ProjectChapter] {
    var sections: [(line: Int, values: [String: (value: String, line: Int)])] = []
    var isChapter = false
    for line in lines where !line.text.hasPrefix(";") && !line.text.hasPrefix("#") {
      if line.text.hasPrefix("[") {
        isChapter = line.text.uppercased() == "[CHAPTER]"
        if isChapter { sections.append((line.number, [:])) }
      } else if isChapter, let sign = line.text.firstIndex(of: "=") {
        let value = Self.unescaped(line.text[line.text.index(after: sign)...])
        sections[sections.count - 1].values[line.text[..<sign].lowercased()] = (value, line.number)
      }
    }
    var chapters: [ProjectChapter] = []
    for section in sections {
      guard let start = section.values["start"] else {
        throw error("The chapter has no START.", recoverySuggestion: "Write one, such as START=1500.", at: section.line)
      }
      guard let title = section.values["title"]?.value.trimmed(of: \.isWhitespace), !title.isEmpty else {
        throw error("The chapter has no title.", recoverySuggestion: "Write one, such as title=Numbers.", at: section.line)
      }
      let time = try self.time(start.value, timeBase: section.values["timebase"], at: start.line)
      chapters.append(try chapter(time, title, at: start.line))
    }
    return chapters
  }

  /// A number of units of a time base; without one, of nanoseconds.
  private func time(
    _ count: String, timeBase: (value: String, line: Int)?, at line: Int
  ) throws(CompositorError) -> ProjectTime {
    let unit = timeBase.map { Rational(fraction: $0.value) } ?? Rational(1, 1_000_000_000)
    guard let unit, unit.numerator > 0 else {
      throw error("This is not a time base.", recoverySuggestion: "Write TIMEBASE=1/1000.", at: timeBase?.line ?? line)
    }
    guard let number = Int(count), number >= 0, let seconds = Rational(number, 1).product(with: unit),
      let timescale = Int32(exactly: seconds.denominator)
    else { throw error("This is not the start of a chapter.", recoverySuggestion: "Write START=1500.", at: line) }
    return .seconds(MediaTime(value: Int64(seconds.numerator), timescale: timescale))
  }

  /// A value without the backslashes before special characters.
  private static func unescaped(_ value: Substring) -> String {
    var (result, isEscaped) = ("", false)
    for character in value {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }
}

extension ChapterLines {
  /// The tracks of a cue sheet: `INDEX 01` is where one begins, in minutes, seconds and 75ths of a second. A track without a title
  /// is `Track 1`.
  func cueSheetChapters() throws(CompositorError) -> [ProjectChapter] {
    var chapters: [ProjectChapter] = []
    var (title, number, files): (String?, Int?, Int) = (nil, nil, 0)
    for line in lines {
      let words = line.text.split(separator: " ", maxSplits: 1).map(String.init)
      let value = words.count > 1 ? words[1].trimmed(of: \.isWhitespace) : ""
      switch words[0].uppercased() {
      case "FILE":
        files += 1
        guard files == 1 else {
          throw error(
            "The cue sheet has several files, each with times of its own.",
            recoverySuggestion: "Use one cue sheet for each file, or write a list: \"1:05 Numbers\".", at: line.number)
        }
      case "TRACK": (number, title) = (Int(value.prefix { $0 != " " }) ?? chapters.count + 1, nil)
      case "TITLE" where number != nil: title = value.trimmed { $0 == "\"" }
      case "INDEX":
        let parts = value.split(separator: " ").map(String.init)
        guard parts.count == 2, let index = Int(parts[0]) else { throw indexError(line) }
        guard index == 1 else { continue }
        let name = title.map { $0.trimmed(of: \.isWhitespace) } ?? ""
        chapters.append(
          try chapter(cueTime(parts[1], line), name.isEmpty ? "Track \(number ?? chapters.count + 1)" : name, at: line.number))
      default: break
      }
    }
    return chapters
  }

  private func cueTime(_ text: String, _ line: Line) throws(CompositorError) -> ProjectTime {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let numbers = parts.compactMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard parts.count == 3, numbers.count == 3, numbers[0] < 100_000, numbers[1] < 60, numbers[2] < 75 else {
      throw indexError(line)
    }
    return .seconds(MediaTime(value: Int64((numbers[0] * 60 + numbers[1]) * 75 + numbers[2]), timescale: 75))
  }

  private func indexError(_ line: Line) -> CompositorError {
    error(
      "\(quoted(line.text)) is not an index of a cue sheet.",
      recoverySuggestion: "Write minutes, seconds and 75ths of a second: INDEX 01 03:25:00.", at: line.number)
  }
}

extension ChapterLines {
  /// The first of two lines of a chapter of OGM and Matroska tools: `CHAPTER01=00:00:00.000`.
  static var numberedTime: Regex<(Substring, Substring, Substring)> { /CHAPTER([0-9]{1,3})=(.*)/ }
  /// The second one: `CHAPTER01NAME=Intro`.
  private static var numberedName: Regex<(Substring, Substring, Substring)> { /CHAPTER([0-9]{1,3})NAME=(.*)/ }

  /// Chapters of which each has a line with its time and one with its name.
  func numberedChapters() throws(CompositorError) -> [ProjectChapter] {
    var chapters: [ProjectChapter] = []
    var begun: (number: Substring, time: ProjectTime, line: Int)?
    for line in lines {
      if let match = line.text.wholeMatch(of: Self.numberedTime) {
        if let begun { throw untitled(begun.number, at: begun.line) }
        begun = (match.1, try time(match.2, at: line.number), line.number)
      } else if let match = line.text.wholeMatch(of: Self.numberedName), let named = begun, named.number == match.1 {
        chapters.append(try chapter(named.time, match.2.trimmed(of: \.isWhitespace), at: line.number))
        begun = nil
      } else {
        throw error(
          "\(quoted(String(line.text.prefix(60)))) is not the time or the name of a chapter.",
          recoverySuggestion: "Write two lines for each: CHAPTER01=00:00:00.000 and CHAPTER01NAME=Intro.", at: line.number)
      }
    }
    if let begun { throw untitled(begun.number, at: begun.line) }
    return chapters
  }

  private func untitled(_ number: Substring, at line: Int) -> CompositorError {
    error("The chapter has no title.", recoverySuggestion: "Write CHAPTER\(number)NAME=Intro on the next line.", at: line)
  }
}
