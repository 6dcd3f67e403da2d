/// The header of a JPEG XL codestream (ISO/IEC 18181-1): size, and whether there is more than one image.
struct JPEGXLHeader {
  private(set) var size: (width: Int, height: Int)
  private(set) var isAnimated = false

  /// `nil` if there is no codestream or its header is truncated.
  init?(_ bytes: [UInt8]) {
    guard let stream = JPEGXLHeader.codestream(bytes) else { return nil }
    var bits = BitReader(stream.dropFirst(2))
    guard let size = JPEGXLHeader.size(&bits) else { return nil }
    self.size = size
    // Image metadata: all_default, extra_fields, orientation, intrinsic size, preview, animation.
    guard bits.read(1) == 0, bits.read(1) == 1, bits.read(3) != nil, let hasIntrinsicSize = bits.read(1) else { return }
    if hasIntrinsicSize == 1, JPEGXLHeader.size(&bits) == nil { return }
    guard bits.read(1) == 0 else { return }
    isAnimated = bits.read(1) == 1
  }

  /// The codestream, or the part of it in the first box.
  private static func codestream(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
    if bytes.starts(with: [0xff, 0x0a]) { return bytes[...] }
    for box in ISOBox.all(in: bytes[...]) {
      if box.type == "jxlc" { return box.content }
      if box.type == "jxlp" { return box.content.dropFirst(4) }
    }
    return nil
  }

  private static func size(_ bits: inout BitReader) -> (width: Int, height: Int)? {
    func length(_ bits: inout BitReader, isSmall: Bool) -> Int? {
      if isSmall { return bits.read(5).map { ($0 + 1) * 8 } }
      guard let selector = bits.read(2) else { return nil }
      return bits.read([9, 13, 18, 30][selector]).map { $0 + 1 }
    }
    guard let isSmall = bits.read(1).map({ $0 == 1 }), let height = length(&bits, isSmall: isSmall), let ratio = bits.read(3)
    else { return nil }
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    if ratio > 0 { return (height * ratios[ratio - 1].0 / ratios[ratio - 1].1, height) }
    return length(&bits, isSmall: isSmall).map { ($0, height) }
  }
}

/// Reads bits, the least significant one of each byte first.
private struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  mutating func read(_ count: Int) -> Int? {
    guard position + count <= bytes.count * 8 else { return nil }
    let value = (0..<count).reduce(0) { value, bit in
      let place = position + bit
      return value | Int(bytes[bytes.startIndex + place / 8] >> (place % 8) & 1) << bit
    }
    position += count
    return value
  }
}

/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2), as used by HEIF, JPEG 2000 and JPEG XL.
struct ISOBox {
  let type: String
  /// The box's contents, without its header.
  let content: ArraySlice<UInt8>

  /// The maximum number of boxes in a sequence, more than any file has.
  private static let mostBoxes = 10_000

  /// The boxes that follow each other in `bytes`, up to the first damaged one.
  static func all(in bytes: ArraySlice<UInt8>) -> [ISOBox] {
    var found: [ISOBox] = []
    var rest = bytes
    while found.count < mostBoxes, let size = rest.bigEndian(at: 0, byteCount: 4), let type = rest.text(at: 4, byteCount: 4) {
      let header = size == 1 ? 16 : 8
      let length = size == 0 ? rest.count : size == 1 ? rest.bigEndian(at: 8, byteCount: 8) ?? 0 : size
      guard length >= header, let whole = rest.part(at: 0, byteCount: length) else { break }
      found.append(ISOBox(type: type, content: whole.dropFirst(header)))
      rest = rest.dropFirst(length)
    }
    return found
  }
}
