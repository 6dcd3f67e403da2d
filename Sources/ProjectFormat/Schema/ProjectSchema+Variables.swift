/// The values of variables, and the keys of lists' elements that depend on them.
extension ProjectSchema {
  private static let scalar = ValueShape.any([.string, anyNumber, .bool])
  private static let item = ValueShape.any([.string, anyNumber, .bool, .object("variableObject")])

  /// A value of a variable in another one.
  private static let variableMember = ValueShape.any([.string, anyNumber, .bool, .list(item), .object("variableObject")])

  /// A value of a variable.
  static let variable = ValueShape.any([
    .string, anyNumber, .bool, .list(item), .object("variableFile"), .object("variableObject"),
  ])

  /// The name of the shape of the keys that every object has as an element of a list.
  static let listElementName = "listElement"

  package static let variableShapes = [
    ObjectShape(
      "variableFile", "a variable that is read from a file",
      [
        KeyShape(
          "file", .text, required: true,
          "A table (.csv, .tsv), whose rows are objects with the columns as members, or JSON, relative to the project. The variable's value may be another path."
        )
      ]),
    ObjectShape("variableObject", "a variable with members", [], others: variableMember),
    ObjectShape(
      listElementName, "keys of every object that is an element of a list",
      [
        KeyShape(
          "forEach", .any([.list(item), .object("repetition")]),
          "Repeats the element for each item of a list: forEach: \"${players}\", with ${item} and its number ${index}."),
        KeyShape("if", condition, "Keeps the element only if the value isn't empty, 0 or false, or if the comparison holds."),
        KeyShape(
          "unless", condition, "Keeps the element only if the value is empty, 0 or false, or the comparison doesn't hold."),
      ]),
    ObjectShape(
      "repetition", "what an element is repeated for",
      [
        KeyShape("list", .list(item), required: true, "The list, usually a variable."),
        KeyShape("item", .text, "The name of the variable that is the item; by default item."),
        KeyShape("index", .text, "The name of the variable that is the item's number; by default index."),
        KeyShape("first", .integer(0...1_000_000), "The number of the first item; by default 0."),
      ]),
    ObjectShape(
      "comparison", "a condition that holds if two values are equal",
      [
        KeyShape("value", scalar, required: true, "The value, usually a variable."),
        KeyShape("equals", scalar, required: true, "The value that it has if the condition holds."),
      ]),
  ]

  private static let condition = ValueShape.any([.string, anyNumber, .bool, .list(item), .object("comparison")])

  /// The objects that are elements of lists.
  static let listElements: Set<String> = Set(
    shapes.flatMap { shape in (shape.keys.map(\.value) + [shape.others].compactMap(\.self)).flatMap(\.elementObjects) })
}

extension ValueShape {
  /// The names of the objects that are elements of lists in it.
  fileprivate var elementObjects: [String] {
    switch self {
    case .list(let element, _, _): element.objects + element.elementObjects
    case .tuple(let elements): elements.flatMap(\.elementObjects)
    case .map(let value): value.elementObjects
    case .any(let shapes): shapes.flatMap(\.elementObjects)
    default: []
    }
  }

  /// The names of the objects that the value itself may be.
  private var objects: [String] {
    alternatives.compactMap { shape in
      guard case .object(let name) = shape else { return nil }
      return name
    }
  }
}
