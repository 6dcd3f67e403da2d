import CCompositorFFmpeg
import CompositorAPI

/// The contents of a subtitle file as UTF-8.
enum SubtitleText {
  /// - Parameter encoding: The encoding, as iconv names it; `nil` for UTF-8, and for UTF-16 with a byte order mark.
  /// - Throws: `.unreadableMedia` if the file has another encoding, `.invalidValue` for an unknown encoding.
  static func unicode(_ bytes: [UInt8], encoding: String?) throws(CompositorError) -> [UInt8] {
    if let encoding { return withoutMark(try converted(bytes, from: encoding)) }
    if bytes.starts(with: [0xff, 0xfe]) { return withoutMark(try converted(bytes, from: "UTF-16LE")) }
    if bytes.starts(with: [0xfe, 0xff]) { return withoutMark(try converted(bytes, from: "UTF-16BE")) }
    if let name = unmarkedUTF16(bytes) { return try converted(bytes, from: name) }
    let text = withoutMark(bytes)
    guard let damage = firstDamage(text) else { return text }
    let line = text[..<damage].count { $0 == 0x0a } + 1
    let sample = String(decoding: try converted(around(damage, in: text), from: "ISO-8859-1"), as: UTF8.self)
    throw CompositorError(
      .unreadableMedia, "The text is not UTF-8: line \(line) is “\(sample)” if it is Latin-1 (Western European).",
      recoverySuggestion:
        "If that reads right, say encoding \"windows-1252\" (it includes ISO 8859-1); else the encoding it has, "
        + "such as \"windows-1251\", \"shift_jis\" or \"gb18030\".")
  }

  /// iconv's name for UTF-16 without a byte order mark, in which text with digits and line breaks has zeros in every other byte;
  /// `nil` for other bytes.
  static func unmarkedUTF16(_ bytes: [UInt8]) -> String? {
    let beginning = bytes.prefix(4096)
    guard beginning.count >= 16, beginning.contains(0) else { return nil }
    let zeros = [0, 1].map { odd in beginning.indices.count { $0 % 2 == odd && beginning[$0] == 0 } }
    let half = beginning.count / 2
    func isASCII(_ odd: Int) -> Bool {
      // The other bytes of the first characters are digits, letters or white space.
      stride(from: odd, to: min(16, beginning.count), by: 2).allSatisfy { (0x09...0x7e).contains(beginning[$0]) }
    }
    if zeros[0] == 0, zeros[1] * 4 > half, isASCII(0) { return "UTF-16LE" }
    return zeros[1] == 0 && zeros[0] * 4 > half && isASCII(1) ? "UTF-16BE" : nil
  }

  private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
  }

  /// The index of the first byte that is not valid UTF-8.
  private static func firstDamage(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let first = bytes[index]
        guard first >= 0x80 else {
          index += 1
          continue
        }
        let length =
          first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0
        guard length > 0, index + length <= bytes.count,
          bytes[(index + 1)..<(index + length)].allSatisfy({ $0 & 0xc0 == 0x80 })
        else { return index }
        let second = bytes[index + 1]
        let isOverlong = first == 0xe0 && second < 0xa0 || first == 0xf0 && second < 0x90
        let isBeyond = first == 0xed && second >= 0xa0 || first == 0xf4 && second >= 0x90
        guard !isOverlong, !isBeyond else { return index }
        index += length
      }
      return nil
    }
  }

  /// The line around a byte, up to 24 bytes on each side.
  private static func around(_ index: Int, in bytes: [UInt8]) -> [UInt8] {
    let start = bytes[max(index - 24, 0)..<index].lastIndex { $0 < 0x20 }.map { $0 + 1 } ?? max(index - 24, 0)
    let end = bytes[index..<min(index + 24, bytes.count)].firstIndex { $0 < 0x20 } ?? min(index + 24, bytes.count)
    return Array(bytes[start..<end])
  }

  private static func converted(_ bytes: [UInt8], from encoding: String) throws(CompositorError) -> [UInt8] {
    var failure = cff_failure()
    var text: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard cff_text_to_utf8(encoding, bytes, bytes.count, &text, &count, &failure) == CFF_OK, let text else {
      let code = CompositorError.Code(failure.status)
      throw CompositorError(
        code, "The text cannot be read in the encoding \"\(encoding)\".",
        recoverySuggestion: code == .invalidValue
          ? "Name one that iconv knows, such as \"windows-1252\", \"windows-1251\" or \"shift_jis\"."
          : "Name the encoding that it has.", cause: failure.sentence)
    }
    defer { cff_text_free(text) }
    return Array(UnsafeBufferPointer(start: text, count: count))
  }
}
