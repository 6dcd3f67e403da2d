public import CompositorAPI

/// What is known of a track's frames before any of them is decoded: enough to choose a route.
public struct SourceDescription: Sendable, Hashable {
  /// Layout of the frames' samples.
  public var format: PixelFormat
  /// Stored columns and rows.
  public var size: PixelSize
  /// Color, pixel aspect and alpha.
  public var attributes: FrameAttributes
  /// The orientation the media asks for, from stored display space to upright.
  public var preferredTransform: AffineMatrix
  /// Whether the media is one picture: what is made of it once can be kept.
  public var isStill = false

  /// Describes a source.
  public init(
    format: PixelFormat, size: PixelSize, attributes: FrameAttributes, preferredTransform: AffineMatrix = .identity,
    isStill: Bool = false
  ) {
    self.isStill = isStill
    self.format = format
    self.size = size
    self.attributes = attributes
    self.preferredTransform = preferredTransform
  }

  /// Describes a frame that is there.
  public init(_ source: SourceFrame) {
    self.init(
      format: source.frame.format, size: source.frame.size, attributes: source.frame.attributes,
      preferredTransform: source.preferredTransform, isStill: source.isStill)
  }

  /// Describes a frame by itself.
  package init(_ frame: Frame) { self.init(format: frame.format, size: frame.size, attributes: frame.attributes) }

  /// Color tags without unspecified parts.
  package var color: ColorTags { attributes.color.completed(for: format, size: size) }
  /// Whether alpha is stored and counts.
  package var usesAlpha: Bool { format.hasAlpha && attributes.alphaMode != .opaque }

  /// In what the code values mean something else than those of an output, alpha apart; `nil` if they mean the same. Whoever hands a frame
  /// on instead of writing a new one asks here.
  ///
  /// - Parameter color: The output's tags without unspecified parts.
  package func difference(
    from format: PixelFormat, _ color: ColorTags, policy: ColorConversionPolicy
  ) -> String? {
    guard self.format == format else { return "its format is \(self.format), the output's \(format)" }
    return self.color.isEquivalent(to: color, in: format, policy: policy) ? nil : "its color differs from the output's"
  }
}

extension ColorTags {
  /// The tags that count in a format: without unspecified parts, and with the identity matrix in R, G, B formats.
  package func completed(for format: PixelFormat, size: PixelSize) -> ColorTags {
    var tags = self
    if format.isRGB { tags.matrix = .identity }
    return tags.resolved(for: size)
  }
}

extension RenderContext {
  /// The output's color tags without unspecified parts.
  package var outputColor: ColorTags { outputAttributes.color.completed(for: outputFormat, size: size) }
  /// Whether the output stores alpha that counts.
  package var keepsAlpha: Bool { outputFormat.hasAlpha && outputAttributes.alphaMode != .opaque }
}
