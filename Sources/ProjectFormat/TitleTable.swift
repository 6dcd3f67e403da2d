import CompositorAPI
import CompositorHost
import CompositorTimeline

extension ProjectFile {
  /// Every key of a tree of title layers and every property that animations change, with type, unit, range and default, as Markdown. It is
  /// printed from the table that the reader itself follows.
  public static var titleTable: String { TitleTable.markdown }
}

/// The tables of `docs/title-tree.md`.
package enum TitleTable {
  /// The document.
  static let markdown = """
    # The title tree

    Every key of a title's `layer`, from `compositor schema --titles`. Lengths are pixels of the canvas as numbers, or text: percent (of what
    the unit says), or hundredths of the canvas's shorter side (`"6vmin"`), longer side (`"6vmax"`), width (`"6vw"`) or height (`"6vh"`).
    Points are `[x, y]` or `{ x, y }`, sizes `[width, height]` or `{ width, height }`, rectangles `[x, y, width, height]` or
    `{ x, y, width, height }`. What the keys do is in [the project file](project-file.md#the-full-tree).

    ## Keys

    | key | type | unit | range | default | meaning |
    |---|---|---|---|---|---|
    \(keys.map(\.row).joined(separator: "\n"))

    ## Properties that animations change

    | property | type | unit | default |
    |---|---|---|---|
    \(LayerProperty.allCases.map(row).joined(separator: "\n"))

    """

  /// A key of the tree.
  package struct Key {
    package let path: String
    package let shape: KeyShape

    fileprivate var row: String {
      let cells = [
        "`\(path)`", shape.value.kind, shape.value.unit, shape.value.range,
        shape.standardPhrase ?? (shape.isRequired ? "required" : ""),
        shape.meaning,
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
  }

  /// The keys, each object where it comes first; `[]` stands for an element of a list.
  package static let keys: [Key] = {
    var (keys, visited): ([Key], Set<String>) = ([], [])
    func visit(_ name: String, _ path: String) {
      guard visited.insert(name).inserted, let shape = ProjectSchema.layers.first(where: { $0.name == name }) else { return }
      keys += shape.keys.map { Key(path: path + $0.key, shape: $0) }
      for key in shape.keys {
        for (object, suffix) in key.value.objects where !ProjectSchema.geometry.contains(where: { $0.name == object }) {
          visit(object, path + key.key + suffix + ".")
        }
      }
    }
    visit("titleLayer", "")
    return keys
  }()

  private static func row(_ property: LayerProperty) -> String {
    let units = property.units
    let type: String =
      switch property.kind {
      case .numbers(4) where property.isColor: "color"
      case .numbers(1): units.first?.kind ?? "number"
      case .numbers(let count): "[\(Array(repeating: units.first?.kind ?? "number", count: count).joined(separator: ", "))]"
      case .list: property == .gradientColors ? "list of colors" : "list of numbers"
      case .text: "text"
      case .path: "path"
      }
    var seen: Set<String> = []
    let unit = units.map(\.unit).filter { !$0.isEmpty && seen.insert($0).inserted }.joined(separator: "; ")
    return "| `\(property.rawValue)` | \(type) | \(unit) | \(standard(of: property)) |"
  }

  /// The value in layers that say nothing, in the project file's units.
  private static func standard(of property: LayerProperty) -> String {
    let contents: [LayerContent] = [
      .none, .text(TextContent()), .shape(ShapeContent()), .gradient(GradientContent()), .image(ImageContent()),
      .replicator(ReplicatorContent()), .emitter(EmitterContent()),
    ]
    for content in contents {
      var layer = Layer()
      layer.content = content
      guard case .numbers(let numbers)? = property.value(in: layer), !numbers.isEmpty else { continue }
      if property.isColor { return Color.name(of: numbers) }
      let units = property.units
      let written = numbers.enumerated().map { index, number in
        units.indices.contains(index) ? units[index].written(number) : ValueShape.digits(number)
      }
      return written.count == 1 ? written[0] : "[\(written.joined(separator: ", "))]"
    }
    return ""
  }
}

extension KeyShape {
  /// What it is without being written, in the words of the summary; nil if the summary says nothing.
  package var standardPhrase: String? {
    guard let start = summary.firstRange(of: "by default ")?.upperBound else { return nil }
    let words = summary[start...].prefix { $0 != ";" }
    return String(words.hasSuffix(".") ? words.dropLast() : words)
  }

  /// The value in that: a number, a word, a list.
  package var standard: String? {
    guard let phrase = standardPhrase else { return nil }
    let closings: [Character: Character] = ["[": "]", "\"": "\""]
    if let closing = phrase.first.flatMap({ closings[$0] }), let end = phrase.dropFirst().firstIndex(of: closing) {
      return String(phrase[...end])
    }
    return String(phrase.prefix { $0 != ":" && $0 != "," })
  }

  /// The summary without the default.
  fileprivate var meaning: String {
    guard let phrase = standardPhrase, let whole = summary.firstRange(of: "; by default \(phrase)") else { return summary }
    return String(summary[..<whole.lowerBound] + summary[whole.upperBound...])
  }

  /// The default as JSON; nil if it is no value.
  var standardValue: JSON5Node? {
    guard let standard, let text = try? SourceText(name: "default", bytes: Array(standard.utf8)) else { return nil }
    if let value = try? JSON5Reader.read(text), value.value != .null { return value }
    let word = JSON5Node(.string(standard))
    return value.accepts(word: standard) ? word : nil
  }
}

extension ValueShape {
  /// Objects of the schema in it, with `[]` for those in lists.
  fileprivate var objects: [(name: String, suffix: String)] {
    switch self {
    case .object(let name): [(name, "")]
    case .list(let element, _, _): element.objects.map { ($0.name, "[]" + $0.suffix) }
    case .any(let shapes): shapes.flatMap(\.objects)
    default: []
    }
  }

  /// Whether a word that is no number can be meant as it.
  fileprivate func accepts(word: String) -> Bool {
    switch self {
    case .choice(let words): words.contains(word)
    case .color: Color(notation: word) != nil
    case .time, .signedTime: (try? ProjectTime(word)) != nil
    case .easing: Easing.names.contains(word)
    case .any(let shapes): shapes.contains { $0.accepts(word: word) }
    default: false
    }
  }

  fileprivate var kind: String {
    if self == ProjectSchema.color { return "color" }
    if let name = ProjectSchema.geometryNames[self] { return name }
    return switch self {
    case .text, .string, .size: "text"
    case .null: "null"
    case .bool: "true, false"
    case .time, .signedTime: "time"
    case .angle, .number, .part, .ratio: "number"
    case .gain, .decibels, .loudness: "level"
    case .length, .layoutLength: "length"
    case .fraction, .percent: "part"
    case .integer: "integer"
    case .color: "color"
    case .easing: "easing"
    case .choice(let words): words.count > 24 ? "name" : words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let element, _, _): "list of \(element.kind)"
    case .tuple(let elements): "[\(elements.map(\.kind).joined(separator: ", "))]"
    case .map: "object"
    case .object: "object"
    case .any(let shapes): shapes.map(\.kind).joined(separator: " or ")
    case .animationValue: "value of the property"
    case .parameter: "parameter"
    }
  }

  /// What its numbers are counted in; empty for plain numbers and others.
  package var unit: String {
    switch self {
    case .time, .signedTime: "s, ms, f or timecode"
    case .angle: "degrees, clockwise"
    case .length(.width): "px, or % of the canvas's width"
    case .length(.height): "px, or % of the canvas's height"
    case .layoutLength(.width): "px, or % of the parent's width"
    case .layoutLength(.height): "px, or % of the parent's height"
    case .fraction: "fraction or % of the layer's own bounds"
    case .percent: "% of the layer's own bounds"
    case .part: "or %"
    case .list(let element, _, _): element.unit
    case .tuple(let shapes), .any(let shapes):
      shapes.map(\.unit).reduce(into: [String]()) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }.joined(separator: "; ")
    default: ""
    }
  }

  fileprivate var range: String {
    switch self {
    case .number(let range) where range.upperBound < 1e9:
      "\(ValueShape.digits(range.lowerBound)) to \(ValueShape.digits(range.upperBound))"
    case .number(let range) where range.lowerBound >= 0: "\(ValueShape.digits(range.lowerBound)) or more"
    case .integer(let range) where range.upperBound < 1_000_000_000: "\(range.lowerBound) to \(range.upperBound)"
    case .integer(let range) where range.lowerBound >= 0: "\(range.lowerBound) or more"
    case .part: "0 to 1"
    case .time: "0 or more"
    case .list(let element, _, _): element.range
    case .any(let shapes): shapes.map(\.range).first { !$0.isEmpty } ?? ""
    default: ""
    }
  }

  /// A number of the Swift API as a project writes it.
  fileprivate func written(_ number: Double) -> String {
    switch self {
    case .time, .signedTime: number == 0 ? "0" : "\"\(ValueShape.digits(number))s\""
    case .percent: "\"\(ValueShape.digits(number * 100))%\""
    case .angle: ValueShape.digits(number * 180 / .pi)
    default: ValueShape.digits(number)
    }
  }

  fileprivate static func digits(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}

extension Color {
  fileprivate static func name(of numbers: [Double]) -> String {
    notationNames.first { Color(notation: $0).map { [$0.red, $0.green, $0.blue, $0.alpha] } == numbers } ?? "\(numbers)"
  }
}
