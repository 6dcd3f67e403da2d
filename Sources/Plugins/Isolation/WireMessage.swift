import CompositorAPI

/// The protocol between host and worker, which are of the same version: a worker of another one is refused before it starts.
///
/// A message is a header of 24 bytes (magic, kind, version, payload length, number) and its payload. All numbers in replies
/// are checked where they are used: a worker runs untrusted code and may send anything. A request with a reply has an
/// unpredictable number, which the reply repeats; early, repeated and unrelated replies are therefore rejected.
enum WireKind: UInt8 {
  // From the host. `confine`, `open`, `make`, `needs`, `render`, `check` and `measure` have replies, the others don't.
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
  case measure
  // From the worker.
  case done = 64
  case failed

  var isAnswered: Bool {
    switch self {
    case .confine, .open, .make, .needs, .render, .check, .measure: true
    case .drop, .segment, .forget, .attributes, .instruction, .done, .failed: false
    }
  }
}

/// A worker's access to a segment.
enum WireSegmentUse: UInt8 {
  case source = 0
  case output
}

struct WireHeader {
  static let byteCount = 24
  static let mark: UInt32 = 0x504d_4f43
  static let version: UInt8 = 3
  /// The longest payload of a request: a parameter may be a table of several megabytes.
  static let maximumPayload = 64 << 20
  /// The longest payload of a reply: the description of several hundred compositors.
  static let maximumAnswer = 8 << 20

  let kind: WireKind
  let length: Int
  let number: UInt64
}

/// Writes values in order, little-endian.
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

  /// A complete message.
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

/// Reads the output of ``WireWriter``; throws if it ends early.
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

  /// Parses the header at the start of a message; returns `nil` if it is invalid.
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
