/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2), as HEIF, JPEG 2000 and JPEG XL use them.
struct ISOBox {
  let type: String
  /// What is in the box, without its header.
  let content: ArraySlice<UInt8>

  /// More boxes in one place than any file has.
  private static let mostBoxes = 10_000

  /// The boxes that follow each other in `bytes`, up to the first that is damaged.
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
