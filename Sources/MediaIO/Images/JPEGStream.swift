/// Streams of JPEG images without a container (raw motion JPEG, images of a webcam written one after another).
enum JPEGStream {
  /// Whether a file's name says that it is such a stream, even if it has one image only.
  static func isNamed(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".mjpeg", ".mjpg", ".mjp"].contains { name.hasSuffix($0) }
  }

  /// Whether a file is such a stream, whatever its name: a second image of the same size follows the first at once.
  ///
  /// Photos may contain further images, too (previews, depth and gain maps, stereo pairs), but list them (CIPA DC-007), or they
  /// have other sizes.
  static func isStream(_ bytes: [UInt8]) -> Bool {
    guard let end = JPEGSegments.end(of: bytes, from: 0), end + 4 < bytes.count,
      bytes[end...].starts(with: [0xff, 0xd8, 0xff]), let size = JPEGSegments.size(in: bytes, from: 0),
      JPEGSegments.contents(of: 0xe2, "MPF\0", in: bytes).isEmpty, JPEGSegments.end(of: bytes, from: end) != nil
    else { return false }
    return JPEGSegments.size(in: bytes, from: end).map { $0 == size } ?? false
  }
}

extension JPEGSegments {
  /// The position after the image that starts at `start` (ITU-T T.81, B.1.1); `nil` if it does not end.
  static func end(of bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var position = start + 2
      while position + 1 < bytes.count {
        guard bytes[position] == 0xff else {
          position += 1
          continue
        }
        switch bytes[position + 1] {
        case 0xd9: return position + 2
        // Coded data, restart markers, fill bytes.
        case 0x00, 0xd0...0xd7: position += 2
        case 0xff: position += 1
        default:
          guard position + 3 < bytes.count else { return nil }
          position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
        }
      }
      return nil
    }
  }

  /// The size in the frame header of the image that starts at `start` (ITU-T T.81, B.2.2), as its four bytes.
  static func size(in bytes: [UInt8], from start: Int) -> ArraySlice<UInt8>? {
    var position = start + 2
    while position + 9 <= bytes.count, bytes[position] == 0xff {
      let marker = bytes[position + 1]
      if 0xc0...0xcf ~= marker, ![0xc4, 0xc8, 0xcc].contains(marker) { return bytes[(position + 5)..<(position + 9)] }
      guard marker != 0xda else { return nil }
      position += 2 + (Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
    }
    return nil
  }
}
