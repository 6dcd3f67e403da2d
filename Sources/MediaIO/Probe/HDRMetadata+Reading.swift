import CCompositorFFmpeg
import CompositorAPI

extension HDRMetadata {
  /// `nil` if nothing is known. A mastering display with impossible values is omitted.
  init?(_ hdr: cff_hdr) {
    self.init()
    masteringDisplay = MasteringDisplay(stated: hdr).flatMap { $0.isPlausible ? $0 : nil }
    if hdr.has_light {
      contentLightLevel = ContentLightLevel(
        maximumContentLightLevel: Int(hdr.maximum_content_light),
        maximumFrameAverageLightLevel: Int(hdr.maximum_average_light))
    }
    guard masteringDisplay != nil || contentLightLevel != nil else { return nil }
  }

  /// The container's values if present, else the bitstream's.
  init?(container: HDRMetadata?, bitstream: HDRMetadata?) {
    guard container != nil || bitstream != nil else { return nil }
    self.init(
      masteringDisplay: container?.masteringDisplay ?? bitstream?.masteringDisplay,
      contentLightLevel: container?.contentLightLevel ?? bitstream?.contentLightLevel)
  }
}

extension HDRMetadata {
  /// The values that both sides state differently, as a description; `nil` if they agree up to the rounding of their notations.
  func disagreement(with bitstream: HDRMetadata) -> String? {
    var parts: [String] = []
    if let display = masteringDisplay, let other = bitstream.masteringDisplay,
      abs(display.maximumLuminance - other.maximumLuminance) > 0.01 * other.maximumLuminance
    {
      parts.append("a mastering display of \(display.maximumLuminance) against \(other.maximumLuminance) cd/m²")
    }
    if let light = contentLightLevel, let other = bitstream.contentLightLevel, light != other {
      parts.append(
        "MaxCLL \(light.maximumContentLightLevel) and MaxFALL \(light.maximumFrameAverageLightLevel) against "
          + "\(other.maximumContentLightLevel) and \(other.maximumFrameAverageLightLevel)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension HDRMetadata {
  /// The reason why light levels and mastering display cannot both be right, as a sentence; `nil` if they can.
  package var contradiction: String? {
    guard let light = contentLightLevel else { return nil }
    if let display = masteringDisplay, Double(light.maximumContentLightLevel) > display.maximumLuminance.rounded(.up) {
      return
        "MaxCLL is \(light.maximumContentLightLevel) cd/m², and the mastering display shows \(display.maximumLuminance) at most."
    }
    if light.maximumContentLightLevel > 0, light.maximumFrameAverageLightLevel > light.maximumContentLightLevel {
      return "MaxFALL is \(light.maximumFrameAverageLightLevel) cd/m², more than MaxCLL, \(light.maximumContentLightLevel)."
    }
    return nil
  }
}

extension MasteringDisplay {
  /// The stated values, plausible or not; `nil` if there are none.
  init?(stated hdr: cff_hdr) {
    guard hdr.has_mastering else { return nil }
    let m = hdr.mastering
    self.init(
      red: Chromaticity(x: m.0, y: m.1), green: Chromaticity(x: m.2, y: m.3), blue: Chromaticity(x: m.4, y: m.5),
      white: Chromaticity(x: m.6, y: m.7), maximumLuminance: m.8, minimumLuminance: m.9)
  }

  /// Whether the luminances are within SMPTE ST 2086: white from 5 to 10,000 cd/m², black from 0 to 5 and below white.
  ///
  /// Some phones write a thousandth of the right value; tone mapping with it would burn out the whole frame.
  var isPlausible: Bool {
    (5...10_000).contains(maximumLuminance) && (0...5).contains(minimumLuminance) && minimumLuminance < maximumLuminance
  }
}
