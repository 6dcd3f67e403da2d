package import CompositorAPI

/// The files of a numbered image sequence, in the order in which they are shown.
///
/// Numbers may have any number of leading zeros. A camera's counter that goes from 9999 to 0001 continues there.
package struct NumberedFiles: Sendable {
  /// The paths of the files.
  package let paths: [String]
  /// The number of the first file.
  package let first: Int
  /// The index of the file that each frame shows.
  let frames: [Int]

  /// Maximum number of images of a sequence.
  static let maximumCount = 10_000_000

  /// Lists the files of a pattern.
  ///
  /// - Parameters:
  ///   - first: The number of the first file; `nil` for the lowest one, or after a camera's counter has started again, the
  ///     first one before that.
  ///   - missing: What is done about numbers that are missing between the first and the last.
  /// - Throws: `.fileNotFound` if there is no file, if `first` doesn't exist, or if numbers are missing and `missing` is
  ///   `.error`; `.invalidValue` if two names have the same number.
  package init(
    _ pattern: NumberedName, first: Int?, missing: MissingImages, description: String
  ) throws(CompositorError) {
    let names = try NumberedFiles.names(of: pattern, description: description)
    let numbers = try NumberedFiles.order(names.keys.sorted(), first: first, pattern, description: description)
    paths = numbers.compactMap { names[$0] }
    self.first = numbers[0]
    let gaps = zip(numbers, numbers.dropFirst()).enumerated().filter { $1.1 - $1.0 > 1 }
    switch missing {
    case .skip: frames = Array(paths.indices)
    case .hold:
      var frames = [0]
      for (index, (before, number)) in zip(numbers, numbers.dropFirst()).enumerated() {
        // After a counter has started again, numbers decrease.
        let held = max(0, number - before - 1)
        guard frames.count + held < NumberedFiles.maximumCount else {
          throw NumberedFiles.failure(
            .invalidValue, "The images from \(before) to \(number) would be held for too long.", description)
        }
        frames += Array(repeating: index, count: held) + [index + 1]
      }
      self.frames = frames
    case .error:
      frames = Array(paths.indices)
      guard let gap = gaps.first else { break }
      throw NumberedFiles.missing(gaps.map { ($1.0 + 1)...($1.1 - 1) }, before: gap.offset + 1, of: paths.count, description)
    }
    guard frames.count <= NumberedFiles.maximumCount else {
      throw NumberedFiles.failure(.invalidValue, "The sequence has \(frames.count) images.", description)
    }
  }

  /// The files by number. A name with exactly the pattern's zeros takes precedence over others of its number.
  private static func names(
    of pattern: NumberedName, description: String
  ) throws(CompositorError) -> [Int: String] {
    let slash = pattern.prefix.lastIndex(of: "/").map { pattern.prefix.index(after: $0) } ?? pattern.prefix.startIndex
    let (folder, stem) = (String(pattern.prefix[..<slash]), String(pattern.prefix[slash...]))
    // The number may also be in the name of a folder.
    let split = pattern.suffix.firstIndex(of: "/") ?? pattern.suffix.endIndex
    let (ending, rest) = (pattern.suffix[..<split], pattern.suffix[split...])
    var found: [Int: String] = [:]
    for entry in FolderListing.names(in: folder.isEmpty ? "." : folder) {
      guard entry.hasPrefix(stem), entry.hasSuffix(ending), entry.utf8.count > stem.utf8.count + ending.utf8.count else {
        continue
      }
      let digits = entry.utf8.dropFirst(stem.utf8.count).dropLast(ending.utf8.count)
      guard digits.count <= 18, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = Int(String(decoding: Array(digits), as: UTF8.self)), RegularFile.exists(folder + entry + rest)
      else { continue }
      let (path, usual) = (folder + entry + rest, pattern.name(number))
      guard let other = found.updateValue(path, forKey: number) else { continue }
      if other == usual {
        found[number] = other
      } else if path != usual {
        throw failure(
          .invalidValue, "Two images have the number \(number): \(min(other, path)) and \(max(other, path)).", description,
          "Keep one of them.")
      }
    }
    guard !found.isEmpty else {
      throw failure(
        .fileNotFound, "There is no image of this name.", description,
        "The first would be \(pattern.name(0)) or \(pattern.name(1)).")
    }
    return found
  }

  /// The numbers in the order of their frames.
  private static func order(
    _ numbers: [Int], first: Int?, _ pattern: NumberedName, description: String
  ) throws(CompositorError) -> [Int] {
    if let first, !numbers.contains(first) {
      let next = numbers.first { $0 > first } ?? numbers[0]
      throw failure(
        .fileNotFound, "There is no image \(pattern.name(first)).", description,
        "The images have the numbers \(numbers[0]) to \(numbers[numbers.count - 1]): write first: \(next), or leave it out.")
    }
    let restart = restart(in: numbers)
    let start = first.flatMap { numbers.firstIndex(of: $0) } ?? restart ?? 0
    // What is before the gap follows the counter's end.
    guard let restart, start >= restart else { return Array(numbers[start...]) }
    return Array(numbers[start...] + numbers[..<restart])
  }

  /// The index at which a camera's counter that has started again began: after the largest gap. `nil` if the numbers don't end
  /// where a counter does, or have no gap.
  private static func restart(in numbers: [Int]) -> Int? {
    guard let last = numbers.last, isCounterEnd(last), numbers[0] <= 1 else { return nil }
    let largest = numbers.indices.dropFirst().max { numbers[$0] - numbers[$0 - 1] < numbers[$1] - numbers[$1 - 1] }
    return largest.flatMap { numbers[$0] - numbers[$0 - 1] > 1 ? $0 : nil }
  }

  /// Whether a camera's counter ends at a number: 999, 9999 and so on.
  private static func isCounterEnd(_ number: Int) -> Bool {
    number >= 999 && String(number).utf8.allSatisfy { $0 == UInt8(ascii: "9") }
  }

  private static func missing(
    _ gaps: [ClosedRange<Int>], before: Int, of count: Int, _ description: String
  ) -> CompositorError {
    let total = gaps.reduce(0) { $0 + $1.count }
    let named = gaps.prefix(8).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    let list = named.joined(separator: ", ") + (gaps.count > 8 ? " and more" : "")
    return failure(
      .fileNotFound,
      "\(total == 1 ? "The image \(list) is" : "The images \(list) are") missing: \(count - before) of \(count) files come after.",
      description,
      "Add \(total == 1 ? "it" : "them"), or write missing: \"skip\" to go on with the next image, or missing: \"hold\" to show the "
        + "one before instead.")
  }

  private static func failure(
    _ code: CompositorError.Code, _ message: String, _ description: String, _ suggestion: String = "Split the sequence."
  ) -> CompositorError {
    CompositorError(code, message, recoverySuggestion: suggestion, at: ErrorLocation(file: description))
  }
}
