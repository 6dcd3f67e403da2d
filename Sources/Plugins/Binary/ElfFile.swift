import Foundation
import CompositorPlatform

/// Properties of a shared library's file.
enum ElfFile {
  /// Whether a 64-bit library is shorter than its program headers require: the loader would map it, and access to missing
  /// bytes would end the process.
  static func isCutShort(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd(), let table = headerTable(file)
    else { return false }
    guard let headers = headers(file, table) else { return true }
    return headers.contains { header in
      let end = header.offset.addingReportingOverflow(header.byteCount)
      return end.overflow || end.partialValue > size
    }
  }

  /// A segment of a 64-bit library.
  struct ProgramHeader {
    var kind, offset, address, byteCount: UInt64
  }

  static func programHeaders(_ file: FileHandle) -> [ProgramHeader]? { headerTable(file).flatMap { headers(file, $0) } }

  /// The place of the program headers; `nil` if there are none, which the loader rejects itself.
  private static func headerTable(_ file: FileHandle) -> (start: UInt64, entrySize: Int, count: Int)? {
    guard let header = bytes(file, at: 0, count: 64), header.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }
    let (start, entrySize, count) = (integer(header, 32, 8), integer(header, 54, 2), integer(header, 56, 2))
    return start > 0 && entrySize >= 56 && count > 0 ? (start, Int(entrySize), Int(count)) : nil
  }

  private static func headers(
    _ file: FileHandle, _ table: (start: UInt64, entrySize: Int, count: Int)
  ) -> [ProgramHeader]? {
    guard let bytes = bytes(file, at: table.start, count: table.entrySize * table.count) else { return nil }
    return (0..<table.count).map { index in
      let entry = index * table.entrySize
      return ProgramHeader(
        kind: integer(bytes, entry, 4), offset: integer(bytes, entry + 8, 8), address: integer(bytes, entry + 16, 8),
        byteCount: integer(bytes, entry + 32, 8))
    }
  }

  fileprivate static func bytes(_ file: FileHandle, at offset: UInt64, count: Int) -> [UInt8]? {
    guard let data = data(file, at: offset, upToCount: count), data.count == count else { return nil }
    return [UInt8](data)
  }

  /// - Returns: As many of the bytes as there are; `nil` if no file can have that offset, of which `FileHandle` would make a
  ///   crash.
  fileprivate static func data(_ file: FileHandle, at offset: UInt64, upToCount count: Int) -> Data? {
    guard offset <= UInt64(Int64.max), (try? file.seek(toOffset: offset)) != nil else { return nil }
    return try? file.read(upToCount: count)
  }

  /// Reads a little-endian integer.
  fileprivate static func integer(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> UInt64 {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Loads the libraries that a library needs from folders relative to its own (`$ORIGIN`). The loader would look for them
  /// beside the path from which the library's bytes are loaded.
  ///
  /// - Parameter path: The path of the file from which the bytes were read.
  static func loadLibraries(of file: String, beside path: String) {
    guard let dynamic = DynamicSection(file) else { return }
    let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let places = dynamic.searchPath.filter { $0.contains("$ORIGIN") || $0.contains("${ORIGIN}") }.map { place in
      place.replacing("${ORIGIN}", with: folder).replacing("$ORIGIN", with: folder)
    }
    for name in dynamic.needed where !name.contains("/") {
      guard let place = places.first(where: { access("\($0)/\(name)", R_OK) == 0 }) else { continue }
      // If this fails, loading the plugin fails, too, with the loader's reason.
      _ = dlopen("\(place)/\(name)", RTLD_NOW | RTLD_LOCAL)
    }
  }
}

/// The names in the dynamic section of a 64-bit library.
private struct DynamicSection {
  /// The libraries that it needs.
  private(set) var needed: [String] = []
  /// The folders in which they are searched, as written.
  private(set) var searchPath: [String] = []

  private static let mostEntries = 4096
  private static let longestName = 4096

  init?(_ path: String) {
    guard let file = FileHandle(forReadingAtPath: path), let headers = ElfFile.programHeaders(file),
      let own = headers.first(where: { $0.kind == 2 }),
      let table = ElfFile.bytes(file, at: own.offset, count: Int(min(own.byteCount, UInt64(Self.mostEntries * 16))))
    else { return nil }
    let entries = stride(from: 0, to: table.count - 15, by: 16).map { start in
      (tag: ElfFile.integer(table, start, 8), value: ElfFile.integer(table, start + 8, 8))
    }.prefix { $0.tag != 0 }
    guard let names = entries.first(where: { $0.tag == 5 })?.value,
      let segment = headers.first(where: { $0.kind == 1 && names >= $0.address && names - $0.address < $0.byteCount })
    else { return nil }
    let start = segment.offset &+ (names - segment.address)
    func name(_ offset: UInt64) -> String {
      let bytes = ElfFile.data(file, at: start &+ offset, upToCount: Self.longestName)
      return String(decoding: (bytes ?? Data()).prefix { $0 != 0 }, as: UTF8.self)
    }
    needed = entries.filter { $0.tag == 1 }.map { name($0.value) }
    searchPath = entries.filter { $0.tag == 15 || $0.tag == 29 }.flatMap {
      name($0.value).split(separator: ":").map(String.init)
    }
  }
}
