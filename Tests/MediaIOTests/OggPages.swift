import Foundation
import Testing

/// The pages of an Ogg file (RFC 3533, 6).
struct OggPages {
  /// A page with its header.
  struct Page {
    var bytes: Data
    /// The position that it states, -1 if no packet ends in it.
    var position: Int64 { number(at: 6, byteCount: 8) }
    /// The serial number of its stream, by which those of several streams differ.
    var serial: Int64 { number(at: 14, byteCount: 4) }

    private func number(at offset: Int, byteCount: Int) -> Int64 {
      let value = bytes.dropFirst(offset).prefix(byteCount).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      return Int64(bitPattern: value)
    }

    /// Replaces some bytes, and the checksum.
    mutating func replace(_ new: [UInt8], at offset: Int) {
      bytes = Data(bytes)
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
      bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
      bytes.replaceSubrange(22..<26, with: withUnsafeBytes(of: OggPages.checksum(bytes).littleEndian) { Data($0) })
    }
  }

  var pages: [Page] = []

  /// Splits a whole file.
  init(_ path: String) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    var start = 0
    while start < data.count {
      try #require(data[start...].starts(with: Data("OggS".utf8)))
      let segments = Int(data[start + 26])
      let end = start + 27 + segments + data[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
      pages.append(Page(bytes: Data(data[start..<end])))
      start = end
    }
  }

  /// The index of the first page with media.
  var firstWithMedia: Int { pages.firstIndex { $0.position > 0 } ?? pages.count }

  func write(to path: String) throws { try Data(pages.map(\.bytes).joined()).write(to: URL(filePath: path)) }

  /// The checksum of a page.
  static func checksum(_ page: Data) -> UInt32 {
    page.reduce(0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in value & 0x8000_0000 != 0 ? value << 1 ^ 0x04c1_1db7 : value << 1 }
    }
  }
}
