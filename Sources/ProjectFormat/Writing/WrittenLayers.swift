import CompositorAPI
import CompositorTimeline
import Foundation

/// Trees of title layers in the notation of projects. Each is encoded as a ``Layer`` is, without what is default, and converted by
/// the table from which ``LayerTranslation`` reads trees.
enum WrittenLayers {
  /// The trees of a timeline's titles, by the title's index.
  ///
  /// - Throws: `.invalidValue`, located at the title, if a tree has what no project can hold, such as an infinite number.
  static func trees(of timeline: Timeline) throws(CompositorError) -> [Int: JSON5Node] {
    let translation = LayerTranslation(
      frameRate: timeline.frameRate, canvas: timeline.canvas ?? OutputDefaults.defaultCanvas, isWriting: true)
    var trees: [Int: JSON5Node] = [:]
    for (index, title) in timeline.titles.enumerated() {
      guard case .layer(let layer) = title.content else { continue }
      let path = "titles[\(index)].layer"
      let (node, text) = try encoded(layer, at: path)
      do throws(CompositorError) {
        let root = ProjectValue.root(of: pruned(node, "titleLayer"), text)
        trees[index] = try translation.layer(root).node
      } catch {
        throw unsupported(error.message, at: error.location.path.map { "\(path).\($0)" } ?? path)
      }
    }
    return trees
  }

  /// The names of assets that trees mention, and perhaps others.
  static func assetNames(in trees: [JSON5Node]) -> Set<String> {
    var names: Set<String> = []
    func visit(_ node: JSON5Node) {
      switch node.value {
      case .array(let elements): elements.forEach(visit)
      case .object(let members):
        for member in members {
          if ["image", "asset"].contains(member.key), case .string(let name) = member.value.value { names.insert(name) }
          visit(member.value)
        }
      case .null, .bool, .number, .string: break
      }
    }
    trees.forEach(visit)
    return names
  }

  private static func unsupported(_ reason: String, at path: String) -> CompositorError {
    CompositorError(
      .invalidValue, "A project file cannot hold this layer. \(reason)", at: ErrorLocation(path: path))
  }

  /// A value as JSON.
  private static func encoded(
    _ value: some Encodable, at path: String
  ) throws(CompositorError) -> (node: JSON5Node, text: SourceText) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes: [UInt8]
    do {
      bytes = Array(try encoder.encode(value))
    } catch {
      throw unsupported("Its values cannot be written: \(error)", at: path)
    }
    let text = try SourceText(name: path, bytes: bytes)
    return (try JSON5Reader.read(text), text)
  }

  /// The members of a value as JSON; none for other values than objects.
  private static func members(_ value: some Encodable) -> [JSON5Member] {
    guard let written = try? encoded(value, at: ""), case .object(let members) = written.node.value else { return [] }
    return members
  }

  /// What is left out because it is default, by the name of an object's shape.
  private static let defaults: [String: [JSON5Member]] = {
    // Animations of letters have another fill mode.
    let timing = members(LayerTiming())
    return [
      "titleLayer": members(Layer()), "layerTransform": members(LayerTransform()), "layerFilters": members(LayerFilters()),
      "timing": timing, "animation": timing.filter { $0.key != "fillMode" }, "layerText": members(TextContent("")),
      "font": members(TextFont()), "layerShape": members(ShapeContent()), "emitter": members(EmitterContent()),
      "replicator": members(ReplicatorContent()),
    ]
  }()

  /// An object without the members that are default, in the order of the table.
  private static func pruned(_ node: JSON5Node, _ name: String) -> JSON5Node {
    guard case .object(let members) = node.value else { return node }
    let shape = ProjectSchema.shape(name)
    let defaults = defaults[name] ?? []
    var kept = members.filter { member in
      !defaults.contains { $0.key == member.key && $0.value.isSame(as: member.value) }
    }
    let order = Dictionary(shape.keys.enumerated().map { ($1.key, $0) }) { first, _ in first }
    kept.sort { (order[$0.key] ?? .max, $0.key) < (order[$1.key] ?? .max, $1.key) }
    for index in kept.indices {
      guard let value = shape.values[kept[index].key] else { continue }
      kept[index].value = pruned(kept[index].value, value)
    }
    return JSON5Node(.object(kept))
  }

  private static func pruned(_ node: JSON5Node, _ shape: ValueShape) -> JSON5Node {
    switch (shape, node.value) {
    case (.object(let name), .object): pruned(node, name)
    case (.list(let element, _, _), .array(let elements)): .list(elements.map { pruned($0, element) })
    case (.any(let shapes), .object):
      shapes.lazy.compactMap { if case .object(let name) = $0 { name } else { nil } }.first.map {
        pruned(shortened(node, as: shape), $0)
      }
        ?? node
    default: node
    }
  }
}

