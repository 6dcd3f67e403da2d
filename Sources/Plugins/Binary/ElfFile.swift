import Foundation

/// Properties of a shared library's file.
enum ElfFile {
  /// Whether a 64-bit library is shorter than its program headers require: the loader would map it, and access to missing
  /// bytes would end the process.
  static func isCutShort(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd(),
      let header = bytes(file, at: 0, count: 64), header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
    else { return false }
    let (start, entrySize) = (integer(header, 32, 8), integer(header, 54, 2))
    let count = integer(header, 56, 2)
    // Without program headers: the loader rejects that itself.
    guard start > 0, entrySize >= 56, count > 0 else { return false }
    guard let table = bytes(file, at: start, count: Int(entrySize * count)) else { return true }
    return (0..<Int(count)).contains { index in
      let entry = index * Int(entrySize)
      let end = integer(table, entry + 8, 8).addingReportingOverflow(integer(table, entry + 32, 8))
      return end.overflow || end.partialValue > size
    }
  }

  private static func bytes(_ file: FileHandle, at offset: UInt64, count: Int) -> [UInt8]? {
    guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.read(upToCount: count), data.count == count else {
      return nil
    }
    return [UInt8](data)
  }

  /// Reads a little-endian integer.
  private static func integer(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
