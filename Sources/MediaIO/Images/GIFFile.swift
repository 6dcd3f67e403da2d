/// The blocks of a GIF file (GIF89a, appendix A): the number of images, and whether the file is complete.
struct GIFFile {
  let size: (width: Int, height: Int)?
  private(set) var pictureCount = 0
  /// How often the images are played: 0 for endlessly, 1 unless an extension of Netscape's says otherwise.
  private(set) var playCount = 1
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
      case 0x21:
        readRepetitions(bytes.dropFirst(offset))
        offset += 2
      case 0x2c:
        guard offset + 10 < bytes.count else { return false }
        pictureCount += 1
        // The image descriptor, its color table and the initial code size.
        offset += 11 + GIFFile.tableByteCount(bytes[offset + 9])
      // In place of a block. Some encoders leave a zero or two, a copy that failed leaves many to the end.
      case 0: return bytes.count - offset < GIFFile.fewestZeros || bytes[offset...].contains { $0 != 0 }
      // The trailer. Anything after it, or in place of a block, is ignored.
      default: return true
      }
      while let length = bytes.part(at: offset, byteCount: 1)?.first, length > 0 { offset += 1 + Int(length) }
      offset += 1
    }
    return offset <= bytes.count
  }

  /// Reads an application extension `NETSCAPE2.0` or `ANIMEXTS1.0`, which counts repetitions after the first time.
  private mutating func readRepetitions(_ block: ArraySlice<UInt8>) {
    guard let name = block.text(at: 3, byteCount: 11), ["NETSCAPE2.0", "ANIMEXTS1.0"].contains(name),
      block.part(at: 14, byteCount: 2).map(Array.init) == [3, 1], let count = block.littleEndian(at: 16, byteCount: 2)
    else { return }
    playCount = count == 0 ? 0 : count + 1
  }

  /// Zeros at the end that no encoder leaves.
  private static let fewestZeros = 512

  private static func tableByteCount(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
}
