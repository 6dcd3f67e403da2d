import CCompositorLCMS
import CompositorAPI

/// An ICC profile (ICC.1:2022, and version 2), read by Little CMS: the meaning of an image's signals.
///
/// A profile whose code points (`cicp`) or colors match known tags is replaced by these tags. Any other profile becomes a
/// conversion (``StillProfile``).
final class ICCProfile {
  /// The reason why a profile is unusable, as half a sentence.
  struct Fault: Error {
    var reason: String
  }

  /// The components of the signals.
  enum Space {
    case gray, rgb, cmyk

    var componentCount: Int {
      switch self {
      case .gray: 1
      case .rgb: 3
      case .cmyk: 4
      }
    }
  }

  /// The components of the signals.
  let space: Space
  /// The profile's own description; empty if it has none.
  let name: String
  /// Whether the profile was made from chromaticities and an exponent.
  let isMade: Bool
  /// Primaries and curve that the profile names by code point.
  private let statedTags: (ColorPrimaries, TransferFunction)?
  private let handle: OpaquePointer

  /// The maximum size of a profile, in bytes. Printer profiles have up to 3 MiB.
  static let maximumByteCount = 16 << 20

  /// Reads a profile.
  init(_ bytes: some Collection<UInt8>) throws(Fault) {
    guard bytes.count <= ICCProfile.maximumByteCount else {
      throw Fault(reason: "it has \(bytes.count) bytes, more than \(ICCProfile.maximumByteCount)")
    }
    let bytes = Array(bytes)
    var (opened, components) = (OpaquePointer?.none, CLCMS_RGB)
    var name = [CChar](repeating: 0, count: 128)
    var message = name
    let status = clcms_open(bytes, bytes.count, &opened, &components, &name, &message)
    guard status == CLCMS_OK, let opened else { throw ICCProfile.fault(message) }
    handle = opened
    space = components == CLCMS_GRAY ? .gray : components == CLCMS_CMYK ? .cmyk : .rgb
    self.name = ICCProfile.text(name)
    statedTags = space == .rgb ? ICCProfile.codePoints(bytes) : nil
    isMade = false
  }

  /// Creates an R, G, B profile from a PNG's cHRM and gAMA chunks.
  ///
  /// - Parameters:
  ///   - chromaticities: White, red, green, blue as x, y.
  ///   - gamma: The exponent from signal to light; `nil` for the sRGB curve.
  init(chromaticities: [Double], gamma: Double?) throws(Fault) {
    var opened: OpaquePointer?
    var message = [CChar](repeating: 0, count: 128)
    let status = clcms_make(chromaticities, gamma ?? 0, &opened, &message)
    guard status == CLCMS_OK, let opened else { throw ICCProfile.fault(message) }
    (handle, space, name, statedTags, isMade) = (opened, .rgb, "", nil, true)
  }

  deinit { clcms_close(handle) }

  private static func fault(_ message: [CChar]) -> Fault {
    let text = text(message)
    return Fault(reason: text.isEmpty ? "there is no memory for it" : text)
  }

  private static func text(_ characters: [CChar]) -> String {
    let bytes = characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return String(decoding: bytes.filter { $0 >= 0x20 && $0 < 0x7f }, as: UTF8.self)
  }

  /// The tag `cicp` (ICC.1:2022, 9.2.17), if it names known primaries and a known curve.
  private static func codePoints(_ bytes: [UInt8]) -> (ColorPrimaries, TransferFunction)? {
    guard let count = bytes.bigEndian(at: 128, byteCount: 4) else { return nil }
    for index in 0..<min(count, 200) {
      let entry = 132 + 12 * index
      guard bytes.text(at: entry, byteCount: 4) == "cicp", let offset = bytes.bigEndian(at: entry + 4, byteCount: 4),
        let codes = bytes.part(at: offset, byteCount: 12)?.dropFirst(8), let primaries = codes.first
      else { continue }
      let tags = (ColorPrimaries(rawValue: primaries), TransferFunction(rawValue: codes[codes.startIndex + 1]))
      let isKnown = tags.0.chromaticities != nil && tags.1.hasCurve && tags.0.isCodePoint && tags.1.isCodePoint
      return isKnown ? tags : nil
    }
    return nil
  }

  // MARK: light

