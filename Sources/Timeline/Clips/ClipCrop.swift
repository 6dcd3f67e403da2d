public import CompositorAPI

/// The part of a clip's upright frame that is shown: the position of its top left corner, and its size.
///
/// ```swift
/// clip.crop = .constant(ClipCrop(Rect(x: 160, y: 0, width: 320, height: 360)))
/// clip.crop = .constant(ClipCrop(x: .fraction(0.25), width: .fraction(0.5)))   // the middle half, as high as the frame
/// ```
public struct ClipCrop: Hashable, Sendable {
  /// A length along a side of the frame: the sum of pixels and of a fraction of the side.
  public struct Length: Hashable, Sendable {
    /// Display pixels of the upright frame.
    public var pixels: Double
    /// The fraction of the side: 1 is the whole side.
    public var fraction: Double

    /// Creates a length.
    public init(pixels: Double = 0, fraction: Double = 0) { (self.pixels, self.fraction) = (pixels, fraction) }

    /// A length in display pixels of the upright frame.
    public static func pixels(_ pixels: Double) -> Length { Length(pixels: pixels) }

    /// A fraction of the side.
    public static func fraction(_ fraction: Double) -> Length { Length(fraction: fraction) }

    /// The length in pixels along a side.
    fileprivate func length(of side: Double) -> Double { fraction == 0 ? pixels : pixels + fraction * side }
  }

  /// The left edge.
  public var x: Length
  /// The top edge.
  public var y: Length
  /// The width; `nil` for that up to the frame's right edge.
  public var width: Length?
  /// The height; `nil` for that down to the frame's bottom edge.
  public var height: Length?

  /// Creates a crop; by default of the whole frame.
  public init(x: Length = Length(), y: Length = Length(), width: Length? = nil, height: Length? = nil) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Creates the crop of a rectangle in display pixels of the upright frame.
  public init(_ rect: Rect) {
    self.init(
      x: .pixels(rect.origin.x), y: .pixels(rect.origin.y), width: .pixels(rect.size.width), height: .pixels(rect.size.height))
  }

  /// The rectangle in display pixels of an upright frame of a size.
  public func rect(in size: Size) -> Rect {
    let (x, y) = (x.length(of: size.width), y.length(of: size.height))
    return Rect(
      x: x, y: y, width: width?.length(of: size.width) ?? max(size.width - x, 0),
      height: height?.length(of: size.height) ?? max(size.height - y, 0))
  }
}

extension Animated {
  /// The same with other values.
  func map<Other>(_ transform: (Value) -> Other) -> Animated<Other> {
    switch self {
    case .constant(let value): .constant(transform(value))
    case .keyframes(let keyframes):
      .keyframes(keyframes.map { Keyframe(time: $0.time, value: transform($0.value), easing: $0.easing) })
    }
  }
}
