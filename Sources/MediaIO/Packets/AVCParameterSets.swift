/// The parameter sets of an H.264 track (ISO/IEC 14496-10, 7.3.2): from `avcC` (ISO/IEC 14496-15) or between start codes.
package struct AVCParameterSets: Hashable, Sendable {
  /// Sequence parameter sets, without start codes or lengths.
  package private(set) var sequences: [[UInt8]] = []
  /// Picture parameter sets.
  package private(set) var pictures: [[UInt8]] = []
  /// Number of bytes of the length before each NAL unit: 1, 2 or 4; 0 for start codes.
  package let lengthSize: Int
  /// The end of `avcC` after the sets: chroma format and bit depths of the higher profiles.
  private var tail: [UInt8] = []

  /// Parses a track's header; `nil` if it has no sets or is damaged.
  package init?(_ bytes: [UInt8]) {
    if bytes.first == 1 {
      guard bytes.count >= 7 else { return nil }
      lengthSize = Int(bytes[4] & 3) + 1
      var at = 6
      guard let first = Self.sets(Int(bytes[5] & 31), in: bytes, at: &at), at < bytes.count else { return nil }
      at += 1
      guard let second = Self.sets(Int(bytes[at - 1]), in: bytes, at: &at) else { return nil }
      (sequences, pictures, tail) = (first, second, Array(bytes[at...]))
    } else {
      lengthSize = 0
      for unit in Self.units(bytes) {
        switch unit[0] & 31 {
        case 7: sequences.append(unit)
        case 8: pictures.append(unit)
        default: continue
        }
      }
    }
    guard !sequences.isEmpty, !pictures.isEmpty, sequences.allSatisfy({ $0.count > 4 }), pictures.allSatisfy({ $0.count > 1 })
    else { return nil }
  }

  /// IDs of the sequence parameter sets.
  package var sequenceIDs: Set<Int> { Set(sequences.compactMap { Self.number(in: $0, from: 4) }) }
  /// IDs of the picture parameter sets.
  package var pictureIDs: Set<Int> { Set(pictures.compactMap { Self.number(in: $0, from: 1) }) }

  /// IDs above 0 that no set uses, in rising order.
  package var freeIDs: [Int] { (1...31).filter { !sequenceIDs.contains($0) && !pictureIDs.contains($0) } }

  /// The sets of both headers, identified by their IDs.
  ///
  /// - Returns: `nil` if different sets have the same ID.
  package func merged(with other: AVCParameterSets) -> AVCParameterSets? {
    var result = self
    let (newSequences, newPictures) = (
      other.sequences.filter { !sequences.contains($0) }, other.pictures.filter { !pictures.contains($0) }
    )
    let sequenceNumbers = Set(newSequences.compactMap { Self.number(in: $0, from: 4) })
    let pictureNumbers = Set(newPictures.compactMap { Self.number(in: $0, from: 1) })
    guard sequenceIDs.isDisjoint(with: sequenceNumbers), pictureIDs.isDisjoint(with: pictureNumbers) else { return nil }
    result.sequences += newSequences
    result.pictures += newPictures
    return result
  }

  /// Whether a header can hold the sets: `avcC` allows 31 sequence and 255 picture parameter sets of up to 65,535 bytes.
  package var fitsHeader: Bool {
    lengthSize == 0
      || sequences.count <= 31 && pictures.count <= 255 && (sequences + pictures).allSatisfy { $0.count <= Int(UInt16.max) }
  }

  /// The header of a track, in the form that it was read in; `nil` if that cannot hold all sets.
  package var header: [UInt8]? {
    guard fitsHeader else { return nil }
    guard lengthSize > 0, let first = sequences.first else {
      return (sequences + pictures).flatMap { [0, 0, 0, 1] + $0 }
    }
    func listed(_ sets: [[UInt8]]) -> [UInt8] { sets.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 } }
    let level = sequences.map { $0[3] }.max() ?? first[3]
    return [1, first[1], first[2], level, 0xFC | UInt8(lengthSize - 1), 0xE0 | UInt8(sequences.count)] + listed(sequences)
      + [UInt8(pictures.count)] + listed(pictures) + tail
  }

  private static func sets(_ count: Int, in bytes: [UInt8], at: inout Int) -> [[UInt8]]? {
    var sets: [[UInt8]] = []
    for _ in 0..<count {
      guard at + 2 <= bytes.count else { return nil }
      let size = Int(bytes[at]) << 8 | Int(bytes[at + 1])
      guard size > 0, at + 2 + size <= bytes.count else { return nil }
      sets.append(Array(bytes[at + 2..<at + 2 + size]))
      at += 2 + size
    }
    return sets
  }

  private static func units(_ bytes: [UInt8]) -> [[UInt8]] {
    var starts: [Int] = []
    for at in bytes.indices.dropLast(2) where bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1 { starts.append(at) }
    return zip(starts, starts.dropFirst() + [bytes.count]).compactMap { start, end in
      var unit = bytes[start + 3..<end]
      while unit.last == 0 { unit.removeLast() }
      return unit.isEmpty ? nil : Array(unit)
    }
  }

  /// An Exp-Golomb number (9.1) that starts at a byte.
  private static func number(in unit: [UInt8], from byte: Int) -> Int? {
    func bit(_ index: Int) -> Int? {
      let at = byte + index / 8
      return at < unit.count ? Int(unit[at] >> UInt8(7 - index % 8)) & 1 : nil
    }
    var zeros = 0
    while let value = bit(zeros), value == 0 { zeros += 1 }
    guard zeros < 16 else { return nil }
    var value = 0
    for index in zeros...2 * zeros {
      guard let next = bit(index) else { return nil }
      value = value << 1 | next
    }
    return value - 1
  }
}