  /// Linear light in the given primaries for signals of 0 … 1 per component; `nil` if the profile's tables are unusable.
  private func light(of signals: [[Double]], in primaries: ColorPrimaries) -> [SIMD3<Double>]? {
    guard let points = primaries.whiteFirst else { return nil }
    var light = [Double](repeating: 0, count: 3 * signals.count)
    guard clcms_measure(handle, points, signals.flatMap(\.self), &light, signals.count) == CLCMS_OK else { return nil }
    return signals.indices.map { SIMD3(light[3 * $0], light[3 * $0 + 1], light[3 * $0 + 2]) }
  }

  /// Makes a conversion from the profile's signals to 16-bit R, G, B in the given primaries with the sRGB curve.
  func conversion(to primaries: ColorPrimaries, _ layout: clcms_layout) -> OpaquePointer? {
    guard let points = primaries.whiteFirst else { return nil }
    var (conversion, layout) = (OpaquePointer?.none, layout)
    return clcms_conversion_open(handle, points, &layout, &conversion) == CLCMS_OK ? conversion : nil
  }

  /// Target primaries of conversions, smallest gamut first.
  private static let gamuts: [ColorPrimaries] = [.bt709, .displayP3, .bt2020, .proPhotoRGB]
  /// Primaries that a profile is compared with.
  private static let primaries: [ColorPrimaries] = [.bt709, .displayP3, .bt2020, .adobeRGB, .proPhotoRGB]
  /// Curves that a profile is compared with: only those of graphics. A power of 2.2 equals Adobe RGB to a tenth of a code.
  /// Curves of SDR video are not among them, because a viewer converts such an image to sRGB and keeps the codes of video.
  private static let curves: [TransferFunction] = [.sRGB, .adobeRGB, .proPhotoRGB]
  /// The maximum difference between a profile and equivalent tags, as a fraction of the signal's range: three quarters of an
  /// 8-bit code.
  private static let tolerance = 0.003

  /// Tags with the same meaning as the profile; `nil` if there are none.
  func equivalentTags() -> (primaries: ColorPrimaries, transfer: TransferFunction)? {
    if let statedTags { return statedTags }
    guard space != .cmyk else { return nil }
    let signals = ICCProfile.samples(space)
    for primaries in space == .gray ? [.bt709] : ICCProfile.primaries {
      guard let light = light(of: signals, in: primaries) else { return nil }
      let found = ICCProfile.curves.first { curve in
        zip(signals, light).allSatisfy { signal, light in
          (0..<3).allSatisfy { ICCProfile.agree(light[$0], signal[signal.count == 1 ? 0 : $0], by: curve) }
        }
      }
      if let found { return (primaries, found) }
    }
    return nil
  }

  /// Whether a curve and a profile give the same light for a signal: to a third of an 8-bit code near black, where power curves
  /// are steep and profiles round their numbers, else to ``tolerance``.
  private static func agree(_ light: Double, _ signal: Double, by curve: TransferFunction) -> Bool {
    guard let wanted = curve.decode(signal), let found = curve.encode(light) else { return false }
    return abs(light - wanted) <= 0.0001 || abs(found - signal) <= tolerance
  }

  /// The smallest standard gamut that contains the profile's colors; ProPhoto RGB if none does, which clips colors outside it.
  ///
  /// - Throws: If Little CMS cannot convert with the profile.
  func smallestGamut() throws(Fault) -> ColorPrimaries {
    let signals = ICCProfile.samples(space)
    for primaries in ICCProfile.gamuts {
      guard let light = light(of: signals, in: primaries) else {
        throw Fault(reason: "its tables are missing or damaged")
      }
      // The sRGB curve is linear near 0: its first 16-bit code is 1/850,000 of white.
      if light.allSatisfy({ $0.min() >= -0.0005 && $0.max() <= 1.0005 }) { return primaries }
    }
    return .proPhotoRGB
  }

  /// Signals of a gray ramp and of a grid over the color cube.
  private static func samples(_ space: Space) -> [[Double]] {
    let ramp = (0...64).map { [Double](repeating: Double($0) / 64, count: space.componentCount) }
    guard space != .gray else { return ramp }
    let steps = (0...4).map { Double($0) / 4 }
    var grid: [[Double]] = [[]]
    for _ in 0..<space.componentCount { grid = grid.flatMap { head in steps.map { head + [$0] } } }
    return ramp + grid
  }
}

extension ColorPrimaries {
  /// White, red, green and blue as x, y.
  var whiteFirst: [Double]? {
    chromaticities.map { [$0.white, $0.red, $0.green, $0.blue].flatMap { [$0.x, $0.y] } }
  }
}
