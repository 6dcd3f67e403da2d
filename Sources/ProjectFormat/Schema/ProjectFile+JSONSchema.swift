import CompositorAPI
import CompositorPlugins
import CompositorTimeline

extension ProjectFile {
  /// The project format as a JSON Schema (draft 2020-12), for editors and other tools. It is generated from the table that the
  /// reader uses.
  public static var jsonSchema: String { ProjectSchema.jsonSchema.json() + "\n" }
}

extension ProjectSchema {
  /// The table as a JSON Schema document.
  package static var jsonSchema: JSON5Node {
    let definitions = shapes.dropFirst().map { JSON5Member($0.name, $0.jsonSchema(extra: [])) }
    return shape("project").jsonSchema(
      extra: [
        .text("$schema", "https://json-schema.org/draft/2020-12/schema"),
        .text("title", "Compositor project, version \(version)"),
      ],
      definitions: JSON5Node(
        .object(
          definitions + [
            JSON5Member("time", timeSchema), JSON5Member("signedTime", signedTimeSchema),
            JSON5Member("variable", variableSchema), JSON5Member("expression", expressionSchema),
          ])))
  }

  private static let timeForms =
    #"([0-9]+f|([0-9]+\.?[0-9]*|\.[0-9]+)(s|ms)|"# + #"[0-9]{1,6}(:[0-5][0-9]){1,2}([.,][0-9]+)?|"#
    + #"[0-9]{1,3}:[0-9]{1,2}:[0-9]{1,2}[:;][0-9]{1,3}|[0-9]+/[0-9]+)$"#

  private static let timeSchema = time(
    "A time: frames of the output's rate, seconds, milliseconds, minutes and seconds, timecode, an exact ratio, or the number 0.",
    "^" + timeForms)

  private static let signedTimeSchema = time("A time, possibly before zero: with a minus sign in front.", "^-?" + timeForms)