extension WrittenLayers {
  /// A color, a point, a size or a rectangle in the notation of people; other values unchanged.
  static func shortened(_ node: JSON5Node, as shape: ValueShape) -> JSON5Node {
    guard case .object(let members) = node.value else { return node }
    func number(_ key: String, of members: [JSON5Member]) -> JSON5Node? { members.first { $0.key == key }?.value }
    func object(_ key: String) -> [JSON5Member] {
      if case .object(let inner)? = number(key, of: members)?.value { inner } else { [] }
    }
    let numbers: [JSON5Node?]
    switch shape {
    case ProjectSchema.color: return color(members) ?? node
    case ProjectSchema.point, ProjectSchema.fractions, ProjectSchema.percents:
      numbers = [number("x", of: members), number("y", of: members)]
    case ProjectSchema.size: numbers = [number("width", of: members), number("height", of: members)]
    case ProjectSchema.rect, ProjectSchema.fractionRect:
      let (origin, size) = (object("origin"), object("size"))
      numbers = [
        number("x", of: origin), number("y", of: origin), number("width", of: size), number("height", of: size),
      ]
    case .ratio:
      guard case .number(let top)? = number("numerator", of: members)?.value,
        case .number(let bottom)? = number("denominator", of: members)?.value
      else { return node }
      return .text("\(top)/\(bottom)")
    case .layoutLength:
      // A sum with pixels is left as it is.
      guard case .number(let pixels)? = number("pixels", of: members)?.value, Double(pixels) == 0,
        case .number(let fraction)? = number("fraction", of: members)?.value
      else { return node }
      return Double(fraction).map { .percent($0) } ?? node
    default: return node
    }
    let all = numbers.compactMap(\.self)
    return all.count == numbers.count ? .list(all) : node
  }

  /// A color with whole codes; `nil` for others, which stay objects with all of their components.
  private static func color(_ members: [JSON5Member]) -> JSON5Node? {
    func number(_ key: String) -> Double? {
      guard case .number(let digits)? = members.first(where: { $0.key == key })?.value.value else { return nil }
      return Double(digits)
    }
    guard let red = number("red"), let green = number("green"), let blue = number("blue"), let alpha = number("alpha"),
      number("primaries").map({ $0 == Double(ColorPrimaries.bt709.rawValue) }) ?? true,
      number("transfer").map({ $0 == Double(TransferFunction.sRGB.rawValue) }) ?? true
    else { return nil }
    return .color(Color(red: red, green: green, blue: blue, alpha: alpha))
  }

  /// A number of a layer with its unit in projects; other values unchanged.
  static func scalar(_ node: JSON5Node, _ shape: ValueShape) -> JSON5Node {
    guard case .number(let digits) = node.value, let number = Double(digits) else { return node }
    switch shape {
    case .decibels: return .decibels(number)
    case _ where number == 0: return node
    case .time, .signedTime: return .time(seconds: number)
    case .angle: return .number(degrees(number))
    case .percent: return .percent(number)
    default: return node
    }
  }

  /// Radians in degrees, with as few decimals as give the same angle.
  private static func degrees(_ radians: Double) -> Double {
    let exact = radians * 180 / .pi
    let short = (exact * 1e9).rounded() / 1e9
    return short * .pi / 180 == radians ? short : exact
  }
}
