/// The tags of an FLV file (Adobe Flash Video File Format Specification 10.1, annex E).
enum FLVFile {
  /// Where the first recording ends, in bytes, if another one follows that was appended byte by byte; libavformat ends there. `nil` for
  /// other files, and from the first tag on that is damaged. Reads the head of every tag.
  static func appendedRecording(inFile path: String) -> Int? {
    guard let file = PartialFile(path: path), let head = file.bytes(9, at: 0), isHeader(head) else { return nil }
    // Each tag is followed by its size in 4 bytes, the header by 0.
    var position = Int(head[5...].number(4)) + 4
    while let tag = file.bytes(11, at: position) {
      if position > 9, isHeader(tag) { return position }
      guard tag.count == 11, kinds.contains(tag[0] & 0x1f) else { return nil }
      position += 11 + Int(tag[1...].number(3)) + 4
    }
    return nil
  }

  /// Audio, video and script data.
  private static let kinds: Set<UInt8> = [8, 9, 18]

  private static func isHeader(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 9 && bytes.starts(with: Array("FLV".utf8)) && bytes[5...].number(4) >= 9
  }
}
