import CompositorAPI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The primaries and the curve that an ICC profile (ICC.1:2022) stands for, where they are among those known here.
///
/// Code points (`cicp`) count first. Else the profile is one of a matrix and a curve: `rXYZ`, `gXYZ` and `bXYZ` are compared with
/// those of known primaries, `rTRC` with known curves. What is something else, such as a profile of tables, has neither.
struct ICCProfile {
  /// The primaries; nil where they are none of those known.
  private(set) var primaries: ColorPrimaries?
  /// The curve; nil where it is none of those known.
  private(set) var transfer: TransferFunction?
  private let bytes: [UInt8]

  /// Nil where the bytes are no profile of R, G, B.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count >= 132, text(at: 36) == "acsp", text(at: 16) == "RGB " else { return nil }
    if let points = tag("cicp"), points.count >= 12 {
      let codes = Array(points.prefix(12).suffix(4))
      primaries = ColorPrimaries(rawValue: codes[0])
      transfer = TransferFunction(rawValue: codes[1])
      let isKnown = primaries?.chromaticities != nil && transfer?.hasCurve == true
      if isKnown, codes[0] < 128, codes[1] < 128 { return }
    }
    primaries = matchingPrimaries()
    transfer = tag("rTRC").flatMap(ICCProfile.curve).flatMap(ICCProfile.matchingTransfer)
  }

  /// The profile in a JPEG's APP2 segments (ICC.1:2022, B.4), which are numbered; nil where there is none, or not all of it.
  init?(fromJPEG file: [UInt8]) {
    let parts = JPEGSegments.contents(of: 0xe2, "ICC_PROFILE\0", in: file).filter { $0.count > 2 }
      .sorted { $0[$0.startIndex] < $1[$1.startIndex] }
    guard let count = parts.first.map({ Int($0[$0.startIndex + 1]) }), count == parts.count else { return nil }
    self.init(parts.flatMap { $0.dropFirst(2) })
  }

  /// Puts primaries and curve into a picture's tags, where both are known; says whether they are.
  func describe(_ tags: inout ColorTags) -> Bool {
    guard let primaries, let transfer else { return false }
    (tags.primaries, tags.transfer) = (primaries, transfer)
    return true
  }

  // MARK: primaries

  /// X and Z over Y … of R, G and B under D50, as profiles have them.
  private static let colorants: [(ColorPrimaries, [Double])] = [
    (.bt709, [0.43607, 0.22249, 0.01392, 0.38515, 0.71687, 0.09708, 0.14307, 0.06061, 0.71410]),
    (.displayP3, [0.51512, 0.24120, -0.00105, 0.29198, 0.69225, 0.04189, 0.15710, 0.06657, 0.78407]),
    (.bt2020, [0.67348, 0.27904, -0.00194, 0.16567, 0.67534, 0.02998, 0.12505, 0.04561, 0.79686]),
  ]

  private func matchingPrimaries() -> ColorPrimaries? {
    let found = ["rXYZ", "gXYZ", "bXYZ"].compactMap(tag).flatMap { part in
      [8, 12, 16].compactMap { ICCProfile.fixed(part, at: $0) }
    }
    guard found.count == 9 else { return nil }
    return ICCProfile.colorants.first { zip($0.1, found).allSatisfy { abs($0 - $1) < 0.005 } }?.0
  }

  // MARK: curve

  /// The nearest of the known curves, where it is near at all.
  private static func matchingTransfer(_ curve: (Double) -> Double) -> TransferFunction? {
    let known: [TransferFunction] = [.sRGB, .gamma22, .gamma28, .bt709, .linear]
    let distances = known.map { transfer in
      (0...32).map { abs(curve(Double($0) / 32) - (transfer.decode(Double($0) / 32) ?? 0)) }.max() ?? 1
    }
    guard let least = distances.min(), least < 0.005 else { return nil }
    return zip(known, distances).first { $0.1 == least }?.0
  }

  /// From signal to light, by a `curv` or `para` tag; nil where it is neither.
  private static func curve(_ part: ArraySlice<UInt8>) -> ((Double) -> Double)? {
    switch String(decoding: part.prefix(4), as: UTF8.self) {
    case "curv": return sampledCurve(part)
    case "para": return parametricCurve(part)
    default: return nil
    }
  }

  private static func sampledCurve(_ part: ArraySlice<UInt8>) -> ((Double) -> Double)? {
    guard let count = number(part, at: 8, bytes: 4) else { return nil }
    if count == 0 { return { $0 } }
    guard let first = number(part, at: 12, bytes: 2) else { return nil }
    if count == 1 { return { pow($0, Double(first) / 256) } }
    let samples = (0..<min(count, 65_536)).compactMap { number(part, at: 12 + 2 * $0, bytes: 2) }
    guard samples.count == count else { return nil }
    return { signal in
      let place = signal * Double(count - 1)
      let index = min(Int(place), count - 2)
      let (low, high) = (Double(samples[index]), Double(samples[index + 1]))
      return (low + (high - low) * (place - Double(index))) / 65_535
    }
  }

  private static func parametricCurve(_ part: ArraySlice<UInt8>) -> ((Double) -> Double)? {
    // g, a, b, c, d, e, f; the kinds leave out the last ones.
    let counts = [1, 3, 4, 5, 7]
    guard let kind = number(part, at: 8, bytes: 2), counts.indices.contains(kind) else { return nil }
    var p = (0..<counts[kind]).compactMap { fixed(part, at: 12 + 4 * $0) }
    guard p.count == counts[kind] else { return nil }
    p += [0, 1, 0, 0, 0, 0, 0].suffix(7 - p.count)
    let (g, a, b, c, d, e, f) = (p[0], p[1], p[2], p[3], p[4], p[5], p[6])
    switch kind {
    case 0: return { pow($0, g) }
    case 1, 2: return { pow(max(a * $0 + b, 0), g) + (kind == 2 ? c : 0) }
    default: return { $0 >= d ? pow(max(a * $0 + b, 0), g) + e : c * $0 + f }
    }
  }

  // MARK: bytes

  private func text(at offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }

  /// A tag's bytes, its type first; nil where there is no such tag.
  private func tag(_ name: String) -> ArraySlice<UInt8>? {
    guard let count = ICCProfile.number(bytes[...], at: 128, bytes: 4) else { return nil }
    for index in 0..<min(count, 200) {
      let entry = 132 + 12 * index
      guard let offset = ICCProfile.number(bytes[...], at: entry + 4, bytes: 4),
        let size = ICCProfile.number(bytes[...], at: entry + 8, bytes: 4)
      else { return nil }
      guard text(at: entry) == name else { continue }
      return offset + size <= bytes.count ? bytes[offset..<offset + size] : nil
    }
    return nil
  }

  private static func number(_ part: ArraySlice<UInt8>, at offset: Int, bytes width: Int) -> Int? {
    guard part.count >= offset + width else { return nil }
    let start = part.startIndex + offset
    return part[start..<start + width].reduce(0) { $0 << 8 | Int($1) }
  }

  /// An s15Fixed16Number.
  private static func fixed(_ part: ArraySlice<UInt8>, at offset: Int) -> Double? {
    number(part, at: offset, bytes: 4).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}
