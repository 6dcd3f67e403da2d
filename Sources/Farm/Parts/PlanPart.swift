public import CompositorAPI

/// A part of a planned movie, which one task renders.
public enum PlanPart: Hashable, Sendable, Codable {
  /// A segment of the video, from 0; in a batch, a row.
  case segment(Int)
  /// The audio of the whole movie.
  case audio

  /// Decodes a number, or `audio`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .segment(number)
      return
    }
    guard try container.decode(String.self) == "audio" else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a part is a number, or \"audio\"")
    }
    self = .audio
  }

  /// Encodes the number, or `audio`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .segment(let number): try container.encode(number)
    case .audio: try container.encode("audio")
    }
  }
}

extension PlanPart: CustomStringConvertible {
  /// `segment 3`, `audio`.
  public var description: String {
    switch self {
    case .segment(let number): "segment \(number)"
    case .audio: "audio"
    }
  }

  /// The base name of its files: `00003`, `audio`.
  package var stem: String {
    switch self {
    case .segment(let number):
      String(repeating: "0", count: max(0, 5 - String(number).count)) + String(number)
    case .audio: "audio"
    }
  }
}

/// A selection of segments, in the notation `3`, `3-7` or `1,4-7`.
public struct SegmentSelection: Hashable, Sendable {
  /// Ascending ranges that neither touch nor overlap.
  public let ranges: [ClosedRange<Int>]

  /// Creates a selection of numbers.
  public init(_ numbers: some Sequence<Int>) {
    var ranges: [ClosedRange<Int>] = []
    for number in Set(numbers).sorted() {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    self.ranges = ranges
  }

  /// Parses a selection.
  ///
  /// - Parameter count: The number of segments.
  /// - Throws: `.invalidValue` if the string is not a selection, or names a segment that doesn't exist.
  public init(_ text: String, of count: Int) throws(CompositorError) {
    var numbers: Set<Int> = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = piece.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first >= 0, first <= last else {
        throw CompositorError(
          .invalidValue, "“\(text)” names no segments.", recoverySuggestion: "Write a number, a range such as 3-7, or 1,4-7.")
      }
      guard last < count else {
        throw CompositorError(
          .invalidValue, "There is no segment \(last): the plan has \(count == 1 ? "one, number 0" : "0 to \(count - 1)").",
          recoverySuggestion: "Segments are counted from 0.")
      }
      numbers.formUnion(first...last)
    }
    self.init(numbers)
  }

  /// The numbers in ascending order.
  public var numbers: [Int] { ranges.flatMap(Array.init) }
}

extension SegmentSelection: CustomStringConvertible {
  /// `1,4-7`.
  public var description: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
  }
}
