import CompositorAPI
import CompositorHost
import CompositorTimeline

/// Converts a tree of title layers in the notation of projects to that of ``Layer``: times to seconds, angles to radians,
/// levels to decibels, percentages of the canvas and other lengths to pixels. It follows the table ``ProjectSchema/layers``.
///
/// Values that don't match the table are left unchanged, for the layer's own decoder to report.
///
/// Written trees are converted by the same table in the opposite direction; see ``WrittenLayers``.
struct LayerTranslation {
  /// Frames per second; `nil` if unknown, in which case times in frames are only checked for their syntax.
  let frameRate: Rational?
  /// The canvas that percentages refer to.
  let canvas: PixelSize
  /// Whether a tree of ``Layer`` is converted to the notation of projects, rather than the reverse.
  var isWriting = false

  func layer(_ value: ProjectValue) throws(CompositorError) -> ProjectValue {
    try value.replaced(by: node(value, .object("titleLayer")))
  }

  private func node(
    _ value: ProjectValue, _ shape: ValueShape, of property: LayerProperty? = nil
  ) throws(CompositorError) -> JSON5Node {
    let value = isWriting ? value.holding(WrittenLayers.shortened(value.node, as: shape).value) : value
    switch shape {
    case .object(let name) where value.isObject:
      return try object(try value.object(ProjectSchema.shape(name)))
    case .map(let element) where value.isObject:
      return try map(value) { value throws(CompositorError) in try node(value, element) }
    case .list(let element, _, _) where value.isList:
      return try list(value) { value, _ throws(CompositorError) in try node(value, element, of: property) }
    case .tuple(let elements) where value.isList:
      return try list(value) { value, index throws(CompositorError) in
        try elements.indices.contains(index) ? node(value, elements[index]) : value.node
      }
    case .any(let shapes):
      guard let shape = shapes.first(where: { $0.fits(value.node) }) else { return value.node }
      return try node(value, shape, of: property)
    case .animationValue:
      guard let property else { return value.node }
      return try animationValue(value, property)
    default:
      if !isWriting { try checkRange(value, shape) }
      return try scalar(value, shape)
    }
  }

  /// Refuses a number that the table doesn't allow, or a factor that is written in percent. Values of animations may be changes, and may go beyond, where they are limited.
  private func checkRange(_ value: ProjectValue, _ shape: ValueShape) throws(CompositorError) {
    switch (shape, value.node.value) {
    case (.part, .string):
      if let number = try value.expression(.fraction)?.number, !(0...1).contains(number.value) {
        throw value.error("\(number.plain) is outside 0 to 1.", recoverySuggestion: "Write a number from 0 to 1.")
      }
    case (.part, .number): _ = try value.number(0...1)
    case (.number(let range), .number): _ = try value.number(range)
    case (.factor(let range), .number): _ = try value.factor(range)
    case (.factor(let range), .string(let text)) where WrittenNumber(text) != nil: _ = try value.factor(range)
    case (.integer(let range), .number): _ = try value.integer(range)
    default: break
    }
  }

  private func object(_ object: ProjectObject) throws(CompositorError) -> JSON5Node {
    let property = LayerProperty(namedIn: object.members)
    var members: [JSON5Member] = []
    for member in object.members {
      var translated = member
      if let key = object.shape.keys.first(where: { $0.key == member.key }), let value = object[member.key] {
        translated.value = try node(value, key.value, of: property)
      }
      members.append(translated)
    }
    return object.value.holding(.object(members)).node
  }

  private func map(
    _ value: ProjectValue, _ body: (ProjectValue) throws(CompositorError) -> JSON5Node
  ) throws(CompositorError) -> JSON5Node {
    guard case .object(var members) = value.node.value else { return value.node }
    for (index, (_, element)) in try value.map().enumerated() { members[index].value = try body(element) }
    return value.holding(.object(members)).node
  }

