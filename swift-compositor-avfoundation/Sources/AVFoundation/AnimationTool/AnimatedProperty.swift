internal import Compositor
internal import Foundation

/// A property of the compositor's layers that a key path means, and how its values are to be taken.
struct AnimatedProperty {
  /// The kind of a program's values.
  enum Kind {
    /// A number, or true and false.
    case number
    /// A point or a size.
    case pair
    case rect, color, path, picture, text
    /// A list of colors.
    case colors
    /// A list of numbers.
    case numbers
  }

  /// What becomes of a value where y points up.
  enum Mirror: Hashable {
    /// It is the same.
    case none
    /// The number, or the second one of a pair, is negated.
    case negated
    /// The number, or the second one of a pair, is mirrored about half of a sum.
    case about(Double)
    /// A rectangle of fractions is mirrored in its unit.
    case unit
  }

  let property: LayerProperty
  let kind: Kind
  let mirror: Mirror

  /// The property of a key path; `nil` for one that is not known.
  ///
  /// - Parameters:
  ///   - own: The space of the animated layer.
  ///   - space: That of the layer above.
  init?(_ keyPath: String, of own: LayerSpace, in space: LayerSpace) {
    let isOuterUp = space.pointsUp
    let place: Mirror = isOuterUp ? .about(space.mirror) : .none
    let outer: Mirror = isOuterUp ? .negated : .none
    let inner: Mirror = own.pointsUp ? .negated : .none
    switch keyPath {
    case "position": self.init(.position, .pair, place)
    case "position.x": self.init(.positionX)
    case "position.y": self.init(.positionY, .number, place)
    case "anchorPoint": self.init(.anchorPoint, .pair, isOuterUp ? .about(1) : .none)
    case "transform.rotation", "transform.rotation.z": self.init(.rotation, .number, outer)
    case "transform.rotation.x": self.init(.rotationX, .number, outer)
    case "transform.rotation.y": self.init(.rotationY)
    case "transform.translation": self.init(.translation, .pair, outer)
    case "transform.translation.y": self.init(.translationY, .number, outer)
    case "sublayerTransform.rotation", "sublayerTransform.rotation.z": self.init(.sublayerRotation, .number, inner)
    case "sublayerTransform.rotation.x": self.init(.sublayerRotationX, .number, inner)
    case "sublayerTransform.translation": self.init(.sublayerTranslation, .pair, inner)
    case "shadowOffset": self.init(.shadowOffset, .pair, inner)
    case "contentsRect": self.init(.contentsRect, .rect, own.pointsUp ? .unit : .none)
    case "startPoint": self.init(.gradientStart, .pair, own.pointsUp ? .about(1) : .none)
    case "endPoint": self.init(.gradientEnd, .pair, own.pointsUp ? .about(1) : .none)
    default:
      guard let (property, kind) = Self.unmirrored[keyPath] else { return nil }
      self.init(property, kind, .none)
    }
  }

  private init(_ property: LayerProperty, _ kind: Kind = .number, _ mirror: Mirror = .none) {
    (self.property, self.kind, self.mirror) = (property, kind, mirror)
  }

  /// Properties whose values do not depend on where y points.
  private static let unmirrored: [String: (LayerProperty, Kind)] = [
    "bounds": (.bounds, .rect), "bounds.size": (.boundsSize, .pair), "zPosition": (.zPosition, .number),
    "transform.scale": (.scale, .number), "transform.scale.x": (.scaleX, .number), "transform.scale.y": (.scaleY, .number),
    "transform.translation.x": (.translationX, .number), "transform.translation.z": (.translationZ, .number),
    "sublayerTransform.rotation.y": (.sublayerRotationY, .number), "sublayerTransform.scale": (.sublayerScale, .number),
    "sublayerTransform.translation.z": (.sublayerTranslationZ, .number), "opacity": (.opacity, .number),
    "hidden": (.hidden, .number), "isHidden": (.hidden, .number), "backgroundColor": (.backgroundColor, .color),
    "cornerRadius": (.cornerRadius, .number), "borderWidth": (.borderWidth, .number), "borderColor": (.borderColor, .color),
    "shadowColor": (.shadowColor, .color), "shadowOpacity": (.shadowOpacity, .number),
    "shadowRadius": (.shadowRadius, .number), "contents": (.image, .picture), "string": (.string, .text),
    "foregroundColor": (.textColor, .color), "fontSize": (.fontSize, .number), "path": (.path, .path),
    "fillColor": (.fillColor, .color), "strokeColor": (.strokeColor, .color), "lineWidth": (.lineWidth, .number),
    "lineDashPhase": (.lineDashPhase, .number), "miterLimit": (.miterLimit, .number),
    "strokeStart": (.strokeStart, .number), "strokeEnd": (.strokeEnd, .number), "colors": (.gradientColors, .colors),
    "locations": (.gradientLocations, .numbers),
  ]

  /// Numbers as they are where y points down.
  ///
  /// - Parameter isRelative: Whether they are added to others.
  func mirrored(_ numbers: [Double], isRelative: Bool) -> [Double] {
    var numbers = numbers
    let place = numbers.count == 1 ? 0 : 1
    switch mirror {
    case .none: break
    case .negated: numbers[place] = -numbers[place]
    case .about(let sum): numbers[place] = isRelative ? -numbers[place] : sum - numbers[place]
    case .unit: if numbers.count == 4, !isRelative { numbers[1] = 1 - numbers[1] - numbers[3] }
    }
    return numbers
  }
}

/// Numbers of a program's value.
enum ValueNumbers {
  /// The number of a value; `nil` for another value.
  static func number(_ value: Any) -> Double? {
    switch value {
    case let number as CGFloat: Double(number)
    case let number as NSNumber: number.doubleValue
    default: nil
    }
  }

  /// The two numbers of a point or of a size.
  static func pair(_ value: Any) -> [Double]? {
    switch value {
    case let point as CGPoint: [Double(point.x), Double(point.y)]
    case let size as CGSize: [Double(size.width), Double(size.height)]
    case let object as NSValue where isType("{CGPoint", object): pair(object.pointValue)
    case let object as NSValue where isType("{CGSize", object): pair(object.sizeValue)
    default: nil
    }
  }

  /// The four numbers of a rectangle.
  static func rect(_ value: Any) -> [Double]? {
    switch value {
    case let rect as CGRect: [Double(rect.minX), Double(rect.minY), Double(rect.width), Double(rect.height)]
    case let object as NSValue where isType("{CGRect", object): rect(object.rectValue)
    default: nil
    }
  }

  /// A transform of space or of the plane.
  static func transform(_ value: Any) -> CATransform3D? {
    switch value {
    case let transform as CATransform3D: transform
    case let transform as CGAffineTransform: CATransform3DMakeAffineTransform(transform)
    case let object as NSValue where isType("[16d]", object): object.caTransform3DValue
    default: nil
    }
  }

  private static func isType(_ prefix: String, _ value: NSValue) -> Bool { String(cString: value.objCType).hasPrefix(prefix) }
}
