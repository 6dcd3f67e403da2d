/// The first directory of a TIFF file (TIFF 6.0, section 2), which Exif data is too.
struct TIFFDirectory {
  /// Tags that are read.
  enum Tag: Int {
    case width = 256
    case height = 257
    case orientation = 274
    case extraSamples = 338
  }

  private var values: [Int: Int] = [:]

  /// `nil` if the bytes are no TIFF.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    let isLittleEndian = bytes[0] == 0x49
    func number(at offset: Int, _ count: Int) -> Int? {
      isLittleEndian ? bytes.littleEndian(at: offset, byteCount: count) : bytes.bigEndian(at: offset, byteCount: count)
    }
    guard let directory = number(at: 4, 4), let count = number(at: directory, 2) else { return nil }
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = number(at: entry, 2), let kind = number(at: entry + 2, 2) else { return }
      // Bytes, shorts and longs stand in the entry itself, the first of them first.
      guard let width = [1: 1, 3: 2, 4: 4][kind] else { continue }
      values[tag] = number(at: entry + 8, width)
    }
  }

  /// The first value of a tag; `nil` if it's absent.
  subscript(tag: Tag) -> Int? { values[tag.rawValue] }
}
