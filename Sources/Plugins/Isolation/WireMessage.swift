import CompositorAPI

/// What host and worker say to each other. One version on both sides: they are the same program.
///
/// A message is a header of 24 bytes (mark, kind, version, length of the payload, number) and its payload. Every answer's numbers are
/// checked where they are used: a worker runs other people's code, and may say anything. A request that is answered has a number that
/// nobody can guess, and its answer the same one: what comes early, twice or for another request is no answer.
enum WireKind: UInt8 {
  // From the host. `confine`, `open`, `make`, `needs`, `render` and `check` are answered, the others are not.
  case open = 1
  case make
  case drop
  case segment
  case forget
  case attributes
  case instruction
  case needs
  case render
  case check
  case confine
  // From the worker.
  case done = 64
  case failed

  var isAnswered: Bool {
    switch self {
    case .confine, .open, .make, .needs, .render, .check: true
    case .drop, .segment, .forget, .attributes, .instruction, .done, .failed: false
    }
  }
}

/// What a worker may do with a segment.
enum WireSegmentUse: UInt8 {
  case source = 0
  case output
}

struct WireHeader {
  static let byteCount = 24
  static let mark: UInt32 = 0x504d_4f43
  static let version: UInt8 = 3
  /// The longest payload of a request: a parameter may be a table of some megabytes.
  static let maximumPayload = 64 << 20
  /// The longest payload of an answer: the description of some hundred compositors.
  static let maximumAnswer = 8 << 20

  let kind: WireKind
  let length: Int
  let number: UInt64
}

/// Writes values one after another, little end first.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ value: Double) { put(value.bitPattern) }

  mutating func put(_ data: some Collection<UInt8>) {
    put(UInt32(data.count))
    bytes.append(contentsOf: data)
  }

  mutating func put(_ time: MediaTime) {
    put(time.value)
    put(time.timescale)
    put(time.flags.rawValue)
    put(time.epoch)
  }

  mutating func put(_ matrix: AffineMatrix) {
    for number in [matrix.a, matrix.b, matrix.c, matrix.d, matrix.tx, matrix.ty] { put(number) }
  }

  /// A whole message.
  static func message(_ kind: WireKind, _ write: (inout WireWriter) -> Void = { _ in }) -> [UInt8] {
    var writer = WireWriter()
    writer.put(WireHeader.mark)
    writer.put(kind.rawValue)
    writer.put(WireHeader.version)
    writer.put(UInt16(0))
    writer.put(UInt64(0))
    writer.put(UInt64(0))
    write(&writer)
    let length = UInt64(writer.bytes.count - WireHeader.byteCount)
    withUnsafeBytes(of: length.littleEndian) { writer.bytes.replaceSubrange(8..<16, with: $0) }
    return writer.bytes
  }

  /// The same message with a number.
  static func numbered(_ message: [UInt8], _ number: UInt64) -> [UInt8] {
    var message = message
    withUnsafeBytes(of: number.littleEndian) { message.replaceSubrange(16..<24, with: $0) }
    return message
  }
}

/// Reads what ``WireWriter`` wrote; throws where it ends early.
struct WireReader {
  struct Short: Error {}
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    let count = MemoryLayout<T>.size
    guard bytes.count - position >= count else { throw Short() }
    defer { position += count }
    return bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: T.self)) }
  }

  mutating func number() throws -> Double { Double(bitPattern: try integer(UInt64.self)) }

  mutating func data() throws -> ArraySlice<UInt8> {
    let count = Int(try integer(UInt32.self))
    guard bytes.count - position >= count else { throw Short() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func time() throws -> MediaTime {
    let (value, timescale) = (try integer(Int64.self), try integer(Int32.self))
    let flags = MediaTime.Flags(rawValue: try integer(UInt32.self))
    return MediaTime(value: value, timescale: timescale, flags: flags, epoch: try integer(Int64.self))
  }

  mutating func matrix() throws -> AffineMatrix {
    AffineMatrix(a: try number(), b: try number(), c: try number(), d: try number(), tx: try number(), ty: try number())
  }

  /// The header at the start of a message; nil where it is none.
  static func header(_ bytes: [UInt8]) -> WireHeader? {
    var reader = WireReader(bytes)
    guard let mark = try? reader.integer(UInt32.self), mark == WireHeader.mark,
      let kind = (try? reader.integer(UInt8.self)).flatMap(WireKind.init(rawValue:)),
      let version = try? reader.integer(UInt8.self), version == WireHeader.version,
      (try? reader.integer(UInt16.self)) != nil, let length = try? reader.integer(UInt64.self),
      length <= WireHeader.maximumPayload, let number = try? reader.integer(UInt64.self)
    else { return nil }
    return WireHeader(kind: kind, length: Int(length), number: number)
  }
}

/// What others wrote, as it may be shown.
enum TextCleaning {
  /// The same text with a question mark for each character that moves a cursor, changes a terminal's state or turns the direction of
  /// text, and a space for each end of a line.
  static func withoutControls(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 9, 10, 13: " "
          case 0..<0x20, 0x7f..<0xa0, 0x200b...0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff: "?"
          default: scalar
          }
        }))
  }
}