  private func list(
    _ value: ProjectValue, _ body: (ProjectValue, Int) throws(CompositorError) -> JSON5Node
  ) throws(CompositorError) -> JSON5Node {
    var elements: [JSON5Node] = []
    for (index, element) in try value.list().enumerated() { elements.append(try body(element, index)) }
    return value.holding(.array(elements)).node
  }

  private func animationValue(_ value: ProjectValue, _ property: LayerProperty) throws(CompositorError) -> JSON5Node {
    if property == .path, value.isObject { return try node(value, .object("layerPath")) }
    var units = property.units
    if units.isEmpty, case .numbers(let count) = property.kind, !property.isColor {
      units = Array(repeating: ProjectSchema.anyNumber, count: count)
    }
    guard let first = units.first else { return value.node }
    guard value.isList else {
      if case .part = first, case .number = value.node.value, !isWriting { try value.refusePercent() }
      return try scalar(value, first)
    }
    return try list(value) { value, index throws(CompositorError) in
      try units.indices.contains(index) ? scalar(value, units[index]) : value.node
    }
  }

  private func scalar(_ value: ProjectValue, _ shape: ValueShape) throws(CompositorError) -> JSON5Node {
    if isWriting { return WrittenLayers.scalar(value.node, shape) }
    if let evaluated = try self.evaluated(value, shape) { return evaluated }
    switch (shape, value.node.value) {
    case (.time, .number), (.signedTime, .number):
      // Only 0 needs no unit.
      _ = try value.time()
      return value.node
    case (.time, .string(let text)): return value.number(try seconds(value, text[...]))
    case (.signedTime, .string(let text)):
      let isNegative = text.hasPrefix("-") && !text.hasPrefix("--")
      return value.number(try isNegative ? -seconds(value, text.dropFirst()) : seconds(value, text[...]))
    case (.angle, .number): return try angle(value)
    case (.length(let side), .string): return value.number(try value.length(side, of: canvas))
    case (.layoutLength(let side), .string):
      // Percentages refer to a box that only the tree knows.
      guard try value.canvasLength()?.percentage == nil else { return value.node }
      return value.number(try value.length(side, of: canvas))
    case (.fraction, .string), (.percent, .string): return value.number(try value.partOfBounds())
    case (.part, .string(let text)): return value.number(try value.part(text))
    case (.percent, .number(let digits)): return try value.zero(digits)
    case (.decibels(let range), _): return value.number(try value.decibels(range))
    default: return value.node
    }
  }

  private func seconds(_ value: ProjectValue, _ text: Substring) throws(CompositorError) -> Double {
    try value.placing { () throws(CompositorError) in
      try value.time(String(text)).time(atKnownFrameRate: frameRate)?.seconds ?? 0
    }
  }

  /// Converts an angle to radians.
  private func angle(_ value: ProjectValue) throws(CompositorError) -> JSON5Node {
    let angle = try value.number(-1e9...1e9)
    guard angle != 0 else { return value.node }
    return value.number(angle * .pi / 180)
  }
}

extension ProjectValue {
  /// The same location with another value.
  fileprivate func replaced(by node: JSON5Node) -> ProjectValue {
    ProjectValue(node: node, path: path, text: text, notes: notes)
  }

  /// A number at this location.
  func number(_ number: Double) -> JSON5Node {
    var result = node
    result.value = .number("\(number)")
    return result
  }

  /// A percentage as a fraction.
  fileprivate func part(_ text: String) throws(CompositorError) -> Double {
    if let value = try expression(.fraction) {
      return try placing { () throws(CompositorError) in try value.fraction.value }
    }
    guard text.hasSuffix("%"), let percent = Rational(decimal: text.dropLast()), percent.value.isFinite else {
      throw error("\(quoted(text)) isn't a fraction.", recoverySuggestion: "Write a number from 0 to 1, or \"72%\".")
    }
    return percent.value / 100
  }

