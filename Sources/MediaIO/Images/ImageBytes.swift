/// Numbers and texts in the bytes of a file, at offsets from their first one; `nil` past their end.
extension RandomAccessCollection where Element == UInt8, Index == Int {
  /// `count` bytes from `offset` on.
  func part(at offset: Int, byteCount count: Int) -> SubSequence? {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
    return self[(startIndex + offset)..<(startIndex + offset + count)]
  }

  /// The most significant byte first; at most 7 bytes.
  func bigEndian(at offset: Int, byteCount count: Int) -> Int? {
    guard count < 8 || self.part(at: offset, byteCount: 1)?.first == 0 else { return nil }
    return part(at: offset, byteCount: count)?.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The least significant byte first; at most 7 bytes.
  func littleEndian(at offset: Int, byteCount count: Int) -> Int? {
    guard count < 8 else { return nil }
    return part(at: offset, byteCount: count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func text(at offset: Int, byteCount count: Int) -> String? {
    part(at: offset, byteCount: count).map { String(decoding: $0, as: UTF8.self) }
  }
}
