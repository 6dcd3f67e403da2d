/// The chunks of a WebP file (RFC 9649).
struct WebPFile {
  /// An image of an animation, with its position and duration.
  struct AnimationFrame {
    /// Position on the canvas, in pixels from the top left corner.
    let x, y: Int
    /// Size of the image in pixels.
    let width, height: Int
    /// How long the frame is shown, in ms.
    let duration: Int
    /// Whether the image is blended with the canvas by its alpha; otherwise it replaces the canvas.
    let blends: Bool
    /// Whether its area becomes transparent after it was shown.
    let clearsAfterwards: Bool
    /// The image as a WebP file of its own.
    let file: [UInt8]
  }

  /// Size of the canvas in pixels.
  private(set) var size: (width: Int, height: Int)?
  /// The ICC profile.
  private(set) var profile: ArraySlice<UInt8>?
  /// The Exif data.
  private(set) var exif: ArraySlice<UInt8>?
  /// Whether the file states that it is animated.
  private(set) var isAnimated = false
  /// The frames of an animation; empty for a still.
  private(set) var frames: [AnimationFrame] = []
  /// How often an animation is played: 0 for endlessly.
  private(set) var playCount = 0
  /// Whether the file is shorter than it states.
  private(set) var isTruncated = false

  private typealias Chunk = (name: String, content: ArraySlice<UInt8>)

  init(_ bytes: [UInt8]) {
    guard let length = bytes.littleEndian(at: 4, byteCount: 4) else { return }
    // Some writers omit the padding of the last chunk.
    isTruncated = length > bytes.count - 8 + 1
    for (name, content) in WebPFile.chunks(bytes.dropFirst(12)) {
      switch name {
      case "VP8X":
        size = WebPFile.pair(content, at: 4)
        isAnimated = (content.first ?? 0) & 2 != 0
      case "VP8 ", "VP8L": size = size ?? WebPFile.size(ofBitstream: name, content)
      case "EXIF": exif = content
      case "ICCP": profile = content
      case WebPFile.empty: isTruncated = true
      case "ANIM": playCount = content.littleEndian(at: 4, byteCount: 2) ?? 0
      case "ANMF": if let frame = WebPFile.frame(content) { frames.append(frame) }
      default: break
      }
    }
  }

  /// The name of a chunk that a copy left empty. Nothing after it is read.
  private static let empty = "\0\0\0\0"

  private static func chunks(_ bytes: ArraySlice<UInt8>) -> [Chunk] {
    var found: [Chunk] = []
    var rest = bytes
    while let name = rest.text(at: 0, byteCount: 4), let length = rest.littleEndian(at: 4, byteCount: 4),
      let content = rest.part(at: 8, byteCount: length)
    {
      found.append((name, content))
      guard name != empty else { break }
      // Chunks of odd length are padded.
      rest = rest.dropFirst(8 + length + length & 1)
    }
    return found
  }

  /// Two 24-bit numbers, each stored as one less than its value.
  private static func pair(_ content: ArraySlice<UInt8>, at offset: Int) -> (width: Int, height: Int)? {
    guard let width = content.littleEndian(at: offset, byteCount: 3),
      let height = content.littleEndian(at: offset + 3, byteCount: 3)
    else { return nil }
    return (width + 1, height + 1)
  }

  private static func size(ofBitstream name: String, _ content: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    if name == "VP8L" {
      return content.littleEndian(at: 1, byteCount: 4).map { (($0 & 0x3fff) + 1, ($0 >> 14 & 0x3fff) + 1) }
    }
    guard let width = content.littleEndian(at: 6, byteCount: 2), let height = content.littleEndian(at: 8, byteCount: 2) else {
      return nil
    }
    return (width & 0x3fff, height & 0x3fff)
  }

  private static func frame(_ content: ArraySlice<UInt8>) -> AnimationFrame? {
    guard let x = content.littleEndian(at: 0, byteCount: 3), let y = content.littleEndian(at: 3, byteCount: 3),
      let size = pair(content, at: 6), let duration = content.littleEndian(at: 12, byteCount: 3),
      let flags = content.littleEndian(at: 15, byteCount: 1)
    else { return nil }
    return AnimationFrame(
      x: 2 * x, y: 2 * y, width: size.width, height: size.height, duration: duration, blends: flags & 2 == 0,
      clearsAfterwards: flags & 1 == 1, file: file(chunks(content.dropFirst(16)), size))
  }

  /// Makes a file with one image from the chunks of an animation's frame.
  private static func file(_ chunks: [Chunk], _ size: (width: Int, height: Int)) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    func chunk(_ name: String, _ content: some Collection<UInt8>) -> [UInt8] {
      Array(name.utf8) + little(content.count, 4) + content + (content.count & 1 == 1 ? [0] : [])
    }
    var body = Array("WEBP".utf8)
    let pictures = chunks.filter { ["ALPH", "VP8 ", "VP8L"].contains($0.name) }
    if pictures.contains(where: { $0.name == "ALPH" }) {
      body += chunk("VP8X", [0x10, 0, 0, 0] + little(size.width - 1, 3) + little(size.height - 1, 3))
    }
    for picture in pictures { body += chunk(picture.name, picture.content) }
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }
}
