package import CCompositorPlugin
package import CompositorAPI

extension ParameterDescription.Kind {
  /// The code of the kind.
  package var code: Int32 {
    switch self {
    case .bool: Int32(COMPOSITOR_BOOL)
    case .integer: Int32(COMPOSITOR_INTEGER)
    case .number: Int32(COMPOSITOR_NUMBER)
    // Represented as strings; expressions that the host does not evaluate are evaluated by the plugin's library.
    case .string, .expression, .easing: Int32(COMPOSITOR_STRING)
    case .choice: Int32(COMPOSITOR_CHOICE)
    case .color: Int32(COMPOSITOR_COLOR)
    case .point: Int32(COMPOSITOR_POINT)
    case .textFile: Int32(COMPOSITOR_TEXT_FILE)
    case .file: Int32(COMPOSITOR_FILE)
    }
  }
}

extension CompositorParameter {
  /// Creates the struct of a value; fields stay 0 if the value is of another kind.
  package init(_ key: String, _ value: ParameterValue, kind: ParameterDescription.Kind, _ arena: StructArena) {
    self.init()
    struct_size = MemoryLayout<CompositorParameter>.size
    self.key = arena.text(key)
    self.kind = kind.code
    if case .expression = kind, let value = value.number {
      string = arena.text("\(value)")
      return
    }
    switch value {
    case .bool(let flag): number = flag ? 1 : 0
    case .integer(let whole): number = Double(whole)
    case .number(let number): self.number = number
    case .string(let text): string = arena.text(text)
    case .data(let bytes):
      data = arena.list(bytes).map { UnsafeRawPointer($0) }
      byte_count = bytes.count
    case .list(let items):
      let values = items.compactMap(\.number)
      numbers = arena.list(values).map { UnsafePointer($0) }
      number_count = Int32(clamping: values.count)
    }
  }

  /// The value; `nil` if a string is missing or the kind is unknown.
  package var value: ParameterValue? {
    switch Int(kind) {
    case COMPOSITOR_BOOL: .bool(number != 0)
    case COMPOSITOR_INTEGER: Int(exactly: number.rounded()).map(ParameterValue.integer)
    case COMPOSITOR_NUMBER: .number(number)
    case COMPOSITOR_STRING, COMPOSITOR_CHOICE, COMPOSITOR_TEXT_FILE: string.map { .string(String(cString: $0)) }
    case COMPOSITOR_FILE: .data(data.map { Array(UnsafeRawBufferPointer(start: $0, count: byte_count)) } ?? [])
    case COMPOSITOR_COLOR, COMPOSITOR_POINT:
      .list(
        (0..<max(0, min(Int(number_count), mostNumbers))).compactMap { index in
          numbers.map { ParameterValue.number($0[index]) }
        })
    default: nil
    }
  }

  /// The most numbers that a value of the kind has: those of a color with alpha, or of a point. More are not read, because they may
  /// not be there.
  private var mostNumbers: Int { Int(kind) == COMPOSITOR_COLOR ? 4 : 2 }

  /// What is wrong with the number of numbers; `nil` if it is possible for the kind.
  package var countFault: String? {
    let isColor = Int(kind) == COMPOSITOR_COLOR
    guard isColor || Int(kind) == COMPOSITOR_POINT, !((isColor ? 3 : 2)...mostNumbers).contains(Int(number_count)) else {
      return nil
    }
    return "\(number_count) numbers, but \(isColor ? "a color has 3 or 4" : "a point has 2")"
  }

  /// The structs of the values for a schema's parameters, in its order.
  package static func list(
    _ values: ParameterValues, schema: [ParameterDescription], _ arena: StructArena
  ) -> [UnsafePointer<CompositorParameter>?] {
    schema.compactMap { description in
      values[description.key].map {
        UnsafePointer(arena.make(CompositorParameter(description.key, $0, kind: description.kind, arena)))
      }
    }
  }
}
