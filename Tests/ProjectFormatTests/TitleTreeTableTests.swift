import CompositorAPI
import CompositorProjectFormat
import CompositorTimeline
import Foundation
import Testing

/// `docs/title-tree.md`, and the defaults that it and the JSON Schema name.
struct TitleTreeTableTests {
  @Test func document_isWhatTheSchemaSays() throws {
    let file = ProjectExamplesTests.root.appending(path: "docs/title-tree.md")
    #expect(
      try String(contentsOf: file, encoding: .utf8) == ProjectFile.titleTable, "compositor schema --titles > docs/title-tree.md"
    )
  }

  @Test func keysOfProjects_areWhatTheSchemaSays() throws {
    let file = ProjectExamplesTests.root.appending(path: "docs/project-keys.md")
    #expect(
      try String(contentsOf: file, encoding: .utf8) == ProjectFile.keyTable, "compositor schema --keys > docs/project-keys.md")
    let titles = Set(TitleTable.keys.map(\.shape))
    for shape in ProjectSchema.shapes where !ProjectSchema.layers.contains(shape) {
      for key in shape.keys {
        #expect(ProjectFile.keyTable.contains("\n| `\(key.key)` | ") || titles.contains(key), "\(key.key)")
      }
    }
    for place in ["`tracks[].clips[]`", "`assets.NAME`", "`output.video`", "`titles[]`"] {
      #expect(ProjectFile.keyTable.contains(place), "\(place)")
    }
  }

  @Test func table_hasEveryKeyAndEveryProperty() {
    let keys = Set(TitleTable.keys.map(\.shape))
    let points = ["point", "size", "rect", "fractionPoint", "percentPoint", "fractionRect"]
    for shape in ProjectSchema.layers where !points.contains(shape.name) {
      for key in shape.keys { #expect(keys.contains(key), "\(shape.name).\(key.key)") }
    }
    for property in LayerProperty.allCases {
      #expect(ProjectFile.titleTable.contains("| `\(property.rawValue)` |"), "\(property)")
    }
  }

  /// What an object without a key has there, by the type that reads it.
  private static func object(_ value: some Encodable) throws -> [String: Any] {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "forever", negativeInfinity: "-", nan: "nan")
    return try #require(try JSONSerialization.jsonObject(with: encoder.encode(value)) as? [String: Any])
  }

  /// The same value as the project writes it, for the comparison.
  private static func same(_ documented: String, _ found: Any) -> Bool {
    switch found {
    case let number as NSNumber where CFBooleanLike.isBool(number): return documented == (number.boolValue ? "true" : "false")
    case let number as NSNumber:
      let text = documented.hasSuffix("s") ? String(documented.dropLast()) : documented
      return Double(text) == number.doubleValue
    case let text as String: return documented == text || documented == "\"\(text)\""
    case let members as [String: Any]:
      if let color = Color(notation: documented) {
        return [color.red, color.green, color.blue, color.alpha]
          == ["red", "green", "blue", "alpha"].map { members[$0] as? Double ?? -1 }
      }
      let numbers = documented.split { "[], \"".contains($0) }.map { part -> Double in
        part.hasSuffix("%") ? (Double(part.dropLast()) ?? -1) / 100 : Double(part) ?? -1
      }
      if let origin = members["origin"] as? [String: Double], let size = members["size"] as? [String: Double] {
        return numbers == [origin["x"], origin["y"], size["width"], size["height"]]
      }
      let sides = members as? [String: Double] ?? [:]
      return numbers == [sides["x"] ?? sides["width"], sides["y"] ?? sides["height"]]
    default: return false
    }
  }

  @Test func defaults_areThoseOfTheTypesThatReadTheKeys() throws {
    let objects: [(shape: String, value: [String: Any])] = [
      ("titleLayer", try Self.object(Layer())), ("layerTransform", try Self.object(LayerTransform())),
      ("layerText", try Self.object(TextContent())), ("font", try Self.object(TextFont())),
      ("layerShape", try Self.object(ShapeContent())), ("layerImage", try Self.object(ImageContent())),
      ("layerGradient", try Self.object(GradientContent())), ("replicator", try Self.object(ReplicatorContent())),
      ("emitter", try Self.object(EmitterContent())), ("spring", try Self.object(SpringCurve())),
      ("layerTransition", try Self.object(LayerTransition())),
    ]
    var compared = 0
    for (name, value) in objects {
      for key in ProjectSchema.shape(name).keys {
        guard let documented = key.standard, let found = value[key.key], !(found is NSNull) else { continue }
        // What is said in words: nothing, as large as its text.
        if ["bounds", "lineDashPattern", "locations"].contains(key.key) { continue }
        #expect(Self.same(documented, found), "\(name).\(key.key) is documented as \(documented), and is \(found)")
        compared += 1
      }
    }
    #expect(compared >= 70, "\(compared)")
  }

  @Test func schema_ofTheTree_saysTypesAndDefaults() throws {
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(ProjectFile.jsonSchema.utf8)) as? [String: Any])
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    func key(_ object: String, _ key: String) throws -> [String: Any] {
      try #require((definitions[object]?["properties"] as? [String: [String: Any]])?[key])
    }
    #expect(try key("titleLayer", "opacity")["default"] as? Double == 1)
    #expect(try key("font", "size")["default"] as? Double == 36)
    #expect(try key("titleLayer", "blendMode")["default"] as? String == "normal")
    #expect(try key("emitter", "emitterPosition")["default"] as? [String] == ["50%", "50%"])
    #expect(
      try key("layerTransform", "rotationZ")["description"] as? String
        == "The rotation in the plane of the frame, clockwise, in degrees; by default 0. Unit: degrees, clockwise.")
    #expect(try key("titleLayer", "layout")["$ref"] as? String == "#/$defs/layout")
  }
}

private enum CFBooleanLike {
  /// Whether a number of JSON was `true` or `false`.
  static func isBool(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c" || "\(type(of: number))".contains("Boolean")
  }
}