  /// Refuses a number that can only be meant in percent. One beyond 1 is limited, and may be meant: a fade to 2 ends after half of its time.
  fileprivate func refusePercent() throws(CompositorError) {
    guard case .number(let digits) = node.value, let number = Rational(decimal: digits), abs(number.value) > 10 else { return }
    throw error(
      "\(digits) is outside 0 to 1.", recoverySuggestion: "Write a number from 0 to 1, or \(quoted("\(digits)%")).")
  }

  /// A number where percentages are required, which is 0.
  fileprivate func zero(_ digits: String) throws(CompositorError) -> JSON5Node {
    guard Rational(decimal: digits)?.numerator != 0 else { return node }
    throw error("\(digits) has no unit.", recoverySuggestion: "Write percent of the layer's own bounds, such as \"50%\".")
  }
}

extension ValueShape {
  /// Whether a value could have this shape, by its kind.
  func fits(_ node: JSON5Node) -> Bool {
    switch (self, node.value) {
    case (.choice(let words), .string(let word)): words.contains(word)
    case (.text, .string), (.string, .string), (.size, .string), (.color, .string), (.easing, .string): true
    case (.number, .number), (.factor, .number), (.integer, .number), (.angle, .number): true
    case (.ratio, .string), (.frameRate, .string), (.time, .string), (.signedTime, .string), (.length, .string): true
    case (.ratio, .number), (.frameRate, .number), (.time, .number), (.signedTime, .number), (.length, .number): true
    case (.layoutLength, .string), (.frameLength, .string), (.fraction, .string), (.percent, .string), (.part, .string): true
    case (.layoutLength, .number), (.frameLength, .number), (.fraction, .number), (.percent, .number), (.part, .number): true
    case (.animationValue, .string), (.animationValue, .number), (.parameter, .string), (.parameter, .number): true
    case (.bool, .bool), (.parameter, .bool), (.null, .null): true
    case (.number, .string(let text)), (.factor, .string(let text)), (.integer, .string(let text)), (.angle, .string(let text)):
      ProjectExpression.isWritten(in: text)
    case (.list(let element, _, _), .array(let elements)): elements.first.map(element.fits) ?? true
    case (.tuple(let shapes), .array(let elements)): shapes.count == elements.count
    case (.animationValue, .array), (.animationValue, .object), (.parameter, .array): true
    case (.map, .object), (.object, .object): true
    case (.any(let shapes), _): shapes.contains { $0.fits(node) }
    default: false
    }
  }
}

extension LayerProperty {
  /// The shapes of its values' numbers, if they have units.
  var units: [ValueShape] {
    let (width, height) = (ValueShape.length(.width), ValueShape.length(.height))
    switch self {
    case _ where isAngle: return [.angle]
    case .opacity, .shadowOpacity, .textReveal, .textHighlight, .selectorStart, .selectorEnd, .selectorOffset, .selectorAmount,
      .strokeStart, .strokeEnd:
      return [.part]
    case .instanceDelay: return [.signedTime]
    case .emitterLifetime: return [.time]
    case .position, .boundsSize, .translation, .sublayerTranslation, .instanceTranslation, .shadowOffset, .emitterSize,
      .emitterAcceleration:
      return [width, height]
    case .anchorPoint, .gradientStart, .gradientEnd: return [.fraction, .fraction]
    case .contentsRect, .contentsCenter: return [.fraction, .fraction, .fraction, .fraction]
    case .emitterPosition: return [.percent, .percent]
    case .bounds: return [width, height, width, height]
    case .cornerRadii: return [height, height, height, height]
    case .positionX, .translationX: return [width]
    case .positionY, .translationY, .cornerRadius, .borderWidth, .shadowRadius, .blurRadius, .glowRadius, .backdropBlurRadius,
      .fontSize, .textTracking, .textPathOffset,
      .outlineWidth,
      .lineWidth, .lineDashPhase, .zPosition, .perspective, .translationZ, .sublayerTranslationZ, .instanceTranslationZ,
      .emitterVelocity:
      return [height]
    default: return []
    }
  }
}
