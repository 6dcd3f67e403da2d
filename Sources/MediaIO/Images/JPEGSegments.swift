/// The segments of a JPEG that carry what applications add, before its picture.
enum JPEGSegments {
  /// The contents of all segments of a marker whose contents begin with a name, without the name, in the order of the file. A
  /// damaged segment ends the list.
  static func contents(of marker: UInt8, _ name: String, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xff {
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      // Start of scan or end of image: no more segments of this kind.
      guard ![0xda, 0xd9].contains(bytes[position + 1]), length >= 2, position + 2 + length <= bytes.count else { break }
      let segment = bytes[(position + 4)..<(position + 2 + length)]
      if bytes[position + 1] == marker, segment.starts(with: name.utf8) { found.append(segment.dropFirst(name.utf8.count)) }
      position += 2 + length
    }
    return found
  }
}
