import CCompositorFFmpeg
import CompositorAPI

extension HDRMetadata {
  /// nil where nothing is known. A mastering display that cannot be is left out.
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

  /// The container's values where it has them, else the bitstream's.
  init?(container: HDRMetadata?, bitstream: HDRMetadata?) {
    guard container != nil || bitstream != nil else { return nil }
    self.init(
      masteringDisplay: container?.masteringDisplay ?? bitstream?.masteringDisplay,
      contentLightLevel: container?.contentLightLevel ?? bitstream?.contentLightLevel)
  }
}

extension HDRMetadata {
  /// What both sides say and say differently; nil where they agree, up to the rounding of their notations.
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
  /// Why light levels and mastering display cannot both be right, in a sentence; nil if they can.
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
  /// What a file says, plausible or not; nil where it says nothing.
  init?(stated hdr: cff_hdr) {
    guard hdr.has_mastering else { return nil }
    let m = hdr.mastering
    self.init(
      red: Chromaticity(x: m.0, y: m.1), green: Chromaticity(x: m.2, y: m.3), blue: Chromaticity(x: m.4, y: m.5),
      white: Chromaticity(x: m.6, y: m.7), maximumLuminance: m.8, minimumLuminance: m.9)
  }

  /// Whether luminances are such as SMPTE ST 2086 allows: white from 5 to 10,000 cd/m², black from 0 to 5 and below white.
  ///
  /// Some phones write a thousandth of what they mean; to tone-map by that would burn out the whole picture.
  var isPlausible: Bool {
    (5...10_000).contains(maximumLuminance) && (0...5).contains(minimumLuminance) && minimumLuminance < maximumLuminance
  }
}
