/// Bytes of files that tests put together.
enum FileBytes {
  /// The most significant byte first.
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) }
  }

  /// The least significant byte first.
  static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  /// A box of an ISO base media file.
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(type.utf8) + content
  }
}
