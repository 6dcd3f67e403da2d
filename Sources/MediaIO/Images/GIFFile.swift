/// The blocks of a GIF file (GIF89a, appendix A): the number of images, and whether the file is complete.
struct GIFFile {
  let size: (width: Int, height: Int)?
  private(set) var pictureCount = 0
  /// Whether the file ends inside a block.
  private(set) var isTruncated = false

  init(_ bytes: [UInt8]) {
    let (width, height) = (bytes.littleEndian(at: 6, byteCount: 2), bytes.littleEndian(at: 8, byteCount: 2))
    size = width.flatMap { width in height.map { (width, $0) } }
    isTruncated = !readBlocks(bytes)
  }

  /// Reads all blocks. Returns whether the last one is complete.
  private mutating func readBlocks(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 13 else { return false }
    var offset = 13 + GIFFile.tableByteCount(bytes[10])
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x21: offset += 2
      case 0x2c:
        guard offset + 10 < bytes.count else { return false }
        pictureCount += 1
        // The image descriptor, its color table and the initial code size.
        offset += 11 + GIFFile.tableByteCount(bytes[offset + 9])
      // The trailer. Anything after it, or in place of a block, is ignored.
      default: return true
      }
      while let length = bytes.part(at: offset, byteCount: 1)?.first, length > 0 { offset += 1 + Int(length) }
      offset += 1
    }
    return offset <= bytes.count
  }

  private static func tableByteCount(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
