/// How the colors of a layer, the source, blend with those beneath it, the backdrop.
/// These are the modes of W3C *Compositing and Blending Level 1*, sections 9.1 and 9.2, and `plus-lighter`, in the encoded
/// R′G′B′ of the output. Layers of titles and the compositor `builtin.blend` accept the same modes by the same names.
public enum BlendMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// The source covers the backdrop.
  case normal
  /// The product: never lighter than either.
  case multiply
  /// The complement of the product of the complements: never darker than either.
  case screen
  /// Multiply if the backdrop is dark, screen if it is light.
  case overlay
  /// The darker of the two, component by component.
  case darken
  /// The lighter of the two, component by component.
  case lighten
  /// Brightens the backdrop to reflect the source.
  case colorDodge = "color-dodge"
  /// Darkens the backdrop to reflect the source.
  case colorBurn = "color-burn"
  /// Multiply if the source is dark, screen if it is light.
  case hardLight = "hard-light"
  /// Darkens or lightens softly, depending on the source.
  case softLight = "soft-light"
  /// The absolute difference of the two.
  case difference
  /// Like difference, with less contrast.
  case exclusion
  /// Hue of the source; saturation and luminosity of the backdrop.
  case hue
  /// Saturation of the source; hue and luminosity of the backdrop.
  case saturation
  /// Hue and saturation of the source; luminosity of the backdrop.
  case color
  /// Luminosity of the source; hue and saturation of the backdrop.
  case luminosity
  /// The sum of the premultiplied colors and of the alphas, at most 1.
  case plusLighter = "plus-lighter"

  /// The number of the mode in the C kernels: its position here and in `BLEND_MODES` of `blending.h`.
  package var kernelNumber: Int32 { Int32(Self.allCases.firstIndex(of: self) ?? 0) }
}
