public import CompositorAPI

/// The properties of a track's frames that are known before decoding; sufficient to choose a route.
public struct SourceDescription: Sendable, Hashable {
  /// Pixel format of the frames.
  public var format: PixelFormat
  /// Stored columns and rows.
  public var size: PixelSize
  /// Color, pixel aspect and alpha.
  public var attributes: FrameAttributes
  /// The media's orientation: the transform from stored display space to upright.
  public var preferredTransform: AffineMatrix
  /// Whether the media is a still, so that derived images can be cached.
  public var isStill = false

  /// Creates a description of a track's frames.
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

  /// Describes a source's frame.
  public init(_ source: SourceFrame) {
    self.init(
      format: source.frame.format, size: source.frame.size, attributes: source.frame.attributes,
      preferredTransform: source.preferredTransform, isStill: source.isStill)
  }

  /// Describes a frame.
  package init(_ frame: Frame) { self.init(format: frame.format, size: frame.size, attributes: frame.attributes) }

  /// Color tags without unspecified parts.
  package var color: ColorTags { attributes.color.completed(for: format, size: size) }
  /// Whether alpha is stored and used.
  package var usesAlpha: Bool { format.hasAlpha && attributes.alphaMode != .opaque }

  /// How the code values differ in meaning from those of an output, apart from alpha; `nil` if they agree. A frame may be
  /// passed through only if they do.
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
  /// The effective tags for a format: without unspecified parts, and with the identity matrix in R, G, B formats.
  package func completed(for format: PixelFormat, size: PixelSize) -> ColorTags {
    var tags = self
    if format.isRGB { tags.matrix = .identity }
    return tags.resolved(for: size)
  }
}

extension RenderContext {
  /// The output's color tags without unspecified parts.
  package var outputColor: ColorTags { outputAttributes.color.completed(for: outputFormat, size: size) }
  /// Whether the output stores alpha.
  package var keepsAlpha: Bool { outputFormat.hasAlpha && outputAttributes.alphaMode != .opaque }
}
