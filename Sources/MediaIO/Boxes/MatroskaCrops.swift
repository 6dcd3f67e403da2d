#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a Matroska or WebM file states of its video tracks and libavformat doesn't read: the pixels at the edges of the frames that players
/// hide (RFC 9559, `PixelCrop…`).
struct MatroskaCrops {
  /// Hidden pixels of a track.
  struct Crop: Hashable {
    var (left, top, right, bottom) = (0, 0, 0, 0)

    /// `the hidden edges: 40 pixels left, 8 top`.
    var meaning: String {
      let edges = [(left, "left"), (top, "top"), (right, "right"), (bottom, "bottom")].filter { $0.0 > 0 }
      let words = edges.enumerated().map { index, edge in
        index == 0 ? "\(edge.0) \(edge.0 == 1 ? "pixel" : "pixels") \(edge.1)" : "\(edge.0) \(edge.1)"
      }
      return "the hidden edges: \(words.joined(separator: ", "))"
    }
  }

  /// The video tracks in the order of the file.
  private(set) var tracks: [Crop] = []

  private enum ID {
    static let (segment, tracks): (UInt64, UInt64) = (0x1853_8067, 0x1654_AE6B)
    static let (entry, type, video): (UInt64, UInt64, UInt64) = (0xAE, 0x83, 0xE0)
  }

  private static let maximumByteCount = 16 << 20
  private static let maximumElementCount = 10_000

  /// Reads the descriptions of the tracks, which editors of files move behind the media; `nil` if they are not found.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    var position = 0
    for _ in 0..<Self.maximumElementCount {
      guard let bytes = Self.read(descriptor, 16, at: position), let head = Head(bytes[...]) else { return nil }
      if head.id == ID.segment {
        position += head.headSize
        continue
      }
      guard let size = head.size else { return nil }
      guard head.id == ID.tracks else {
        let (next, overflows) = position.addingReportingOverflow(head.headSize + size)
        guard !overflows else { return nil }
        position = next
        continue
      }
      guard size <= Self.maximumByteCount, let contents = Self.read(descriptor, size, at: position + head.headSize),
        contents.count == size
      else { return nil }
      tracks = Self.elements(contents[...]).filter { $0.id == ID.entry }.compactMap { Self.crop(of: $0.contents) }
      return
    }
    return nil
  }

  /// The crop of a track's entry; `nil` if the track isn't video.
  private static func crop(of entry: ArraySlice<UInt8>) -> Crop? {
    let fields = elements(entry)
    guard fields.first(where: { $0.id == ID.type })?.number == 1 else { return nil }
    var crop = Crop()
    for field in fields.filter({ $0.id == ID.video }).flatMap({ elements($0.contents) }) {
      switch field.id {
      case 0x54AA: crop.bottom = field.number
      case 0x54BB: crop.top = field.number
      case 0x54CC: crop.left = field.number
      case 0x54DD: crop.right = field.number
      default: continue
      }
    }
    return crop
  }

  private struct Element {
    let id: UInt64
    let contents: ArraySlice<UInt8>
    /// Its value as an unsigned integer; 0 if it is too long for one that means anything here.
    var number: Int { contents.count <= 7 ? contents.reduce(0) { $0 << 8 | Int($1) } : 0 }
  }

  private static func elements(_ bytes: ArraySlice<UInt8>) -> [Element] {
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

  private static func read(_ descriptor: CInt, _ count: Int, at position: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, off_t(position)) }
    return found > 0 ? Array(bytes.prefix(found)) : nil
  }
}
