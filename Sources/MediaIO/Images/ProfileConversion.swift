import CCompositorLCMS
import CompositorAPI

/// Color information of an image file other than tags, and how it is applied.
///
/// - A profile that is equivalent to tags: the image keeps its codes and gets the tags.
/// - Any other profile: Little CMS converts the image once, when it is decoded, to 16-bit R, G, B with the sRGB curve, in the
///   smallest of BT.709, Display P3, BT.2020 and ProPhoto RGB that contains the profile's colors; relative colorimetric, with
///   black point compensation.
/// - An unusable profile: the image is treated as if it had none, and a warning states the reason.
struct StillProfile {
  /// How a profile is applied.
  enum Use {
    case none
    case tags(ColorPrimaries, TransferFunction)
    case conversion(ICCProfile, to: ColorPrimaries)
  }

  private(set) var use = Use.none
  private(set) var warnings: [MediaWarning] = []

  /// No profile.
  init() {}

  /// - Parameters:
  ///   - bytes: The embedded profile.
  ///   - components: The components of the coded image; `nil` for gray or R, G, B, because gray may have an R, G, B profile.
  init(embedded bytes: some Collection<UInt8>, in components: ICCProfile.Space?) {
    self.init("The ICC profile") { () throws(ICCProfile.Fault) in
      let profile = try ICCProfile(bytes)
      let fits = [components] + (components == .gray ? [.rgb] : components == nil ? [.gray, .rgb] : [])
      guard fits.contains(profile.space) else {
        throw ICCProfile.Fault(reason: "it is one of \(profile.space.name), and the image is \((components ?? .rgb).name)")
      }
      return profile
    }
  }

  /// - Parameters:
  ///   - chromaticities: White, red, green, blue as x, y.
  ///   - gamma: The exponent from signal to light; `nil` for the sRGB curve.
  init(chromaticities: [Double], gamma: Double?) {
    self.init("The color of the chunks cHRM and gAMA") { () throws(ICCProfile.Fault) in
      try ICCProfile(chromaticities: chromaticities, gamma: gamma)
    }
  }

  /// Color that a file states by other means than a profile.
  init(tags primaries: ColorPrimaries, _ transfer: TransferFunction) { use = .tags(primaries, transfer) }

  /// A profile that was rejected earlier.
  init(refused reason: String, of subject: String = "The ICC profile") { warn(subject, reason) }

  private init(_ subject: String, _ open: () throws(ICCProfile.Fault) -> ICCProfile) {
    do throws(ICCProfile.Fault) {
      let profile = try open()
      if let tags = profile.equivalentTags() {
        use = .tags(tags.primaries, tags.transfer)
      } else {
        use = .conversion(profile, to: try profile.smallestGamut())
      }
    } catch {
      warn(subject, error.reason)
    }
  }

  private mutating func warn(_ subject: String, _ reason: String) {
    warnings.append(
      MediaWarning(
        .unusableColorProfile, "\(subject) cannot be used: \(reason). The image is treated as if it had none."))
  }

  /// Whether the image has to be decoded to R, G, B (or C, M, Y, K) for a conversion.
  var converts: Bool {
    if case .conversion = use { return true }
    return false
  }

  /// A description of the conversion: the profile's name and the resulting color; `nil` if there is no conversion.
  var summary: String? {
    guard case .conversion(let profile, let primaries) = use else { return nil }
    let name =
      profile.isMade
      ? "cHRM and gAMA" : profile.name.isEmpty ? "an ICC profile without a name" : "the ICC profile “\(profile.name)”"
    return "\(name), converted to \(primaries == .bt709 ? "sRGB" : "\(primaries.name) with the curve of sRGB")"
  }

  /// The image with the profile's tags, or converted. A conversion takes `rgba` or `rgba16`, whose four samples hold C, M, Y, K
  /// if the profile does.
  ///
  /// - Parameter isInverted: Whether 0 is full ink.
  /// - Throws: `.resourceExhausted`.
  func apply(to frame: Frame, isInverted: Bool = false) throws(CompositorError) -> Frame {
    switch use {
    case .none: return frame
    case .tags(let primaries, let transfer):
      var tagged = frame
      (tagged.attributes.color.primaries, tagged.attributes.color.transfer) = (primaries, transfer)
      return tagged
    case .conversion(let profile, let primaries):
      let layout = clcms_layout(
        bytes_per_sample: Int32(frame.format.bytesPerSample), is_inverted: isInverted,
        is_premultiplied: frame.attributes.alphaMode == .premultiplied)
      guard let conversion = profile.conversion(to: primaries, layout) else { throw StillProfile.noMemory }
      defer { clcms_conversion_close(conversion) }
      return try StillProfile.convert(frame, conversion, to: primaries)
    }
  }

  private static func convert(
    _ frame: Frame, _ conversion: OpaquePointer, to primaries: ColorPrimaries
  ) throws(CompositorError) -> Frame {
    var attributes = frame.attributes
    attributes.color = ColorTags(primaries: primaries, transfer: .sRGB, matrix: .identity, range: .full)
    if attributes.alphaMode == .premultiplied { attributes.alphaMode = .straight }
    var converted = MutableFrame(format: .rgba16, size: frame.size, attributes: attributes)
    let isWhole = converted.withUnsafeMutablePlanes { target in
      frame.withUnsafePlanes { source in
        (0..<frame.size.height).allSatisfy { y in
          let row = target[0].base + y * target[0].stride
          return clcms_convert(
            conversion, source[0].base + y * source[0].stride, row.assumingMemoryBound(to: UInt16.self), frame.size.width)
        }
      }
    }
    guard isWhole else { throw noMemory }
    return converted.freeze()
  }

  private static var noMemory: CompositorError {
    CompositorError(.resourceExhausted, "There is no memory to convert the image by its ICC profile.")
  }
}

extension ICCProfile.Space {
  fileprivate var name: String {
    switch self {
    case .gray: "gray"
    case .rgb: "R, G, B"
    case .cmyk: "C, M, Y, K"
    }
  }
}
