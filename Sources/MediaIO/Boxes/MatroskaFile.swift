/// A Matroska or WebM file's elements of the first level (RFC 8794, RFC 9559), for those that libavformat doesn't read.
enum MatroskaFile {
  private static let segment: UInt64 = 0x1853_8067
  private static let maximumByteCount = 16 << 20
  private static let maximumElementCount = 10_000

  /// The contents of the first element with an ID, which editors of files may move behind the media; `nil` if it is not found.
  static func contents(of id: UInt64, inFile path: String) -> ArraySlice<UInt8>? {
    guard let file = PartialFile(path: path) else { return nil }
    var position = 0
    for _ in 0..<maximumElementCount {
      guard let bytes = file.bytes(16, at: position), let head = Head(bytes[...]) else { return nil }
      if head.id == segment {
        position += head.headSize
        continue
      }
      guard let size = head.size else { return nil }
      guard head.id == id else {
        let (next, overflows) = position.addingReportingOverflow(head.headSize + size)
        guard !overflows else { return nil }
        position = next
        continue
      }
      guard size <= maximumByteCount, let contents = file.bytes(size, at: position + head.headSize),
        contents.count == size
      else { return nil }
      return contents[...]
    }
    return nil
  }

  /// An element inside another one.
  struct Element {
    let id: UInt64
    let contents: ArraySlice<UInt8>
    /// Its value as an unsigned integer; 0 if it is too long for one that means anything here.
    var number: Int { contents.count <= 7 ? contents.reduce(0) { $0 << 8 | Int($1) } : 0 }
  }

  /// The elements inside another one.
  static func elements(_ bytes: ArraySlice<UInt8>) -> [Element] {
    var (rest, found) = (bytes, [Element]())
    while let head = Head(rest), let size = head.size, size <= rest.count - head.headSize {
      found.append(Element(id: head.id, contents: rest.dropFirst(head.headSize).prefix(size)))
      rest = rest.dropFirst(head.headSize + size)
    }
    return found
  }

  /// An element's ID and size (RFC 8794).
  private struct Head {
    let id: UInt64
    /// `nil` if unknown.
    let size: Int?
    let headSize: Int

    init?(_ bytes: ArraySlice<UInt8>) {
      guard let first = bytes.first, first != 0 else { return nil }
      let idSize = first.leadingZeroBitCount + 1
      guard idSize <= 4, bytes.count > idSize else { return nil }
      id = bytes.number(idSize)
      let lead = bytes.dropFirst(idSize)
      let width = lead[lead.startIndex].leadingZeroBitCount + 1
      guard width <= 8, lead.count >= width else { return nil }
      let mask = UInt64(1) << UInt64(7 * width) - 1
      let value = lead.number(width) & mask
      size = value == mask ? nil : Int(value)
      headSize = idSize + width
    }
  }
}