  private static let variableSchema = JSON5Node.object(
    .text("type", "string"), .text("pattern", #"\$\{[^}]+\}"#),
    .text("description", "A string with variables, such as \"${name}\" or \"${name:default}\", whose value fits here."))

  private static let expressionSchema = JSON5Node.object(
    .text("type", "string"), .text("pattern", #"^[-+.0-9(][-+*/().,:;%0-9a-z ]*( [-+*/] |\()[-+.0-9(][-+*/().,:;%0-9a-z ]*$"#),
    .text("description", "An expression, such as \"2s - 12f\" or \"(100% - 20) / 2\", with spaces around + - * and /."))

  private static func time(_ description: String, _ pattern: String) -> JSON5Node {
    JSON5Node.object(
      .text("description", description),
      JSON5Member(
        "anyOf",
        JSON5Node(
          .array([.object(.number("const", "0")), .object(.text("type", "string"), .text("pattern", pattern))]))))
  }
}

extension ObjectShape {
  fileprivate func jsonSchema(extra: [JSON5Member], definitions: JSON5Node? = nil) -> JSON5Node {
    // Those of an element of a list hold before the object is read.
    let rules = ProjectSchema.listElements.contains(name) ? ProjectSchema.shape(ProjectSchema.listElementName).keys : []
    let properties = (keys + rules).map { key in
      var schema = key.value.jsonSchema.describingWords(ofKey: key.key)
      if case .object(let members) = schema.value {
        // The syntax of a length includes its unit.
        let unit = key.value == .angle ? " Unit: \(key.value.unit)." : ""
        let standard = key.standardValue.map { [JSON5Member("default", $0)] } ?? []
        let examples = key.examples
        schema = JSON5Node(
          .object(
            members + [.text("description", key.summary + unit)] + standard
              + (examples.isEmpty ? [] : [JSON5Member("examples", JSON5Node(.array(examples)))])))
      }
      return JSON5Member(key.key, schema)
    }
    let required = keys.filter(\.isRequired).map { JSON5Node(.string($0.key)) }
    var members =
      extra + [
        .text("type", "object"), .text("description", summary),
        JSON5Member("properties", JSON5Node(.object(properties))),
        JSON5Member("additionalProperties", others?.jsonSchema ?? JSON5Node(.bool(false))),
      ]
    if !required.isEmpty { members.append(JSON5Member("required", JSON5Node(.array(required)))) }
    if keys.contains(where: { $0.key == "use" }), let effects = parametersOfEffects { members.append(effects) }
    if let definitions { members.append(JSON5Member("$defs", definitions)) }
    return JSON5Node(.object(members))
  }
}

extension ValueShape {
  private static let easingPattern: String = {
    let digits = #"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"#
    let number = " *\(digits) *"
    let jumps = (Easing.Jump.allCases.map(\.rawValue) + ["start", "end"]).joined(separator: "|")
    let bezier = #"cubic-bezier\(\#([number, number, number, number].joined(separator: ","))\)"#
    let steps = #"steps\( *[0-9]+ *(, *(\#(jumps)) *)?\)"#
    let stop = " *(\(digits)( +\(digits)%){0,2}|(\(digits)% +){1,2}\(digits)) *"
    let lines = #"linear\(\#(stop)(,\#(stop))*\)"#
    return "^(\([Easing.names.joined(separator: "|"), bezier, steps, lines].joined(separator: "|")))$"
  }()

  private static func lengthSchema(percentOf whole: String) -> JSON5Node {
    .anyOf([
      .object(.text("type", "number"), .text("description", "Pixels of the canvas.")),
      .object(
        .text("type", "string"), .text("pattern", CanvasLength.pattern),
        .text(
          "description",
          "Percent of \(whole), or hundredths of the canvas's shorter (vmin) or longer side (vmax), width (vw) or height (vh).")
      ),
    ])
  }

  private static func levelSchema(_ range: ClosedRange<Double>, _ unit: String) -> JSON5Node {
    .anyOf([
      .object(.text("type", "number"), .number("minimum", "\(range.lowerBound)"), .number("maximum", "\(range.upperBound)")),
      .object(.text("type", "string"), .text("pattern", ProjectDecibels.pattern(unit))),
    ])
  }

  private static let percentSchema = JSON5Node.object(
    .text("type", "string"), .text("pattern", CanvasLength.percentPattern),
    .text("description", "Percent of the layer's own bounds."))

  /// The schema of this shape, or of a string with variables.
  fileprivate var jsonSchema: JSON5Node {
    guard wantsVariable else { return literalSchema }
    let literals: [JSON5Node] = if case .any(let shapes) = self { shapes.map(\.literalSchema) } else { [literalSchema] }
    let expression: [JSON5Node] = takesExpressions ? [.object(.text("$ref", "#/$defs/expression"))] : []
    return .anyOf(literals + [.object(.text("$ref", "#/$defs/variable"))] + expression)
  }

  /// Whether a variable may be used for it although it isn't a string.
  private var wantsVariable: Bool {
    switch self {
    case .text, .string, .null, .map, .object, .parameter, .animationValue: false
    case .any(let shapes):
      !shapes.contains { $0 == .text || $0 == .string || $0 == .parameter } && shapes.contains(where: \.wantsVariable)
    case .list(let element, _, _): element.holdsScalars
    case .tuple(let elements): elements.contains(where: \.holdsScalars)
    default: true
    }
  }

  /// Whether it can be an element of a list variable.
  private var holdsScalars: Bool {
    switch self {
    case .object, .map, .list, .tuple, .null: false
    case .any(let shapes): shapes.contains(where: \.holdsScalars)
    default: true
    }
  }

  private var literalSchema: JSON5Node {
    switch self {
    case .text: .object(.text("type", "string"), .number("minLength", "1"))
    case .bool: .object(.text("type", "boolean"))
    case .string: .object(.text("type", "string"))
    case .null: .object(.text("type", "null"))
    case .time: .object(.text("$ref", "#/$defs/time"))
    case .signedTime: .object(.text("$ref", "#/$defs/signedTime"))
    case .angle: .object(.text("type", "number"))
    case .length: ValueShape.lengthSchema(percentOf: "the canvas's side")
    case .layoutLength: ValueShape.lengthSchema(percentOf: "the side of the parent's box")
    case .frameLength(_, let range): ValueShape.frameLengthSchema(range)
    case .fraction: ValueShape.fractionSchema
    case .percent: .anyOf([.object(.number("const", "0")), ValueShape.percentSchema])
    case .part: ValueShape.partSchema
    case .number(let range), .factor(let range):
      ValueShape.numberSchema("number", "\(range.lowerBound)", "\(range.upperBound)")
    case .integer(let range): ValueShape.numberSchema("integer", "\(range.lowerBound)", "\(range.upperBound)")
    case .gain: ValueShape.levelSchema(ProjectDecibels.volumes, "dB")
    case .loudness: ValueShape.levelSchema(ProjectDecibels.loudness, "LUFS")
    case .decibels: .object(.text("type", "string"), .text("pattern", ProjectDecibels.pattern("dB")))
    case .ratio: ValueShape.ratioSchema
    case .frameRate: ValueShape.frameRateSchema
    case .size: .object(.text("type", "string"), .text("pattern", "^[0-9]{1,5}x[0-9]{1,5}$"))
    case .color: ValueShape.colorSchema
    case .easing: .object(.text("type", "string"), .text("pattern", ValueShape.easingPattern))
    case .choice(let words):
      .object(JSON5Member("enum", JSON5Node(.array(words.map { JSON5Node(.string($0)) }))))
    case .list(let element, let minimum, let maximum): ValueShape.listSchema(of: element, minimum, maximum)
    case .tuple(let elements): ValueShape.tupleSchema(of: elements)
    case .map(let value):
      .object(.text("type", "object"), JSON5Member("additionalProperties", value.jsonSchema))
    case .object(let name): .object(.text("$ref", "#/$defs/\(name)"))
    case .any(let shapes): .anyOf(shapes.map(\.literalSchema))
    case .animationValue: ValueShape.schema(ofTypes: ["number", "string", "array", "object"])
    case .parameter: ValueShape.schema(ofTypes: ["boolean", "number", "string", "array"])
    }
  }
}

/// Schemas of single shapes.
extension ValueShape {
  private static let fractionSchema = JSON5Node.anyOf([
    .object(.text("type", "number"), .text("description", "A fraction; 1 is the whole side.")), percentSchema,
  ])

  private static func frameLengthSchema(_ pixels: ClosedRange<Double>) -> JSON5Node {
    .anyOf([
      numberSchema("number", "\(pixels.lowerBound)", "\(pixels.upperBound)"),
      .object(
        .text("type", "string"), .text("pattern", CanvasLength.percentPattern),
        .text("description", "Percent of the upright frame's side.")),
    ])
  }

  private static let partSchema = JSON5Node.anyOf([
    numberSchema("number", "0", "1"),
    .object(.text("type", "string"), .text("pattern", CanvasLength.percentPattern)),
  ])

  private static let ratioSchema = JSON5Node.anyOf([
    .object(.text("type", "number"), .number("minimum", "0")),
    .object(.text("type", "string"), .text("pattern", #"^([0-9]+/[0-9]+|[0-9]+\.?[0-9]*|\.[0-9]+)$"#)),
  ])

  private static let frameRateSchema = JSON5Node.anyOf([
    numberSchema("number", "0.01", "1000"),
    .object(.text("type", "string"), .text("pattern", #"^(?=.*[1-9])([0-9]+/0*[1-9][0-9]*|[0-9]+\.?[0-9]*|\.[0-9]+)$"#)),
  ])

  private static let colorSchema = JSON5Node.object(
    .text("type", "string"),
    .text(
      "pattern",
      "^(#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|\(Color.functionPattern)|\(Color.notationNames.joined(separator: "|")))$"
    ))

  private static func numberSchema(_ type: String, _ minimum: String, _ maximum: String) -> JSON5Node {
    .object(.text("type", type), .number("minimum", minimum), .number("maximum", maximum))
  }

  private static func listSchema(of element: ValueShape, _ minimum: Int, _ maximum: Int?) -> JSON5Node {
    JSON5Node(
      .object(
        [.text("type", "array"), JSON5Member("items", element.jsonSchema), .number("minItems", "\(minimum)")]
          + (maximum.map { [.number("maxItems", "\($0)")] } ?? [])))
  }

  private static func tupleSchema(of elements: [ValueShape]) -> JSON5Node {
    .object(
      .text("type", "array"), JSON5Member("prefixItems", JSON5Node(.array(elements.map(\.jsonSchema)))),
      .number("minItems", "\(elements.count)"), .number("maxItems", "\(elements.count)"))
  }

  private static func schema(ofTypes names: [String]) -> JSON5Node {
    .object(JSON5Member("type", JSON5Node(.array(names.map { JSON5Node(.string($0)) }))))
  }
}

extension JSON5Node {
  fileprivate static func object(_ members: JSON5Member...) -> JSON5Node { JSON5Node(.object(members)) }
  fileprivate static func anyOf(_ schemas: [JSON5Node]) -> JSON5Node {
    .object(JSON5Member("anyOf", JSON5Node(.array(schemas))))
  }
}

extension JSON5Member {
  fileprivate static func text(_ key: String, _ text: String) -> JSON5Member {
    JSON5Member(key, JSON5Node(.string(text)))
  }
  fileprivate static func number(_ key: String, _ digits: String) -> JSON5Member {
    JSON5Member(key, JSON5Node(.number(digits)))
  }
}
