internal import Compositor
internal import Foundation

/// The space of a layer, in which its sublayers are placed.
struct LayerSpace {
  let bounds: CGRect
  /// Whether y points up.
  let pointsUp: Bool

  /// The sum of a y and the same y where y points down, if the bounds stay the same.
  var mirror: Double { Double(bounds.minY + bounds.maxY) }

  func y(_ y: CGFloat) -> Double { pointsUp ? mirror - Double(y) : Double(y) }
  func point(_ point: CGPoint) -> Point { Point(x: Double(point.x), y: y(point.y)) }
  /// A vector, such as the offset of a shadow.
  func offset(_ size: CGSize) -> Point { Point(x: Double(size.width), y: Double(pointsUp ? -size.height : size.height)) }
  /// A point in fractions of bounds.
  func fraction(_ point: CGPoint) -> Point { Point(x: Double(point.x), y: Double(pointsUp ? 1 - point.y : point.y)) }
  /// A rectangle in fractions of a picture.
  func fraction(_ rect: CGRect) -> Rect {
    Rect(
      x: Double(rect.minX), y: Double(pointsUp ? 1 - rect.maxY : rect.minY), width: Double(rect.width),
      height: Double(rect.height))
  }
}

/// Makes the compositor's layers of a program's, in whose space y points down.
///
/// Where y points up, the places of sublayers, paths and directions are mirrored about the middle of the bounds; pictures and text are
/// not. So every layer lies where it was, and nothing is drawn upside down.
final class LayerTranslation {
  private let videoLayers: Set<ObjectIdentifier>
  /// The pictures of all layers by names.
  private(set) var images: [String: Frame] = [:]
  private var names: [ObjectIdentifier: String] = [:]
  /// Keeps pictures, so that no other one has the address of one that is known.
  private var known: [CGImage] = []

  init(videoLayers: [CALayer]) { self.videoLayers = Set(videoLayers.map { ObjectIdentifier($0) }) }

  /// A layer with everything below it.
  ///
  /// - Parameter space: That of the layer above.
  /// - Throws: What cannot be drawn.
  func layer(_ source: CALayer, in space: LayerSpace) throws(AVError) -> Layer {
    let own = LayerSpace(bounds: source.bounds, pointsUp: space.pointsUp != source.isGeometryFlipped)
    var layer = Layer()
    layer.name = source.name ?? ""
    layer.bounds = source.bounds.rect
    layer.position = space.point(source.position)
    layer.anchorPoint = space.fraction(source.anchorPoint)
    layer.zPosition = Double(source.zPosition)
    let own3D = try parts(source.transform, pointsUp: space.pointsUp, "transform", of: source)
    guard own3D.perspective == 0 else { throw Self.noPerspective("transform", of: source) }
    layer.transform = own3D.transform
    let sublayers = try parts(source.sublayerTransform, pointsUp: own.pointsUp, "sublayerTransform", of: source)
    (layer.sublayerTransform, layer.perspective) = (sublayers.transform, sublayers.perspective)
    show(source, own, in: &layer)
    layer.content = try content(of: source, own)
    layer.timing = LayerTiming(source)
    layer.animations = try animations(of: source, own, in: space)
    for sublayer in source.sublayers ?? [] { layer.sublayers.append(try self.layer(sublayer, in: own)) }
    if let mask = source.mask { layer.mask = try self.layer(mask, in: own) }
    return layer
  }

  private func show(_ source: CALayer, _ own: LayerSpace, in layer: inout Layer) {
    layer.opacity = min(max(Double(source.opacity), 0), 1)
    layer.isHidden = source.isHidden
    layer.backfaceVisibility = source.isDoubleSided ? .visible : .hidden
    layer.backgroundColor = source.backgroundColor?.color
    layer.cornerRadius = Double(source.cornerRadius)
    layer.borderWidth = Double(source.borderWidth)
    layer.borderColor = source.borderColor?.color ?? .clear
    layer.shadowColor = source.shadowColor?.color ?? .clear
    layer.shadowOpacity = min(max(Double(source.shadowOpacity), 0), 1)
    layer.shadowOffset = own.offset(source.shadowOffset)
    layer.shadowRadius = Double(source.shadowRadius)
    layer.masksToBounds = source.masksToBounds
  }

  private func parts(
    _ transform: CATransform3D, pointsUp: Bool, _ property: String, of source: CALayer
  ) throws(AVError) -> TransformParts {
    guard let parts = TransformParts(transform, pointsUp: pointsUp) else { throw Self.noPerspective(property, of: source) }
    return parts
  }

  private static func noPerspective(_ property: String, of layer: CALayer) -> AVError {
    AVError(
      .invalidVideoComposition, "The perspective of the \(property) of \(description(of: layer)) cannot be drawn.",
      suggestion: "Set m34 of the sublayerTransform of the layer above it, and nothing else in the fourth column.")
  }

  /// A layer in a message.
  static func description(of layer: CALayer) -> String {
    layer.name.map { "the layer \"\($0)\"" } ?? "a \(type(of: layer))"
  }

  /// Whether a layer shows the frames.
  func isVideo(_ layer: CALayer) -> Bool { videoLayers.contains(ObjectIdentifier(layer)) }

  /// The name of a picture.
  ///
  /// - Throws: There is no memory for it, or its layout is not known.
  func name(of image: CGImage) throws(AVError) -> String {
    if let name = names[ObjectIdentifier(image)] { return name }
    let name = "image \(known.count + 1)"
    images[name] = try Frame(image)
    names[ObjectIdentifier(image)] = name
    known.append(image)
    return name
  }

  /// The name of a picture of nothing.
  func nameOfNothing() throws(AVError) -> String {
    if images["nothing"] == nil { images["nothing"] = try Frame(premultiplied: [0, 0, 0, 0], width: 1, height: 1) }
    return "nothing"
  }
}

extension LayerTiming {
  /// The timing of a layer.
  init(_ timing: some CAMediaTiming) {
    self.init(
      beginTime: abs(timing.beginTime) < 1e-50 ? 0 : timing.beginTime,
      duration: timing.duration.isFinite ? timing.duration : 0, speed: Double(timing.speed), timeOffset: timing.timeOffset,
      repeatCount: Double(timing.repeatCount), repeatDuration: timing.repeatDuration, autoreverses: timing.autoreverses,
      fillMode: FillMode(rawValue: timing.fillMode.rawValue) ?? .removed)
  }
}

extension Frame {
  /// A copy of a picture.
  init(_ image: CGImage) throws(AVError) {
    guard let bytes = image.premultipliedRGBA else {
      throw AVError(.formatUnsupported, "The layout of a picture of \(image.width) × \(image.height) pixels is not known here.")
    }
    try self.init(premultiplied: bytes, width: image.width, height: image.height)
  }

  /// A frame of red, green, blue and alpha, multiplied by alpha, in sRGB.
  init(premultiplied bytes: [UInt8], width: Int, height: Int) throws(AVError) {
    do {
      var frame = try FramePool().makeFrame(
        format: .rgba, size: PixelSize(width: width, height: height),
        attributes: FrameAttributes(color: .sRGB, alphaMode: .premultiplied))
      for y in 0..<height {
        frame.withMutableRow(y, as: UInt8.self) { row in
          for x in 0..<width * 4 { row[x] = bytes[y * width * 4 + x] }
        }
      }
      self = frame.freeze()
    } catch {
      throw AVError(error)
    }
  }
}
